// The figures of one service, as Prometheus reads them. Labels are methods, patterns, outcomes and
// kinds: never a name, an identifier or an address.

import { monitorEventLoopDelay } from 'node:perf_hooks'

import { Counter, Gauge, Histogram, Registry } from 'prom-client'

import type { ResourceName } from './model/iris.js'
import type { AccessLogEntry } from './http/middleware/access-log.js'
import type { WriteOutcome } from './store/key-value/write-monitor.js'

/** What is looked at when somebody asks. */
export type MetricSources = {
  readonly records: () => Promise<Readonly<Record<ResourceName, number>>>
  readonly quads: () => number
  readonly workers: () => { readonly free: number; readonly busy: number; readonly ended: number }
  readonly sessions: () => number
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

  const requests = counter('http_requests_total', 'Requests that were answered.', [
    'method',
    'route',
    'status',
  ])
  const durations = histogram(
    'http_request_duration_seconds',
    'How long requests took, until the last byte of their answer.',
    [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
    ['method', 'route'],
  )
  const throttled = counter('http_throttled_total', 'Requests that were refused with 429.')
  const commits = counter('commits_total', 'Writes to the disk, by how they ended.', ['outcome'])
  const commitDurations = histogram(
    'commit_duration_seconds',
    'How long a write took until it was on the disk.',
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5],
  )
  const queries = counter('sparql_queries_total', 'SPARQL queries, by how they ended.', ['outcome'])
  const logins = counter('logins_total', 'Logins, by how they ended.', ['outcome'])

  const records = gauge('records', 'Records, by kind.', ['kind'])
  const quads = gauge('quads', 'Quads in all graphs, vocabularies included.')
  const workers = gauge('sparql_workers', 'Threads that can answer queries.', ['state'])
  const ended = gauge('sparql_workers_ended_total', 'Threads that were ended, or broke.')
  const sessions = gauge('sessions', 'Sessions of browsers that are open.')
  const loop = gauge('event_loop_lag_seconds', 'How late timers were since the last look.', [
    'quantile',
  ])
  const memory = gauge('memory_bytes', 'Memory of the process.', ['part'])
  const cpu = gauge('cpu_seconds_total', 'Processor time of the process.')
  const started = gauge('start_time_seconds', 'When the process started, since 1970.')
  started.set(Math.round(Date.now() / 1000 - process.uptime()))
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()

  // Many at once are counted in a fraction of the time that it takes to count each as it comes.
  let waiting: AccessLogEntry[] = []
  function countExchanges(): void {
    for (const { method, route = 'none', status, milliseconds } of waiting) {
      requests.inc({ method, route, status })
      durations.observe({ method, route }, milliseconds / 1000)
      if (status === 429) throttled.inc()
    }
    waiting = []
  }

  function lookAtProcess(): void {
    loop.set({ quantile: '0.5' }, delay.percentile(50) / 1e9)
    loop.set({ quantile: '0.99' }, delay.percentile(99) / 1e9)
    loop.set({ quantile: '1' }, delay.max / 1e9)
    delay.reset()
    const parts: Readonly<Record<string, number>> = { ...process.memoryUsage() }
    for (const [part, bytes] of Object.entries(parts)) memory.set({ part }, bytes)
    const { user, system } = process.cpuUsage()
    cpu.set((user + system) / 1e6)
  }

  // Counting takes a moment of everybody's time, so it is done now and then.
  let counted = -Infinity
  async function lookAtRecords(look: MetricSources): Promise<void> {
    if (performance.now() - counted < 60_000) return
    counted = performance.now()
    for (const [kind, count] of Object.entries(await look.records())) records.set({ kind }, count)
  }

  return {
    onRequest(exchange: AccessLogEntry): void {
      if (waiting.push(exchange) >= atOnce) countExchanges()
    },
    onCommit(outcome: WriteOutcome, seconds: number): void {
      commits.inc({ outcome })
      commitDurations.observe(seconds)
    },
    onQuery: (outcome: string): void => queries.inc({ outcome }),
    onLogin: (outcome: string): void => logins.inc({ outcome }),
    async render(look: MetricSources) {
      countExchanges()
      lookAtProcess()
      await lookAtRecords(look)
      const { free, busy, ended: gone } = look.workers()
      workers.set({ state: 'free' }, free)
      workers.set({ state: 'busy' }, busy)
      ended.set(gone)
      // A store elsewhere does not tell how many it has.
      quads.set(look.quads() || NaN)
      sessions.set(look.sessions())
      return { type: registry.contentType, text: await registry.metrics() }
    },
    close: (): void => void delay.disable(),
  }
}

const prefix = 'zine_catalogue_'

/** How many exchanges wait to be counted at most. */
const atOnce = 200
