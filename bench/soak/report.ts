// What a soak measured, minute by minute, and whether anything grew that has to stay as it is.

import type { Probed } from '../probe.js'
import type { RequestKind } from './workload.js'

/** A part of the time: what the process held at its end, and how long each request took, by kind. */
export type Row = {
  readonly minute: number
  readonly sample: Probed
  readonly times: ReadonlyMap<string, readonly number[]>
}

const megabyte = 2 ** 20

/**
 * How much more there may be at the end than after the first quarter, in which caches fill. Generous,
 * for one sample may be taken at a bad moment, and yet too little for what leaks for an hour.
 */
const bounds = {
  heap: { share: 0.25, least: 32 * megabyte },
  rss: { share: 0.25, least: 128 * megabyte },
  files: { share: 0, least: 8 },
  threads: { share: 0, least: 4 },
  handles: { share: 0, least: 8 },
} as const

/**
 * How many times as slow the second half may be as the first, at the median; in how many milliseconds
 * another process may be to blame; and how many requests of a kind tell anything.
 */
const slower = { times: 3, least: 250, of: 20 }

type Measure = keyof typeof bounds

// The cast: bounds says what keys it has.
const measures = Object.keys(bounds) as Measure[]

/** What is not as it was. */
export function problemsIn(rows: readonly Row[]): string[] {
  const settled = settledOf(rows)
  const grown = measures.flatMap((measure) => {
    const values = settled.map(({ sample }) => sample[measure])
    const [first = 0] = values
    // The lesser of the last two: what was still under way at one of them is gone at the other.
    const last = Math.min(...values.slice(-2))
    const { share, least } = bounds[measure]
    return last - first > Math.max(share * first, least)
      ? [`${measure} grew from ${first} to ${last}`]
      : []
  })
  const half = Math.ceil(settled.length / 2)
  const [early, late] = [settled.slice(0, half), settled.slice(half)]
  const slowed = [...new Set(settled.flatMap(({ times }) => [...times.keys()]))].flatMap((kind) => {
    const [before, after] = [early, late].map((part) => {
      const times = timesOf(part, kind)
      return times.length < slower.of ? undefined : quantileOf(times, 0.5)
    })
    return before && after && after > Math.max(slower.times * before, slower.least)
      ? [
          `${kind} took ${before.toFixed(1)} ms in the first half, and ${after.toFixed(1)} in the second`,
        ]
      : []
  })
  return [...grown, ...slowed]
}

const settledOf = (rows: readonly Row[]): readonly Row[] => rows.slice(Math.floor(rows.length / 4))

const timesOf = (rows: readonly Row[], kind: string): number[] =>
  rows.flatMap(({ times }) => times.get(kind) ?? [])

function quantileOf(times: readonly number[], part: number): number | undefined {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
}

/** How fast memory grows, once it has settled, by the line that fits best. */
export const slopesIn = (rows: readonly Row[]): string =>
  (['rss', 'heap', 'external'] as const)
    .map((measure) => {
      const points = settledOf(rows).map(({ minute, sample }): Point => [
        minute,
        sample[measure] / megabyte,
      ])
      return `${measure} ${(slopeOf(points) * 60).toFixed(1)} MB an hour`
    })
    .join(', ')

type Point = readonly [x: number, y: number]

function slopeOf(points: readonly Point[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const above = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0)
  return above / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0)
}

/** The head of a Markdown table, of which every row is a line. */
export function headOf(kinds: readonly RequestKind[]): string {
  const columns = ['minute', 'RSS MB', 'heap MB', 'external MB', 'files', 'threads', 'handles']
  const all = [...columns, 'requests', ...shownOf(kinds).map((kind) => `${kind} p50/p99 ms`)]
  return `| ${all.join(' | ')} |\n|${'---|'.repeat(all.length)}`
}

export function lineOf(kinds: readonly RequestKind[], { minute, sample, times }: Row): string {
  const asked = [...times.values()].reduce((sum, { length }) => sum + length, 0)
  const cells = [
    minute.toFixed(1),
    ...(['rss', 'heap', 'external'] as const).map((name) => (sample[name] / megabyte).toFixed(1)),
    sample.files,
    sample.threads,
    sample.handles,
    asked,
    ...shownOf(kinds).map((kind) =>
      [0.5, 0.99]
        .map((part) => quantileOf(times.get(kind) ?? [], part)?.toFixed(1) ?? '–')
        .join('/'),
    ),
  ]
  return `| ${cells.join(' | ')} |`
}

/** Those that are asked often enough to tell a percentile of a minute. */
const shownOf = (kinds: readonly RequestKind[]): string[] =>
  kinds.filter(({ weight }) => weight >= 8).map(({ name }) => name)
