// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import { facetEndpoint } from './facets.js'
import { searchEndpoint } from './search-api.js'
import { searchPage } from './search.js'
import { openSearchEndpoint, suggestionEndpoint } from './suggestions.js'
import { createTermSearches } from './term-hits.js'

type Parts = PartsOf<typeof facetEndpoint> &
  Omit<PartsOf<typeof searchEndpoint>, 'page'> &
  Omit<PartsOf<typeof searchPage> & PartsOf<typeof suggestionEndpoint>, 'termSearches'> &
  PartsOf<typeof createTermSearches>

export const searchFeature = {
  name: 'search',
  api(parts: Parts) {
    const termSearches = createTermSearches(parts)
    return [
      facetEndpoint(parts),
      searchEndpoint({ ...parts, page: searchPage({ ...parts, termSearches }) }),
      suggestionEndpoint({ ...parts, termSearches }),
    ]
  },
  pages: () => [openSearchEndpoint],
}
