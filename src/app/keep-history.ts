// Forgets the history of records that is older than HISTORY_KEEP, and the pictures of records that were deleted before,
// at the start and once a day.

import type { Logger } from 'pino'

import type { Pictures } from '../pictures/pictures.js'
import type { ChangeLog } from '../store/key-value/change-log.js'

const dayMs = 86_400_000

type Kept = {
  readonly changeLog: Pick<ChangeLog, 'forgetBefore'>
  readonly pictures: Pick<Pictures, 'forgetRemovedBefore'>
}

/**
 * @param days how long the history is kept; Infinity for ever
 * @returns a function that ends this
 */
export function keepHistory(
  { changeLog, pictures }: Kept,
  days: number,
  log: Logger | undefined,
): () => void {
  if (!Number.isFinite(days)) return () => undefined
  const forget = (): void => {
    const oldest = new Date(Date.now() - days * dayMs).toISOString()
    changeLog.forgetBefore(oldest).then(
      (changes) => changes > 0 && log?.info({ changes }, 'forgot old history'),
      (error: unknown) => log?.error({ err: error }, 'could not forget old history'),
    )
    pictures.forgetRemovedBefore(oldest).catch((error: unknown) => {
      log?.error({ err: error }, 'could not forget the pictures of deleted records')
    })
  }
  forget()
  const timer = setInterval(forget, dayMs).unref()
  return () => clearInterval(timer)
}
