// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import { mapEndpoint } from './map.js'

export const placesFeature = {
  name: 'places',
  api: (parts: PartsOf<typeof mapEndpoint>) => [mapEndpoint(parts)],
}
