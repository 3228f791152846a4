// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import { exploreEndpoint } from './explore.js'

export const exploreFeature = {
  name: 'explore',
  api: (parts: PartsOf<typeof exploreEndpoint>) => [exploreEndpoint(parts)],
}
