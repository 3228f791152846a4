// The figures and records that many pages show of the whole catalogue. They are computed when they
// are first needed, and again after a write.

import type { Catalogue } from '../../catalogue/catalogue.js'
import type { FacetCount } from '../../catalogue/lists.js'
import type { Statistics } from '../../catalogue/sparql-record-index.js'
import type { ResourceName } from '../../model/iris.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import { createSerialQueue } from '../../lib/scheduling.js'
import { firstPageQuery } from '../request/list-query.js'

export type CachedStatistics = {
  statistics(): Promise<Statistics>
  /**
   * The facet counts of a filter over all records of a resource: of the values that so many records
   * have.
   */
  facetCounts(name: ResourceName, filter: string, atLeast?: number): Promise<readonly FacetCount[]>
  /** The newest zines, in the list view. */
  newestZines(): Promise<readonly ResolvedRecord[]>
}

const newestCount = 6

/** How old a value may be over a store that other processes write too. */
const maxAgeMs = 1000

export function cacheStatistics(catalogue: Catalogue): CachedStatistics {
  const queue = createSerialQueue()
  const cached = <Value>(key: string, compute: () => Promise<Value>): Promise<Value> =>
    catalogue.keepUntilNextWrite(`statistics ${key}`, () => queue(compute), { maxAgeMs })

  return {
    statistics: () => cached('statistics', () => catalogue.statistics()),
    facetCounts: (name, filter, atLeast = 1) =>
      cached(`${name} ${filter} ${atLeast}`, () =>
        catalogue.facetCounts(name, filter, undefined, { atLeast }),
      ),
    newestZines: () =>
      cached('newest', async () => {
        const { records } = await catalogue.list('zines', firstPageQuery(newestCount), 'list')
        return catalogue.withHoldings(records)
      }),
  }
}
