// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import { oaiEndpoint } from './oai-endpoint.js'

type OaiParts = PartsOf<typeof oaiEndpoint>

type Parts = Omit<OaiParts, 'items' | 'tokenKey'> & {
  /** A process that only reads has none, and passes harvesters on. */
  readonly harvesting: Pick<OaiParts, 'items' | 'tokenKey'> | undefined
}

export const harvestingFeature = {
  name: 'harvesting',
  pages: (parts: Parts) =>
    parts.harvesting ? [oaiEndpoint({ ...parts, ...parts.harvesting })] : [],
}
