// The search of all four kinds, in one ranked list (docs/api.md, "Search"). Lists of one kind are searched with `q` of
// their own. What is found is left to the catalogue.

import type { Catalogue } from '../../catalogue/catalogue.js'
import { json } from '../../formats/common-formats.js'
import { type ResourceName, resourceNames } from '../../model/iris.js'
import type { Resources } from '../../model/resources.js'
import { labelOfReference } from '../../model/record/title.js'
import { encodeSegment } from '../../rdf/terms.js'
import type { Endpoint } from '../endpoint.js'
import { requestOrigin } from '../origin.js'
import { parsePageQuery, setPageLinks } from '../request/pagination.js'
import { queryParam } from '../request/url.js'
import { sendText } from '../response/conditional.js'

type SearchDependencies = { readonly catalogue: Catalogue; readonly resources: Resources }

export const searchEndpoint = ({ catalogue, resources }: SearchDependencies): Endpoint => ({
  path: '/api/search/',
  name: 'Search',
  description: 'Zines, agents, repositories and holdings that have all words, the best first.',
  formats: [json],
  methods: {
    async GET(ctx) {
      const pageQuery = parsePageQuery(ctx)
      const q = queryParam(ctx, 'q')
      ctx.state.isCurrent = catalogue.currentUntilNextWrite()
      const found = await catalogue.searchAll({ names: resourceNames, q, ...pageQuery })
      const { count, results, didYouMean } = found
      const { next, previous } = setPageLinks(ctx, pageQuery, count)
      const references = results.map(({ reference }) => reference)
      const lookup = await catalogue.find(references)
      const origin = requestOrigin(ctx)
      const items = results.map(({ reference, json: record }) => {
        const { target: kind, id } = reference
        const label = labelOfReference(resources, lookup, reference)
        const url = `${origin}${pathOf(kind, id)}`
        return `${JSON.stringify({ kind, id, label, url }).slice(0, -1)},"record":${record}}`
      })
      const page = { count, next, previous, did_you_mean: didYouMean }
      ctx.set('Cache-Control', 'no-cache')
      ctx.set('X-Total-Count', String(count))
      sendText(ctx, `${JSON.stringify(page).slice(0, -1)},"results":[${items.join(',')}]}`)
    },
  },
})

const pathOf = (name: ResourceName, id: string): string => `/api/${name}/${encodeSegment(id)}/`
