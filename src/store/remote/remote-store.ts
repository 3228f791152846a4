// The store over a SPARQL endpoint elsewhere, for the one process that writes. What a record is stands
// in the durable home, as in the embedded store, private quads included; the engine has what may be
// shown, to be queried by this process and by any number that only read. So a write is acknowledged
// once it is on our disk and in the engine; an engine that lost something is filled anew; and a catalogue
// moves between the two stores with a setting.

import { randomUUID } from 'node:crypto'

import { filterByGraph, readNQuads } from '../../rdf/nquads.js'
import { writeNQuads } from '../../rdf/terms.js'
import { recordBatches } from '../embedded/embedded-store.js'
import {
  type SparqlClient,
  RequestRejectedError,
  NoResponseError,
  ConnectionError,
} from './sparql-client.js'
import { type RemoteGraphs, type NumberedCommit, createRemoteCommits } from './commit-protocol.js'
import {
  WriteRejectedError,
  StoreMismatchError,
  StoreUnavailableError,
  WriteUnconfirmedError,
} from '../errors.js'
import type { KeyValueWrite, KeyValueStore } from '../key-value/key-value-store.js'
import {
  catalogueIdKey,
  formerCatalogueIdKey,
  prefixes,
  remoteCommitKey,
  remotePendingKey,
} from '../key-value/keys.js'
import type { StoreChange, StoreCommit, Store } from '../store.js'

type RemoteStoreOptions = {
  /** Is told the number of records filled in so far, now and then. */
  readonly onLoaded: (records: number) => void
  /** Is told of what the engine did not do. */
  readonly onError: (failure: Error) => void
}

/** Virtuoso cuts an IRI of 1,900 bytes off without a word; the base has its share of them. */
export const longestIdentifier = 1000

/** How many commits are made as one. */
const maxCommitsPerBatch = 64

/** How long it waits before it tries again, in milliseconds: at first, and at most. */
const pauses = { first: 200, most: 10_000 }

/**
 * Opens the store, and makes the engine hold what the home does.
 * @throws StoreRefused when the engine holds another catalogue, or a later state of this one
 * @throws StoreUnavailable when it does not answer
 */
