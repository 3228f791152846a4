// The home as a page: what is counted for it, and how much of that is shown.

import type { Resources } from '../../model/resources.js'
import { filtersOf } from '../../model/resources.js'
import type { ResourceName } from '../../model/iris.js'
import type { Bar } from '../../views/components/charts.js'
import { HomePage, type Breakdown } from '../../views/pages/home.js'
import { entryPath, listPath } from '../../views/links.js'
import type { RecordPagesDependencies } from './records.js'
import { labelFacetCounts } from './records.js'
import type { Handler } from '../endpoint.js'
import { json } from '../request/content-negotiation.js'
import type { CachedStatistics } from './cached-statistics.js'
import { rootLinks } from '../api/root.js'
import { sendPage, pageContext } from '../response/html.js'

type HomePageDependencies = {
  readonly title: string
  readonly of: ResourceName
  readonly by: string
  readonly most: number
  readonly all: string
}

// prettier-ignore
const shares: readonly HomePageDependencies[] = [
  { title: 'Top subjects', of: 'zines', by: 'subject', most: 12, all: entryPath({ name: 'subjects' }) },
  { title: 'Top genres', of: 'zines', by: 'genre', most: 12, all: entryPath({ name: 'genres' }) },
  { title: 'Languages', of: 'zines', by: 'language', most: 8, all: entryPath({ name: 'languages' }) },
  { title: 'Holdings by repository', of: 'holdings', by: 'repository_id', most: 8, all: listPath('repositories') },
  { title: 'Holdings by access', of: 'holdings', by: 'access_status', most: 8, all: entryPath({ name: 'access-status' }) },
]

export function homePage(
  browsing: RecordPagesDependencies & { readonly numbers: CachedStatistics },
): Handler {
  const { assets, catalogue, numbers, resources } = browsing
  const marksOf = async (
    name: ResourceName,
    by: string,
    most: number,
  ): Promise<BreakdownSource> => {
    const counts = await numbers.tally(name, by)
    const filter = filterOf(resources, name, by)
    const choices = await labelFacetCounts(catalogue, resources, filter, counts.slice(0, most))
    const marks = choices.map(({ value, label, count }) => ({
      label,
      count,
      href: listPath(name, { [by]: value }),
    }))
    return { marks, isWhole: counts.length <= most }
  }
  return async (ctx) => {
    const { counts } = await numbers.survey()
    const years = await marksOf('zines', 'year', Infinity)
    const found: Breakdown[] = []
    for (const { title, of, by, most, all } of shares) {
      const { marks, isWhole } = await marksOf(of, by, most)
      found.push({ title, marks, all: isWhole ? '' : all })
    }
    const page = (
      <HomePage
        visit={pageContext(ctx, assets)}
        resources={resources}
        counts={counts}
        years={years.marks}
        shares={found}
        newest={await numbers.newest()}
        formats={[json]}
        json={JSON.stringify(rootLinks(ctx))}
      />
    )
    sendPage(ctx, page)
  }
}

type BreakdownSource = { readonly marks: readonly Bar[]; readonly isWhole: boolean }

function filterOf(resources: Resources, name: ResourceName, by: string) {
  const filter = filtersOf(resources[name]).find((one) => one.name === by)
  if (!filter) throw new Error(`no filter of ${name} is called ${by}`)
  return filter
}
