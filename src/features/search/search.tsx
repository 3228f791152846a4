// The page of a search of all kinds. How it looks is left to features/search/search-page.tsx.

import type { Catalogue } from '../../catalogue/catalogue.js'
import { json } from '../../formats/common-formats.js'
import { resourceNames } from '../../model/iris.js'
import type { Resources } from '../../model/resources.js'
import { SearchPage } from './search-page.js'
import type { Handler } from '../../http/context.js'
import { requestOrigin } from '../../http/origin.js'
import { parsePageQuery, setPageLinks } from '../../http/request/pagination.js'
import { queryParam } from '../../http/request/url.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import { serializeSearch } from './search-results.js'

type SearchPageDependencies = {
  readonly assets: AssetUrls
  readonly catalogue: Catalogue
  readonly resources: Resources
}

export const searchPage =
  ({ assets, catalogue, resources }: SearchPageDependencies): Handler =>
  async (ctx) => {
    const pageQuery = parsePageQuery(ctx)
    const q = queryParam(ctx, 'q').trim()
    const found = await catalogue.searchAll({ names: resourceNames, q, ...pageQuery })
    const links = setPageLinks(ctx, pageQuery, found.count)
    const references = found.results.map(({ reference }) => reference)
    const lookup = await catalogue.find(references)
    const records = await catalogue.readForLists(references)
    const origin = requestOrigin(ctx)
    const page = (
      <SearchPage
        context={pageContext(ctx, assets)}
        resources={resources}
        q={q}
        found={found}
        records={records}
        marks={await catalogue.markWords(records, q)}
        page={{ number: pageQuery.page, size: pageQuery.pageSize }}
        links={links}
        formats={[json]}
        json={serializeSearch({ resources, lookup, origin, found, links })}
      />
    )
    sendPage(ctx, page)
  }
