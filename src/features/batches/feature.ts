// What this feature adds to the service.

import { batchEndpoints } from './batches-api.js'
import { batchPageEndpoints } from './batches.js'

export const batchesFeature = {
  name: 'batches',
  api: batchEndpoints,
  pages: batchPageEndpoints,
}