export async function openRemoteStore(
  home: KeyValueStore,
  endpoint: SparqlClient,
  graphs: RemoteGraphs,
  { onLoaded, onError }: RemoteStoreOptions,
): Promise<Store> {
  const engine = createRemoteCommits(endpoint, graphs)
  const known = await homeState(home)
  const catalogue = known.catalogue ?? randomUUID()
  if ((await home.get(catalogueIdKey)) === undefined)
    await home.write(catalogueIdEntries(catalogue))
  const watchers = new Set<(commit: StoreCommit) => void>()
  /** The number of the last commit that was kept. */
  let last = known.commit ?? 0
  let pending = known.pending
  let vocabularies = ''

  let waiting: QueuedCommit[] = []
  let working: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined
  let closed = false

  async function open(): Promise<void> {
    const state = await engine.readState()
    if (state.catalogue !== undefined && state.catalogue !== catalogue)
      throw new StoreMismatchError(
        `the store holds another catalogue for this BASE_URL; ${wayOn('DATA_DIR')}`,
      )
    if (state.catalogue === undefined || state.commit === undefined || known.commit === undefined)
      return fill()
    if (pending) await finishPending()
    const { commit } = await engine.readState()
    if (Number(commit) > last)
      throw new StoreMismatchError(
        `the store is ahead of DATA_DIR, at commit ${commit ?? ''} where that is at ${last}: put the newer directory back; or, ${wayOn('this one')}`,
      )
    // The engine lost what it had acknowledged, as some do when the power fails.
    if (Number(commit) < last) await fill()
  }

  async function fill(): Promise<void> {
    last += 1
    await engine.replaceAll(chunksByKey(home, 200), { number: last, catalogue }, onLoaded)
    // A commit that was under way is not in the home, and nobody was told that it is.
    pending = undefined
    await home.write([
      { key: remoteCommitKey, value: String(last) },
      { key: remotePendingKey, value: undefined },
    ])
  }

  function commit(changes: readonly StoreChange[]): Promise<void> {
    const written = new Promise<void>((done, failed) => waiting.push({ changes, done, failed }))
    work()
    return written
  }

  function work(): void {
    working ??= serve().finally(() => {
      working = undefined
      if (waiting.length > 0) work()
    })
  }

  /** Commits that arrive while another is being made are made as one. */
  async function serve(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.slice(0, maxCommitsPerBatch)
      waiting = waiting.slice(maxCommitsPerBatch)
      await (pending ? refuse(group) : make(group))
    }
  }

  /** What they were judged by may be another once the pending commit is settled. */
  async function refuse(group: readonly QueuedCommit[]): Promise<void> {
    const failure = await finishPending().then(
      () => new WriteRejectedError('an earlier write had to be settled'),
      (error: unknown) =>
        new WriteRejectedError('an earlier write cannot be settled', { cause: error }),
    )
    for (const { failed } of group) failed(failure)
  }

  async function make(group: readonly QueuedCommit[]): Promise<void> {
    try {
      const changes = await Promise.all(group.flatMap((one) => one.changes).map(changeOf))
      pending = { number: last + 1, changes, back: false, sent: false }
      await home.write([pendingEntry(pending)])
      const end = await settleWithRetry()
      if (end === 'kept') for (const { done } of group) done()
      // What the engine does not take of many may be one of them.
      else if (end === 'refused' && group.length > 1) for (const one of group) await make([one])
      else
        throw new WriteRejectedError(
          `the store ${end === 'refused' ? 'refused it' : 'is not there'}`,
        )
    } catch (error) {
      for (const { failed } of group) failed(error as Error)
    }
  }

  const changeOf = async ({ key, quads }: StoreChange) => ({
    key,
    before: await home.get(prefixes.records + key),
    after: quads && writeNQuads(quads),
  })

  /** Tries it twice, and then leaves it for later. @throws NotWritten, Unconfirmed */
  async function settleWithRetry(): Promise<CommitResult> {
    try {
      return await finishPending()
    } catch (error) {
      if (!isRemoteError(error)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pauses.first))
    try {
      return await finishPending()
    } catch (cause) {
      if (!isRemoteError(cause)) throw cause
      settleLater(pauses.first)
      throw pending?.back
        ? new WriteRejectedError('what had begun is still to be undone', { cause })
        : new WriteUnconfirmedError('the store did not answer', { cause })
    }
  }

  function settleLater(milliseconds: number): void {
    clearTimeout(retry)
    retry = setTimeout(() => {
      void settlePending().then(
        () => undefined,
        () => settleLater(Math.min(milliseconds * 2, pauses.most)),
      )
    }, milliseconds).unref()
  }

  async function settlePending(): Promise<void> {
    // Whoever is at work settles it on the way.
    while (pending && working) await working
    if (!pending || closed) return
    let failure: unknown
    working = finishPending().then(
      () => undefined,
      (error: unknown) => onError((failure = error) as Error),
    )
    await working
    working = undefined
    if (waiting.length > 0) work()
    if (failure)
      throw new WriteRejectedError('an earlier write cannot be settled', { cause: failure })
  }

  /**
   * Brings the pending commit to its end, one or the other.
   * @throws Unreached, Refused, Unanswered when it is still pending; and what the home does
   */
  async function finishPending(): Promise<CommitResult> {
    const mine = pending
    if (!mine) return 'kept'
    if (!mine.back && !(await isShown(mine)))
      try {
        await engine.prepare(mine, () => (mine.sent = true))
      } catch (error) {
        if (error instanceof ConnectionError && !mine.sent) return finish(mine, 'unreached')
        if (!(error instanceof RequestRejectedError)) {
          mine.sent = true
          throw error
        }
        onError(error)
        mine.back = true
        // Said before it is done, so that a crash between them does not bring back what was refused.
        await home.write([pendingEntry(mine)])
      }
    if (mine.back) {
      await engine.rollback(mine)
      return finish(mine, 'refused')
    }
    await engine.publish(mine)
    return finish(mine, 'kept')
  }

  /** Whether readers see it already, because it was begun before. */
  const isShown = async ({ number, sent }: PendingCommit): Promise<boolean> =>
    sent && Number((await engine.readState()).commit) >= number

  async function finish(mine: PendingCommit, end: CommitResult): Promise<CommitResult> {
    const kept = mine.changes.map(({ key, after }) => ({
      key: prefixes.records + key,
      value: after,
    }))
    await home.write([
      ...(end === 'kept' ? [...kept, { key: remoteCommitKey, value: String(mine.number) }] : []),
      { key: remotePendingKey, value: undefined },
    ])
    pending = undefined
    if (end !== 'kept') return end
    last = mine.number
    const removed = mine.changes.map(({ before }) => before ?? '').join('')
    const added = mine.changes.map(({ after }) => after ?? '').join('')
    for (const tell of watchers) tell({ removed, added })
    return end
  }

  await asStoreUnavailable(open)

  return {
    select: (query) => asStoreUnavailable(() => engine.select(query)),
    commit,
    settlePending,
    isShared: true,
    async readRecords(some) {
      const values = await Promise.all(
        some.map(async (key) => [key, await home.get(prefixes.records + key)] as const),
      )
      return new Map(
        values.flatMap(([key, value]) => (value === undefined ? [] : [[key, readNQuads(value)]])),
      )
    },
    longestIdentifier,
    loadTransient(quads) {
      vocabularies = writeNQuads(quads)
      return asStoreUnavailable(() => engine.load(quads))
    },
    async *dump(some) {
      yield filterByGraph(vocabularies, some)
      for await (const records of recordBatches(home, 25))
        yield filterByGraph(records.map(([, value]) => value).join(''), some)
    },
    subscribe(some, told) {
      const tell = ({ removed, added }: StoreCommit): void =>
        told({ removed: filterByGraph(removed, some), added: filterByGraph(added, some) })
      watchers.add(tell)
      return () => watchers.delete(tell)
    },
    // They are counted elsewhere.
    size: () => 0,
    async close() {
      closed = true
      clearTimeout(retry)
      await working
    },
  }
}

