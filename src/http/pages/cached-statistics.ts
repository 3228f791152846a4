// What pages show of the collection as a whole, all the time: counted once, and kept until something
// is written.

import { createCache } from '../../cache.js'
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

/** Far more than the statistics there are. */
const maxEntries = 10_000

/** How old statistics may be where other processes write, of which this one is not told. */
const maxAgeMs = 1000

export function cacheStatistics(catalogue: Catalogue): CachedStatistics {
  const cache = createCache<Promise<unknown>>(maxEntries, () => 1)
  const inTurn = createSerialQueue()

  function keep<Number>(name: string, count: () => Promise<Number>): Promise<Number> {
    const cached = cache.get(name)
    // A name always stands for the same `count`.
    if (cached) return cached as Promise<Number>
    const isCurrent = catalogue.currentUntilNextWrite(maxAgeMs)
    const counted = inTurn(count)
    cache.set(name, counted, isCurrent)
    counted.catch(() => cache.delete(name))
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
