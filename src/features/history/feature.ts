// What this feature adds to the service.

import type { Endpoint } from '../../http/endpoint.js'
import { type HistoryEndpointsDependencies, historyEndpoints } from './history-api.js'
import { historyPageEndpoints } from './history.js'
import { type RemovalProofDependencies, removalProofEndpoint } from './removal-proof-api.js'

export const historyFeature = {
  name: 'history',
  api: (
    dependencies: HistoryEndpointsDependencies & RemovalProofDependencies,
  ): readonly Endpoint[] => [...historyEndpoints(dependencies), removalProofEndpoint(dependencies)],
  pages: historyPageEndpoints,
}
