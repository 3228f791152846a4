// Pages of a list: which one a request asks for, and the links to the others (docs/api.md, "Lists").

import type { Context } from 'koa'

import { PageNotFoundError } from '../../catalogue/errors.js'
import type { PageLinks } from '../../formats/serializer.js'
import type { RequestContext } from '../context.js'
import { httpErrors } from '../errors.js'
import { requestOrigin } from '../origin.js'
import { queryParam, queryParams } from './url.js'

export const defaultSize = 25
export const maxSize = 100

/** A page by its number, counted from 1, and its size. */
export type PageQuery = { readonly page: number; readonly pageSize: number }

/** The page after the one whose `next` had this cursor, and its size. An empty cursor is the first page. */
export type CursorQuery = { readonly cursor: string; readonly pageSize: number }

/** @throws PageNotFoundError if `page` is not a number from 1 */
export function parsePageQuery(ctx: Context): PageQuery {
  const page = queryParam(ctx, 'page')
  if (page !== '' && !isPositiveInteger(page)) throw new PageNotFoundError()
  // No list has that many pages, and larger numbers are not exact.
  return { page: page === '' ? 1 : Math.min(Number(page), 1e12), pageSize: parsePageSize(ctx) }
}

/** The page by its cursor, if there is one, or else by its number. @throws HttpError if there are both */
export function parsePageOrCursor(ctx: Context): PageQuery | CursorQuery {
  const cursor = queryParams(ctx).get('cursor')
  if (cursor === undefined) return parsePageQuery(ctx)
  if (queryParam(ctx, 'page') !== '') throw httpErrors.badRequest(pageAndCursor)
  return { cursor, pageSize: parsePageSize(ctx) }
}

const pageAndCursor = 'A list is read either by page or by cursor.'

function parsePageSize(ctx: Context): number {
  const size = queryParam(ctx, 'page_size')
  return isPositiveInteger(size) ? Math.min(Number(size), maxSize) : defaultSize
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

/**
 * The URLs of this page, of the first and of the next; only the next is added to the links of the response.
 * @param next the cursor of the next page, if there is one
 */
export function setCursorLinks(
  ctx: RequestContext,
  { cursor }: CursorQuery,
  next: string | undefined,
): PageLinks {
  const { withParam } = splitUrl(ctx)
  const urlOf = (one: string) => withParam('cursor', one)
  const target = next === undefined ? null : urlOf(next)
  ctx.state.links = target === null ? [] : [{ relation: 'next', target }]
  return { self: urlOf(cursor), first: urlOf(''), last: null, next: target, previous: null }
}

/** The requested URL with another page. */
function createPageUrl(ctx: Context): (page: number) => string {
  const { href, withParam } = splitUrl(ctx)
  return (page) => (page > 1 ? withParam('page', String(page)) : href)
}

/** The requested URL without a page, on the origin that the client used; other parameters stay as sent. */
function splitUrl(ctx: Context) {
  const otherParams = ctx.querystring.split('&').filter((part) => part !== '' && !namesPage(part))
  const query = otherParams.length > 0 ? `?${otherParams.join('&')}` : ''
  // URL encodes what a raw query may contain but a header may not.
  const { href } = new URL(`${requestOrigin(ctx)}${ctx.path}${query}`)
  const withParam = (name: 'page' | 'cursor', value: string): string =>
    `${href}${query === '' ? '?' : '&'}${name}=${value}`
  return { href, withParam }
}

function namesPage(part: string): boolean {
  const params = new URLSearchParams(part)
  return params.has('page') || params.has('cursor')
}
