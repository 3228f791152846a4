// The updates of the remote store: it is filled, and a commit is prepared, published or rolled
// back. Each step can be repeated and then changes nothing. pending-commit.ts decides on the steps;
// record-log.ts knows the form of the log.

import { createHash } from 'node:crypto'

import { filterByGraph } from '../../rdf/nquads.js'
import { type NamedNode, type Quad, writeNQuads } from '../../rdf/terms.js'
import type { Change } from '../key-value/change-log.js'
import { type SparqlClient, RequestRejectedError } from './sparql-client.js'
import { type RecordLogState, createRecordLog, layout } from './record-log.js'
import { buildUpdates, linesNotIn } from './update-batches.js'

export type RemoteGraphs = {
  /** The graphs that are queried. */
  readonly shown: readonly NamedNode[]
  /** The graphs whose quads readers find in the entries of records. */
  readonly inEntries: readonly NamedNode[]
  /** The graph of the record log. */
  readonly records: NamedNode
}

/** The changes of records, each with its key and its N-Quads before and after. */
export type NumberedCommit = {
  readonly number: number
  readonly changes: readonly {
    readonly key: string
    readonly before?: string | undefined
    readonly after?: string | undefined
    /** What the log of changes says of it. */
    readonly change?: Change | undefined
  }[]
}

/** Batches of records with their keys. */
type RecordBatches = AsyncIterable<readonly (readonly [key: string, nquads: string])[]>

export type RemoteCommits = ReturnType<typeof createRemoteCommits>

/**
 * The notes of so many commits are kept, so that readers which were stopped or slow find what they
 * missed.
 */
const keptNotes = 1000

/** How much longer than another update the clearing of a graph may take. */
const clearTimeoutSeconds = 600

/** The number of updates that are sent at the same time while the remote store is filled. */
const concurrency = 4

