// Makes a table of counts with labels and addresses from what the catalogue counts of two facets
// (docs/reference/explore.md, "Explore").

import type { Translator } from '../../messages/translator.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { fieldOfNamedFacet, namedFacetNames } from '../../catalogue/list-facets.js'
import type { FacetCount } from '../../catalogue/lists.js'
import { type Resources, countedValuesOf } from '../../model/resources.js'
import type { CrossTable, CrossValue } from './stacked-bars.js'
import { listPath } from '../../views/links.js'
import { createYielder } from '../../lib/scheduling.js'
import type { ExploreQuery, ExploredFacet } from './explore-query.js'
import { labelFacetCounts } from '../../http/response/facet-labels.js'

export type ExploreTable = CrossTable & {
  /** How many zines are counted, and how many values their facets have. */
  readonly count: number
  readonly rowCount: number
  readonly columnCount: number
}

type TableLimits = { readonly rows: number; readonly columns: number }

type TableDependencies = {
  readonly catalogue: Catalogue
  readonly resources: Resources
  /** What the addresses of lists begin with; empty on pages. */
  readonly origin: string
  readonly translator: Translator
}

/** @param limits how many rows and columns it has at most: the most frequent ones */
export async function createExploreTable(
  dependencies: TableDependencies,
  { rows, columns, query, filters }: ExploreQuery,
  limits: TableLimits,
): Promise<ExploreTable> {
  const { catalogue, origin, translator } = dependencies
  const { t } = translator
  const crossCounts = await catalogue.crossCounts(
    { rows: rows.name, columns: columns?.name },
    query,
  )
  const hrefOf = (parameters: Readonly<Record<string, string>>): string =>
    origin + listPath('zines', { ...filters, ...parameters })
  const valuesOf = async (
    facet: ExploredFacet,
    counts: readonly FacetCount[],
    limit: number,
  ): Promise<readonly CrossValue[]> =>
    (await labelCounts(dependencies, facet, counts.slice(0, limit))).map((labelled) => ({
      ...labelled,
      href: hrefOf({ [facet.parameter]: labelled.value }),
    }))
  const columnValues = columns ? await valuesOf(columns, crossCounts.columns, limits.columns) : []
  const rowValues = await valuesOf(rows, crossCounts.rows, limits.rows)
  const maybeYield = createYielder()
  const tableRows: ExploreTable['rows'][number][] = []
  for (const row of rowValues) {
    await maybeYield()
    tableRows.push({
      ...row,
      cells: columnValues.map((column) => ({
        count: crossCounts.cells.get(row.value)?.get(column.value) ?? 0,
        href: hrefOf({
          [rows.parameter]: row.value,
          ...(columns && { [columns.parameter]: column.value }),
        }),
      })),
    })
  }
  return {
    title: columns
      ? `${t(rows.title)} × ${t(columns.title).toLowerCase()}`
      : t('Zines by {title}', { title: t(rows.title).toLowerCase() }),
    count: crossCounts.count,
    rowCount: crossCounts.rows.length,
    columnCount: crossCounts.columns.length,
    columns: columnValues,
    rows: tableRows,
  }
}

/** With labels; decades and years in their order. */
async function labelCounts(
  { catalogue, resources, translator }: TableDependencies,
  { name }: ExploredFacet,
  counts: readonly FacetCount[],
) {
  if (name === 'decade' || name === 'year')
    return counts
      .map((count) => ({
        ...count,
        label: name === 'decade' ? translator.t('{decade}s', { decade: count.value }) : count.value,
      }))
      .sort((a, b) => (a.value < b.value ? -1 : 1))
  const named = namedFacetNames.find((facetName) => facetName === name)
  const filter = named
    ? fieldOfNamedFacet(named, resources)
    : countedValuesOf(resources.zines).find((candidate) => candidate.name === name)
  if (!filter) throw new Error(`zines have no facet ${name}`)
  return labelFacetCounts({ catalogue, resources, translator }, filter, counts)
}
