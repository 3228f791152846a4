// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import { iiifEndpoints } from './iiif.js'
import { pictureEndpoints } from './pictures-api.js'
import { picturePageEndpoints } from './pictures-form.js'

type IiifParts = PartsOf<typeof iiifEndpoints>

type Parts = Omit<IiifParts, 'rights'> &
  PartsOf<typeof picturePageEndpoints> & {
    readonly vocabularies: { readonly 'rights-status': IiifParts['rights'] }
  }

export const picturesFeature = {
  name: 'pictures',
  api: pictureEndpoints,
  pages: (parts: Parts) => [
    ...iiifEndpoints({ ...parts, rights: parts.vocabularies['rights-status'] }),
    ...picturePageEndpoints(parts),
  ],
}
