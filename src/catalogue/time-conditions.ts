// Reads the filters by the time of the last change, `updated_since` and `updated_before`
// (docs/reference/lists.md, "Filters"), as a condition on the times of records.

import { ValidationError } from '../model/record/input.js'
import type { Resource } from '../model/resources.js'
import type { TimeCondition } from '../queries/list-queries.js'
import { type Time, fromMicroseconds, toMicroseconds } from './clock.js'

const sinceName = 'updated_since'
const beforeName = 'updated_before'

/**
 * The condition that the filters of a list set; undefined when they set none.
 * @param filters by name; an empty value is no filter
 * @throws ValidationError with each value that is no time
 */
export function parseTimeCondition(
  { byName }: Resource,
  filters: ReadonlyMap<string, string>,
): TimeCondition | undefined {
  const field = byName.get('updated_at')
  const times = [sinceName, beforeName].flatMap((name) => {
    const text = filters.get(name)
    return text ? [{ name, time: parseTime(text) }] : []
  })
  if (!field || times.length === 0) return undefined
  const wrong = times.filter(({ time }) => time === undefined)
  if (wrong.length > 0) throw new ValidationError(new Map(wrong.map(({ name }) => [name, [hint]])))
  const timeOf = (filterName: string) => times.find(({ name }) => name === filterName)?.time
  return { field, since: timeOf(sinceName), before: timeOf(beforeName) }
}

const hint =
  'Enter a date such as 2026-11-20, or a date and a time such as 2026-11-20T09:15:00Z or 2026-11-20T10:15:00.123456+01:00.'

// A `+` that is not encoded in a URL arrives as a space.
const pattern =
  /^(?<date>\d{4}-\d\d-\d\d)(?:[Tt ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d{1,12}))?)?(?:[Zz]|(?<sign>[-+ ])(?<offsetHour>\d\d):?(?<offsetMinute>\d\d))?)?$/

/**
 * A date, or a date and time, as the first microsecond from it on in UTC; undefined for anything
 * else.
 */
export function parseTime(text: string): Time | undefined {
  const parts = pattern.exec(text)?.groups
  if (!parts) return undefined
  const numberOf = (name: string): number => Number(parts[name] ?? 0)
  const inRange =
    numberOf('hour') < 24 &&
    numberOf('minute') < 60 &&
    numberOf('second') < 60 &&
    numberOf('offsetHour') < 24 &&
    numberOf('offsetMinute') < 60
  const day = `${parts.date}T00:00:00.000Z`
  if (!inRange || !isDay(day)) return undefined
  const seconds = numberOf('hour') * 3600 + numberOf('minute') * 60 + numberOf('second')
  const ahead = (numberOf('offsetHour') * 3600 + numberOf('offsetMinute') * 60) * signOf(parts.sign)
  const microseconds = Math.ceil(Number((parts.fraction ?? '').padEnd(12, '0')) / 1e6)
  const time = Date.parse(day) * 1000 + (seconds - ahead) * 1e6 + microseconds
  return fromMicroseconds(Math.min(Math.max(time, 0), latest))
}

/** Whether the day exists: 30 February is taken for 2 March. */
function isDay(day: string): boolean {
  const milliseconds = Date.parse(day)
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === day
}

const signOf = (sign: string | undefined): 1 | -1 => (sign === '-' ? -1 : 1)

// Records have no times before 1970; later ones than this are not exact.
const latest = toMicroseconds('2255-01-01T00:00:00.000000Z')
