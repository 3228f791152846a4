// What a request asks for: which record, what of a list, and which press prints the answer.

import type { ListPageQuery, ListQuery } from '../../catalogue/lists.js'
import type { RecordSerializer } from '../../formats/serializer.js'
import type { RequestContext } from '../endpoint.js'
import { queryParam, queryParams } from './url.js'

/** The filters, the search and the order that the query names. */
export function parseListQuery(ctx: RequestContext): ListQuery {
  const query = queryParams(ctx)
  return {
    filters: query,
    search: query.get('search') ?? '',
    ordering: (query.get('ordering') ?? '').split(',').map((name) => name.trim()),
  }
}

/** What a page of ours asks for that shows a few: the first of those that are sought. */
export const firstPageQuery = (
  pageSize: number,
  { filters = {}, search = '' }: { readonly filters?: Filters; readonly search?: string } = {},
): ListPageQuery => ({
  filters: new Map(Object.entries(filters)),
  search,
  ordering: [],
  page: 1,
  pageSize,
})

type Filters = Readonly<Record<string, string>>

/** The press of the format that was settled on; the guarded one for `?safe=1`, where there is one. */
export function selectSerializer(
  ctx: RequestContext,
  serializers: readonly RecordSerializer[],
): RecordSerializer {
  const serializer = serializers.find(({ name }) => name === ctx.state.format.name)
  if (!serializer) throw new Error(`nothing prints ${ctx.state.format.name}`)
  const isSafe = ['1', 'true'].includes(queryParam(ctx, 'safe'))
  return isSafe && serializer.safe ? serializer.safe : serializer
}

/** The identifier in the path, in NFC as all identifiers are stored. */
export const recordIdParam = (ctx: RequestContext): string => (ctx.params.id ?? '').normalize('NFC')
