// The embedded store: Oxigraph in this process, which answers and forgets, over the durable home,
// which remembers. A record is one entry of the home, its value the record's N-Quads.

import { Store as Oxigraph, parse } from 'oxigraph'

import { linesIn } from '../rdf/nquads.js'
import { type NamedNode, writeNQuads } from '../rdf/terms.js'
import { StorageFailed } from './failures.js'
import type { Home } from './home.js'
import type { Commit, Store } from './store.js'
import { readTsv } from './tsv.js'

const nquads = { format: 'application/n-quads' }

// What was judged when it was written is not judged again; a third less time.
const judged = { ...nquads, lenient: true, no_transaction: true }

/** How many records a dump gives at a time: whoever takes them holds everybody up for no longer. */
const piece = 25

/** The part of the home that holds records. */
export const recordPrefix = 'record/'

/**
 * Opens the store with all that the home holds.
 * @param loaded is told the number of records read so far, now and then
 * @param taken is given every record that was kept, its quads as N-Quads, under its key
 */
export async function openEmbedded(
  home: Home,
  {
    loaded,
    broken,
    taken,
  }: {
    readonly loaded: (records: number) => void
    readonly broken: (failure: StorageFailed) => void
    readonly taken: (key: string, nquads: string) => void
  },
): Promise<Store> {
  const oxigraph = new Oxigraph()
  await loadRecords(oxigraph, home, { loaded, taken })
  /** What is in no home. */
  const passing: string[] = []
  let stage = new Oxigraph()
  let rehearsals = 0
  const watchers = new Set<(commit: Commit) => void>()

  async function* dump(graphs: readonly NamedNode[]): AsyncGenerator<string> {
    for (const quads of passing) yield linesIn(quads, graphs)
    for await (const records of chunksOf(home, piece))
      yield linesIn(records.map(([, value]) => value).join(''), graphs)
  }

  /** Loads quads elsewhere first. A store for each time would be slow, and one for ever would grow. */
  function rehearse(quads: string): void {
    if ((rehearsals += 1) % 100 === 0) stage = new Oxigraph()
    stage.load(quads, nquads)
  }

  /** Does what must not fail; where it does all the same, memory cannot be trusted any more. */
  function orBreak<Result>(work: () => Result, isBroken: (error: unknown) => boolean): Result {
    try {
      return work()
    } catch (cause) {
      if (!isBroken(cause)) throw cause
      const failure = new StorageFailed('the store in memory broke', { cause })
      broken(failure)
      throw failure
    }
  }

  return {
    // The answer is a string that leaves WASM whole: walking terms out one by one is far slower.
    select: (query) =>
      settle(() => {
        const answer = orBreak(
          () => oxigraph.query(query, { results_format: 'tsv' }) as string,
          isCrash,
        )
        return readTsv(answer)
      }),
    async commit(changes) {
      const entries = changes.map(({ key, quads }) => ({
        key: recordPrefix + key,
        value: quads && writeNQuads(quads),
      }))
      const kept = await Promise.all(
        entries.map(async ({ key }, index) =>
          changes[index]?.isNew ? undefined : await home.get(key),
        ),
      )
      // What stays is not touched: a change of one field costs that field.
      const differences = entries.map(({ value = '' }, index) => compare(kept[index] ?? '', value))
      const removed = differences.map((difference) => difference.removed).join('')
      const added = differences.map((difference) => difference.added).join('')
      // Whatever could fail in Oxigraph fails here, before anything is written.
      orBreak(() => rehearse(added), isCrash)
      await home.write(entries)
      // Without a pause between them, so that nobody sees a record half changed.
      orBreak(
        () => {
          for (const quad of parse(removed, nquads)) oxigraph.delete(quad)
          oxigraph.load(added, judged)
        },
        () => true,
      )
      const commit = { removed, added }
      for (const tell of watchers) tell(commit)
    },
    // Nothing is ever left unconfirmed here.
    settle: () => Promise.resolve(),
    load: (quads) =>
      settle(() => {
        for (let start = 0; start < quads.length; start += piece * 10) {
          const written = writeNQuads(quads.slice(start, start + piece * 10))
          oxigraph.load(written, nquads)
          passing.push(written)
        }
      }),
    dump,
    watch(graphs, told) {
      const tell = ({ removed, added }: Commit): void =>
        told({ removed: linesIn(removed, graphs), added: linesIn(added, graphs) })
      watchers.add(tell)
      return () => watchers.delete(tell)
    },
    size: () => oxigraph.size,
    // Oxigraph lives in memory alone; the home is closed by whoever opened it.
    close: () => Promise.resolve(),
  }
}

/** The lines that are in one text alone. */
function compare(before: string, after: string): Commit {
  const [old, now] = [linesOf(before), linesOf(after)]
  return {
    removed: [...old].filter((line) => !now.has(line)).join(''),
    added: [...now].filter((line) => !old.has(line)).join(''),
  }
}

/** The lines of N-Quads, each with its end; no literal holds one. */
const linesOf = (nquads: string): ReadonlySet<string> =>
  new Set(
    nquads
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `${line}\n`),
  )

async function loadRecords(
  oxigraph: Oxigraph,
  home: Home,
  {
    loaded,
    taken,
  }: {
    readonly loaded: (records: number) => void
    readonly taken: (key: string, nquads: string) => void
  },
): Promise<void> {
  let count = 0
  // One string of 40 MB loads four times slower than forty of one; and between two of them the
  // process answers that it is not ready yet.
  for await (const records of chunksOf(home, 1000)) {
    oxigraph.load(records.map(([, value]) => value).join(''), judged)
    await new Promise(setImmediate)
    for (const [key, value] of records) taken(key.slice(recordPrefix.length), value)
    loaded((count += records.length))
    await new Promise(setImmediate)
  }
}

type Kept = readonly [key: string, value: string]

/** All records, so many at a time; at the end, what is left. */
export async function* chunksOf(home: Home, size: number): AsyncGenerator<readonly Kept[]> {
  let records: Kept[] = []
  for await (const record of home.entries(recordPrefix)) {
    if (records.push(record) < size) continue
    yield records
    records = []
  }
  yield records
}

// What ends every store of a WebAssembly instance: its memory or its stack was overrun. The first has
// no class that Node's types know.
const isCrash = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof Error && error.name === 'RuntimeError')

const settle = <Answer>(answer: () => Answer): Promise<Answer> =>
  new Promise((resolve) => resolve(answer()))
