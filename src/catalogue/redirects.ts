// Knows which identifiers lead to another record, because theirs was merged into it
// (docs/reference/history.md, "Merge and rename"). The embedded store has few of them, so they are
// kept in memory.

import { NotFoundError } from '../errors.js'
import type { Iris } from '../model/iris.js'
import { isReplacedBy, redirectOfEntry } from '../model/record/redirect.js'
import type { Reference } from '../model/record/views.js'
import { selectObjects, selectReferrers } from '../queries/record-queries.js'
import type { Commit } from '../store/commit-listeners.js'
import type { Store } from '../store/store.js'
import { RecordMergedError } from './errors.js'
import { recordKey, referenceOf } from './records/record-cache.js'

export type Redirects = {
  /** The identifier of the record that this one was merged into; undefined if it was not merged. */
  into(reference: Reference): Promise<string | undefined>
  /** The same of many at once, by the keys of those that were merged. */
  intoOf(references: readonly Reference[]): Promise<ReadonlyMap<string, string>>
  /** All that lead to one of these records, and where to. */
  leadingTo(references: readonly Reference[]): Promise<readonly IdRedirect[]>
}

/** An identifier that leads to another record. */
export type IdRedirect = { readonly reference: Reference; readonly into: string }

export type MemoryRedirects = Redirects & {
  /**
   * Adds an entry of the store, as N-Quads under its key.
   * @returns whether it leads to another record
   */
  readonly add: (key: string, nquads: string) => boolean
  /** Call after each commit. */
  readonly onCommit: (commit: Commit) => void
  readonly save: () => ReadonlyMap<string, string>
  /** Takes what was there before, in place of `add`. */
  readonly restore: (state: ReadonlyMap<string, string>) => void
}

/** The redirects of a store that nobody else writes. */
export function createMemoryRedirects(iris: Iris): MemoryRedirects {
  const intoByKey = new Map<string, string>()
  function add(key: string, nquads: string): boolean {
    const into = redirectOfEntry(iris, nquads)
    if (into !== undefined) intoByKey.set(key, into)
    return into !== undefined
  }

  return {
    add,
    save: () => intoByKey,
    restore(state) {
      for (const [key, into] of state) intoByKey.set(key, into)
    },
    into: (reference) => Promise.resolve(intoByKey.get(recordKey(reference))),
    intoOf: (references) =>
      Promise.resolve(
        new Map(references.map(recordKey).flatMap((key) => entryOf(key, intoByKey.get(key)))),
      ),
    leadingTo(references) {
      const redirects = [...intoByKey].map(([key, into]) => ({ reference: referenceOf(key), into }))
      return Promise.resolve(thoseLeadingTo(references, redirects))
    },
    onCommit({ records }) {
      for (const { key, nquads = '' } of records) if (!add(key, nquads)) intoByKey.delete(key)
    },
  }
}

/** The redirects of a store that other processes may write too: they are read each time. */
export function createStoredRedirects(store: Store, iris: Iris): Redirects {
  const graph = iris.graphs.public

  const fromRow = (s: string, o: string): IdRedirect => {
    const [name = '', id = ''] = s.slice(`${iris.base}/id/`.length).split('/')
    const { target } = referenceOf(`${name}/${id}`)
    return { reference: { target, id: iris.idFromIri(s) }, into: iris.idFromIri(o) }
  }

  async function intoOf(references: readonly Reference[]): Promise<ReadonlyMap<string, string>> {
    const entries = await store.readRecords(references.map(recordKey))
    return new Map(
      [...entries].flatMap(([key, nquads]) => entryOf(key, redirectOfEntry(iris, nquads))),
    )
  }

  return {
    into: async (reference) => (await intoOf([reference])).get(recordKey(reference)),
    intoOf,
    async leadingTo(references) {
      const [reference, ...others] = references
      if (!reference) return []
      if (others.length === 0) {
        const thing = iris.thing(reference.target, reference.id)
        const query = selectReferrers([thing], isReplacedBy, graph)
        const referrers = await store.select(query)
        return referrers.flatMap(({ s }) =>
          s
            ? [
                {
                  reference: { target: reference.target, id: iris.idFromIri(s.value) },
                  into: reference.id,
                },
              ]
            : [],
        )
      }
      const rows = await store.select(selectObjects(isReplacedBy, graph))
      const redirects = rows.flatMap(({ s, o }) => (s && o ? [fromRow(s.value, o.value)] : []))
      return thoseLeadingTo(references, redirects)
    },
  }
}

const entryOf = (key: string, into: string | undefined): readonly (readonly [string, string])[] =>
  into === undefined ? [] : [[key, into]]

function thoseLeadingTo(
  references: readonly Reference[],
  redirects: readonly IdRedirect[],
): readonly IdRedirect[] {
  const keys = new Set(references.map(recordKey))
  return redirects.filter(({ reference: { target }, into }) =>
    keys.has(recordKey({ target, id: into })),
  )
}

/** What is thrown for a record that is not there, or was merged. */
export async function missingError(
  redirects: Redirects,
  reference: Reference,
): Promise<NotFoundError> {
  const into = await redirects.into(reference)
  return into === undefined
    ? new NotFoundError()
    : new RecordMergedError({ ...reference, id: into })
}
