// Pages of a list: which one a request asks for, and the links to the others
// (docs/reference/lists.md, "Lists").

import type { Context } from 'koa'

import { noSuchPage } from '../../catalogue/errors.js'
import type { PageLinks } from '../../formats/serializer.js'
import type { RequestContext, ResponseLink } from '../context.js'
import { httpErrors } from '../errors.js'
import { type RequestAddress, hrefOf, requestAddress, withoutParams } from '../address.js'
import { queryParam, queryParams } from './url.js'

export const defaultSize = 25
export const maxSize = 100

/** A page by its number, counted from 1, and its size. */
export type PageQuery = { readonly page: number; readonly pageSize: number }

/**
 * The page after the one whose `next` had this cursor, and its size. An empty cursor is the first
 * page.
 */
export type CursorQuery = { readonly cursor: string; readonly pageSize: number }

/** @throws NotFoundError if `page` is not a number from 1 */
export const parsePageQuery = (ctx: Context): PageQuery => pageQueryOf(queryParams(ctx))

/** The same of query parameters. @throws NotFoundError */
export function pageQueryOf(params: ReadonlyMap<string, string>): PageQuery {
  const page = params.get('page') ?? ''
  if (page !== '' && !isPositiveInteger(page)) throw noSuchPage()
  // No list has that many pages, and larger numbers are not exact.
  return { page: page === '' ? 1 : Math.min(Number(page), 1e12), pageSize: pageSizeOf(params) }
}

/**
 * The page by its cursor, if there is one, or else by its number.
 * @throws HttpError if there are both
 */
export function parsePageOrCursor(ctx: Context): PageQuery | CursorQuery {
  const cursor = queryParams(ctx).get('cursor')
  if (cursor === undefined) return parsePageQuery(ctx)
  if (queryParam(ctx, 'page') !== '') throw httpErrors.badRequest(pageAndCursor)
  return { cursor, pageSize: pageSizeOf(queryParams(ctx)) }
}

const pageAndCursor = 'A list is read either by page or by cursor.'

function pageSizeOf(params: ReadonlyMap<string, string>): number {
  const size = params.get('page_size') ?? ''
  return isPositiveInteger(size) ? Math.min(Number(size), maxSize) : defaultSize
}

const isPositiveInteger = (text: string): boolean => /^\s*0*[1-9]\d*\s*$/.test(text)

/** One page of a list that is in memory. @throws NotFoundError past the last page */
export function paginate<Item>(items: readonly Item[], { page, pageSize }: PageQuery) {
  const offset = (page - 1) * pageSize
  if (offset > 0 && offset >= items.length) throw noSuchPage()
  return { count: items.length, results: items.slice(offset, offset + pageSize) }
}

/** The page object of a page (docs/reference/lists.md, "Lists"). */
export function pageOf<Item>(
  ctx: RequestContext,
  query: PageQuery,
  count: number,
  results: readonly Item[],
) {
  const { next, previous } = setPageLinks(ctx, query, count)
  return { count, next, previous, results }
}

/** The page object of the requested page of a list that is in memory. @throws PageNotFoundError */
export function pageOfAll<Item, Shown>(
  ctx: RequestContext,
  items: readonly Item[],
  show: (item: Item) => Shown,
) {
  const query = parsePageQuery(ctx)
  const { count, results } = paginate(items, query)
  return pageOf(ctx, query, count, results.map(show))
}

/** The URLs of the other pages; also added to the links of the response, whatever the format. */
export function setPageLinks(ctx: RequestContext, query: PageQuery, count: number): PageLinks {
  const links = pageLinksOf(requestAddress(ctx), query, count)
  ctx.state.links = relationsOf(links)
  return links
}

/** The URLs of the pages of a list. */
export function pageLinksOf(
  address: RequestAddress,
  { page, pageSize }: PageQuery,
  count: number,
): PageLinks {
  const last = Math.max(1, Math.ceil(count / pageSize))
  const { href, withParam } = splitUrl(address)
  const urlOfPage = (number: number): string =>
    number > 1 ? withParam('page', String(number)) : href
  return {
    self: urlOfPage(page),
    first: urlOfPage(1),
    last: urlOfPage(last),
    next: page < last ? urlOfPage(page + 1) : null,
    previous: page > 1 ? urlOfPage(page - 1) : null,
  }
}

/** The links of a response to other pages. */
export const relationsOf = (
  links: Partial<Pick<PageLinks, 'first' | 'previous' | 'next' | 'last'>>,
): readonly ResponseLink[] =>
  Object.entries({
    first: links.first,
    prev: links.previous,
    next: links.next,
    last: links.last,
  }).flatMap(([relation, target]) => (target ? [{ relation, target }] : []))

/**
 * The URLs of this page, of the first and of the next.
 * @param next the cursor of the next page, if there is one
 */
export function cursorLinksOf(
  address: RequestAddress,
  { cursor }: CursorQuery,
  next: string | undefined,
): PageLinks {
  const { withParam } = splitUrl(address)
  const urlOf = (pageCursor: string) => withParam('cursor', pageCursor)
  return {
    self: urlOf(cursor),
    first: urlOf(''),
    last: null,
    next: next === undefined ? null : urlOf(next),
    previous: null,
  }
}

/**
 * The requested URL without a page, on the origin that the client used; other parameters stay as
 * sent.
 */
function splitUrl(address: RequestAddress) {
  const querystring = withoutParams(address.querystring, (name) => pageParams.has(name))
  const href = hrefOf({ ...address, querystring })
  const withParam = (name: 'page' | 'cursor', value: string): string =>
    `${href}${querystring === '' ? '?' : '&'}${name}=${value}`
  return { href, withParam }
}

const pageParams: ReadonlySet<string> = new Set(['page', 'cursor'])
