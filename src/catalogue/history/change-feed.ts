// What the log of changes tells everybody: which record changed, when and how, and no value of it.
// Who made a change, and the values, are left to record-history.ts.

import { UnavailableError } from '../../errors.js'
import type { ResourceName } from '../../model/iris.js'
import type { Reference } from '../../model/record/views.js'
import { yieldToEventLoop } from '../../lib/scheduling.js'
import type { CommitListeners, WrittenRecord } from '../../store/commit-listeners.js'
import type { ChangeLog, LoggedChange, RecordChangeType } from '../../store/key-value/change-log.js'
import { ChangesForgottenError } from '../errors.js'
import { referenceOf } from '../records/record-cache.js'

/** What everybody may know of a change. */
export type PublicChange = PublicRecordChange | Forgetting

export type PublicRecordChange = ChangeTime & {
  readonly reference: Reference
  readonly change: RecordChangeType
  /** The identifier of the record that stays, after a merge. */
  readonly into: string | undefined
}

/** Of an identifier that was forgotten, the log says the kind of the record only. */
type Forgetting = ChangeTime & {
  readonly change: 'forgotten'
  readonly kind: ResourceName
}

type ChangeTime = {
  /** The number of the change in the log. */
  readonly sequence: number
  readonly at: string
}

export type ChangeQuery = {
  /** Only changes after the one with this number. */
  readonly since: number
  readonly kind: ResourceName | undefined
  readonly limit: number
}

export type ChangePage = {
  readonly changes: readonly PublicChange[]
  /** The number of the last change that was looked at: the next page begins after it. */
  readonly through: number
}

/** A place in a log. */
export type LogPosition = { readonly name: string; readonly position: number }

export type ChangeFeed = {
  /** Tells this log from others. */
  readonly name: string
  /** The number of the oldest change that is kept. */
  first(): number
  /** The number of the last change; 0 when there is none. */
  last(): number
  /** The number of the last change by which identifiers were forgotten; 0 if none ever was. */
  lastForgetting(): number
  /**
   * The end of the log, so that whatever is read afterwards has all changes up to there. Undefined
   * in a process that cannot find it.
   */
  readonly position: () => Promise<LogPosition | undefined>
  /**
   * The next changes. A page that is not full need not be the last one: of a kind that changes
   * seldom, many other changes lie between.
   * @throws ChangesForgottenError
   */
  read(query: ChangeQuery): Promise<ChangePage>
  /**
   * The same; where there is none, waits until there is one or the signal is aborted.
   * @throws ChangesForgottenError, UnavailableError
   */
  wait(query: ChangeQuery, signal: AbortSignal): Promise<ChangePage>
}

/** How many changes are looked at for one page. */
const maxExamined = 10_000

/** How many requests may wait at the same time. */
const maxWaiters = 200

type ChangeFeedDependencies = {
  readonly changeLog: Pick<ChangeLog, 'name' | 'first' | 'last' | 'lastForgetting' | 'read'>
  readonly listeners: Pick<CommitListeners, 'add'>
  /** Aborted when the service stops: nobody waits any more. */
  readonly stopping: AbortSignal
  /** Finds the end of the log, where this process does not write it. */
  readonly position?: ChangeFeed['position']
}

export class LogChangeFeed implements ChangeFeed {
  readonly name: string
  readonly position: ChangeFeed['position']
  readonly #dependencies: ChangeFeedDependencies
  readonly #changeLog: ChangeFeedDependencies['changeLog']
  readonly #listeners: ChangeFeedDependencies['listeners']
  readonly #stopping: AbortSignal
  #waiters = 0

  constructor(dependencies: ChangeFeedDependencies) {
    const { changeLog, listeners, stopping } = dependencies
    this.name = changeLog.name
    this.position = dependencies.position ?? (() => this.#findEnd())
    this.#dependencies = dependencies
    this.#changeLog = changeLog
    this.#listeners = listeners
    this.#stopping = stopping
  }

  first(): number {
    return this.#changeLog.first()
  }

  last(): number {
    return this.#changeLog.last()
  }

  lastForgetting(): number {
    return this.#changeLog.lastForgetting()
  }

  /** The same feed, of whose end another process knows. */
  withPosition(position: ChangeFeed['position']): LogChangeFeed {
    return new LogChangeFeed({ ...this.#dependencies, position })
  }

  async read({ since, kind, limit }: ChangeQuery): Promise<ChangePage> {
    // A change that is being written may be found already, while reads do not see it yet.
    const end = Math.min(this.last(), since + maxExamined)
    const changes: PublicChange[] = []
    for await (const logged of this.#changesBetween(since, end)) {
      if (kind && referenceOf(logged.record).target !== kind) continue
      changes.push(toPublicChange(logged))
      if (changes.length === limit) break
    }
    if (since + 1 < this.first()) throw new ChangesForgottenError(this.first())
    const through = changes.length === limit ? changes.at(-1)?.sequence : end
    return { changes, through: through ?? end }
  }

  async wait(query: ChangeQuery, signal: AbortSignal): Promise<ChangePage> {
    const page = await this.read(query)
    const isCut = page.through - query.since >= maxExamined
    if (page.changes.length > 0 || isCut || this.#isOver(signal)) return page
    if (this.#waiters >= maxWaiters)
      throw new UnavailableError(
        'Too many requests wait for changes. Ask without `wait`, or later.',
        10,
      )
    return this.#waitAfter(page.through, query, signal)
  }

  async #findEnd(): Promise<LogPosition> {
    const position = this.last()
    // A write is in the log a moment before the index of lists knows it.
    await yieldToEventLoop()
    return { name: this.name, position }
  }

  async *#changesBetween(since: number, end: number): AsyncGenerator<LoggedChange> {
    if (since >= end) return
    for await (const logged of this.#changeLog.read(since)) {
      if (logged.sequence > end) return
      yield logged
    }
  }

  #isOver(signal: AbortSignal): boolean {
    return this.#stopping.aborted || signal.aborted
  }

  async #waitAfter(start: number, query: ChangeQuery, signal: AbortSignal): Promise<ChangePage> {
    let since = start
    let wake = (): void => undefined
    const wakeNow = (): void => wake()
    const isWanted = ({ key }: WrittenRecord): boolean =>
      query.kind === undefined || referenceOf(key).target === query.kind
    const stopListening = this.#listeners.add('change feed', {
      onCommit({ records }) {
        if (records.some(isWanted)) wake()
      },
    })
    this.#waiters += 1
    for (const abortSignal of [signal, this.#stopping])
      abortSignal.addEventListener('abort', wakeNow)
    try {
      for (;;) {
        // Before reading, so that nothing is missed that is written meanwhile.
        const woken = new Promise<void>((resolve) => (wake = resolve))
        const page = await this.read({ ...query, since })
        if (page.changes.length > 0 || this.#isOver(signal)) return page
        since = page.through
        await woken
      }
    } finally {
      stopListening()
      this.#waiters -= 1
      for (const abortSignal of [signal, this.#stopping])
        abortSignal.removeEventListener('abort', wakeNow)
    }
  }
}

function toPublicChange({ sequence, at, record, change, into }: LoggedChange): PublicChange {
  const reference = referenceOf(record)
  return change === 'forgotten'
    ? { sequence, at, kind: reference.target, change }
    : // A hidden record that it was merged into is not told.
      { sequence, at, reference, change, into: change === 'merged' ? into : undefined }
}
