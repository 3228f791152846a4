// Whole lists, and records in full, read in batches.

import { textValue } from '../../model/record/values.js'
import type { Reference, ResolvedRecord, ViewName } from '../../model/record/views.js'
import type { ResourceName } from '../../model/iris.js'
import type { Resource, Resources } from '../../model/resources.js'
import { createSerialQueue } from '../../lib/scheduling.js'
import type { ListSpecs } from './list-specs.js'
import { type ListQuery, type Lists, type RecordStream, referencesTo } from '../lists.js'
import { type RecordReader, recordKey } from '../records/record-cache.js'
import type { ResolveReferences } from '../records/resolve-references.js'
import type { Ids, RecordIndex } from '../sparql-record-index.js'

type ListStreamsDependencies = {
  readonly recordIndex: RecordIndex
  readonly resources: Resources
  readonly records: RecordReader
  readonly resolve: ResolveReferences
} & ListSpecs

// How many records are read at once for a stream. Other requests wait for one batch: with 200 they
// wait twenty times as long, and the export is no faster.
const batchSize = 8

export function createListStreams({
  recordIndex,
  resources,
  records,
  resolve,
  specOf,
}: ListStreamsDependencies): Pick<Lists, 'stream' | 'readInFull' | 'withHoldings'> {
  const batchQueue = createSerialQueue()

  async function stream(name: ResourceName, query: ListQuery): Promise<RecordStream> {
    const ids = await recordIndex.all(await specOf(resources[name], query))
    return { count: ids.length, batches: readInBatches(resources[name], ids) }
  }

  /**
   * Reads one batch at a time of all streams together, so that other requests wait for one at most.
   */
  async function* readInBatches(resource: Resource, ids: Ids, view: ViewName = 'detail') {
    for (let start = 0; start < ids.length; start += batchSize) {
      const batch = referencesTo(resource.name, ids.slice(start, start + batchSize))
      yield await batchQueue(async () => {
        const lookup = await records.get(batch, 'once')
        const values = batch.map(lookup).filter((values) => values !== undefined)
        return resolve(resource, values, view, 'once')
      })
    }
  }

  async function readInFull(
    references: readonly Reference[],
  ): Promise<ReadonlyMap<string, ResolvedRecord>> {
    const recordsByKey = new Map<string, ResolvedRecord>()
    for (const resource of Object.values(resources)) {
      const ids = references.filter(({ target }) => target === resource.name).map(({ id }) => id)
      for await (const batch of readInBatches(resource, ids))
        for (const record of batch) {
          const id = textValue(record.values, resource.id.name)
          recordsByKey.set(recordKey({ target: resource.name, id }), record)
        }
    }
    return recordsByKey
  }

  async function withHoldings(
    listed: readonly ResolvedRecord[],
  ): Promise<readonly ResolvedRecord[]> {
    const { holdings } = resources
    const zines = listed.filter(({ resource }) => resource.name === 'zines').map(idOf)
    const field = holdings.byName.get('zine_id')
    if (!field || zines.length === 0) return listed
    const to = referencesTo('zines', zines)
    const ids = await recordIndex.referrers({ resource: holdings, field }, to)
    const byZine = new Map(zines.map((id): [string, ResolvedRecord[]] => [id, []]))
    // The list view has the zine and the repository of a holding.
    for await (const batch of readInBatches(holdings, ids, 'list'))
      for (const holding of batch) byZine.get(textValue(holding.values, field.name))?.push(holding)
    return listed.map((record) =>
      record.resource.name === 'zines'
        ? { ...record, holdings: byZine.get(idOf(record)) ?? [] }
        : record,
    )
  }

  return { stream, readInFull, withHoldings }
}

const idOf = ({ resource, values }: ResolvedRecord): string => textValue(values, resource.id.name)
