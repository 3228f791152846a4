// The report of the soak test: a table of what was measured in each interval, and the problems found, such
// as memory that grew.

import type { ProbeSample } from '../probe.js'
import type { RequestKind } from './workload.js'

/** What was measured in one interval: the process at its end, and the response times by kind. */
export type SoakInterval = {
  readonly minute: number
  readonly sample: ProbeSample
  readonly times: ReadonlyMap<string, readonly number[]>
}

const megabyte = 2 ** 20

/**
 * How much a measure may grow from the first quarter, in which caches fill, to the end. Generous, since
 * one sample may be taken at a bad moment, but less than a leak adds in an hour.
 */
const bounds = {
  heap: { share: 0.25, min: 32 * megabyte },
  rss: { share: 0.25, min: 128 * megabyte },
  files: { share: 0, min: 8 },
  threads: { share: 0, min: 4 },
  handles: { share: 0, min: 8 },
} as const

/**
 * When a kind of request became slower: the median of the second half is `factor` times that of the
 * first and more than `minMs`, below which another process may be the reason. Fewer than `minRequests`
 * say nothing.
 */
const slowdown = { factor: 3, minMs: 250, minRequests: 20 }

type Measure = keyof typeof bounds

// The cast: bounds says what keys it has.
const measures = Object.keys(bounds) as Measure[]

/** A sentence for each measure that grew and each kind of request that became slower. */
export function findProblems(rows: readonly SoakInterval[]): string[] {
  const settled = afterFirstQuarter(rows)
  const grown = measures.flatMap((measure) => {
    const values = settled.map(({ sample }) => sample[measure])
    const [first = 0] = values
    // The lesser of the last two, since work may still have been running at one of them.
    const last = Math.min(...values.slice(-2))
    const { share, min } = bounds[measure]
    return last - first > Math.max(share * first, min)
      ? [`${measure} grew from ${first} to ${last}`]
      : []
  })
  const half = Math.ceil(settled.length / 2)
  const [early, late] = [settled.slice(0, half), settled.slice(half)]
  const slowed = [...new Set(settled.flatMap(({ times }) => [...times.keys()]))].flatMap((kind) => {
    const [before, after] = [early, late].map((part) => {
      const times = timesOf(part, kind)
      return times.length < slowdown.minRequests ? undefined : quantileOf(times, 0.5)
    })
    return before && after && after > Math.max(slowdown.factor * before, slowdown.minMs)
      ? [
          `${kind} took ${before.toFixed(1)} ms in the first half, and ${after.toFixed(1)} in the second`,
        ]
      : []
  })
  return [...grown, ...slowed]
}

const afterFirstQuarter = (rows: readonly SoakInterval[]): readonly SoakInterval[] =>
  rows.slice(Math.floor(rows.length / 4))

const timesOf = (rows: readonly SoakInterval[], kind: string): number[] =>
  rows.flatMap(({ times }) => times.get(kind) ?? [])

function quantileOf(times: readonly number[], part: number): number | undefined {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
}

/** How fast memory grows after the first quarter, by linear regression. */
export const formatSlopes = (rows: readonly SoakInterval[]): string =>
  (['rss', 'heap', 'external'] as const)
    .map((measure) => {
      const points = afterFirstQuarter(rows).map(({ minute, sample }): Point => [
        minute,
        sample[measure] / megabyte,
      ])
      return `${measure} ${(fitSlope(points) * 60).toFixed(1)} MB an hour`
    })
    .join(', ')

type Point = readonly [x: number, y: number]

function fitSlope(points: readonly Point[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const above = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0)
  return above / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0)
}

/** The head of the Markdown table. */
export function formatTableHead(kinds: readonly RequestKind[]): string {
  const columns = ['minute', 'RSS MB', 'heap MB', 'external MB', 'files', 'threads', 'handles']
  const all = [...columns, 'requests', ...frequentKinds(kinds).map((kind) => `${kind} p50/p99 ms`)]
  return `| ${all.join(' | ')} |\n|${'---|'.repeat(all.length)}`
}

export function formatTableRow(
  kinds: readonly RequestKind[],
  { minute, sample, times }: SoakInterval,
): string {
  const requests = [...times.values()].reduce((sum, { length }) => sum + length, 0)
  const cells = [
    minute.toFixed(1),
    ...(['rss', 'heap', 'external'] as const).map((name) => (sample[name] / megabyte).toFixed(1)),
    sample.files,
    sample.threads,
    sample.handles,
    requests,
    ...frequentKinds(kinds).map((kind) =>
      [0.5, 0.99]
        .map((part) => quantileOf(times.get(kind) ?? [], part)?.toFixed(1) ?? '–')
        .join('/'),
    ),
  ]
  return `| ${cells.join(' | ')} |`
}

/** The kinds that are requested often enough for percentiles of a minute. */
const frequentKinds = (kinds: readonly RequestKind[]): string[] =>
  kinds.filter(({ weight }) => weight >= 8).map(({ name }) => name)
