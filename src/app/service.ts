// Opens the whole service: backend, SPARQL workers, endpoints, HTTP server and control socket, with
// metrics and the log. Closes all of it in reverse order. What signals do: main.ts.

import { setMaxListeners } from 'node:events'
import { join } from 'node:path'

import type { Logger } from 'pino'

import { stoppingError } from '../errors.js'
import { readSiteFiles } from '../branding/site-files.js'
import { createCitationService } from '../features/citations/citation-service.js'
import { serveControl } from '../lib/control-socket.js'
import { serviceRequests } from './service-commands.js'
import { readCatalogues } from '../features/copy-cataloguing/catalogues-file.js'
import { createOtherCatalogues } from '../features/copy-cataloguing/other-catalogues.js'
import { type Config, dataFiles, hostError } from '../config.js'
import { createHttpApp } from '../http/app.js'
import { createTokenAuthentication } from '../http/request/authentication.js'
import type { AccessLogEntry } from '../http/middleware/access-log.js'
import { FirstRun } from '../features/first-run/first-run.js'
import { createChangeRequestLimit } from '../features/change-requests/change-request-limit.js'
import { countOpenRequests } from '../features/change-requests/change-requests-form.js'
import {
  type Writer,
  askWriterForLogPosition,
  authenticateWithWriter,
} from '../http/middleware/writer-proxy.js'
import type { OnListenerError } from '../http/listener-errors.js'
import { openServer } from '../http/server.js'
import { BrowserSessions } from '../http/request/session-cookies.js'
import { logoUrl } from '../features/home/about.js'
import { createErrorPage } from '../http/error-page.js'
import { readPackageInfo } from '../features/openapi/openapi-api.js'
import { healthPaths } from '../http/response/health-status.js'
import { toErrorResponse } from '../http/response/http-errors.js'
import type { ReleaseFiles } from '../features/dataset/releases/release-files.js'
import { ReleaseSchedule } from '../features/dataset/releases/release-schedule.js'
import { proveRemoval } from '../features/history/removal-proof.js'
import { changePageJson } from '../features/changes/changes-api.js'
import { RecentEvents } from '../features/service-page/recent-events.js'
import { taskMessage, visibleTasks } from '../features/tasks/tasks.js'
import { startDeliveries } from '../features/webhooks/deliveries.js'
import { editingLinks } from '../views/links.js'
import { createJobs } from '../lib/jobs.js'
import { createLog } from '../log.js'
import { type Metrics, createMetrics } from '../metrics.js'
import { languages } from '../messages/languages.js'
import { translatorFor } from '../messages/translator.js'
import type { Store } from '../store/store.js'
import { type Backend, openBackend } from './backend.js'
import { acceptedLogin, withLoginMetrics } from './instrumentation.js'
import { createEndpoints } from './features.js'
import { packageRoot } from '../lib/package-files.js'
import { loadPackageAssets } from './package-assets.js'
import type { StorageOptions } from './storage.js'
import { countErrors, createServiceWork } from './service-work.js'
import { QueryFiles } from '../features/queries/query-files.js'
import { openSparqlService } from './sparql.js'

/** What there is before the backend. */
type Opening = {
  readonly config: Config
  readonly options: StorageOptions
  readonly log: Logger
  readonly metrics: Metrics
  readonly recentEvents: RecentEvents
  readonly server: Awaited<ReturnType<typeof openServer>>
  /** What was opened behind the server, the last first, which is the order of closing. */
  readonly opened: Closeable[]
  /** The one signal that ends all long work. Short work is waited for. */
  readonly stopping: AbortSignal
  /** When a demonstration goes back to its beginning. */
  readonly resetsAt: string | undefined
}

/** What a demonstration is opened with. */
type DemoService = {
  /** As an ISO 8601 time. */
  readonly resetsAt: string
  /** Called before the first request is answered. */
  readonly prepare: (backend: Backend) => Promise<void>
}

type Closeable = { close(): Promise<void> | void }

/** What is opened before the endpoints. */
type Parts = Awaited<ReturnType<typeof openParts>>

export type Service = Awaited<ReturnType<typeof openService>>

/**
 * Opens the service. While it loads it listens already, and answers that it is not ready.
 * @throws what openBackend throws, and the errors of listening
 */
