// Makes the JSON of all records beside other work, and of those that are written, so that it is kept when somebody asks
// for it the first time.

import { setTimeout as sleep } from 'node:timers/promises'

import type { FileCache } from '../../file-cache.js'
import type { Reference } from '../../model/record/views.js'
import { yieldToEventLoop } from '../../scheduling.js'
import type { ChangeLog } from '../../store/key-value/change-log.js'
import type { Revision } from '../revision.js'
import { type RecordEntries, referenceOf } from './record-cache.js'

export type JsonPreparation = {
  /** Begins with all records. */
  start(): void
  /** Whether there is something left to be made. */
  isUnderWay(): boolean
  close(): Promise<void>
}

type JsonPreparationDependencies = {
  readonly revision: Revision
  readonly file: Pick<FileCache, 'isUsable' | 'onCleared'>
  readonly changeLog: Pick<ChangeLog, 'subscribe'>
  readonly records: Pick<RecordEntries, 'all'>
  /** Makes and keeps the JSON of a record, unless it is kept. */
  readonly prepare: (reference: Reference) => void
  readonly onError: (error: unknown) => void
}

/** Work pauses after so long, for three times as long, so that it takes a quarter of a processor. */
const stepMs = 4
const pauseFactor = 3

/** How many keys are read at a time. */
const batchSize = 200

/** After more writes than this, all records are gone through. */
const maxWritten = 10_000

export function createJsonPreparation({
  revision,
  file,
  changeLog,
  records,
  prepare,
  onError,
}: JsonPreparationDependencies): JsonPreparation {
  /** The records that were written since. */
  let written = new Set<string>()
  let isAllWanted = false
  /** When all records were gone through. What was made before may be current only as long as this is. */
  let allSince = 0
  let running: Promise<void> | undefined
  let isClosed = false
  let stop: (() => void) | undefined

  function start(): void {
    if (isClosed) return
    stop ??= changeLog.subscribe((changes) => {
      if (!revision.isCurrent(allSince, []) || written.size > maxWritten) wantAll()
      else for (const { record } of changes) written.add(record)
      run()
    })
    file.onCleared(() => {
      wantAll()
      run()
    })
    wantAll()
    run()
  }

  function wantAll(): void {
    isAllWanted = true
    written = new Set()
  }

  /** A file that gave up keeps nothing. */
  const hasEnded = (): boolean => isClosed || !file.isUsable()

  function run(): void {
    if (!hasEnded()) running ??= makeWanted().catch(onError)
  }

  async function makeWanted(): Promise<void> {
    await yieldToEventLoop()
    const pause = createPauses()
    try {
      while (!hasEnded() && (isAllWanted || written.size > 0)) {
        if (isAllWanted) await makeAll(pause)
        const keys = written
        written = new Set()
        await makeEach(keys, pause)
      }
    } finally {
      running = undefined
    }
  }

  async function makeAll(pause: Pause): Promise<void> {
    isAllWanted = false
    allSince = revision.current()
    let last: string | undefined
    for (;;) {
      const keys = await keysAfter(last)
      if (keys.length === 0 || !(await makeEach(keys, pause))) return
      last = keys.at(-1)
    }
  }

  // What is being read is not removed from the disk, so it is read in small parts.
  async function keysAfter(last: string | undefined): Promise<readonly string[]> {
    const keys: string[] = []
    for await (const [key] of records.all(last)) if (keys.push(key) === batchSize) break
    return keys
  }

  /** @returns whether it came to the end */
  async function makeEach(keys: Iterable<string>, pause: Pause): Promise<boolean> {
    for (const key of keys) {
      if (hasEnded() || isAllWanted) return false
      prepare(referenceOf(key))
      await pause()
    }
    return true
  }

  return {
    start,
    isUnderWay: () => running !== undefined,
    async close() {
      isClosed = true
      stop?.()
      await running
    },
  }
}

type Pause = () => Promise<void>

/** A function to call between steps. It waits where the last steps took long enough. */
function createPauses(): Pause {
  let startedAt = performance.now()
  return async () => {
    const worked = performance.now() - startedAt
    if (worked < stepMs) return
    await sleep(pauseFactor * worked)
    startedAt = performance.now()
  }
}
