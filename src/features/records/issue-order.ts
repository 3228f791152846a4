// Sorts the issues of one title on list pages as people count them: no. 9 before no. 10. The order
// of the API, where the identifier decides between equal titles, stays (docs/reference/lists.md,
// "Ordering").

import type { Catalogue } from '../../catalogue/catalogue.js'
import type { ListPage, ListPageQuery } from '../../catalogue/lists.js'
import type { Resource } from '../../model/resources.js'
import { textValue } from '../../model/record/values.js'
import type { ResolvedRecord } from '../../model/record/views.js'

/** The maximum number of pages that are read beside the requested one, in each direction. */
const maxNeighbours = 8

/**
 * A page of a list, and its records as a page shows them: when the list is ordered by title,
 * records of the same title are sorted by their subtitle, also where they continue on other pages.
 */
export async function listInIssueOrder(
  catalogue: Catalogue,
  resource: Resource,
  query: ListPageQuery,
): Promise<ListPage & { readonly sorted: readonly ResolvedRecord[] }> {
  const { title, subtitle } = resource.summary
  const page = await catalogue.list(resource.name, query, 'list')
  const unsorted = { ...page, sorted: page.records }
  const [ordering = ''] = query.ordering
  if (!title || !subtitle || ordering.replace(/^-/, '') !== title.name) return unsorted
  const titleOf = ({ values }: ResolvedRecord): string => textValue(values, title.name)
  const read = async (number: number): Promise<readonly ResolvedRecord[]> =>
    (await catalogue.list(resource.name, { ...query, page: number }, 'list')).records

  const before: ResolvedRecord[] = []
  const after: ResolvedRecord[] = []
  const [first, last] = [page.records[0], page.records.at(-1)]
  if (!first || !last) return unsorted
  const lastPage = Math.ceil(page.count / query.pageSize)
  const offset = (query.page - 1) * query.pageSize
  /**
   * Whether the record at a place of the list has a title. Most neighbours have another one, so
   * they are not read.
   */
  const hasTitle = async (place: number, title: string): Promise<boolean> => {
    const beside = { ...query, page: place, pageSize: 1 }
    const [record] = (await catalogue.list(resource.name, beside, 'list')).records
    return record !== undefined && titleOf(record) === title
  }
  if (query.page > 1 && (await hasTitle(offset, titleOf(first))))
    for (let steps = 1; steps <= maxNeighbours && query.page - steps >= 1; steps += 1) {
      const records = await read(query.page - steps)
      const same = records.filter((record) => titleOf(record) === titleOf(first))
      before.unshift(...same)
      if (same.length < records.length) break
    }
  if (query.page < lastPage && (await hasTitle(offset + query.pageSize + 1, titleOf(last))))
    for (let steps = 1; steps <= maxNeighbours && query.page + steps <= lastPage; steps += 1) {
      const records = await read(query.page + steps)
      const same = records.filter((record) => titleOf(record) === titleOf(last))
      after.push(...same)
      if (same.length < records.length) break
    }

  const direction = ordering.startsWith('-') ? -1 : 1
  const sorted = sortRuns([...before, ...page.records, ...after], titleOf, (a, b) => {
    const [issueA, issueB] = [
      textValue(a.values, subtitle.name),
      textValue(b.values, subtitle.name),
    ]
    return direction * collator.compare(issueA, issueB)
  })
  return {
    ...page,
    sorted: sorted.slice(before.length, before.length + page.records.length),
  }
}

const collator = new Intl.Collator('en', { numeric: true })

/** Sorts each run of records with the same title; the runs stay in their order. */
function sortRuns(
  records: readonly ResolvedRecord[],
  titleOf: (record: ResolvedRecord) => string,
  compare: (a: ResolvedRecord, b: ResolvedRecord) => number,
): readonly ResolvedRecord[] {
  const runs: ResolvedRecord[][] = []
  for (const record of records) {
    const run = runs.at(-1)
    if (run?.[0] && titleOf(run[0]) === titleOf(record)) run.push(record)
    else runs.push([record])
  }
  return runs.flatMap((run) => run.sort(compare))
}
