// The figures and records that many pages show of the whole catalogue. They are computed when they are
// first needed, and again after a write.

import type { Catalogue } from '../../catalogue/catalogue.js'
import type { FacetCount } from '../../catalogue/lists.js'
import type { Statistics } from '../../catalogue/sparql-record-index.js'
import type { ResourceName } from '../../model/iris.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import { createSerialQueue } from '../../scheduling.js'
import { firstPageQuery } from '../request/list-query.js'

export type CachedStatistics = {
  statistics(): Promise<Statistics>
  /** The facet counts of a filter over all records of a resource. */
  facetCounts(name: ResourceName, filter: string): Promise<readonly FacetCount[]>
  /** The newest zines, in the list view. */
  newestZines(): Promise<readonly ResolvedRecord[]>
}

const newestCount = 6

export function cacheStatistics(catalogue: Catalogue): CachedStatistics {
  let cache = { revision: -1, values: new Map<string, Promise<unknown>>() }
  const queue = createSerialQueue()

  function cached<Value>(key: string, compute: () => Promise<Value>): Promise<Value> {
    const revision = catalogue.edition()
    if (cache.revision !== revision) cache = { revision, values: new Map() }
    const { values } = cache
    const existing = values.get(key)
    // A key always has the result of the same computation.
    if (existing) return existing as Promise<Value>
    const value = queue(compute)
    values.set(key, value)
    value.catch(() => values.delete(key))
    return value
  }

  return {
    statistics: () => cached('statistics', () => catalogue.statistics()),
    facetCounts: (name, filter) =>
      cached(`${name} ${filter}`, () => catalogue.facetCounts(name, filter)),
    newestZines: () =>
      cached('newest', async () => {
        const { records } = await catalogue.list('zines', firstPageQuery(newestCount), 'list')
        return records
      }),
  }
}
