// The home page: covers of the day, the newest zines, and the figures of the catalogue. How it looks is left to
// features/home/home-page.tsx.

import { message } from '../../message.js'
import type { Translator } from '../../messages/translator.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { json } from '../../formats/common-formats.js'
import type { ResourceName } from '../../model/iris.js'
import type { Resources } from '../../model/resources.js'
import { filtersOf } from '../../model/resources.js'
import { entryPath, listPath } from '../../views/links.js'
import type { Pictures } from '../pictures/pictures.js'
import type { ListedValue } from './charts.js'
import { createDailyZines } from './daily-zines.js'
import { type Breakdown, HomePage } from './home-page.js'
import type { Handler, RequestContext } from '../../http/context.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import type { CachedStatistics } from '../../http/response/cached-statistics.js'
import { labelFacetCounts } from '../../http/response/facet-labels.js'

type BreakdownSource = {
  readonly title: string
  readonly name: ResourceName
  readonly filter: string
  readonly most: number
  /** The path of the page that shows all values. */
  readonly all: string
}

// prettier-ignore
const breakdowns: readonly BreakdownSource[] = [
  { title: message('Subjects'), name: 'zines', filter: 'subject', most: 24, all: entryPath({ name: 'subjects' }) },
  { title: message('Genres'), name: 'zines', filter: 'genre', most: 12, all: entryPath({ name: 'genres' }) },
  { title: message('Languages'), name: 'zines', filter: 'language', most: 12, all: entryPath({ name: 'languages' }) },
  { title: message('Copies by library'), name: 'holdings', filter: 'repository_id', most: 8, all: listPath('repositories') },
  { title: message('Copies by access'), name: 'holdings', filter: 'access_status', most: 8, all: entryPath({ name: 'access-status' }) },
]

type HomePageDependencies = {
  readonly assets: AssetUrls
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly pictures: Pictures
  readonly statistics: CachedStatistics
  readonly hasAccounts: () => boolean
  /** The links that the API answers with in place of the page. */
  readonly rootLinks: (ctx: RequestContext) => object
}

export function homePage(dependencies: HomePageDependencies): Handler {
  const { assets, statistics, resources, pictures, rootLinks } = dependencies
  const dailyZines = createDailyZines(dependencies)
  return async (ctx) => {
    const { counts } = await statistics.statistics()
    const context = pageContext(ctx, assets)
    const { translator } = context
    const source = { ...dependencies, translator }
    const years = await countValues(source, { name: 'zines', filter: 'year', most: Infinity })
    const shares: Breakdown[] = []
    for (const breakdown of breakdowns) {
      const { values, isComplete } = await countValues(source, breakdown)
      shares.push({ title: breakdown.title, values, all: isComplete ? '' : breakdown.all })
    }
    const page = (
      <HomePage
        context={context}
        resources={resources}
        hasAccounts={dependencies.hasAccounts()}
        counts={counts}
        years={years.values}
        breakdowns={shares}
        daily={await dailyZines()}
        newest={await statistics.newestZines()}
        covers={pictures}
        formats={[json]}
        json={JSON.stringify(rootLinks(ctx))}
      />
    )
    sendPage(ctx, page)
  }
}

/** The most frequent values of a filter, and whether these are all. */
async function countValues(
  source: HomePageDependencies & { readonly translator: Translator },
  { name, filter, most }: Pick<BreakdownSource, 'name' | 'filter' | 'most'>,
): Promise<{ readonly values: readonly ListedValue[]; readonly isComplete: boolean }> {
  const counts = await source.statistics.facetCounts(name, filter)
  const counted = requireFilter(source.resources, name, filter)
  const choices = await labelFacetCounts(source, counted, counts.slice(0, most))
  const values = choices.map((choice) => ({
    ...choice,
    href: listPath(name, { [filter]: choice.value }),
  }))
  return { values, isComplete: counts.length <= most }
}

function requireFilter(resources: Resources, name: ResourceName, filterName: string) {
  const filter = filtersOf(resources[name]).find((candidate) => candidate.name === filterName)
  if (!filter) throw new Error(`${name} have no filter ${filterName}`)
  return filter
}
