// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import { addToListEndpoint } from './add-to-list.js'
import { listFormEndpoints } from './list-form.js'
import { listHistoryEndpoints } from './list-history-api.js'
import { listHistoryPageEndpoint } from './list-history-page.js'
import { listDocumentEndpoints, listEndpoints } from './lists-api.js'

export const listsFeature = {
  name: 'lists',
  api: (parts: PartsOf<typeof listEndpoints>) => [
    ...listEndpoints(parts),
    ...listHistoryEndpoints(parts),
  ],
  pages: (parts: PartsOf<typeof listFormEndpoints>) => [
    ...listFormEndpoints(parts),
    addToListEndpoint(parts),
    listHistoryPageEndpoint(parts),
    ...listDocumentEndpoints(parts),
  ],
}
