// The search of all four kinds, in one ranked list (docs/reference/lists.md, "Search"). Lists of
// one kind are searched with `q` of their own. What is found is left to the catalogue.

import type { Catalogue } from '../../catalogue/catalogue.js'
import { json } from '../../formats/common-formats.js'
import { resourceNames } from '../../model/iris.js'
import type { Resources } from '../../model/resources.js'
import type { Handler } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { pageOperation, textSearch } from '../../http/operation.js'
import { requestOrigin } from '../../http/origin.js'
import { parsePageQuery, setPageLinks } from '../../http/request/pagination.js'
import { queryParam } from '../../http/request/url.js'
import { sendText } from '../../http/response/conditional.js'
import { serializeSearch } from './search-results.js'
import * as schema from '../../http/schemas.js'

const resultSchema = schema.component('SearchResult', 'A record of any kind that a search found.', {
  kind: schema.choice(resourceNames),
  id: schema.text('The identifier of the record.'),
  label: schema.text('The title or name; the identifier where there is neither.'),
  url: schema.url(),
  record: schema.anyObject('The record as lists of its kind show it.'),
})

const pageSchema = schema.searchedPage('PaginatedSearchResultList', resultSchema)

type SearchDependencies = {
  readonly catalogue: Catalogue
  readonly resources: Resources
  /** Its page. */
  readonly page: Handler
}

export const searchEndpoint = ({ catalogue, resources, page }: SearchDependencies): Endpoint => ({
  path: '/api/search/',
  name: 'Search',
  description: 'Zines, agents, repositories and holdings that have all words, the best first.',
  formats: [json],
  htmlHandler: page,
  methods: {
    async GET(ctx) {
      const pageQuery = parsePageQuery(ctx)
      const q = queryParam(ctx, 'q')
      ctx.state.isCurrent = catalogue.currentUntilNextWrite()
      const matches = await catalogue.searchAll({ names: resourceNames, q, ...pageQuery })
      const links = setPageLinks(ctx, pageQuery, matches.count)
      const lookup = await catalogue.find(matches.results.map(({ reference }) => reference))
      ctx.set('Cache-Control', 'no-cache')
      ctx.set('X-Total-Count', String(matches.count))
      const origin = requestOrigin(ctx)
      sendText(ctx, serializeSearch({ resources, lookup, origin, matches, links }))
    },
  },
  operations: { GET: { ...pageOperation(pageSchema, textSearch), errors: [400, 501] } },
})
