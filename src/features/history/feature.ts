// What this feature adds to the service.

import { historyEndpoints } from './history-api.js'
import { historyPageEndpoints } from './history.js'

export const historyFeature = {
  name: 'history',
  api: historyEndpoints,
  pages: historyPageEndpoints,
}
