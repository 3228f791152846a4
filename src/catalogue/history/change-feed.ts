// What the log of changes tells everybody: which record changed, when and how, and no value of it.
// Who made a change, and the values, are left to record-history.ts.

import { UnavailableError } from '../../errors.js'
import type { ResourceName } from '../../model/iris.js'
import type { Reference } from '../../model/record/views.js'
import { yieldToEventLoop } from '../../lib/scheduling.js'
import type { CommitListeners, WrittenRecord } from '../../store/commit-listeners.js'
import type { ChangeLog, ChangeType, LoggedChange } from '../../store/key-value/change-log.js'
import { ChangesForgottenError } from '../errors.js'
import { referenceOf } from '../records/record-cache.js'

/** What everybody may know of a change. */
export type PublicChange = {
  /** The number of the change in the log. */
  readonly sequence: number
  readonly at: string
  readonly reference: Reference
  readonly change: ChangeType
  /** The identifier of the record that stays, after a merge. */
  readonly into: string | undefined
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
  readonly changeLog: Pick<ChangeLog, 'name' | 'first' | 'last' | 'read'>
  readonly listeners: Pick<CommitListeners, 'add'>
  /** Aborted when the service stops: nobody waits any more. */
  readonly stopping: AbortSignal
}

export function createChangeFeed({
  changeLog,
  listeners,
  stopping,
}: ChangeFeedDependencies): ChangeFeed {
  let waiters = 0

  async function read({ since, kind, limit }: ChangeQuery): Promise<ChangePage> {
    // A change that is being written may be found already, while reads do not see it yet.
    const end = Math.min(changeLog.last(), since + maxExamined)
    const changes: PublicChange[] = []
    for await (const logged of changesBetween(since, end)) {
      if (kind && referenceOf(logged.record).target !== kind) continue
      changes.push(toPublicChange(logged))
      if (changes.length === limit) break
    }
    if (since + 1 < changeLog.first()) throw new ChangesForgottenError(changeLog.first())
    const through = changes.length === limit ? changes.at(-1)?.sequence : end
    return { changes, through: through ?? end }
  }

  async function* changesBetween(since: number, end: number): AsyncGenerator<LoggedChange> {
    if (since >= end) return
    for await (const logged of changeLog.read(since)) {
      if (logged.sequence > end) return
      yield logged
    }
  }

  async function wait(query: ChangeQuery, signal: AbortSignal): Promise<ChangePage> {
    const page = await read(query)
    const isCut = page.through - query.since >= maxExamined
    if (page.changes.length > 0 || isCut || isOver(signal)) return page
    if (waiters >= maxWaiters)
      throw new UnavailableError(
        'Too many requests wait for changes. Ask without `wait`, or later.',
        10,
      )
    return waitAfter(page.through, query, signal)
  }

  const isOver = (signal: AbortSignal): boolean => stopping.aborted || signal.aborted

  async function waitAfter(
    start: number,
    query: ChangeQuery,
    signal: AbortSignal,
  ): Promise<ChangePage> {
    let since = start
    let wake = (): void => undefined
    const wakeNow = (): void => wake()
    const isWanted = ({ key }: WrittenRecord): boolean =>
      query.kind === undefined || referenceOf(key).target === query.kind
    const stopListening = listeners.add('change feed', {
      onCommit({ records }) {
        if (records.some(isWanted)) wake()
      },
    })
    waiters += 1
    for (const one of [signal, stopping]) one.addEventListener('abort', wakeNow)
    try {
      for (;;) {
        // Before reading, so that nothing is missed that is written meanwhile.
        const woken = new Promise<void>((resolve) => (wake = resolve))
        const page = await read({ ...query, since })
        if (page.changes.length > 0 || isOver(signal)) return page
        since = page.through
        await woken
      }
    } finally {
      stopListening()
      waiters -= 1
      for (const one of [signal, stopping]) one.removeEventListener('abort', wakeNow)
    }
  }

  return {
    name: changeLog.name,
    first: changeLog.first,
    last: changeLog.last,
    async position() {
      const position = changeLog.last()
      // A write is in the log a moment before the index of lists knows it.
      await yieldToEventLoop()
      return { name: changeLog.name, position }
    },
    read,
    wait,
  }
}

const toPublicChange = ({ sequence, at, record, change, into }: LoggedChange): PublicChange => ({
  sequence,
  at,
  reference: referenceOf(record),
  change,
  into,
})
