// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import { bookletEndpoint } from './booklet.js'

export const bookletsFeature = {
  name: 'booklets',
  pages: (parts: PartsOf<typeof bookletEndpoint>) => [bookletEndpoint(parts)],
}
