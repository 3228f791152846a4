// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import { makersEndpoint } from './makers.js'

export const makersFeature = {
  name: 'makers',
  api: (parts: PartsOf<typeof makersEndpoint>) => [makersEndpoint(parts)],
}
