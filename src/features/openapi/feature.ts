// What this feature adds to the service: descriptions of what the others have.

import type { Endpoint } from '../../http/endpoint.js'
import type { PartsOf } from '../../http/feature.js'
import { apiReferencePage } from './api-reference.js'
import { hydraEndpoint } from './hydra.js'
import { schemaEndpoint } from './openapi-api.js'
import { swaggerEndpoint } from './swagger.js'

type Parts = Omit<
  PartsOf<typeof hydraEndpoint> & PartsOf<typeof schemaEndpoint>,
  'endpoints' | 'pageOf'
> & { readonly assets: PartsOf<typeof swaggerEndpoint> }

export const openApiFeature = {
  name: 'openapi',
  /** @param endpoints those of all other features that are described */
  describe(parts: Parts, endpoints: readonly Endpoint[]): readonly Endpoint[] {
    const hydra = hydraEndpoint({ ...parts, endpoints })
    const pageOf = apiReferencePage(parts.assets)
    return [hydra, schemaEndpoint({ ...parts, endpoints: [...endpoints, hydra], pageOf })]
  },
  pages: ({ assets }: Parts) => [swaggerEndpoint(assets)],
}
