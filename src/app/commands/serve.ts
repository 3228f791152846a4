// `serve`: runs the service until the process is asked to stop.

import { createProgress } from '../../commands/progress.js'
import { readConfig } from '../../config.js'
import { createLog } from '../../log.js'
import { openDemo } from '../demo.js'
import { type Service, openService } from '../service.js'
import { linkValidMs } from '../../features/first-run/first-run.js'
import { editingLinks } from '../../views/links.js'
import { addressHint, expiredHint, firstRunHint } from '../start-hints.js'
import type { CommandContext } from './command.js'

/** @throws ExpectedError, and what openService throws */
export async function serve({ env, exit, isTerminal, onStop }: CommandContext): Promise<void> {
  const config = readConfig(env)
  const log = createLog(config.logLevel)
  const progress = createProgress('records loaded', undefined)
  const moved = createProgress('records moved', undefined)
  let records = 0
  // While it loads there are no requests to wait for.
  onStop(() => exit(0))
  const open = config.demo ? openDemo : openService
  const service: Pick<Service, 'url' | 'firstRun' | 'close'> = await open(config, {
    log,
    onMoved: (count) => moved.show(count),
    onLoaded: (count) => progress.show((records = count)),
    onFatal(failure) {
      log.fatal({ err: failure }, 'the disk failed; stopping')
      // Clients that wait for a write are still answered that it failed.
      setTimeout(() => exit(1), 200).unref()
    },
    onFailed(error) {
      log.fatal({ err: error }, 'the demonstration could not go back to the sample; stopping')
      exit(1)
    },
  })
  // None is loaded where the indexes of the last stop are still right.
  if (records > 0) progress.end(records)
  log.info(`listening at ${service.url}, as ${config.baseUrl}`)
  if (isTerminal) log.info(addressHint(service.url))
  const { firstRun, url } = service
  if (firstRun?.isNeeded()) {
    const path = editingLinks.firstRun(firstRun.key)
    const baseUrl = config.isBaseUrlSet ? config.baseUrl : undefined
    log.info(firstRunHint({ url, baseUrl, path }))
    setTimeout(() => firstRun.isNeeded() && log.info(expiredHint), linkValidMs).unref()
  }

  onStop(() => {
    log.info('stopping: waiting for running requests')
    service.close().then(
      () => exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, 'stopping failed')
        exit(1)
      },
    )
  })
}
