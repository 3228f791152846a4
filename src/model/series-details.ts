// Describes a series by its zines: in the order in which people count issues, the numbers that none
// of them has, and which repositories have which. A series has no record of its own
// (docs/reference/data-model.md, "Series").

import { yearsOfAll } from './dates.js'
import { type IssueRange, compareIssues, missingIssues } from './issue-numbers.js'
import { type RecordValues, listValue, textValue } from './record/values.js'
import type { ResolvedRecord } from './record/views.js'
import { type Series, seriesOf } from './series.js'

export type SeriesDetails = Series & {
  /** In their order, each with its holdings; at least one. */
  readonly issues: readonly ResolvedRecord[]
  /** The numbers below the highest that no issue has. */
  readonly missing: readonly IssueRange[]
  /** By name. */
  readonly repositories: readonly SeriesRepository[]
}

/** What the list of series shows of one. */
export type SeriesListing = {
  readonly slug: string
  readonly title: string
  /** The name of its maker, where it is the series of a title and a maker. */
  readonly maker: string | undefined
  readonly issueCount: number
}

/** A repository, with the identifiers of the issues that it has. */
export type SeriesRepository = {
  readonly id: string
  readonly name: string
  readonly issueIds: ReadonlySet<string>
}

/**
 * @param zines all its zines, with their holdings
 * @returns undefined where none of them is of the series
 */
export function describeSeries(
  slug: string,
  zines: readonly ResolvedRecord[],
): SeriesDetails | undefined {
  const issues = [...zines]
  issues.sort((a, b) => compareIssues(toSorted(a.values), toSorted(b.values)))
  const [first] = issues
  const series = first && seriesIn(first.values, slug)
  if (!series) return undefined
  return {
    ...series,
    issues,
    missing: missingIssues(issues.map(({ values }) => designationOf(values))),
    repositories: repositoriesOf(issues),
  }
}

/** The identifier of an issue. */
export const issueId = ({ values }: ResolvedRecord): string => textValue(values, 'zine_id')

/** The name of the maker whose series it is; undefined for a stated one, which may have many. */
export function makerOf({
  isStated,
  issues: [first],
}: Pick<SeriesDetails, 'isStated' | 'issues'>): string | undefined {
  if (isStated || !first) return undefined
  const [id = ''] = listValue(first.values, 'creator')
  const maker = first.lookup({ target: 'agents', id })
  return maker && textValue(maker, 'display_name')
}

/** The series of a zine that has this slug. */
export const seriesIn = (values: RecordValues, slug: string): Series | undefined =>
  seriesOf(values).find((series) => series.slug === slug)

export const designationOf = (values: RecordValues): string =>
  textValue(values, 'issue_designation')

function toSorted(values: RecordValues) {
  const { earliest, latest } = yearsOfAll(listValue(values, 'date')) ?? {}
  return { designation: designationOf(values), year: earliest ?? latest }
}

function repositoriesOf(issues: readonly ResolvedRecord[]): readonly SeriesRepository[] {
  const repositories = new Map<string, SeriesRepository & { readonly issueIds: Set<string> }>()
  for (const issue of issues)
    for (const holding of issue.holdings ?? []) {
      const id = textValue(holding.values, 'repository_id')
      const repository = holding.lookup({ target: 'repositories', id })
      const name = repository ? textValue(repository, 'repository_name') : id
      const known = repositories.get(id) ?? { id, name, issueIds: new Set<string>() }
      known.issueIds.add(issueId(issue))
      repositories.set(id, known)
    }
  return [...repositories.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'))
}
