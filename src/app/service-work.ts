// What the service does for its own upkeep: backups into a folder, and checks of its data. When, and
// what is told of it: features/service-page/.

import { Readable } from 'node:stream'

import type { Logger } from 'pino'

import { saveBackup } from '../commands/backup.js'
import { checkRunningService } from '../commands/doctor.js'
import type { Config } from '../config.js'
import { stoppingError } from '../errors.js'
import { type BackupTiming, Backups } from '../features/service-page/backups.js'
import { type RecentEvents, kindOfError } from '../features/service-page/recent-events.js'
import { ServiceCheck } from '../features/service-page/service-check.js'
import { createYielder } from '../lib/scheduling.js'
import type { Metrics } from '../metrics.js'
import { dataDirectoryOf } from './data-directory.js'
import { loadModel } from './load-model.js'
import { isReader } from './storage.js'

type ServiceWorkDependencies = {
  readonly config: Config
  readonly backUp: () => Readable
  readonly metrics: Pick<Metrics, 'onBackup'>
  readonly log: Logger
  readonly stopping: AbortSignal
  readonly timing: BackupTiming | undefined
}

export function createServiceWork(dependencies: ServiceWorkDependencies) {
  const { config, backUp, metrics, log, stopping, timing } = dependencies
  const backups = new Backups({
    settings: isReader(config) ? undefined : config.backups,
    save: (file, onProgress) => saveBackup(watch(backUp(), stopping, onProgress), file),
    onDone: (outcome) => metrics.onBackup(outcome),
    onError: (error) => log.error({ err: error }, 'backup'),
    stopping,
    timing,
  })
  const serviceCheck = new ServiceCheck(
    async (onFinding, onEntry) => {
      const maybeYield = createYielder()
      return checkRunningService(
        backUp(),
        dataDirectoryOf(config),
        (baseUrl) => loadModel({ baseUrl, dataDir: config.dataDir }),
        onFinding,
        async () => {
          stopping.throwIfAborted()
          onEntry()
          await maybeYield()
        },
      )
    },
    (error) => stopping.aborted || log.error({ err: error }, 'check'),
  )
  return { backups, serviceCheck }
}

/** The same bytes, which say how many they are, and end when the service stops. */
function watch(
  bytes: Readable,
  stopping: AbortSignal,
  onProgress: (bytes: number) => void,
): Readable {
  async function* counted(): AsyncGenerator<Buffer> {
    let count = 0
    // The cast: the stream has no encoding.
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      if (stopping.aborted) throw stoppingError()
      onProgress((count += chunk.length))
      yield chunk
    }
  }
  return Readable.from(counted(), { objectMode: false })
}

/** The log, whose errors are also counted for the page of the service. */
export function countErrors(log: Logger, events: RecentEvents): Logger {
  const counting = log.child({})
  const error = (details: object, text: string): void => {
    events.add(kindOfError(text))
    log.error(details, text)
  }
  // The cast: no error is logged in another way.
  counting.error = error as Logger['error']
  return counting
}
