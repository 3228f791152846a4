// Sets the headers with URLs of other responses: `Link` (RFC 8288) with the pages of a list and the
// other formats, and `Content-Location` (RFC 9110, 8.7). They have one budget of bytes.

import type { RequestContext, ResponseLink } from '../context.js'
import type { Format } from '../../formats/serializer.js'
import {
  type RequestAddress,
  hrefOf,
  joinQueries,
  normalizedOrigin,
  requestAddress,
  withoutParams,
} from '../address.js'

/**
 * The most bytes of both headers and `Location` together. A proxy such as nginx has one memory page
 * of 4 KB for all headers of a response, and answers 502 where they are longer.
 */
export const maxLinkBytes = 2000

type HeaderPart = {
  /** Those with the lowest number are left out first, all together. */
  readonly priority: number
  readonly header: 'Link' | 'Content-Location'
  readonly value: string
}

/**
 * The links of a handler that are left out before others; all other relations have the priority 5.
 */
const priorities: Readonly<Record<string, number>> = {
  author: 1,
  item: 1,
  alternate: 2,
  first: 3,
  last: 3,
}

const priorityOf = (relation: string): number => priorities[relation] ?? 5

/**
 * Sets both headers: the links that the handler has added, and those to the other formats if the
 * response was read successfully and more than one format is offered. Links that do not fit are
 * left out: first those to some formats, then those to authors and content, then those to the other
 * formats, then `first` and `last`, then `Content-Location`, then all others.
 */
export function setLinkHeaders(ctx: RequestContext, offered: readonly Format[]): void {
  // A redirect to a long URL leaves less room.
  const room = maxLinkBytes - String(ctx.res.getHeader('Location') ?? '').length
  const parts = [...handlerLinks(ctx.state.links), ...formatLinks(ctx, offered)]
  for (const [header, value] of fitInto(room, parts)) ctx.set(header, value)
}

/**
 * The same headers for a successful read of an address.
 * @param links those of the handler
 */
export function linkHeadersOf(
  links: readonly ResponseLink[],
  { format, offered, ...address }: SimpleRead,
): readonly Header[] {
  const url = urlBeforeFormat(address)
  return fitInto(maxLinkBytes, [...handlerLinks(links), ...linksToFormats(url, format, offered)])
}

export type SimpleRead = RequestAddress & {
  readonly format: Format
  readonly offered: readonly Format[]
}

type Header = readonly [name: HeaderPart['header'], value: string]

/** The headers of as many parts as there is room for. */
function fitInto(room: number, all: readonly HeaderPart[]): readonly Header[] {
  let parts = all
  for (let priority = 0; parts.length > 0 && bytesOf(parts) > room; priority += 1)
    parts = parts.filter((part) => part.priority > priority)
  const values = { Link: '', 'Content-Location': '' }
  for (const { header, value } of parts)
    values[header] += values[header] === '' ? value : separator + value
  return headerNames.flatMap((name) => (values[name] === '' ? [] : [[name, values[name]] as const]))
}

const headerNames = ['Link', 'Content-Location'] as const

const separator = ', '

// The values are ASCII, as every URL in them is.
function bytesOf(parts: readonly HeaderPart[]): number {
  let sum = 0
  for (const { value } of parts) sum += value.length + separator.length
  return sum
}

const handlerLinks = (links: readonly ResponseLink[] = []): readonly HeaderPart[] =>
  links.map((link) => ({
    priority: priorityOf(link.relation),
    header: 'Link',
    value: writeLink(link),
  }))

const writeLink = ({ relation, target, type, anchor }: ResponseLink): string =>
  `<${target}>; rel="${relation}"${parameter('type', type)}${parameter('anchor', anchor)}`

const parameter = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `; ${name}="${value}"`

function formatLinks(ctx: RequestContext, offered: readonly Format[]): readonly HeaderPart[] {
  const isRead = ['GET', 'HEAD'].includes(ctx.method) && [200, 304].includes(ctx.status)
  if (!isRead || offered.length < 2) return []
  const address = requestAddress(ctx)
  const { format } = ctx.state
  return [
    ...linkToDescription(address, format),
    ...linksToFormats(urlBeforeFormat(address), format, offered),
  ]
}

/** The description of a response in a format that has one, such as that of the columns of CSV. */
function linkToDescription(
  address: RequestAddress,
  { description }: Format,
): readonly HeaderPart[] {
  if (!description) return []
  const url = hrefOf(address)
  const target = `${normalizedOrigin(address.origin)}${description.path}?url=${encodeURIComponent(url)}`
  const value = writeLink({ relation: 'describedby', target, type: description.type })
  return [{ priority: priorityOf('alternate'), header: 'Link', value }]
}

/** @param url the address up to the name of a format */
function linksToFormats(
  url: string,
  { name: current }: Format,
  offered: readonly Format[],
): readonly HeaderPart[] {
  const parts: HeaderPart[] = []
  for (const { name, ending, priority } of linkEndingsOf(offered))
    if (name !== current) parts.push({ priority, header: 'Link', value: `<${url}${ending}` })
  parts.push({ priority: 4, header: 'Content-Location', value: url + current })
  return parts
}

type LinkEnding = {
  readonly name: string
  readonly ending: string
  readonly priority: number
}

const linkEndings = new WeakMap<readonly Format[], readonly LinkEnding[]>()

/** What follows the URL in the link to each format; computed once for each endpoint. */
function linkEndingsOf(offered: readonly Format[]): readonly LinkEnding[] {
  const known = linkEndings.get(offered)
  if (known) return known
  const endings = offered
    // Of formats with the same name, the first one is sent.
    .filter(({ name }, index) => offered.findIndex((other) => other.name === name) === index)
    .map(({ name, type, isLinkedLast }) => ({
      name,
      priority: isLinkedLast ? 0 : priorityOf('alternate'),
      ending: `${name}>; rel="alternate"; type="${type}"`,
    }))
  linkEndings.set(offered, endings)
  return endings
}

/**
 * The requested URL up to the value of `format`; the other parameters stay as the client sent them.
 */
function urlBeforeFormat({ querystring, ...address }: RequestAddress): string {
  const others = withoutParams(querystring, (name) => name === 'format')
  // The name of the format that is added needs no encoding.
  return hrefOf({ ...address, querystring: joinQueries(others, 'format=') })
}
