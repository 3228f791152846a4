// Reads which fields of records a client wants to see, from the parameter `fields`.

import type { RecordView } from '../../model/record/views.js'
import type { RequestContext } from '../context.js'
import { httpErrors, notAChoice } from '../errors.js'
import { queryParam } from './url.js'

/** The names of fields; undefined where all are wanted, and for a write. */
export function parseFieldNames(ctx: RequestContext): ReadonlySet<string> | undefined {
  if (!['GET', 'HEAD'].includes(ctx.method)) return undefined
  return readFieldNames(queryParam(ctx, 'fields'))
}

/** The names in the value of `fields`; undefined where it has none. */
export function readFieldNames(value: string): ReadonlySet<string> | undefined {
  const names = value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.length > 0 ? new Set(names) : undefined
}

/** @throws HttpError 400 for a name that is not known, or not shown to this client */
export function checkFieldNames(names: ReadonlySet<string>, known: Iterable<string>): void {
  const shown = new Set(known)
  const unknown = [...names].filter((name) => !shown.has(name))
  if (unknown.length > 0)
    throw httpErrors.invalidField('fields', ...unknown.slice(0, maxNamed).map(notAChoice))
}

const maxNamed = 20

/**
 * The chosen members of a record as JSON.
 * @param implied members that the record has, and does not show unless they are chosen
 * @throws HttpError 400 for a member that it does not have
 */
export function selectMembers(
  json: string,
  names: ReadonlySet<string>,
  implied: RecordView = {},
): string {
  const view = { ...implied, ...(JSON.parse(json) as RecordView) }
  checkFieldNames(names, Object.keys(view))
  return JSON.stringify(
    Object.fromEntries(Object.entries(view).filter(([name]) => names.has(name))),
  )
}
