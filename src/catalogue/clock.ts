// The time of a write: UTC, to the microsecond, always later than any before it, whatever the
// machine's clock does. So the newest record is the one that was written last.

/** Like `2026-11-20T09:15:02.123456Z`; sorts as text. */
export type Time = string

/** @param last the latest time that was ever given, if any */
export function startClock(last: Time | undefined): () => Time {
  let previous = last === undefined ? 0 : toMicroseconds(last)
  return () => {
    previous = Math.max(Date.now() * 1000, previous + 1)
    return fromMicroseconds(previous)
  }
}

// Microseconds since 1970 stay exact in a double until the year 2255.
const toMicroseconds = (time: Time): number =>
  Date.parse(`${time.slice(0, 19)}Z`) * 1000 + Number(time.slice(20, 26).padEnd(6, '0'))

const fromMicroseconds = (time: number): Time =>
  `${new Date(Math.floor(time / 1000)).toISOString().slice(0, -1)}${String(time % 1000).padStart(3, '0')}Z`
