// What is done to the engine of a store elsewhere: filled, and a commit put in, shown or undone. Each of
// these can be done again, and changes nothing that is done already.

import { createHash } from 'node:crypto'

import { linesIn } from '../../rdf/nquads.js'
import { type NamedNode, type Quad, writeNQuads } from '../../rdf/terms.js'
import { type Endpoint, Refused } from './sparql-client.js'
import { type State, entriesIn } from './record-log.js'
import { updatesOf, without } from './update-batches.js'

export type Graphs = {
  /** What is shown; whatever else a record has stays in the home. */
  readonly shown: readonly NamedNode[]
  /** Where the entries of records are, which readers read. */
  readonly records: NamedNode
}

/** What becomes of records, each by its key: its N-Quads before and after. */
export type Numbered = {
  readonly number: number
  readonly changes: readonly {
    readonly key: string
    readonly before?: string | undefined
    readonly after?: string | undefined
  }[]
}

/** Records by their keys, some at a time. */
type Chunks = AsyncIterable<readonly (readonly [key: string, nquads: string])[]>

export type Engine = ReturnType<typeof openEngine>

/** How much longer than anything else clearing a graph may take, in seconds. */
const longer = 600

/** How many updates are under way at once while it is filled. */
const atOnce = 4

export function openEngine(endpoint: Endpoint, { shown, records }: Graphs) {
  const entries = entriesIn(records)

  const readState = async (): Promise<State> =>
    entries.readState(await endpoint.select(entries.askState))

  const clear = (graph: NamedNode): Promise<void> =>
    endpoint.update(`CLEAR SILENT GRAPH <${graph.value}>`, longer)

  /** Puts all records in, in place of whatever is there, as one commit. */
  async function fill(
    chunks: Chunks,
    { number, catalogue }: { readonly number: number; readonly catalogue: string },
    loaded: (records: number) => void,
  ): Promise<void> {
    // First of all its state, without which nobody takes the store for a whole one.
    for (const graph of [records, ...shown]) await clear(graph)
    let count = 0
    for await (const chunk of chunks) {
      await inParallel(
        insertions({ number, changes: chunk.map(([key, after]) => ({ key, after })) }),
      )
      loaded((count += chunk.length))
    }
    await inTurn([
      ...stateUpdates('catalogue', catalogue),
      ...stateUpdates('commit', String(number)),
    ])
  }

  /**
   * Puts in what is new. Nobody takes notice of it yet, but for lists, which leave out what is not there.
   * @param done is told of each update that was made
   */
  const prepare = (commit: Numbered, done: () => void): Promise<void> =>
    inTurn(insertions(commit), done)

  /** Shows a commit that is prepared, all of it at once, and takes away what it replaces. */
  async function show(commit: Numbered): Promise<void> {
    await inTurn(stateUpdates('commit', String(commit.number)))
    const keys = commit.changes.map(({ key }) => key)
    const written = commit.changes.flatMap(({ key, after }) => (after === undefined ? [] : [key]))
    const outdated = await inPieces(keys, async (some) =>
      entries.outdated(await endpoint.select(entries.ask(some)), commit.number, written),
    )
    await inTurn(deletions(without(before(commit), after(commit)), outdated.join('')))
  }

  /** Takes away what was put in of a commit that is not shown. */
  async function undo(commit: Numbered): Promise<void> {
    let refused: Refused | undefined
    for (const update of deletions(without(after(commit), before(commit)), added(commit)))
      try {
        await endpoint.update(update)
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        refused = error
      }
    // What is not taken may not be let go of either; but then it is not there.
    if (refused && (await hasEntries(commit))) throw refused
  }

  async function hasEntries({ number, changes }: Numbered): Promise<boolean> {
    const keys = changes.map(({ key }) => key)
    const found = await inPieces(keys, async (some) =>
      entries.ofCommit(await endpoint.select(entries.ask(some)), number),
    )
    return found.some(Boolean)
  }

  /** Puts the vocabularies in, unless they are there. */
  async function load(quads: readonly Quad[]): Promise<void> {
    const written = writeNQuads(quads)
    const mark = createHash('sha256').update(written).digest('hex')
    const { vocabularies } = await readState()
    if (vocabularies === mark) return
    if (vocabularies !== undefined)
      await inTurn(updatesOf('DELETE DATA', entries.state('vocabularies', vocabularies), records))
    const graphs = new Map(quads.map(({ graph }) => [graph.value, graph as NamedNode]))
    for (const graph of graphs.values()) {
      await clear(graph)
      await inParallel(updatesOf('INSERT DATA', written, graph))
    }
    await inTurn(stateUpdates('vocabularies', mark))
  }

  const insertions = (commit: Numbered): string[] => [
    ...updatesOf('INSERT DATA', added(commit), records),
    ...shown.flatMap((graph) =>
      updatesOf('INSERT DATA', without(after(commit), before(commit)), graph),
    ),
  ]

  const deletions = (nquads: string, outdated: string): string[] => [
    ...shown.flatMap((graph) => updatesOf('DELETE DATA', nquads, graph)),
    ...updatesOf('DELETE DATA', outdated, records),
  ]

  const stateUpdates = (name: keyof State, value: string): string[] =>
    updatesOf('INSERT DATA', entries.state(name, value), records)

  /** The entries of a commit: what of each record is shown. */
  const added = ({ number, changes }: Numbered): string =>
    changes
      .map(({ key, after }) => entries.entry(key, number, linesIn(after ?? '', shown)))
      .join('')

  async function inTurn(updates: readonly string[], done = (): void => undefined): Promise<void> {
    for (const update of updates) {
      await endpoint.update(update)
      done()
    }
  }

  async function inParallel(updates: readonly string[]): Promise<void> {
    const left = [...updates]
    const worker = async (): Promise<void> => {
      for (let update = left.shift(); update; update = left.shift()) await endpoint.update(update)
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
  }

  return {
    select: (query: string) => endpoint.select(query),
    readState,
    fill,
    prepare,
    show,
    undo,
    load,
    /** Makes it nobody's, so that the next to open it fills it. */
    forget: () => clear(records),
  }
}

/** Keys as many at a time as a query should name. */
async function inPieces<Found>(
  keys: readonly string[],
  find: (some: readonly string[]) => Promise<Found>,
): Promise<Found[]> {
  const found: Found[] = []
  for (let start = 0; start < keys.length; start += 100)
    found.push(await find(keys.slice(start, start + 100)))
  return found
}

const before = ({ changes }: Numbered): string =>
  changes.map((change) => change.before ?? '').join('')

const after = ({ changes }: Numbered): string =>
  changes.map((change) => change.after ?? '').join('')
