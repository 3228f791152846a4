// The home page: the statistics of the catalogue and its newest zines. How it looks is left to
// features/home/home-page.tsx.

import { message } from '../../message.js'
import type { Translator } from '../../messages/translator.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { json } from '../../formats/common-formats.js'
import type { ResourceName } from '../../model/iris.js'
import type { Resources } from '../../model/resources.js'
import { filtersOf } from '../../model/resources.js'
import type { Bar } from './charts.js'
import { entryPath, listPath } from '../../views/links.js'
import { type Breakdown, HomePage } from './home-page.js'
import type { Handler, RequestContext } from '../../http/context.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import type { CachedStatistics } from '../../http/response/cached-statistics.js'
import { labelFacetCounts } from '../../http/response/facet-labels.js'

type BreakdownSource = {
  readonly title: string
  readonly name: ResourceName
  readonly filter: string
  readonly maxBars: number
  /** The path of the page that shows all values. */
  readonly all: string
}

// prettier-ignore
const breakdowns: readonly BreakdownSource[] = [
  { title: message('Top subjects'), name: 'zines', filter: 'subject', maxBars: 12, all: entryPath({ name: 'subjects' }) },
  { title: message('Top genres'), name: 'zines', filter: 'genre', maxBars: 12, all: entryPath({ name: 'genres' }) },
  { title: message('Languages'), name: 'zines', filter: 'language', maxBars: 8, all: entryPath({ name: 'languages' }) },
  { title: message('Copies by library'), name: 'holdings', filter: 'repository_id', maxBars: 8, all: listPath('repositories') },
  { title: message('Copies by access'), name: 'holdings', filter: 'access_status', maxBars: 8, all: entryPath({ name: 'access-status' }) },
]

type HomePageDependencies = {
  readonly assets: AssetUrls
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly statistics: CachedStatistics
  readonly hasAccounts: () => boolean
  /** The links that the API answers with in place of the page. */
  readonly rootLinks: (ctx: RequestContext) => object
}

export function homePage(dependencies: HomePageDependencies): Handler {
  const { assets, statistics, resources, rootLinks } = dependencies
  return async (ctx) => {
    const { counts } = await statistics.statistics()
    const context = pageContext(ctx, assets)
    const { translator } = context
    const source = { ...dependencies, translator }
    const years = await countBars(source, { name: 'zines', filter: 'year', maxBars: Infinity })
    const shares: Breakdown[] = []
    for (const breakdown of breakdowns) {
      const { bars, isComplete } = await countBars(source, breakdown)
      shares.push({ title: breakdown.title, bars, all: isComplete ? '' : breakdown.all })
    }
    const page = (
      <HomePage
        context={context}
        resources={resources}
        hasAccounts={dependencies.hasAccounts()}
        counts={counts}
        years={years.bars}
        breakdowns={shares}
        newest={await statistics.newestZines()}
        formats={[json]}
        json={JSON.stringify(rootLinks(ctx))}
      />
    )
    sendPage(ctx, page)
  }
}

/** A bar for each of the most frequent values of a filter, and whether these are all values. */
async function countBars(
  source: HomePageDependencies & { readonly translator: Translator },
  { name, filter, maxBars }: Pick<BreakdownSource, 'name' | 'filter' | 'maxBars'>,
): Promise<{ readonly bars: readonly Bar[]; readonly isComplete: boolean }> {
  const counts = await source.statistics.facetCounts(name, filter)
  const counted = requireFilter(source.resources, name, filter)
  const choices = await labelFacetCounts(source, counted, counts.slice(0, maxBars))
  const bars = choices.map(({ value, label, count }) => ({
    label,
    count,
    href: listPath(name, { [filter]: value }),
  }))
  return { bars, isComplete: counts.length <= maxBars }
}

function requireFilter(resources: Resources, name: ResourceName, filterName: string) {
  const filter = filtersOf(resources[name]).find((candidate) => candidate.name === filterName)
  if (!filter) throw new Error(`${name} have no filter ${filterName}`)
  return filter
}
