// What this feature adds to the service.

import { type QueriesDependencies, queryEndpoints } from './queries.js'

export const queriesFeature = {
  name: 'queries',
  pages: (parts: QueriesDependencies) => queryEndpoints(parts),
}
