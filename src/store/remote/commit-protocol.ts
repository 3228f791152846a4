// What is done to the engine of a store elsewhere: filled, and a commit put in, shown or undone. Each of
// these can be done again, and changes nothing that is done already.

import { createHash } from 'node:crypto'

import { filterByGraph } from '../../rdf/nquads.js'
import { type NamedNode, type Quad, writeNQuads } from '../../rdf/terms.js'
import { type SparqlClient, RequestRejectedError } from './sparql-client.js'
import { type RecordState, createRecordLog } from './record-log.js'
import { buildUpdates, linesNotIn } from './update-batches.js'

export type RemoteGraphs = {
  /** What is shown; whatever else a record has stays in the home. */
  readonly shown: readonly NamedNode[]
  /** Where the entries of records are, which readers read. */
  readonly records: NamedNode
}

/** What becomes of records, each by its key: its N-Quads before and after. */
export type NumberedCommit = {
  readonly number: number
  readonly changes: readonly {
    readonly key: string
    readonly before?: string | undefined
    readonly after?: string | undefined
  }[]
}

/** Records by their keys, some at a time. */
type Chunks = AsyncIterable<readonly (readonly [key: string, nquads: string])[]>

export type RemoteCommits = ReturnType<typeof createRemoteCommits>

/** How much longer than anything else clearing a graph may take, in seconds. */
const clearTimeoutSeconds = 600

/** How many updates are under way at once while it is filled. */
const atOnce = 4

export function createRemoteCommits(endpoint: SparqlClient, { shown, records }: RemoteGraphs) {
  const entries = createRecordLog(records)

  const readState = async (): Promise<RecordState> =>
    entries.readState(await endpoint.select(entries.askState))

  const clear = (graph: NamedNode): Promise<void> =>
    endpoint.update(`CLEAR SILENT GRAPH <${graph.value}>`, clearTimeoutSeconds)

  /** Puts all records in, in place of whatever is there, as one commit. */
  async function replaceAll(
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
  const prepare = (commit: NumberedCommit, done: () => void): Promise<void> =>
    inTurn(insertions(commit), done)

  /** Shows a commit that is prepared, all of it at once, and takes away what it replaces. */
  async function publish(commit: NumberedCommit): Promise<void> {
    await inTurn(stateUpdates('commit', String(commit.number)))
    const keys = commit.changes.map(({ key }) => key)
    const written = commit.changes.flatMap(({ key, after }) => (after === undefined ? [] : [key]))
    const outdated = await selectInBatches(keys, async (some) =>
      entries.outdated(await endpoint.select(entries.ask(some)), commit.number, written),
    )
    await inTurn(deletions(linesNotIn(before(commit), after(commit)), outdated.join('')))
  }

  /** Takes away what was put in of a commit that is not shown. */
  async function rollback(commit: NumberedCommit): Promise<void> {
    let refused: RequestRejectedError | undefined
    for (const update of deletions(linesNotIn(after(commit), before(commit)), added(commit)))
      try {
        await endpoint.update(update)
      } catch (error) {
        if (!(error instanceof RequestRejectedError)) throw error
        refused = error
      }
    // What is not taken may not be let go of either; but then it is not there.
    if (refused && (await hasEntries(commit))) throw refused
  }

  async function hasEntries({ number, changes }: NumberedCommit): Promise<boolean> {
    const keys = changes.map(({ key }) => key)
    const found = await selectInBatches(keys, async (some) =>
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
      await inTurn(
        buildUpdates('DELETE DATA', entries.state('vocabularies', vocabularies), records),
      )
    const graphs = new Map(quads.map(({ graph }) => [graph.value, graph as NamedNode]))
    for (const graph of graphs.values()) {
      await clear(graph)
      await inParallel(buildUpdates('INSERT DATA', written, graph))
    }
    await inTurn(stateUpdates('vocabularies', mark))
  }

  const insertions = (commit: NumberedCommit): string[] => [
    ...buildUpdates('INSERT DATA', added(commit), records),
    ...shown.flatMap((graph) =>
      buildUpdates('INSERT DATA', linesNotIn(after(commit), before(commit)), graph),
    ),
  ]

  const deletions = (nquads: string, outdated: string): string[] => [
    ...shown.flatMap((graph) => buildUpdates('DELETE DATA', nquads, graph)),
    ...buildUpdates('DELETE DATA', outdated, records),
  ]

  const stateUpdates = (name: keyof RecordState, value: string): string[] =>
    buildUpdates('INSERT DATA', entries.state(name, value), records)

  /** The entries of a commit: what of each record is shown. */
  const added = ({ number, changes }: NumberedCommit): string =>
    changes
      .map(({ key, after }) => entries.entry(key, number, filterByGraph(after ?? '', shown)))
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
    replaceAll,
    prepare,
    publish,
    rollback,
    load,
    /** Makes it nobody's, so that the next to open it fills it. */
    clearState: () => clear(records),
  }
}

/** Keys as many at a time as a query should name. */
async function selectInBatches<Found>(
  keys: readonly string[],
  find: (some: readonly string[]) => Promise<Found>,
): Promise<Found[]> {
  const found: Found[] = []
  for (let start = 0; start < keys.length; start += 100)
    found.push(await find(keys.slice(start, start + 100)))
  return found
}

const before = ({ changes }: NumberedCommit): string =>
  changes.map((change) => change.before ?? '').join('')

const after = ({ changes }: NumberedCommit): string =>
  changes.map((change) => change.after ?? '').join('')
