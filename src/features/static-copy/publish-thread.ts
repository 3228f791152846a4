// Has a copy written by a thread of its own, so that this one has its time for the answers of which the
// copy is made.

import { ExpectedError } from '../../errors.js'
import { threadModule } from '../../lib/package-files.js'
import { ThreadError, WorkerThread } from '../../lib/worker-thread.js'
import type { Language } from '../../messages/languages.js'
import type { FolderChanges } from './copy-folder.js'

export type PublishRequest = {
  /** Where the service answers. */
  readonly origin: string
  /** The base of its addresses and IRIs. */
  readonly base: string
  readonly directory: string
  /** That of the pages. */
  readonly language: Language
  /** The folder of the institution's own terms. */
  readonly terms: string
}

/** How many pages are done, what came of it, or why nothing was written. */
export type PublishAnswer =
  { readonly pages: number } | { readonly changes: FolderChanges } | { readonly refused: string }

/**
 * Writes the copy, or brings it up to date.
 * @param onProgress called with the number of pages that are done
 * @throws ExpectedError
 */
export async function publishInThread(
  request: PublishRequest,
  onProgress: (pages: number) => void,
): Promise<FolderChanges> {
  const thread = new WorkerThread<PublishRequest, PublishAnswer>({
    module: threadModule('features/static-copy/publish-worker.js'),
    heapMb: 2048,
    // It answers twice a second, but for while it waits for the disk.
    timeoutMs: 600_000,
  })
  try {
    for await (const answer of thread.answers(request)) {
      if ('refused' in answer) throw new ExpectedError(answer.refused)
      if ('changes' in answer) return answer.changes
      onProgress(answer.pages)
    }
    throw new ThreadError('ended')
  } catch (error) {
    throw error instanceof ThreadError && error.code === 'failed' ? error.cause : error
  } finally {
    await thread.close()
  }
}
