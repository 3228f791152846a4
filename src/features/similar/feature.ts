// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import { randomEndpoint } from './random-zine.js'
import { similarEndpoint } from './similar-api.js'

export const similarFeature = {
  name: 'similar',
  api: (parts: PartsOf<typeof similarEndpoint>) => [similarEndpoint(parts), randomEndpoint(parts)],
}
