// The times of writes: UTC, in microseconds, each later than all before it, even when the machine's clock
// is set back. So the record with the latest time is the one that was written last.

/** Like `2026-11-20T09:15:02.123456Z`; sorts as text. */
export type Time = string

/**
 * @param last the latest time that was given before, by this process or an earlier one
 * @param machine the machine's clock, in milliseconds since 1970
 */
export function createMonotonicClock(
  last: Time | undefined,
  machine: () => number = Date.now,
): () => Time {
  let previous = last === undefined ? 0 : toMicroseconds(last)
  return () => {
    previous = Math.max(Math.floor(machine() * 1000), previous + 1)
    return fromMicroseconds(previous)
  }
}

/** Microseconds since 1970, exact in a double until the year 2255. Engines drop zeros at the end. */
export function toMicroseconds(time: Time): number {
  const [seconds = '', fraction = ''] = time.replace('Z', '').split('.')
  return Date.parse(`${seconds}Z`) * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0'))
}

export const fromMicroseconds = (time: number): Time =>
  `${new Date(Math.floor(time / 1000)).toISOString().slice(0, -1)}${String(time % 1000).padStart(3, '0')}Z`
