// The times of writes: UTC, in microseconds, each later than all before it, even when the machine's
// clock is set back. So the record with the latest time is the one that was written last. Only a
// stored time more than a year ahead is not followed: it comes from a clock that was wrong and has
// been corrected.

import { ExpectedError } from '../errors.js'

/** Like `2026-11-20T09:15:02.123456Z`; sorts as text. */
export type Time = string

/**
 * The time of a write, later than all before it.
 * @param after the last change of the same record, which the time has to be later than in any case
 */
export type Clock = (after?: Time) => Time

/**
 * @param last the latest time that was given before, by this process or an earlier one
 * @param machine the machine's clock, in milliseconds since 1970
 * @throws ExpectedError
 */
export function createMonotonicClock(
  last: Time | undefined,
  machine: () => number = Date.now,
): Clock {
  if (machine() < 0)
    throw new ExpectedError(
      `the system clock shows ${new Date(machine()).toISOString()}, a time before 1970: set the clock and start again`,
    )
  let previous = last === undefined ? 0 : toMicroseconds(last)
  return (after) => {
    const now = Math.floor(machine() * 1000)
    const wasCorrected = previous - now > maxAhead && now >= earliest
    previous = wasCorrected ? now : Math.max(now, previous + 1)
    const time = after === undefined ? previous : Math.max(previous, toMicroseconds(after) + 1)
    return fromMicroseconds(time)
  }
}

/**
 * A year, in microseconds. A clock that is wrong for less is not told from one that was set back.
 */
const maxAhead = 366 * 86_400 * 1_000_000

/** A clock that shows an earlier time is wrong itself, as after an empty battery. */
const earliest = Date.UTC(2026, 0) * 1000

/**
 * Microseconds since 1970, exact in a double until the year 2255. Engines drop zeros at the end.
 */
export function toMicroseconds(time: Time): number {
  const [seconds = '', fraction = ''] = time.replace('Z', '').split('.')
  return Date.parse(`${seconds}Z`) * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0'))
}

export const fromMicroseconds = (time: number): Time =>
  `${new Date(Math.floor(time / 1000)).toISOString().slice(0, -1)}${String(time % 1000).padStart(3, '0')}Z`
