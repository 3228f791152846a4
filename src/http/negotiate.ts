// Chooses the format of an answer: `?format=` before `Accept` (RFC 9110, 12.5.1).

import type { Context } from 'koa'
import Negotiator from 'negotiator'

import type { Format } from '../formats/press.js'
import { formatNames } from '../formats/presses.js'
import { lastOf } from './query.js'
import { refusals } from './refused.js'

export const json: Format = { name: 'json', type: 'application/json' }

/** Every name that `?format=` knows; what is known and not to be had here is not acceptable. */
const known = new Set([json.name, 'yaml', 'html', ...formatNames])

/**
 * The format that the client likes best among those offered.
 * @throws Refused 404 for a `?format=` that nobody knows, 406 when nothing offered is acceptable
 */
export function negotiate(ctx: Context, offered: readonly Format[]): Format {
  const named = lastOf(ctx, 'format')
  const chosen = named ? byName(offered, named) : byAccept(offered, ctx.get('Accept'))
  if (chosen) return chosen
  throw named && !known.has(named) ? refusals.notFound() : refusals.notAcceptable()
}

const byName = (offered: readonly Format[], name: string): Format | undefined =>
  offered.find((format) => format.name === name)

function byAccept(offered: readonly Format[], accept: string): Format | undefined {
  if (accept.trim() === '') return offered[0]
  const negotiator = new Negotiator({ headers: { accept: withoutParameters(accept) } })
  const type = negotiator.mediaType(offered.map((format) => format.type))
  return offered.find((format) => format.type === type)
}

// `application/json; charset=utf-8` and `; indent=4` ask for JSON; of parameters only q is weighed.
const withoutParameters = (accept: string): string =>
  accept.replace(/;(?!\s*q\s*=)[^;,"]*(?:"[^"]*")?/gi, '')