export async function openService(
  config: Config,
  options: StorageOptions = {},
  demo?: DemoService,
) {
  const recentEvents = new RecentEvents(options.backupTiming?.now)
  const log = countErrors(options.log ?? createLog(config.logLevel), recentEvents)
  const metrics = createMetrics()
  const server = await listen(config, (error) => log.error({ err: error }, 'connection'))
  const stopping = new AbortController()
  // As many requests may wait for it.
  setMaxListeners(0, stopping.signal)
  const opened: Closeable[] = [metrics]
  const resetsAt = demo?.resetsAt
  const opening: Opening = {
    ...{ config, log, metrics, server, opened, recentEvents, resetsAt },
    options: { ...options, log },
    stopping: stopping.signal,
  }

  let closed: Promise<void> | undefined

  /**
   * Ends long work, waits for running requests, then closes what was opened; once, however often it
   * is asked for.
   */
  const close = (): Promise<void> => (closed ??= closeAll(opening, stopping))

  try {
    const parts = await openParts(opening)
    await demo?.prepare(parts.backend)
    const site = await openSite(opening, parts)
    const app = createApp(opening, parts, site)
    if (!parts.writer) opened.unshift(await openControl(opening, parts))
    server.answerBy(app)
    // Loading the quads for queries would delay the first answers.
    void parts.sparql.start()
    parts.work.backups.startSchedule()
    const { releases } = parts.backend
    if (releases) await startReleases(opening, parts.backend, releases)

    return {
      url: server.url,
      accounts: parts.accounts,
      endpoints: site.endpoints,
      /** How the first account is added; only the process that writes knows. */
      firstRun: parts.firstRun,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function closeAll({ log, server, opened }: Opening, stopping: AbortController) {
  stopping.abort(stoppingError())
  const cutOff = await server.close()
  if (cutOff > 0) log.warn(`requests that were cut off at the end: ${cutOff}`)
  for (const closeable of opened) await closeable.close()
}

async function openParts({
  config,
  options,
  log,
  metrics,
  recentEvents,
  opened,
  stopping,
}: Opening) {
  const backend = await openBackend(config, {
    onCommit: (outcome, seconds) => metrics.onCommit(outcome, seconds),
    stopping,
    ...options,
  })
  opened.unshift(backend)
  const writer = writerOf(config, backend.store, stopping)
  const logPosition = writer ? askWriterForLogPosition(writer) : backend.changes.position
  const changes = backend.changes.withPosition(logPosition)
  const accounts = writer
    ? backend.accounts
    : withLoginMetrics(backend.accounts, (outcome) => {
        metrics.onLogin(outcome)
        if (outcome !== acceptedLogin) recentEvents.add('login')
      })
  if (config.admin && !writer) await accounts.ensureAdmin(config.admin.name, config.admin.password)
  const firstRun = writer || config.demo ? undefined : new FirstRun(accounts, options.now)
  const assets = await loadPackageAssets()
  // So a file of translations that cannot be read stops the start and not a page.
  for (const language of languages) translatorFor(language)
  const sparql = await openSparqlService(backend, config, { metrics, stopping }, (error) =>
    log.error({ err: error }, 'SPARQL'),
  )
  opened.unshift(sparql)
  const work = createServiceWork({
    ...{ config, metrics, log, stopping },
    backUp: () => backend.backUp(),
    timing: options.backupTiming,
  })
  opened.unshift(work.backups, work.serviceCheck)
  return { backend, writer, logPosition, changes, accounts, firstRun, assets, sparql, work }
}

/** The endpoints, and what they share with the application. */
async function openSite(opening: Opening, parts: Parts) {
  const { config, options, log, server, opened, recentEvents, stopping } = opening
  const { backend, writer, changes, accounts, firstRun, assets, sparql, work } = parts
  const jobs = createJobs(stopping, (error) => {
    if (!toErrorResponse(error)) log.error({ err: error }, 'job')
  })
  if (config.webhooks && !writer) opened.unshift({ close: openDeliveries(opening, parts) })
  const browsers = new BrowserSessions(backend.sessions, config.baseUrl)
  const otherCatalogues = createOtherCatalogues({
    catalogues: await readCatalogues(dataFiles(config.dataDir).catalogues, config.importHosts),
    resources: backend.resources,
    allowedHosts: config.importHosts,
    signal: stopping,
    limits: options.otherCataloguesLimits,
  })
  const siteFiles = await readSiteFiles(dataFiles(config.dataDir).site)
  const citations = createCitationService({ directory: join(packageRoot, 'citation-styles') })
  opened.unshift(citations)
  const { described, others } = await createEndpoints({
    ...backend,
    ...work,
    recentEvents,
    dataDir: config.dataDir,
    accounts,
    assets,
    browsers,
    changes,
    citations,
    firstRun,
    jobs,
    limitChangeRequests: createChangeRequestLimit(options.changeRequestLimits),
    otherCatalogues,
    resetsAt: opening.resetsAt,
    proveRemoval: (texts) =>
      proveRemoval(
        {
          dataDir: config.dataDir,
          visitEntries: (visit) => backend.visitEntries(visit),
          origin: server.url,
        },
        texts,
      ),
    siteFiles,
    sparql: sparql.parts,
    namedQueries: await QueryFiles.open(
      dataFiles(config.dataDir).queries,
      config.baseUrl,
      sparql.parts.examples,
    ),
  })
  return { browsers, siteFiles, endpoints: [...described, ...others] }
}

/** Begins to make releases from time to time. */
async function startReleases(
  { options, log, opened, stopping }: Opening,
  { catalogue, resources, iris, siteName, publisher, license }: Backend,
  files: ReleaseFiles,
): Promise<void> {
  const about = await readPackageInfo(join(packageRoot, 'package.json'))
  const schedule = new ReleaseSchedule({
    ...{ files, catalogue, resources, stopping },
    dataset: { iris, siteName, publisher, license, about },
    onError: (error) => log.error({ err: error }, 'release'),
    timing: options.releaseTiming,
  })
  schedule.start()
  opened.unshift(schedule)
}

/** @returns what ends the deliveries */
function openDeliveries(
  { config, options, log, stopping }: Opening,
  { backend, changes, accounts, work }: Parts,
) {
  return startDeliveries({
    ...backend,
    listeners: backend.store.listeners,
    isActive: (name) => accounts.find(name)?.disabled === false,
    render: (page) => JSON.stringify(changePageJson(page, changes.name, config.baseUrl)),
    tasks: {
      async openFor(name) {
        const account = accounts.find(name)
        return account ? visibleTasks({ ...backend, ...work }, account) : []
      },
      render: (tasks) => taskMessage(tasks, config.baseUrl),
    },
    allowedHosts: config.webhookHosts,
    onError: (error) => log.error({ err: error }, 'webhook'),
    stopping,
    ...(options.deliveryTiming ? { timing: options.deliveryTiming } : {}),
  })
}

function createApp(
  opening: Opening,
  parts: Parts,
  { browsers, siteFiles, endpoints }: Awaited<ReturnType<typeof openSite>>,
) {
  const { config, log, metrics } = opening
  const { backend, writer, logPosition, accounts, assets } = parts
  return createHttpApp({
    endpoints,
    assets,
    authenticate: writer ? authenticateWithWriter(writer) : createTokenAuthentication(accounts),
    sessionOf: (ctx) => browsers.sessionOf(ctx),
    config,
    writer,
    logPosition,
    resetsAt: opening.resetsAt,
    branding: {
      logo: siteFiles.logo && logoUrl(siteFiles.logo),
      hasAbout: siteFiles.about !== undefined,
    },
    sendErrorPage: createErrorPage(assets, (ctx) => browsers.sessionOf(ctx)),
    findsWords: backend.catalogue.findsWords,
    countOpenRequests: (account) => countOpenRequests(backend.changeRequests, account),
    onError: (error, request, id) => log.error({ err: error, id }, request),
    onRequestDone(entry) {
      metrics.onRequest(entry)
      logRequest(log, entry)
    },
    health: healthOf(opening, parts),
  })
}

const healthOf = ({ metrics, stopping }: Opening, { backend, sparql, work }: Parts) => ({
  notReadyReason: async () =>
    stopping.aborted ? 'stopping' : notReadyReasons[await backend.disk()],
  renderMetrics: () =>
    metrics.render({
      records: async () => (await backend.catalogue.statistics()).counts,
      quads: () => backend.store.size(),
      workers: () => sparql.workers(),
      sessions: () => backend.sessions.count(),
      lastBackup: () => work.backups.lastTime(),
    }),
})

const openControl = ({ config, log }: Opening, { backend, accounts }: Parts) =>
  serveControl(
    dataFiles(config.dataDir).control,
    serviceRequests({
      accounts,
      webhooks: backend.webhooks,
      invitations: backend.invitations,
      invitationUrl: (key) => config.baseUrl + editingLinks.invitation(key),
    }),
    (error) => log.error({ err: error }, 'control socket'),
    () => backend.backUp(),
  )

/** @throws ExpectedError for a host that is not of this machine, and other errors of listening */
async function listen(config: Config, onError: OnListenerError) {
  try {
    return await openServer(config, onError)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw noHostCodes.has(code) ? hostError(config) : error
  }
}

/** What the system says of a host without an address, or with an address of another machine. */
const noHostCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL'])

/**
 * The writing process may query the remote store twice and hash a password, so it gets that much
 * time.
 */
const writerOf = (
  { store, writer }: Config,
  records: Store,
  stopping: AbortSignal,
): Writer | undefined =>
  writer === undefined || store === 'embedded' || !records.isShared
    ? undefined
    : {
        origin: writer,
        timeoutSeconds: 2 * store.timeout + 30,
        stopping,
        catchUp: records.commits.catchUp,
      }

/** Why the service is not ready, by the outcome of the last write. */
const notReadyReasons = { written: undefined, full: 'disk full', failed: 'disk failed' } as const

/** Logs every request; those of health checks at the level `debug`. */
function logRequest(log: Logger, entry: AccessLogEntry): void {
  const isHealthCheck = healthPaths.some((path) => path === entry.route)
  log[isHealthCheck ? 'debug' : 'info'](entry, 'request')
}
