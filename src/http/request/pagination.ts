// Pages of a list: which one is asked for, and where its neighbours are (specification: Page object).

import type { Context } from 'koa'

import { PageNotFoundError } from '../../catalogue/errors.js'
import type { PageLinks } from '../../formats/serializer.js'
import { requestOrigin, queryParams } from './url.js'

export const defaultSize = 25
export const maxSize = 100

export type PageQuery = { readonly page: number; readonly pageSize: number }

/** @throws NoSuchPage when `page` is not a number from 1 */
export function parsePageQuery(ctx: Context): PageQuery {
  const query = queryParams(ctx)
  const page = query.get('page') ?? ''
  const size = Number(numeral(query.get('page_size') ?? '') ?? NaN)
  if (page !== '' && !numeral(page)) throw new PageNotFoundError()
  return {
    // No list has so many pages; beyond, numbers lose their exactness.
    page: page === '' ? 1 : Math.min(Number(page), 1e12),
    pageSize: size > 0 ? Math.min(size, maxSize) : defaultSize,
  }
}

const numeral = (text: string): string | undefined =>
  /^\s*0*[1-9]\d*\s*$/.test(text) ? text : undefined

/** The page of a list that is at hand. @throws NoSuchPage past the last page */
export function paginate<Item>(all: readonly Item[], { page, pageSize }: PageQuery) {
  const offset = (page - 1) * pageSize
  if (offset > 0 && offset >= all.length) throw new PageNotFoundError()
  return { count: all.length, results: all.slice(offset, offset + pageSize) }
}

/** The most characters of a `Link` header: proxies keep a page or two of memory for all that stands before a body. */
export const maxLinkHeaderLength = 4096

/** Where the other pages are; also said in a `Link` header (RFC 8288), whatever the format. */
export function setPageLinks(
  ctx: Context,
  { page, pageSize }: PageQuery,
  count: number,
): PageLinks {
  const last = Math.max(1, Math.ceil(count / pageSize))
  const linkTo = linksTo(ctx)
  const links: PageLinks = {
    self: linkTo(page),
    first: linkTo(1),
    last: linkTo(last),
    next: page < last ? linkTo(page + 1) : null,
    previous: page > 1 ? linkTo(page - 1) : null,
  }
  const named = { first: links.first, prev: links.previous, next: links.next, last: links.last }
  const header = Object.entries(named)
    .flatMap(([rel, url]) => (url ? [`<${url}>; rel="${rel}"`] : []))
    .join(', ')
  if (header.length <= maxLinkHeaderLength) ctx.append('Link', header)
  return links
}

/** The same address for other pages: on the origin that the client used, its parameters as it sent them. */
function linksTo(ctx: Context): (page: number) => string {
  const others = ctx.querystring
    .split('&')
    .filter((part) => part !== '' && !new URLSearchParams(part).has('page'))
  const query = others.length > 0 ? `?${others.join('&')}` : ''
  // Through URL, since a raw query may hold what must not stand in a header.
  const { href } = new URL(`${requestOrigin(ctx)}${ctx.path}${query}`)
  return (page) => (page > 1 ? `${href}${query === '' ? '?' : '&'}page=${page}` : href)
}
