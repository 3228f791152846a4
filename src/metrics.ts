// The metrics of the service in Prometheus format. Labels are methods, routes, outcomes and kinds,
// never a name, an identifier or an address. http/middleware/health.ts serves them.

import { monitorEventLoopDelay } from 'node:perf_hooks'

import { Counter, Gauge, Histogram, Registry } from 'prom-client'

import type { ResourceName } from './model/iris.js'
import type { AccessLogEntry } from './http/middleware/access-log.js'
import type { WriteOutcome } from './lib/key-value/write-monitor.js'

/** The values that are read when the metrics are requested. */
export type MetricSources = {
  readonly records: () => Promise<Readonly<Record<ResourceName, number>>>
  readonly quads: () => number
  readonly workers: () => { readonly free: number; readonly busy: number; readonly ended: number }
  readonly sessions: () => number
  /** The time of the newest backup in BACKUP_DIR, in milliseconds. */
  readonly lastBackup: () => Promise<number | undefined>
}

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registers = [new Registry()] as const
  const [registry] = registers
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: prefix + name, help, labelNames, registers: [...registers] })
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: prefix + name, help, labelNames, registers: [...registers] })
  const histogram = (name: string, help: string, buckets: number[], labelNames: string[] = []) =>
    new Histogram({ name: prefix + name, help, buckets, labelNames, registers: [...registers] })

  const requests = counter('http_requests_total', 'Requests that got a response.', [
    'method',
    'route',
    'status',
  ])
  const durations = histogram(
    'http_request_duration_seconds',
    'Duration of requests, until the last byte of the response.',
    [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
    ['method', 'route'],
  )
  const throttled = counter('http_throttled_total', 'Requests that got status 429.')
  const commits = counter('commits_total', 'Writes to the disk, by outcome.', ['outcome'])
  const commitDurations = histogram(
    'commit_duration_seconds',
    'Duration of writes, until they were on the disk.',
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5],
  )
  const queries = counter('sparql_queries_total', 'SPARQL queries, by outcome.', ['outcome'])
  const logins = counter('logins_total', 'Logins, by outcome.', ['outcome'])

  const backups = counter('backups_total', 'Backups into BACKUP_DIR, by outcome.', ['outcome'])
  const lastBackup = gauge('last_backup_seconds', 'Time of the newest backup, since 1970.')

  const records = gauge('records', 'Records, by kind.', ['kind'])
  const quads = gauge('quads', 'Quads in all graphs, vocabularies included.')
  const workers = gauge('sparql_workers', 'Threads that run SPARQL queries.', ['state'])
  const ended = gauge('sparql_workers_ended_total', 'Threads that were ended or broke.')
  const sessions = gauge('sessions', 'Open browser sessions.')
  const loop = gauge(
    'event_loop_lag_seconds',
    'Delay of timers since the last request of the metrics.',
    ['quantile'],
  )
  const memory = gauge('memory_bytes', 'Memory of the process.', ['part'])
  const cpu = gauge('cpu_seconds_total', 'Processor time of the process.')
  const started = gauge('start_time_seconds', 'When the process started, since 1970.')
  started.set(Math.round(Date.now() / 1000 - process.uptime()))
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()

  // Counting many at once takes a fraction of the time of counting each.
  let uncounted: AccessLogEntry[] = []
  function countRequests(): void {
    for (const { method, route = 'none', status, milliseconds } of uncounted) {
      requests.inc({ method, route, status })
      durations.observe({ method, route }, milliseconds / 1000)
      if (status === 429) throttled.inc()
    }
    uncounted = []
  }

  function measureProcess(): void {
    loop.set({ quantile: '0.5' }, delay.percentile(50) / 1e9)
    loop.set({ quantile: '0.99' }, delay.percentile(99) / 1e9)
    loop.set({ quantile: '1' }, delay.max / 1e9)
    delay.reset()
    const parts: Readonly<Record<string, number>> = { ...process.memoryUsage() }
    for (const [part, bytes] of Object.entries(parts)) memory.set({ part }, bytes)
    const { user, system } = process.cpuUsage()
    cpu.set((user + system) / 1e6)
  }

  // Counting the records delays other requests, so it is done at most once a minute.
  let countedAt = -Infinity
  async function countRecords(sources: MetricSources): Promise<void> {
    if (performance.now() - countedAt < 60_000) return
    countedAt = performance.now()
    for (const [kind, count] of Object.entries(await sources.records()))
      records.set({ kind }, count)
  }

  return {
    onRequest(entry: AccessLogEntry): void {
      if (uncounted.push(entry) >= maxUncounted) countRequests()
    },
    onCommit(outcome: WriteOutcome, seconds: number): void {
      commits.inc({ outcome })
      commitDurations.observe(seconds)
    },
    onQuery: (outcome: string): void => queries.inc({ outcome }),
    onLogin: (outcome: string): void => logins.inc({ outcome }),
    onBackup: (outcome: string): void => backups.inc({ outcome }),
    async render(sources: MetricSources) {
      countRequests()
      measureProcess()
      await countRecords(sources)
      const { free, busy, ended: endedCount } = sources.workers()
      workers.set({ state: 'free' }, free)
      workers.set({ state: 'busy' }, busy)
      ended.set(endedCount)
      // The size of a remote store is not known.
      quads.set(sources.quads() || NaN)
      sessions.set(sources.sessions())
      lastBackup.set(((await sources.lastBackup()) ?? NaN) / 1000)
      return { type: registry.contentType, text: await registry.metrics() }
    },
    close: (): void => void delay.disable(),
  }
}

const prefix = 'zine_catalogue_'

const maxUncounted = 200
