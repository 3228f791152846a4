// Chooses the format of a response: the `format` parameter wins over the Accept header (RFC 9110,
// 12.5.1; docs/reference/formats.md, "Formats and content negotiation").

import type { IncomingMessage } from 'node:http'

import type { Context } from 'koa'
import Negotiator from 'negotiator'

import { NotFoundError } from '../../errors.js'
import { html, json, yaml } from '../../formats/common-formats.js'
import type { Format } from '../../formats/serializer.js'
import { formatNames } from '../../formats/serializers.js'
import { httpErrors } from '../errors.js'
import { queryParam } from './url.js'

/** Every value that the `format` parameter can have somewhere: 406 where it is not offered. */
const knownFormatNames = new Set([json.name, yaml.name, html.name, ...formatNames])

/** Whether some address has a format of this name. */
export const isFormatName = (name: string): boolean => knownFormatNames.has(name)

/**
 * The format that the client prefers among those offered.
 * @param name the value of the `format` parameter, if it does not come from the URL
 * @throws HttpError 404 if no format has that name, 406 if nothing offered is acceptable
 */
export function negotiate<Offered extends Format>(
  ctx: Context,
  offered: readonly Offered[],
  name = queryParam(ctx, 'format'),
): Offered {
  const format = tryNegotiate(ctx, offered, name) ?? defaultForWrite(ctx, offered, name)
  if (format) return format
  if (!name) throw httpErrors.notAcceptable()
  if (!knownFormatNames.has(name)) throw new NotFoundError()
  throw httpErrors.formatNotOffered(name, [
    ...new Set(offered.map((offeredFormat) => offeredFormat.name)),
  ])
}

// Responses to writes have no HTML. Who accepts only that gets the default format, so that other
// errors than 406 are seen.
function defaultForWrite<Offered extends Format>(
  ctx: Context,
  offered: readonly Offered[],
  name: string,
): Offered | undefined {
  const isWrite = !['GET', 'HEAD', 'OPTIONS'].includes(ctx.method)
  return isWrite && !name && byAccept([html], ctx.get('Accept')) ? offered[0] : undefined
}

/**
 * Whether the error of a request is shown as a page: it is a GET or HEAD, and prefers HTML to JSON.
 */
export const prefersErrorPage = ({ method = '', headers }: RequestHead): boolean =>
  ['GET', 'HEAD'].includes(method) && byAccept([json, html], headers.accept ?? '') === html

/** What is known of a request; of one that is not valid HTTP, that may be nothing. */
export type RequestHead = Pick<IncomingMessage, 'method' | 'headers'>

/** The same, but undefined if nothing offered is acceptable. */
export const tryNegotiate = <Offered extends Format>(
  ctx: Context,
  offered: readonly Offered[],
  name: string,
): Offered | undefined => (name ? byName(offered, name) : byAccept(offered, ctx.get('Accept')))

/** Whether the client takes every format alike. */
export const isIndifferent = (ctx: Context): boolean =>
  queryParam(ctx, 'format') === '' &&
  (isEmptyList(ctx.get('Accept')) || ctx.get('Accept').trim() === '*/*')

/** A list may have empty elements, which do not count (RFC 9110, 5.6.1). */
const isEmptyList = (header: string): boolean => /^[\s,]*$/.test(header)

const byName = <Offered extends Format>(
  offered: readonly Offered[],
  name: string,
): Offered | undefined => offered.find((format) => format.name === name)

function byAccept<Offered extends Format>(
  offered: readonly Offered[],
  accept: string,
): Offered | undefined {
  // The short way for what nearly all clients send that are not browsers.
  if (accept === '*/*' || isEmptyList(accept)) return offered[0]
  if (isBrowser(accept)) return byName(offered, html.name) ?? offered[0]
  const negotiator = new Negotiator({ headers: { accept: withoutParameters(accept) } })
  const type = negotiator.mediaType(offered.map((format) => format.type))
  return offered.find((format) => format.type === type)
}

// Browsers list XML types, for XHTML, next to text/html, and take anything. They want the HTML
// page; where there is none, they get the default format instead of XML. Others that take anything
// may prefer a format to HTML.
function isBrowser(accept: string): boolean {
  if (!accept.includes('text/html') || !accept.includes('*/*')) return false
  const qualities = new Map(accept.split(',').map(readQuality))
  const ofHtml = qualities.get('text/html') ?? 0
  return ofHtml > 0 && [...qualities.values()].every((quality) => quality <= ofHtml)
}

/** Whether a media type is named in an Accept header, and not refused there. */
export const acceptsType = (accept: string, type: string): boolean =>
  accept.includes(type) &&
  accept
    .split(',')
    .map(readQuality)
    .some(([name, quality]) => name === type && quality > 0)

/** A media range of an Accept header with its quality, 1 unless it says another one. */
function readQuality(range: string): [type: string, quality: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
  const [, quality] =
    parameters.map((parameter) => /^q\s*=\s*([\d.]+)$/i.exec(parameter)).find(Boolean) ?? []
  return [type.toLowerCase(), quality === undefined ? 1 : Number(quality)]
}

// `application/json; charset=utf-8` and `; indent=4` mean JSON; only the parameter q counts.
const withoutParameters = (accept: string): string =>
  accept.replace(/;(?!\s*q\s*=)[^;,"]*(?:"[^"]*")?/gi, '')
