// The home as a page: what is counted for it, and how much of that is shown.

import type { Resources } from '../../model/resources.js'
import { filtersOf } from '../../model/resources.js'
import type { ResourceName } from '../../model/iris.js'
import type { Mark } from '../../views/components/charts.js'
import { HomePage, type Share } from '../../views/pages/home.js'
import { entryPath, listPath } from '../../views/links.js'
import type { Browsing } from './records.js'
import { choicesOf } from './records.js'
import type { Handler } from '../endpoint.js'
import { json } from '../request/content-negotiation.js'
import type { Numbers } from './cached-statistics.js'
import { rootLinks } from '../api/root.js'
import { showPage, visitOf } from '../response/html.js'

type Shown = {
  readonly title: string
  readonly of: ResourceName
  readonly by: string
  readonly most: number
  readonly all: string
}

// prettier-ignore
const shares: readonly Shown[] = [
  { title: 'Top subjects', of: 'zines', by: 'subject', most: 12, all: entryPath({ name: 'subjects' }) },
  { title: 'Top genres', of: 'zines', by: 'genre', most: 12, all: entryPath({ name: 'genres' }) },
  { title: 'Languages', of: 'zines', by: 'language', most: 8, all: entryPath({ name: 'languages' }) },
  { title: 'Holdings by repository', of: 'holdings', by: 'repository_id', most: 8, all: listPath('repositories') },
  { title: 'Holdings by access', of: 'holdings', by: 'access_status', most: 8, all: entryPath({ name: 'access-status' }) },
]

export function homePage(browsing: Browsing & { readonly numbers: Numbers }): Handler {
  const { assets, catalogue, numbers, resources } = browsing
  const marksOf = async (name: ResourceName, by: string, most: number): Promise<Tallied> => {
    const counts = await numbers.tally(name, by)
    const filter = filterOf(resources, name, by)
    const choices = await choicesOf(catalogue, resources, filter, counts.slice(0, most))
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
    const found: Share[] = []
    for (const { title, of, by, most, all } of shares) {
      const { marks, isWhole } = await marksOf(of, by, most)
      found.push({ title, marks, all: isWhole ? '' : all })
    }
    const page = (
      <HomePage
        visit={visitOf(ctx, assets)}
        resources={resources}
        counts={counts}
        years={years.marks}
        shares={found}
        newest={await numbers.newest()}
        formats={[json]}
        json={JSON.stringify(rootLinks(ctx))}
      />
    )
    showPage(ctx, page)
  }
}

type Tallied = { readonly marks: readonly Mark[]; readonly isWhole: boolean }

function filterOf(resources: Resources, name: ResourceName, by: string) {
  const filter = filtersOf(resources[name]).find((one) => one.name === by)
  if (!filter) throw new Error(`no filter of ${name} is called ${by}`)
  return filter
}
