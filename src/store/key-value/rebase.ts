// Moves all records to another BASE_URL, in steps. An entry says how far it is, so that a move which
// was interrupted goes on at the next start, and no record is moved twice.

import { ExpectedError } from '../../errors.js'
import type { KeyValueStore, KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import { replaceIris } from '../../rdf/nquads.js'
import { checkDataVersion } from './data-version.js'
import {
  baseUrlKey,
  derivationKey,
  followsAddressKey,
  moveKey,
  prefixes,
  versionKey,
} from './keys.js'

/** Where all records are to go. */
export type Move = {
  readonly to: string
  /** Whether somebody chose the base URL: then the data do not follow the address any more. */
  readonly isChosen: boolean
}

/** A move that has begun. */
type UnfinishedMove = Move & {
  /** The key of the last record that was moved. */
  readonly after?: string
  /** How many were. */
  readonly records: number
}

export type RebaseOptions = {
  /** The properties whose values are IRIs given by clients; they are not changed. */
  readonly clientProperties: ReadonlySet<string>
  /** Called from time to time with the number of records that were moved. */
  readonly onMoved?: ((records: number) => void) | undefined
}

/** The move that was interrupted. */
export async function readMove(store: KeyValueStore): Promise<UnfinishedMove | undefined> {
  const value = await store.get(moveKey)
  // The cast: it was written below.
  return value === undefined ? undefined : (JSON.parse(value) as UnfinishedMove)
}

/** The paths of our own IRIs. Other IRIs that begin with the base URL are not changed. */
const ownPaths = ['/id/', '/api/', '/graphs/', '/series/', '/vocabularies/', '/geography/', '/ns#']

/** So much is written at a time, in UTF-16 units. */
const stepSize = 1024 * 1024

/**
 * Moves all records, or goes on with this move.
 * @returns the number of records
 * @throws ExpectedError when the store is empty
 */
export async function rebase(
  store: KeyValueStore,
  move: Move & Partial<UnfinishedMove>,
  { clientProperties, onMoved }: RebaseOptions,
): Promise<number> {
  const [former, format, derivation] = await store.getMany([baseUrlKey, versionKey, derivationKey])
  if (former === undefined) throw new ExpectedError('there are no data to move')
  checkDataVersion({ format, derivation })
  const { to, isChosen } = move
  const replace = replacer(former, to)
  let { records = 0, after } = move
  let step: KeyValueWrite[] = []
  let size = 0
  for await (const [key, value] of store.entries(prefixes.records, after)) {
    const moved = replaceIris(value, replace, (predicate) => clientProperties.has(predicate))
    step.push({ key, value: moved })
    ;[records, after] = [records + 1, key]
    if ((size += moved.length) < stepSize) continue
    const unfinished: UnfinishedMove = { to, isChosen, after, records }
    await store.write([...step, { key: moveKey, value: JSON.stringify(unfinished) }])
    ;[step, size] = [[], 0]
    onMoved?.(records)
  }
  await store.write([
    ...step,
    { key: baseUrlKey, value: to },
    { key: moveKey, value: undefined },
    ...(isChosen ? [{ key: followsAddressKey, value: undefined }] : []),
  ])
  return records
}

/** Most IRIs are those of a few properties, graphs and terms. */
function replacer(former: string, to: string): (iri: string) => string {
  const beginnings = ownPaths.map((path) => former + path)
  return (iri) =>
    iri.startsWith(former) && beginnings.some((beginning) => iri.startsWith(beginning))
      ? to + iri.slice(former.length)
      : iri
}
