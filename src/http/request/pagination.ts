// Pages of a list: which one a request asks for, and the links to the others (docs/api.md, "Lists").

import type { Context } from 'koa'

import { PageNotFoundError } from '../../catalogue/errors.js'
import type { PageLinks } from '../../formats/serializer.js'
import type { RequestContext } from '../context.js'
import { requestOrigin } from '../origin.js'
import { queryParams } from './url.js'

export const defaultSize = 25
export const maxSize = 100

/** A page by its number, counted from 1, and its size. */
export type PageQuery = { readonly page: number; readonly pageSize: number }

/** @throws PageNotFoundError if `page` is not a number from 1 */
export function parsePageQuery(ctx: Context): PageQuery {
  const params = queryParams(ctx)
  const page = params.get('page') ?? ''
  const size = params.get('page_size') ?? ''
  if (page !== '' && !isPositiveInteger(page)) throw new PageNotFoundError()
  return {
    // No list has that many pages, and larger numbers are not exact.
    page: page === '' ? 1 : Math.min(Number(page), 1e12),
    pageSize: isPositiveInteger(size) ? Math.min(Number(size), maxSize) : defaultSize,
  }
}

const isPositiveInteger = (text: string): boolean => /^\s*0*[1-9]\d*\s*$/.test(text)

/** One page of a list that is in memory. @throws PageNotFoundError past the last page */
export function paginate<Item>(items: readonly Item[], { page, pageSize }: PageQuery) {
  const offset = (page - 1) * pageSize
  if (offset > 0 && offset >= items.length) throw new PageNotFoundError()
  return { count: items.length, results: items.slice(offset, offset + pageSize) }
}

/** The page object of a page (docs/api.md, "Lists"). */
export function pageOf<Item>(
  ctx: RequestContext,
  query: PageQuery,
  count: number,
  results: readonly Item[],
) {
  const { next, previous } = setPageLinks(ctx, query, count)
  return { count, next, previous, results }
}

/** The URLs of the other pages; also added to the links of the response, whatever the format. */
export function setPageLinks(
  ctx: RequestContext,
  { page, pageSize }: PageQuery,
  count: number,
): PageLinks {
  const last = Math.max(1, Math.ceil(count / pageSize))
  const urlOfPage = createPageUrl(ctx)
  const links: PageLinks = {
    self: urlOfPage(page),
    first: urlOfPage(1),
    last: urlOfPage(last),
    next: page < last ? urlOfPage(page + 1) : null,
    previous: page > 1 ? urlOfPage(page - 1) : null,
  }
  const byRelation = {
    first: links.first,
    prev: links.previous,
    next: links.next,
    last: links.last,
  }
  ctx.state.links = Object.entries(byRelation).flatMap(([relation, target]) =>
    target ? [{ relation, target }] : [],
  )
  return links
}

/** The requested URL with another page, on the origin that the client used; other parameters stay as sent. */
function createPageUrl(ctx: Context): (page: number) => string {
  const otherParams = ctx.querystring
    .split('&')
    .filter((part) => part !== '' && !new URLSearchParams(part).has('page'))
  const query = otherParams.length > 0 ? `?${otherParams.join('&')}` : ''
  // URL encodes what a raw query may contain but a header may not.
  const { href } = new URL(`${requestOrigin(ctx)}${ctx.path}${query}`)
  return (page) => (page > 1 ? `${href}${query === '' ? '?' : '&'}page=${page}` : href)
}
