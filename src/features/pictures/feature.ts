// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import { iiifEndpoints } from './iiif.js'
import { pictureEndpoints } from './pictures-api.js'
import { picturePageEndpoints } from './pictures-form.js'

type Parts = PartsOf<typeof iiifEndpoints> & PartsOf<typeof picturePageEndpoints>

export const picturesFeature = {
  name: 'pictures',
  api: pictureEndpoints,
  pages: (parts: Parts) => [...iiifEndpoints(parts), ...picturePageEndpoints(parts)],
}
