// Whole lists, and records in full, read in batches.

import type { RdfMapper } from '../../model/record/rdf-mapper.js'
import { textValue } from '../../model/record/values.js'
import type { Reference, ResolvedRecord } from '../../model/record/views.js'
import type { ResourceName } from '../../model/iris.js'
import type { Resource, Resources } from '../../model/resources.js'
import { compareCodePoints } from '../../rdf/terms.js'
import { createSerialQueue } from '../../lib/scheduling.js'
import {
  type ListQuery,
  type Lists,
  type RecordStream,
  buildListSpec,
  referencesTo,
  wholeList,
} from '../lists.js'
import { type RecordReader, recordKey } from '../records/record-cache.js'
import type { ResolveReferences } from '../records/resolve-references.js'
import type { Ids, RecordIndex } from '../sparql-record-index.js'

type ListStreamsDependencies = {
  readonly recordIndex: RecordIndex
  readonly resources: Resources
  readonly mapper: RdfMapper
  readonly records: RecordReader
  readonly resolve: ResolveReferences
}

// How many records are read at once for a stream. Other requests wait for one batch: with 200 they
// wait twenty times as long, and the export is no faster.
const batchSize = 8

export function createListStreams({
  recordIndex,
  resources,
  mapper,
  records,
  resolve,
}: ListStreamsDependencies): Pick<Lists, 'stream' | 'readInFull' | 'withHoldings'> {
  const batchQueue = createSerialQueue()
  const model = { resources, mapper }

  async function stream(name: ResourceName, query: ListQuery): Promise<RecordStream> {
    const ids = await recordIndex.all(buildListSpec(resources[name], query, model))
    return { count: ids.length, batches: readInBatches(resources[name], ids) }
  }

  /**
   * Reads one batch at a time of all streams together, so that other requests wait for one at most.
   */
  async function* readInBatches(resource: Resource, ids: Ids) {
    for (let start = 0; start < ids.length; start += batchSize) {
      const batch = referencesTo(resource.name, ids.slice(start, start + batchSize))
      yield await batchQueue(async () => {
        const lookup = await records.get(batch, 'once')
        const found = batch.map(lookup).filter((values) => values !== undefined)
        return resolve(resource, found, 'detail', 'once')
      })
    }
  }

  async function readInFull(
    references: readonly Reference[],
  ): Promise<ReadonlyMap<string, ResolvedRecord>> {
    const found = new Map<string, ResolvedRecord>()
    for (const resource of Object.values(resources)) {
      const ids = references.filter(({ target }) => target === resource.name).map(({ id }) => id)
      for await (const batch of readInBatches(resource, ids))
        for (const record of batch) {
          const id = textValue(record.values, resource.id.name)
          found.set(recordKey({ target: resource.name, id }), record)
        }
    }
    return found
  }

  async function withHoldings(
    zines: readonly ResolvedRecord[],
  ): Promise<readonly ResolvedRecord[]> {
    const found: ResolvedRecord[] = []
    for (let start = 0; start < zines.length; start += batchSize) {
      const batch = zines.slice(start, start + batchSize)
      found.push(...(await batchQueue(() => Promise.all(batch.map(addHoldings)))))
    }
    return found
  }

  async function addHoldings(zine: ResolvedRecord): Promise<ResolvedRecord> {
    const filters = new Map([['zine_id', textValue(zine.values, zine.resource.id.name)]])
    const ids = await recordIndex.all(
      buildListSpec(resources.holdings, { ...wholeList, filters }, model),
    )
    const references = referencesTo('holdings', [...ids].sort(compareCodePoints))
    const lookup = await records.get(references, 'once')
    const values = references.map(lookup).filter((one) => one !== undefined)
    // The list view has the zine and the repository of a holding.
    const holdings = await resolve(resources.holdings, values, 'list', 'once')
    return { ...zine, holdings }
  }

  return { stream, readInFull, withHoldings }
}
