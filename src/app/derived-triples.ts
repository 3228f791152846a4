// Brings the derived triples of stored records up to date, when a release derives others than the
// one that wrote them. How triples are derived: model/declarations/ and model/record/rdf-mapper.ts.

import { type RdfMapper, toStatements } from '../model/record/rdf-mapper.js'
import { redirectOf } from '../model/record/redirect.js'
import type { Iris } from '../model/iris.js'
import type { Resource, Resources } from '../model/resources.js'
import { readNQuads } from '../rdf/nquads.js'
import { type Quad, writeNQuads } from '../rdf/terms.js'
import type { KeyValueStore, KeyValueWrite } from '../lib/key-value/key-value-store.js'
import { derivationEntry } from '../store/key-value/data-version.js'
import { prefixes, upgradeKey } from '../store/key-value/keys.js'

/** How many records one write changes at most. */
const batchSize = 1000

type Model = { readonly iris: Iris; readonly resources: Resources; readonly mapper: RdfMapper }

/**
 * Writes each record again whose derived triples are out of date. After an interruption the next
 * call begins anew.
 * @returns the number of records that changed
 */
export async function updateDerivedTriples(store: KeyValueStore, model: Model): Promise<number> {
  if ((await store.get(derivationEntry.key)) === derivationEntry.value) return 0
  let changed = 0
  let batch: KeyValueWrite[] = []
  for await (const [key, nquads] of store.entries(prefixes.records)) {
    const value = derivedAgain(model, key, nquads)
    if (value === nquads) continue
    changed += 1
    batch.push({ key, value })
    if (batch.length < batchSize) continue
    await store.write(batch)
    batch = []
  }
  await store.write([...batch, derivationEntry, { key: upgradeKey, value: undefined }])
  return changed
}

/**
 * The quads of a record as this release would write them; unchanged when no line of them differs.
 */
function derivedAgain({ iris, resources, mapper }: Model, key: string, nquads: string): string {
  const [, name = '', id = ''] = /^([a-z]+)\/(.*)$/su.exec(key.slice(prefixes.records.length)) ?? []
  const resource = (resources as Readonly<Record<string, Resource | undefined>>)[name]
  const quads = resource && parse(nquads)
  // Left to `doctor`, and to the start, which reports it.
  if (!quads) return nquads
  const statements = toStatements(quads)
  // It has no values: its identifier leads to another record.
  if (redirectOf(iris, statements) !== undefined) return nquads
  const again = writeNQuads(
    mapper.toQuads(resource, mapper.fromStatements(resource, id, statements)),
  )
  return hasSameLines(nquads, again) ? nquads : again
}

function parse(nquads: string): Quad[] | undefined {
  try {
    return readNQuads(nquads)
  } catch {
    return undefined
  }
}

function hasSameLines(first: string, second: string): boolean {
  const sorted = (nquads: string): string => nquads.split('\n').sort().join('\n')
  return first === second || sorted(first) === sorted(second)
}
