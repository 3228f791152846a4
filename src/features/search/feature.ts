// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import { facetEndpoint } from './facets.js'
import { searchEndpoint } from './search-api.js'
import { searchPage } from './search.js'
import { openSearchEndpoint, suggestionEndpoint } from './suggestions.js'

type Parts = PartsOf<typeof facetEndpoint> &
  Omit<PartsOf<typeof searchEndpoint>, 'page'> &
  PartsOf<typeof searchPage> &
  PartsOf<typeof suggestionEndpoint>

export const searchFeature = {
  name: 'search',
  api: (parts: Parts) => [
    facetEndpoint(parts),
    searchEndpoint({ ...parts, page: searchPage(parts) }),
    suggestionEndpoint(parts),
  ],
  pages: () => [openSearchEndpoint],
}
