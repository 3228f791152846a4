// Chooses the format of an answer: `?format=` before `Accept` (RFC 9110, 12.5.1).

import type { Context } from 'koa'
import Negotiator from 'negotiator'

import type { Format } from '../../formats/serializer.js'
import { formatNames } from '../../formats/serializers.js'
import { queryParam } from './url.js'
import { httpErrors } from '../response/http-errors.js'

export const json: Format = { name: 'json', type: 'application/json' }

/** What people read. */
export const html: Format = { name: 'html', type: 'text/html' }

/** Every name that `?format=` knows; what is known and not to be had here is not acceptable. */
const knownFormatNames = new Set([json.name, 'yaml', html.name, ...formatNames])

/**
 * The format that the client likes best among those offered.
 * @param named as `?format=` does, where it was said elsewhere
 * @throws Refused 404 for a `?format=` that nobody knows, 406 when nothing offered is acceptable
 */
export function negotiate<Offered extends Format>(
  ctx: Context,
  offered: readonly Offered[],
  named = queryParam(ctx, 'format'),
): Offered {
  const chosen = tryNegotiate(ctx, offered, named)
  if (chosen) return chosen
  throw named && !knownFormatNames.has(named) ? httpErrors.notFound() : httpErrors.notAcceptable()
}

/** As above, for those who can do without: undefined where nothing offered is acceptable. */
export const tryNegotiate = <Offered extends Format>(
  ctx: Context,
  offered: readonly Offered[],
  named: string,
): Offered | undefined => (named ? byName(offered, named) : byAccept(offered, ctx.get('Accept')))

const byName = <Offered extends Format>(
  offered: readonly Offered[],
  name: string,
): Offered | undefined => offered.find((format) => format.name === name)

function byAccept<Offered extends Format>(
  offered: readonly Offered[],
  accept: string,
): Offered | undefined {
  // What nearly all clients say that are no browsers.
  if (accept === '' || accept === '*/*') return offered[0]
  if (accept.trim() === '') return offered[0]
  if (isBrowser(accept)) return byName(offered, html.name) ?? offered[0]
  const negotiator = new Negotiator({ headers: { accept: withoutParameters(accept) } })
  const type = negotiator.mediaType(offered.map((format) => format.type))
  return offered.find((format) => format.type === type)
}

// A browser lists XML before everything else for the sake of XHTML; it wants a page, and where there is
// none, no XML in particular.
const isBrowser = (accept: string): boolean =>
  accept.includes('text/html') && accept.includes('*/*')

// `application/json; charset=utf-8` and `; indent=4` ask for JSON; of parameters only q is weighed.
const withoutParameters = (accept: string): string =>
  accept.replace(/;(?!\s*q\s*=)[^;,"]*(?:"[^"]*")?/gi, '')
