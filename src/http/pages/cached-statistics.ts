// What pages show of the collection as a whole, all the time: counted once, and kept until something
// is written.

import type { Catalogue } from '../../catalogue/catalogue.js'
import type { Statistics } from '../../catalogue/sparql-record-index.js'
import type { FacetCount } from '../../catalogue/lists.js'
import type { ResourceName } from '../../model/iris.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import { createSerialQueue } from '../../scheduling.js'
import { firstPageQuery } from '../request/list-query.js'

export type CachedStatistics = {
  survey(): Promise<Statistics>
  /** As the catalogue's, over all records of a kind. */
  tally(name: ResourceName, filter: string): Promise<readonly FacetCount[]>
  /** The zines that were catalogued last, as lists show them. */
  newest(): Promise<readonly ResolvedRecord[]>
}

export function cacheStatistics(catalogue: Catalogue): CachedStatistics {
  let kept = { edition: -1, numbers: new Map<string, Promise<unknown>>() }
  const inTurn = createSerialQueue()

  function keep<Number>(name: string, count: () => Promise<Number>): Promise<Number> {
    const edition = catalogue.edition()
    if (kept.edition !== edition) kept = { edition, numbers: new Map() }
    const { numbers } = kept
    const known = numbers.get(name)
    // Under a name there is always what the same counting gave.
    if (known) return known as Promise<Number>
    const counted = inTurn(count)
    numbers.set(name, counted)
    counted.catch(() => numbers.delete(name))
    return counted
  }

  return {
    survey: () => keep('survey', () => catalogue.statistics()),
    tally: (name, filter) => keep(`${name} ${filter}`, () => catalogue.facetCounts(name, filter)),
    newest: () =>
      keep(
        'newest',
        async () => (await catalogue.list('zines', firstPageQuery(6), 'list')).records,
      ),
  }
}
