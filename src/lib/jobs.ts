// Long pieces of work, such as batches: how far each of them is, under an identifier that is known
// before it begins. What comes of them is kept by whoever does the work. They end before their next
// step when the service stops.

import { randomUUID } from 'node:crypto'

/** How far a piece of work is. */
type JobProgress = { readonly done: number; readonly total: number }

export type JobStatus = JobProgress & {
  readonly id: string
  /** The time at which it began. */
  readonly at: string
  readonly account: string | undefined
  /** Why it failed; undefined while it is under way. */
  readonly error: Error | undefined
}

/**
 * Says how far the work is; to be called before each step.
 * @throws UnavailableError when there is to be no further step
 */
type ReportProgress = (progress: JobProgress) => void

export type Jobs = {
  /** Begins work. @param id that of the job; a new one unless given */
  start<Result>(
    work: (id: string, report: ReportProgress) => Promise<Result>,
    options: { readonly account: string | undefined; readonly id?: string | undefined },
  ): { readonly id: string; readonly result: Promise<Result> }
  /** A job that is under way, or that failed not long ago; undefined for others. */
  status(id: string): JobStatus | undefined
}

/** How many failed jobs are remembered. */
const maxFailed = 100

/**
 * @param stopping aborted when the service stops
 * @param onError is called when a job failed
 */
export function createJobs(
  stopping: AbortSignal,
  onError: (error: Error) => void = () => undefined,
): Jobs {
  const jobs = new Map<string, JobStatus>()

  function change(id: string, changes: Partial<JobStatus>): void {
    const job = jobs.get(id)
    if (job) jobs.set(id, { ...job, ...changes })
  }

  function fail(id: string, error: Error): void {
    onError(error)
    change(id, { error })
    const failed = [...jobs.values()].filter((job) => job.error)
    for (const job of failed.slice(0, Math.max(0, failed.length - maxFailed))) jobs.delete(job.id)
  }

  return {
    start(work, { account, id = randomUUID() }) {
      const at = new Date().toISOString()
      jobs.set(id, { id, at, account, done: 0, total: 0, error: undefined })
      const result = work(id, (progress) => {
        stopping.throwIfAborted()
        change(id, progress)
      })
      result.then(
        () => jobs.delete(id),
        // Whoever waits for the result gets the error too.
        (error: unknown) => fail(id, error as Error),
      )
      return { id, result }
    },
    status: (id) => jobs.get(id),
  }
}