export function createRemoteCommits(
  client: SparqlClient,
  { shown, inEntries, records }: RemoteGraphs,
) {
  const log = createRecordLog(records)

  const readState = async (): Promise<RecordLogState> =>
    log.parseState(await client.select(log.stateQuery))

  const clear = (graph: NamedNode): Promise<void> =>
    client.update(`CLEAR SILENT GRAPH <${graph.value}>`, clearTimeoutSeconds)

  /** Replaces everything by these records, as one commit. @param onLoaded gets the number so far */
  async function replaceAll(
    batches: RecordBatches,
    { number, catalogue }: { readonly number: number; readonly catalogue: string },
    onLoaded: (records: number) => void,
  ): Promise<void> {
    // Its state first: without it, readers know that the store is incomplete.
    for (const graph of [records, ...shown]) await clear(graph)
    let count = 0
    for await (const batch of batches) {
      const changes = batch.map(([key, after]) => ({ key, after }))
      await updateInParallel(insertions({ number, changes }))
      onLoaded((count += batch.length))
    }
    await updateInTurn([
      ...stateUpdates('layout', layout),
      ...stateUpdates('catalogue', catalogue),
      ...stateUpdates('commit', String(number)),
    ])
  }

  /**
   * Adds what is new. Readers do not use it yet; lists skip a record that cannot be read.
   * @param onUpdate is called after each update
   */
  const prepare = (commit: NumberedCommit, onUpdate: () => void): Promise<void> =>
    updateInTurn(insertions(commit, noteOf(commit)), onUpdate)

  /** Makes all of a prepared commit visible at once, and removes what it replaces. */
  async function publish(commit: NumberedCommit): Promise<void> {
    await updateInTurn(stateUpdates('commit', String(commit.number)))
    const keys = commit.changes.map(({ key }) => key)
    const written = commit.changes.flatMap(({ key, after }) => (after === undefined ? [] : [key]))
    const forgotten = commit.number - keptNotes
    const outdated = await selectInBatches(keys, async (batch) =>
      log.outdated(await client.select(log.recordsQuery(batch, forgotten)), commit.number, written),
    )
    const removed = commit.changes.filter((change) => change.after === undefined)
    await updateInTurn(
      deletions(linesNotIn(before(commit), after(commit)), outdated.join('') + partsOf(removed)),
    )
  }

  /** Removes what was added of a commit that is not published. */
  async function rollback(commit: NumberedCommit): Promise<void> {
    let rejection: RequestRejectedError | undefined
    const created = commit.changes.filter((change) => change.before === undefined)
    const own = entriesOf(commit) + noteOf(commit) + partsOf(created)
    for (const update of deletions(linesNotIn(after(commit), before(commit)), own))
      try {
        await client.update(update)
      } catch (error) {
        if (!(error instanceof RequestRejectedError)) throw error
        rejection = error
      }
    // A store that rejects quads may reject their removal too. Then they are not there.
    if (rejection && (await hasEntries(commit))) throw rejection
  }

  async function hasEntries({ number, changes }: NumberedCommit): Promise<boolean> {
    const keys = changes.map(({ key }) => key)
    const found = await selectInBatches(keys, async (batch) =>
      log.hasEntryOf(await client.select(log.recordsQuery(batch)), number),
    )
    return found.some(Boolean)
  }

  /** Loads the vocabularies unless they are there already, which their hash tells. */
  async function load(quads: readonly Quad[]): Promise<void> {
    const nquads = writeNQuads(quads)
    const hash = createHash('sha256').update(nquads).digest('hex')
    const { vocabularies } = await readState()
    if (vocabularies === hash) return
    if (vocabularies !== undefined)
      await updateInTurn(
        buildUpdates('DELETE DATA', log.state('vocabularies', vocabularies), records),
      )
    const graphs = new Map(quads.map(({ graph }) => [graph.value, graph as NamedNode]))
    for (const graph of graphs.values()) {
      await clear(graph)
      await updateInParallel(buildUpdates('INSERT DATA', nquads, graph))
    }
    await updateInTurn(stateUpdates('vocabularies', hash))
  }

  /** Adds quads that are no records, such as places. */
  async function add(quads: readonly Quad[]): Promise<void> {
    const graphs = new Map(quads.map(({ graph }) => [graph.value, graph as NamedNode]))
    for (const graph of graphs.values())
      await updateInParallel(buildUpdates('INSERT DATA', writeNQuads(quads), graph))
  }

  /** Adds what stores of earlier releases do not have: the parts of records. */
  async function completeLayout(batches: RecordBatches): Promise<void> {
    if ((await readState()).layout === layout) return
    for await (const batch of batches)
      await updateInParallel(
        buildUpdates('INSERT DATA', partsOf(batch.map(([key]) => ({ key }))), records),
      )
    await updateInTurn(stateUpdates('layout', layout))
  }

  const noteOf = ({ number, changes }: NumberedCommit): string =>
    log.note(
      number,
      changes.map(({ key }) => key),
    )

  const partsOf = (changes: NumberedCommit['changes']): string =>
    changes.map(({ key }) => log.part(key)).join('')

  const isCreated = ({ before: old, after: now }: NumberedCommit['changes'][number]): boolean =>
    old === undefined && now !== undefined

  // The record log first, in one update where it fits: what it rejects, nobody has to take back.
  const insertions = (commit: NumberedCommit, note = ''): string[] => [
    ...buildUpdates(
      'INSERT DATA',
      entriesOf(commit) + note + partsOf(commit.changes.filter(isCreated)),
      records,
    ),
    ...shown.flatMap((graph) =>
      buildUpdates('INSERT DATA', linesNotIn(after(commit), before(commit)), graph),
    ),
  ]

  const deletions = (nquads: string, outdated: string): string[] => [
    ...shown.flatMap((graph) => buildUpdates('DELETE DATA', nquads, graph)),
    ...buildUpdates('DELETE DATA', outdated, records),
  ]

  const stateUpdates = (name: keyof RecordLogState, value: string): string[] =>
    buildUpdates('INSERT DATA', log.state(name, value), records)

  /** The entries of a commit, each with the record's quads that readers need. */
  const entriesOf = ({ number, changes }: NumberedCommit): string =>
    changes
      .map(({ key, after }) => log.entry(key, number, filterByGraph(after ?? '', inEntries)))
      .join('')

  async function updateInTurn(
    updates: readonly string[],
    onUpdate = (): void => undefined,
  ): Promise<void> {
    for (const update of updates) {
      await client.update(update)
      onUpdate()
    }
  }

  async function updateInParallel(updates: readonly string[]): Promise<void> {
    const remaining = [...updates]
    const sendNext = async (): Promise<void> => {
      for (let update = remaining.shift(); update; update = remaining.shift())
        await client.update(update)
    }
    await Promise.all(Array.from({ length: concurrency }, sendNext))
  }

  return {
    select: (query: string) => client.select(query),
    readState,
    replaceAll,
    completeLayout,
    prepare,
    publish,
    rollback,
    load,
    add,
    /** Removes the state and the entries, so that the store is filled when it is opened next. */
    clearState: () => clear(records),
  }
}

const maxKeysPerQuery = 100

/** Calls `find` with batches of keys that are small enough for one query. */
async function selectInBatches<Found>(
  keys: readonly string[],
  find: (batch: readonly string[]) => Promise<Found>,
): Promise<Found[]> {
  const found: Found[] = []
  for (let start = 0; start < keys.length; start += maxKeysPerQuery)
    found.push(await find(keys.slice(start, start + maxKeysPerQuery)))
  return found
}

const before = ({ changes }: NumberedCommit): string =>
  changes.map((change) => change.before ?? '').join('')

const after = ({ changes }: NumberedCommit): string =>
  changes.map((change) => change.after ?? '').join('')
