// The BASE_URL, which is stored with the data. A start with
// another BASE_URL is refused, because all IRIs would change; `rebase` moves the data to it.

import { DataFactory } from 'n3'
import { parse } from 'oxigraph'

import { ExpectedError } from '../../errors.js'
import { type NamedNode, type Quad, type Term, iri, writeNQuads } from '../../rdf/terms.js'
import type { KeyValueWrite, KeyValueStore } from '../../lib/key-value/key-value-store.js'
import { checkDataVersion, derivationEntry, versionEntry } from './data-version.js'
import { baseUrlKey, derivationKey, followsAddressKey, prefixes, versionKey } from './keys.js'

/**
 * Checks that the data belong to this base URL. An empty store is assigned to it.
 * @param isSet whether somebody chose the base URL; else it is made from the address of the service
 * @returns `follows` when the data belong to another address and nobody ever set BASE_URL: they
 * have to be moved with `rebase`
 * @throws ExpectedError when they belong to another base URL, or are of another version
 */
export async function checkBaseUrl(
  store: KeyValueStore,
  baseUrl: string,
  isSet = true,
): Promise<'matches' | 'follows'> {
  const [stored, format, derivation, follows] = await store.getMany([
    baseUrlKey,
    versionKey,
    derivationKey,
    followsAddressKey,
  ])
  if (stored === undefined && format === undefined) {
    await store.write([
      { key: baseUrlKey, value: baseUrl },
      versionEntry,
      derivationEntry,
      ...(isSet ? [] : [{ key: followsAddressKey, value: 'true' }]),
    ])
    return 'matches'
  }
  checkDataVersion({ format, derivation })
  if (stored === baseUrl) {
    if (isSet && follows !== undefined)
      await store.write([{ key: followsAddressKey, value: undefined }])
    return 'matches'
  }
  if (!isSet && follows !== undefined) return 'follows'
  throw new ExpectedError(
    `the data belong to ${stored}, but BASE_URL is ${baseUrl}: ` +
      `set BASE_URL=${stored}, or move the data with: npx zine-catalogue rebase ${baseUrl}`,
  )
}

/** The paths of our own IRIs. Other IRIs that begin with the base URL are not changed. */
const ownPaths = ['/id/', '/api/', '/graphs/', '/series/', '/vocabularies/', '/geography/', '/ns#']

/**
 * Moves all records to another BASE_URL, in one write.
 * @param clientProperties the properties whose values are IRIs given by clients; they are not
 * changed
 * @returns the number of records
 * @throws ExpectedError when the store is empty
 */
export async function rebase(
  store: KeyValueStore,
  baseUrl: string,
  clientProperties: ReadonlySet<string>,
): Promise<number> {
  const [former, format, derivation] = await store.getMany([baseUrlKey, versionKey, derivationKey])
  if (former === undefined) throw new ExpectedError('there are no data to move')
  checkDataVersion({ format, derivation })
  const move = (term: Term): Term =>
    term.termType === 'NamedNode' && ownPaths.some((path) => term.value.startsWith(former + path))
      ? iri(baseUrl + term.value.slice(former.length))
      : term
  const entries: KeyValueWrite[] = [{ key: baseUrlKey, value: baseUrl }]
  for await (const [key, value] of store.entries(prefixes.records)) {
    const quads = parse(value, { format: 'application/n-quads' }) as unknown as Quad[]
    const moved = quads.map(({ subject, predicate, object, graph }) =>
      DataFactory.quad(
        move(subject) as NamedNode,
        move(predicate) as NamedNode,
        (clientProperties.has(predicate.value) ? object : move(object)) as NamedNode,
        move(graph) as NamedNode,
      ),
    )
    entries.push({ key, value: writeNQuads(moved) })
  }
  await store.write(entries)
  return entries.length - 1
}
