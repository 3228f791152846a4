// The updates of the remote store: it is filled, and a commit is prepared, published or rolled
// back. Each step can be repeated and then changes nothing. pending-commit.ts decides on the steps;
// record-log.ts knows the form of the log.

import { createHash } from 'node:crypto'

import { filterByGraph } from '../../rdf/nquads.js'
import { type NamedNode, type Quad, writeNQuads } from '../../rdf/terms.js'
import type { Change } from '../key-value/change-log.js'
import type { SelectRow } from '../store.js'
import { RemoteError } from './remote-error.js'
import type { SparqlClient } from './sparql-client.js'
import { type RecordLogState, RecordLog, layout } from './record-log.js'
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

/**
 * The notes of so many commits are kept, so that readers which were stopped or slow find what they
 * missed.
 */
const keptNotes = 1000

/** How much longer than another update the clearing of a graph may take. */
const clearTimeoutSeconds = 600

/** The number of updates that are sent at the same time while the remote store is filled. */
const concurrency = 4

export class RemoteCommits {
  readonly #client: SparqlClient
  readonly #graphs: RemoteGraphs
  readonly #log: RecordLog

  constructor(client: SparqlClient, graphs: RemoteGraphs) {
    this.#client = client
    this.#graphs = graphs
    this.#log = new RecordLog(graphs.records)
  }

  select(query: string): Promise<readonly SelectRow[]> {
    return this.#client.select(query)
  }

  async readState(): Promise<RecordLogState> {
    return this.#log.parseState(await this.#client.select(this.#log.stateQuery))
  }

  /** Replaces everything by these records, as one commit. @param onLoaded gets the number so far */
  async replaceAll(
    batches: RecordBatches,
    { number, catalogue }: { readonly number: number; readonly catalogue: string },
    onLoaded: (records: number) => void,
  ): Promise<void> {
    // Its state first: without it, readers know that the store is incomplete.
    for (const graph of [this.#graphs.records, ...this.#graphs.shown]) await this.#clear(graph)
    let count = 0
    for await (const batch of batches) {
      const changes = batch.map(([key, after]) => ({ key, after }))
      await this.#updateInParallel(this.#insertions({ number, changes }))
      onLoaded((count += batch.length))
    }
    await this.#updateInTurn([
      ...this.#stateUpdates('layout', layout),
      ...this.#stateUpdates('catalogue', catalogue),
      ...this.#stateUpdates('commit', String(number)),
    ])
  }

  /**
   * Adds what is new. Readers do not use it yet; lists skip a record that cannot be read.
   * @param onUpdate is called after each update
   */
  prepare(commit: NumberedCommit, onUpdate: () => void): Promise<void> {
    return this.#updateInTurn(this.#insertions(commit, this.#noteOf(commit)), onUpdate)
  }

