// The base of all IRIs is kept with the data: they would all mean something else under another one.

import { DataFactory } from 'n3'
import { parse } from 'oxigraph'

import { ExpectedError } from '../../errors.js'
import { type NamedNode, type Quad, type Term, iri, writeNQuads } from '../../rdf/terms.js'
import type { KeyValueWrite, KeyValueStore } from './key-value-store.js'
import { baseUrlKey, prefixes, versionKey } from './keys.js'

/** The data belong to another base, or were written by another version; the message says what to do. */
export class BaseUrlError extends ExpectedError {}

/** The form of what lies in the home. A change of it is a new number, and a way from the old one. */
const version = '1'

/** What says the version: written again, it changes nothing. */
export const versionEntry: KeyValueWrite = { key: versionKey, value: version }

/** @throws BaseRefused for data of another version, which says how to go on */
export function checkDataVersion(form: string | undefined): void {
  if (form === version) return
  const isNewer = /^\d+$/.test(form ?? '') && Number(form) > Number(version)
  throw new BaseUrlError(
    `the data are of version ${form ?? 'none'}; this service reads version ${version}: ` +
      (isNewer
        ? 'run the later release that wrote them, or restore a backup from before it'
        : 'load them with the release that wrote them, and take them from there with its exports'),
  )
}

/**
 * Makes a new home the base's own, or finds that it is.
 * @throws BaseRefused when it belongs to another, or is of another version
 */
export async function checkBaseUrl(home: KeyValueStore, base: string): Promise<void> {
  const [kept, form] = await Promise.all([home.get(baseUrlKey), home.get(versionKey)])
  if (kept === undefined && form === undefined)
    return home.write([
      { key: baseUrlKey, value: base },
      { key: versionKey, value: version },
    ])
  checkDataVersion(form)
  if (kept !== base)
    throw new BaseUrlError(
      `the data belong to ${kept}, but BASE_URL is ${base}: ` +
        `set BASE_URL=${kept}, or move the data with: npx zine-catalogue rebase ${base}`,
    )
}

/** What lies under a base and moves with it. Other IRIs that start like it are not ours to change. */
const owned = ['/id/', '/api/', '/graphs/', '/vocabularies/', '/geography/', '/ns#']

/**
 * Moves all records to another base, all or nothing.
 * @param given the properties whose values are clients' own, which stay as they are
 * @returns the number of records
 * @throws BaseRefused when the home has no base yet
 */
export async function rebase(
  home: KeyValueStore,
  base: string,
  given: ReadonlySet<string>,
): Promise<number> {
  const kept = await home.get(baseUrlKey)
  if (kept === undefined) throw new BaseUrlError('there are no data to move')
  checkDataVersion(await home.get(versionKey))
  const move = (term: Term): Term =>
    term.termType === 'NamedNode' && owned.some((path) => term.value.startsWith(kept + path))
      ? iri(base + term.value.slice(kept.length))
      : term
  const entries: KeyValueWrite[] = [{ key: baseUrlKey, value: base }]
  for await (const [key, value] of home.entries(prefixes.records)) {
    const quads = parse(value, { format: 'application/n-quads' }) as unknown as Quad[]
    const moved = quads.map(({ subject, predicate, object, graph }) =>
      DataFactory.quad(
        move(subject) as NamedNode,
        move(predicate) as NamedNode,
        (given.has(predicate.value) ? object : move(object)) as NamedNode,
        move(graph) as NamedNode,
      ),
    )
    entries.push({ key, value: writeNQuads(moved) })
  }
  await home.write(entries)
  return entries.length - 1
}