/**
 * Removes what was noted about the remote store, because it is about to miss a write: when it is opened
 * next, it is filled anew. The identifier of the catalogue stays, by which the remote store is known to
 * be this catalogue's.
 */
export async function markRemoteStale(home: KeyValueStore): Promise<void> {
  const { catalogue } = await homeState(home)
  const entries: KeyValueWrite[] = []
  for await (const [key] of home.entries(prefixes.remote)) entries.push({ key, value: undefined })
  if (entries.length === 0) return
  await home.write([...(catalogue === undefined ? [] : catalogueIdEntries(catalogue)), ...entries])
}

/** The same, whatever the engine holds: it is replaced by what this home has. */
export async function forceRemoteRebuild(
  home: KeyValueStore,
  endpoint: SparqlClient,
  graphs: RemoteGraphs,
): Promise<void> {
  await markRemoteStale(home)
  await asStoreUnavailable(() => createRemoteCommits(endpoint, graphs).clearState())
}

/** What the engine does not do for those who read is told in one way. @throws StoreUnavailable */
export async function asStoreUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isRemoteError(error)) throw error
    throw new StoreUnavailableError((error as Error).message, { cause: error })
  }
}

const isRemoteError = (error: unknown): boolean =>
  [ConnectionError, RequestRejectedError, NoResponseError].some((kind) => error instanceof kind)

const wayOn = (what: string): string =>
  `to replace what it holds by what ${what} does, run: npx zine-catalogue rebuild`

type QueuedCommit = {
  readonly changes: readonly StoreChange[]
  readonly done: () => void
  readonly failed: (error: Error) => void
}

/** A commit that was begun: it is in the home before anything of it is in the engine. */
type PendingCommit = NumberedCommit & {
  /** Whether it is being undone. */
  back: boolean
  /** Whether the engine may have something of it. */
  sent: boolean
}

type CommitResult = 'kept' | 'refused' | 'unreached'

const pendingEntry = (pending: PendingCommit): KeyValueWrite => ({
  key: remotePendingKey,
  value: JSON.stringify(pending),
})

const catalogueIdEntries = (catalogue: string): KeyValueWrite[] => [
  { key: catalogueIdKey, value: catalogue },
  { key: formerCatalogueIdKey, value: undefined },
]

async function homeState(home: KeyValueStore) {
  const [id, formerId, commit, pending] = await Promise.all(
    [catalogueIdKey, formerCatalogueIdKey, remoteCommitKey, remotePendingKey].map((key) =>
      home.get(key),
    ),
  )
  return {
    catalogue: id ?? formerId,
    commit: commit === undefined ? undefined : Number(commit),
    // The cast: it is what was written. Before a crash some of it may have been sent.
    pending:
      pending === undefined ? undefined : { ...(JSON.parse(pending) as PendingCommit), sent: true },
  }
}

async function* chunksByKey(home: KeyValueStore, size: number) {
  for await (const records of recordBatches(home, size))
    yield records.map(([key, value]) => [key.slice(prefixes.records.length), value] as const)
}
