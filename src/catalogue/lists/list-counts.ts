// How many records a list has, in all and with each value of a facet.

import type { ResourceName } from '../../model/iris.js'
import type { RdfMapper } from '../../model/record/rdf-mapper.js'
import { type Resources, countedValuesOf } from '../../model/resources.js'
import { compareCodePoints } from '../../rdf/terms.js'
import { createYielder } from '../../lib/scheduling.js'
import type { ListSpecs } from './list-specs.js'
import { readFacet, readNamedFacet } from '../list-facets.js'
import {
  type CrossedCounts,
  type CrossedFacets,
  type FacetCount,
  type FacetOptions,
  type ListQuery,
  type Lists,
  filterTerm,
  filterValue,
  wholeList,
} from '../lists.js'
import type { CrossCount, RecordIndex } from '../sparql-record-index.js'

type ListCountsDependencies = {
  readonly recordIndex: RecordIndex
  readonly resources: Resources
  readonly mapper: RdfMapper
} & ListSpecs

export function createListCounts({
  recordIndex,
  resources,
  mapper,
  specOf,
}: ListCountsDependencies): Pick<
  Lists,
  'count' | 'facetCounts' | 'namedFacetCounts' | 'crossCounts'
> {
  const model = { resources, mapper }

  const count = async (name: ResourceName, query: ListQuery): Promise<number> =>
    recordIndex.count(await specOf(resources[name], query))

  async function facetCounts(
    name: ResourceName,
    filterName: string,
    query: ListQuery = wholeList,
    { atLeast = 1, isNarrowed = false, mostFrequent }: FacetOptions = {},
  ): Promise<readonly FacetCount[]> {
    const resource = resources[name]
    const filter = countedValuesOf(resource).find((candidate) => candidate.name === filterName)
    if (!filter) throw new Error(`${name} have no filter ${filterName}`)
    const listSpec = await specOf(resource, query)
    const filters = listSpec.filters.filter(
      (condition) => isNarrowed || condition.filter.name !== filterName,
    )
    const counts = await recordIndex.facetCounts(
      { ...listSpec, filters },
      filter,
      mostFrequent && {
        limit: mostFrequent.limit,
        including: mostFrequent.including.map((value) => filterTerm(mapper, filter, value).value),
      },
    )
    return [...counts]
      .filter(([, count]) => count >= atLeast)
      .map(([term, count]) => ({ value: filterValue(mapper, filter, term), count }))
      .sort(mostFrequentFirst)
  }

  async function namedFacetCounts(name: ResourceName, facetName: string, query: ListQuery) {
    const { facet, valueOf } = readNamedFacet(facetName, model)
    const listSpec = await specOf(resources[name], query)
    const counts = await recordIndex.facetCounts(listSpec, facet)
    return [...counts]
      .map(([term, count]) => ({ value: valueOf(term), count }))
      .sort(mostFrequentFirst)
  }

  async function crossCounts(
    { rows, columns }: CrossedFacets,
    query: ListQuery,
  ): Promise<CrossedCounts> {
    const listSpec = await specOf(resources.zines, query)
    const count = await recordIndex.count(listSpec)
    const ofRows = readFacet(rows, model)
    if (columns === undefined) {
      const counts = await recordIndex.facetCounts(listSpec, ofRows.counted)
      return { count, rows: valuesOfFacet(ofRows, counts), columns: [], cells: new Map() }
    }
    const ofColumns = readFacet(columns, model)
    const crossCounts = await recordIndex.crossCounts(listSpec, ofRows.counted, ofColumns.counted)
    return {
      count,
      rows: valuesOfFacet(ofRows, crossCounts.rows),
      columns: valuesOfFacet(ofColumns, crossCounts.columns),
      cells: await cellsOf(crossCounts.cells, ofRows, ofColumns),
    }
  }

  return { count, facetCounts, namedFacetCounts, crossCounts }
}

type ReadFacet = ReturnType<typeof readFacet>

/** By the row, then by the column. Other work runs meanwhile. */
async function cellsOf(
  crossCounts: readonly CrossCount[],
  ofRows: ReadFacet,
  ofColumns: ReadFacet,
): Promise<CrossedCounts['cells']> {
  const cells = new Map<string, Map<string, number>>()
  const maybeYield = createYielder()
  for (const { row, column, count } of crossCounts) {
    await maybeYield()
    const [rowValue, columnValue] = [ofRows.valueOf(row), ofColumns.valueOf(column)]
    if (rowValue === undefined || columnValue === undefined) continue
    const ofRow = cells.get(rowValue) ?? new Map<string, number>()
    cells.set(rowValue, ofRow.set(columnValue, count))
  }
  return cells
}

const mostFrequentFirst = (a: FacetCount, b: FacetCount): number =>
  b.count - a.count || compareCodePoints(a.value, b.value)

const valuesOfFacet = (
  { valueOf }: ReadFacet,
  counts: ReadonlyMap<string, number>,
): readonly FacetCount[] =>
  [...counts]
    .flatMap(([term, count]) => {
      const value = valueOf(term)
      return value === undefined ? [] : [{ value, count }]
    })
    .sort(mostFrequentFirst)
