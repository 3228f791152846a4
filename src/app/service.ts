// The service: a collection behind a server, counted, logged, and closed in order.

import type { Logger } from 'pino'

import { serveControl } from '../commands/control-socket.js'
import { type Config, dataFiles } from '../config.js'
import { createHttpApp } from '../http/app.js'
import { createTokenAuthentication } from '../http/request/authentication.js'
import type { AccessLogEntry } from '../http/middleware/access-log.js'
import { type Writer, authenticateWithWriter } from '../http/middleware/writer-proxy.js'
import { openServer } from '../http/server.js'
import { createBrowserSessions } from '../http/request/session-cookies.js'
import { swaggerEndpoint } from '../http/pages/swagger.js'
import { healthPaths } from '../http/response/health-status.js'
import { openLog } from '../log.js'
import { createMetrics } from '../metrics.js'
import { openBackend } from './backend.js'
import { withLoginMetrics } from './instrumentation.js'
import { createEditingEndpoints, createApiEndpoints, createLinkedDataEndpoints } from './routes.js'
import { openPackageAssets } from './package-files.js'
import type { StorageOptions } from './storage.js'
import { openSparqlService } from './sparql.js'

export type Service = Awaited<ReturnType<typeof openService>>

/**
 * A service that answers; it is listening, and says that it is not ready, while it loads.
 * @throws what openCollection throws, and what listening does
 */
export async function openService(config: Config, options: StorageOptions = {}) {
  const log = options.log ?? openLog(config.logLevel)
  const metrics = createMetrics()
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
    const backend = await openBackend(config, {
      onCommit: (outcome, seconds) => metrics.onCommit(outcome, seconds),
      ...options,
    })
    opened.unshift(backend)
    const writer = writerOf(config)
    const accounts = writer ? backend.accounts : withLoginMetrics(backend.accounts, metrics)
    if (config.admin && !writer)
      await accounts.ensureAdmin(config.admin.name, config.admin.password)
    const assets = await openPackageAssets()
    const sparql = await openSparqlService(backend, config, { assets, metrics }, (error) =>
      log.error({ err: error }, 'SPARQL'),
    )
    opened.unshift(sparql)
    const browsers = createBrowserSessions(backend.sessions, config.baseUrl)
    const endpoints = [
      ...(await createApiEndpoints({ ...backend, accounts }, assets)),
      ...createLinkedDataEndpoints(backend, assets),
      ...createEditingEndpoints({ ...backend, accounts }, { assets, browsers }),
      swaggerEndpoint(assets),
      ...sparql.endpoints,
    ]
    const counter = createHttpApp({
      endpoints,
      assets,
      authenticate: writer ? authenticateWithWriter(writer) : createTokenAuthentication(accounts),
      sessionOf: browsers.sessionOf,
      config,
      writer,
      failed: (error, request, id) => log.error({ err: error, id }, request),
      told(exchange) {
        metrics.onRequest(exchange)
        logRequest(log, exchange)
      },
      watch: {
        trouble: async () => (isStopping ? 'stopping' : notReadyReasons[await backend.disk()]),
        figures: () =>
          metrics.render({
            records: async () => (await backend.catalogue.statistics()).counts,
            quads: () => backend.store.size(),
            workers: () => sparql.workers(),
            sessions: () => backend.sessions.count(),
          }),
      },
    })
    if (!writer)
      opened.unshift(
        await serveControl(
          dataFiles(config.dataDir).control,
          accounts,
          (error) => log.error({ err: error }, 'the command line'),
          () => backend.backUp(),
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
const notReadyReasons = { kept: undefined, full: 'disk full', failed: 'disk failed' } as const

/** A line for each request; those of who only watches are for who looks closely. */
function logRequest(log: Logger, exchange: AccessLogEntry): void {
  const isWatching = healthPaths.some((path) => path === exchange.route)
  log[isWatching ? 'debug' : 'info'](exchange, 'request')
}