  /** Makes all of a prepared commit visible at once, and removes what it replaces. */
  async publish(commit: NumberedCommit): Promise<void> {
    await this.#updateInTurn(this.#stateUpdates('commit', String(commit.number)))
    const keys = commit.changes.map(({ key }) => key)
    const written = commit.changes.flatMap(({ key, after }) => (after === undefined ? [] : [key]))
    const forgotten = commit.number - keptNotes
    const outdated = await selectInBatches(keys, async (batch) =>
      this.#log.outdated(
        await this.#client.select(this.#log.recordsQuery(batch, forgotten)),
        commit.number,
        written,
      ),
    )
    const removed = commit.changes.filter((change) => change.after === undefined)
    await this.#updateInTurn(
      this.#deletions(
        linesNotIn(before(commit), after(commit)),
        outdated.join('') + this.#partsOf(removed),
      ),
    )
  }

  /** Removes what was added of a commit that is not published. */
  async rollback(commit: NumberedCommit): Promise<void> {
    let rejection: RemoteError | undefined
    const created = commit.changes.filter((change) => change.before === undefined)
    const addedLines = this.#entriesOf(commit) + this.#noteOf(commit) + this.#partsOf(created)
    for (const update of this.#deletions(linesNotIn(after(commit), before(commit)), addedLines))
      try {
        await this.#client.update(update)
      } catch (error) {
        if (!(error instanceof RemoteError && error.isRejected)) throw error
        rejection = error
      }
    // A store that rejects quads may reject their removal too. Then they are not there.
    if (rejection && (await this.#hasEntries(commit))) throw rejection
  }

  /** Loads the vocabularies unless they are there already, which their hash tells. */
  async load(quads: readonly Quad[]): Promise<void> {
    const nquads = writeNQuads(quads)
    const hash = createHash('sha256').update(nquads).digest('hex')
    const { vocabularies } = await this.readState()
    if (vocabularies === hash) return
    if (vocabularies !== undefined)
      await this.#updateInTurn(
        buildUpdates(
          'DELETE DATA',
          this.#log.state('vocabularies', vocabularies),
          this.#graphs.records,
        ),
      )
    const graphs = new Map(quads.map(({ graph }) => [graph.value, graph as NamedNode]))
    for (const graph of graphs.values()) {
      await this.#clear(graph)
      await this.#updateInParallel(buildUpdates('INSERT DATA', nquads, graph))
    }
    await this.#updateInTurn(this.#stateUpdates('vocabularies', hash))
  }

  /** Adds quads that are no records, such as places. */
  async add(quads: readonly Quad[]): Promise<void> {
    const graphs = new Map(quads.map(({ graph }) => [graph.value, graph as NamedNode]))
    for (const graph of graphs.values())
      await this.#updateInParallel(buildUpdates('INSERT DATA', writeNQuads(quads), graph))
  }

  /** Adds what stores of earlier releases do not have: the parts of records. */
  async completeLayout(batches: RecordBatches): Promise<void> {
    if ((await this.readState()).layout === layout) return
    for await (const batch of batches)
      await this.#updateInParallel(
        buildUpdates(
          'INSERT DATA',
          this.#partsOf(batch.map(([key]) => ({ key }))),
          this.#graphs.records,
        ),
      )
    await this.#updateInTurn(this.#stateUpdates('layout', layout))
  }

  /** Removes the state and the entries, so that the store is filled when it is opened next. */
  clearState(): Promise<void> {
    return this.#clear(this.#graphs.records)
  }

  #clear(graph: NamedNode): Promise<void> {
    return this.#client.update(`CLEAR SILENT GRAPH <${graph.value}>`, clearTimeoutSeconds)
  }

  async #hasEntries({ number, changes }: NumberedCommit): Promise<boolean> {
    const keys = changes.map(({ key }) => key)
    const answers = await selectInBatches(keys, async (batch) =>
      this.#log.hasEntryOf(await this.#client.select(this.#log.recordsQuery(batch)), number),
    )
    return answers.some(Boolean)
  }

  #noteOf({ number, changes }: NumberedCommit): string {
    return this.#log.note(
      number,
      changes.map(({ key }) => key),
    )
  }

  #partsOf(changes: NumberedCommit['changes']): string {
    return changes.map(({ key }) => this.#log.part(key)).join('')
  }

  // The record log first, in one update where it fits: what it rejects, nobody has to take back.
  #insertions(commit: NumberedCommit, note = ''): string[] {
    return [
      ...buildUpdates(
        'INSERT DATA',
        this.#entriesOf(commit) + note + this.#partsOf(commit.changes.filter(isCreated)),
        this.#graphs.records,
      ),
      ...this.#graphs.shown.flatMap((graph) =>
        buildUpdates('INSERT DATA', linesNotIn(after(commit), before(commit)), graph),
      ),
    ]
  }

  #deletions(nquads: string, outdated: string): string[] {
    return [
      ...this.#graphs.shown.flatMap((graph) => buildUpdates('DELETE DATA', nquads, graph)),
      ...buildUpdates('DELETE DATA', outdated, this.#graphs.records),
    ]
  }

  #stateUpdates(name: keyof RecordLogState, value: string): string[] {
    return buildUpdates('INSERT DATA', this.#log.state(name, value), this.#graphs.records)
  }

  /** The entries of a commit, each with the record's quads that readers need. */
  #entriesOf({ number, changes }: NumberedCommit): string {
    return changes
      .map(({ key, after }) =>
        this.#log.entry(key, number, filterByGraph(after ?? '', this.#graphs.inEntries)),
      )
      .join('')
  }

  async #updateInTurn(updates: readonly string[], onUpdate = (): void => undefined): Promise<void> {
    for (const update of updates) {
      await this.#client.update(update)
      onUpdate()
    }
  }

  async #updateInParallel(updates: readonly string[]): Promise<void> {
    const remaining = [...updates]
    const sendNext = async (): Promise<void> => {
      for (let update = remaining.shift(); update; update = remaining.shift())
        await this.#client.update(update)
    }
    await Promise.all(Array.from({ length: concurrency }, sendNext))
  }
}

const isCreated = ({ before: old, after: now }: NumberedCommit['changes'][number]): boolean =>
  old === undefined && now !== undefined

const maxKeysPerQuery = 100

/** Calls `find` with batches of keys that are small enough for one query. */
async function selectInBatches<Found>(
  keys: readonly string[],
  find: (batch: readonly string[]) => Promise<Found>,
): Promise<Found[]> {
  const results: Found[] = []
  for (let start = 0; start < keys.length; start += maxKeysPerQuery)
    results.push(await find(keys.slice(start, start + maxKeysPerQuery)))
  return results
}

const before = ({ changes }: NumberedCommit): string =>
  changes.map((change) => change.before ?? '').join('')

const after = ({ changes }: NumberedCommit): string =>
  changes.map((change) => change.after ?? '').join('')
