// What a request asks for: which record, what of a list, and which press prints the answer.

import type { ListRequest, Sought } from '../../catalogue/lists.js'
import type { Press } from '../../formats/serializer.js'
import type { Context } from '../endpoint.js'
import { lastOf, queryOf } from './url.js'

/** The filters, the search and the order that the query names. */
export function soughtOf(ctx: Context): Sought {
  const query = queryOf(ctx)
  return {
    filters: query,
    search: query.get('search') ?? '',
    ordering: (query.get('ordering') ?? '').split(',').map((name) => name.trim()),
  }
}

/** What a page of ours asks for that shows a few: the first of those that are sought. */
export const firstOf = (
  pageSize: number,
  { filters = {}, search = '' }: { readonly filters?: Filters; readonly search?: string } = {},
): ListRequest => ({
  filters: new Map(Object.entries(filters)),
  search,
  ordering: [],
  page: 1,
  pageSize,
})

type Filters = Readonly<Record<string, string>>

/** The press of the format that was settled on; the guarded one for `?safe=1`, where there is one. */
export function pressOf(ctx: Context, presses: readonly Press[]): Press {
  const press = presses.find(({ name }) => name === ctx.state.format.name)
  if (!press) throw new Error(`nothing prints ${ctx.state.format.name}`)
  const isSafe = ['1', 'true'].includes(lastOf(ctx, 'safe'))
  return isSafe && press.safe ? press.safe : press
}

/** The identifier in the path, in NFC as all identifiers are stored. */
export const idOf = (ctx: Context): string => (ctx.params.id ?? '').normalize('NFC')
