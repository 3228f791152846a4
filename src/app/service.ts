// The service: a collection behind a server, counted, logged, and closed in order.

import type { Logger } from 'pino'

import { serveControl } from '../commands/control-socket.js'
import { type Config, dataFiles } from '../config.js'
import { openCounter } from '../http/app.js'
import { authenticateBy } from '../http/request/authentication.js'
import type { Exchange } from '../http/middleware/access-log.js'
import { type Writer, authenticateAt } from '../http/middleware/writer-proxy.js'
import { openServer } from '../http/server.js'
import { browsersOf } from '../http/request/session-cookies.js'
import { swaggerEndpoint } from '../http/pages/swagger.js'
import { watchedPaths } from '../http/middleware/health.js'
import { openLog } from '../log.js'
import { openMetrics } from '../metrics.js'
import { openCollection } from './backend.js'
import { countLogins } from './instrumentation.js'
import { openDesk, openEndpoints, openLinkedData } from './routes.js'
import { readAssets } from './package-files.js'
import type { Options } from './storage.js'
import { openSparql } from './sparql.js'

export type Service = Awaited<ReturnType<typeof openService>>

/**
 * A service that answers; it is listening, and says that it is not ready, while it loads.
 * @throws what openCollection throws, and what listening does
 */
export async function openService(config: Config, options: Options = {}) {
  const log = options.log ?? openLog(config.logLevel)
  const metrics = openMetrics()
  const server = await openServer(config)

  /** What was opened behind the server, the last first: it is closed in that order. */
  const opened: { close(): Promise<void> | void }[] = [metrics]
  let isStopping = false

  /** Finishes the requests in flight, then closes what is kept. */
  async function close(): Promise<void> {
    isStopping = true
    await server.close()
    for (const one of opened) await one.close()
  }

  try {
    const collection = await openCollection(config, {
      committed: (outcome, seconds) => metrics.committed(outcome, seconds),
      ...options,
    })
    opened.unshift(collection)
    const writer = writerOf(config)
    const accounts = writer ? collection.accounts : countLogins(collection.accounts, metrics)
    if (config.admin && !writer)
      await accounts.ensureAdmin(config.admin.name, config.admin.password)
    const assets = await readAssets()
    const sparql = await openSparql(collection, config, { assets, metrics }, (error) =>
      log.error({ err: error }, 'SPARQL'),
    )
    opened.unshift(sparql)
    const browsers = browsersOf(collection.sessions, config.baseUrl)
    const endpoints = [
      ...(await openEndpoints({ ...collection, accounts }, assets)),
      ...openLinkedData(collection, assets),
      ...openDesk({ ...collection, accounts }, { assets, browsers }),
      swaggerEndpoint(assets),
      ...sparql.endpoints,
    ]
    const counter = openCounter({
      endpoints,
      assets,
      authenticate: writer ? authenticateAt(writer) : authenticateBy(accounts),
      sessionOf: browsers.sessionOf,
      config,
      writer,
      failed: (error, request, id) => log.error({ err: error, id }, request),
      told(exchange) {
        metrics.exchanged(exchange)
        noteIn(log, exchange)
      },
      watch: {
        trouble: async () => (isStopping ? 'stopping' : troubles[await collection.disk()]),
        figures: () =>
          metrics.figures({
            records: async () => (await collection.catalogue.survey()).counts,
            quads: () => collection.store.size(),
            workers: () => sparql.workers(),
            sessions: () => collection.sessions.count(),
          }),
      },
    })
    if (!writer)
      opened.unshift(
        await serveControl(
          dataFiles(config.dataDir).control,
          accounts,
          (error) => log.error({ err: error }, 'the command line'),
          () => collection.backUp(),
        ),
      )
    server.answerBy(counter)

    return { url: server.url, accounts, endpoints, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The writer may ask the store twice, and hash a password. */
const writerOf = ({ store, writer }: Config): Writer | undefined =>
  writer === undefined || store === 'embedded'
    ? undefined
    : { origin: writer, patience: 2 * store.timeout + 30 }

/** Why the service is not ready, by how the last write ended. */
const troubles = { kept: undefined, full: 'disk full', failed: 'disk failed' } as const

/** A line for each request; those of who only watches are for who looks closely. */
function noteIn(log: Logger, exchange: Exchange): void {
  const isWatching = watchedPaths.some((path) => path === exchange.route)
  log[isWatching ? 'debug' : 'info'](exchange, 'request')
}
