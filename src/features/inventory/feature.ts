// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import { hiddenRecordsEndpoint } from './hidden-records.js'
import { inventoryEndpoint } from './inventory.js'
import { worklistsEndpoint } from './worklists.js'

type Parts = PartsOf<typeof inventoryEndpoint> &
  PartsOf<typeof worklistsEndpoint> &
  PartsOf<typeof hiddenRecordsEndpoint>

export const inventoryFeature = {
  name: 'inventory',
  pages: (parts: Parts) => [
    worklistsEndpoint(parts),
    hiddenRecordsEndpoint(parts),
    inventoryEndpoint(parts),
  ],
}
