// Forgets the history of records and lists that is older than HISTORY_KEEP, the imports that it was
// the history of, and the pictures of records that were deleted before, at the start and once a day.

import type { Logger } from 'pino'

import type { Imports } from '../features/imports/imports.js'
import type { CuratedLists } from '../features/lists/curated-lists.js'
import type { Pictures } from '../features/pictures/pictures.js'
import type { ChangeLog } from '../store/key-value/change-log.js'

const dayMs = 86_400_000

/** What has a part of the history. */
type HistoryParts = {
  readonly changeLog: Pick<ChangeLog, 'forgetBefore'>
  readonly imports: Pick<Imports, 'forgetBefore'>
  readonly lists: Pick<CuratedLists, 'forgetBefore'>
  readonly pictures: Pick<Pictures, 'forgetRemovedBefore'>
  /** Removes the copies of the store from before a time, which have the history of then. */
  readonly removeUpgradeBackups: (before: string) => Promise<unknown>
}

/**
 * @param days how long the history is kept; Infinity for ever
 * @param stopping ends this when it is aborted
 */
export function forgetOldHistoryDaily(
  history: HistoryParts,
  days: number,
  { log, stopping }: { readonly log?: Logger | undefined; readonly stopping: AbortSignal },
): void {
  if (!Number.isFinite(days)) return
  const forget = (): void => {
    const oldest = new Date(Date.now() - days * dayMs).toISOString()
    forgetHistoryBefore(history, oldest).then(
      (changes) => changes > 0 && log?.info({ changes }, 'forgot old history'),
      (error: unknown) =>
        stopping.aborted || log?.error({ err: error }, 'could not forget old history'),
    )
  }
  forget()
  const timer = setInterval(forget, dayMs).unref()
  stopping.addEventListener('abort', () => clearInterval(timer))
}

/** @param time as ISO 8601 @returns how many changes were forgotten */
export async function forgetHistoryBefore(
  { changeLog, imports, lists, pictures, removeUpgradeBackups }: HistoryParts,
  time: string,
): Promise<number> {
  await removeUpgradeBackups(time)
  await pictures.forgetRemovedBefore(time)
  await lists.forgetBefore(time)
  const changes = await changeLog.forgetBefore(time)
  // An import goes with the last of its batches.
  await imports.forgetBefore(time)
  return changes
}
