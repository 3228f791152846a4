// Reads from a request which record or list it is about, and which serializer answers it. Pages of
// a list are left to pagination.ts.

import type { Account } from '../../accounts/accounts.js'
import { mayWrite } from '../../accounts/rights.js'
import { message } from '../../message.js'
import { furtherFiltersOf } from '../../catalogue/list-conditions.js'
import type { ListPageQuery, ListQuery } from '../../catalogue/lists.js'
import { type RecordSerializer, descriptionVocabularies } from '../../formats/serializer.js'
import type { ResourceName } from '../../model/iris.js'
import { ValidationError } from '../../model/record/input.js'
import { type Resource, filtersOf } from '../../model/resources.js'
import type { RequestContext } from '../context.js'
import { httpErrors, notAChoice } from '../errors.js'
import { checkFieldNames, parseFieldNames } from './field-selection.js'
import { parseItemOptions } from './item-options.js'
import { mayEditLists } from './record-rights.js'
import { paramsOf, queryParam, queryParams } from './url.js'

/** The filters, search and ordering of the URL. Filters that do not exist are left in. */
export const parseListQuery = (ctx: RequestContext): ListQuery =>
  toListQuery(queryParams(ctx), ctx.state.account)

/**
 * Tells in a header which parameters a list does not know; with `strict=true` it does not answer
 * then.
 * @param further parameters that are known besides those of lists
 * @throws ValidationError
 */
export function checkListParams(
  ctx: RequestContext,
  resource: Resource,
  further: readonly string[] = [],
): void {
  const params = queryParams(ctx)
  if (params.size === 0) return
  const known = new Set([...listParamsOf(resource), ...paramsOfPages, ...further])
  const unknown = [...params.keys()].filter((name) => !known.has(name))
  if (unknown.length === 0) return
  if (params.get('strict') === 'true')
    throw new ValidationError(new Map(unknown.map((name) => [name, [unknownParam]])))
  const names = unknown
    .slice(0, maxIgnoredTold)
    .map((name) => encodeURIComponent(name.toWellFormed()))
  ctx.set('X-Ignored-Parameters', names.join(', ').slice(0, maxIgnoredLength))
}

const unknownParam = 'This list has no such parameter.'
const maxIgnoredTold = 20
const maxIgnoredLength = 1000

/** Parameters of requests that do not say which records a list has. */
const paramsOfPages = [
  'ordering',
  'page',
  'page_size',
  'cursor',
  'format',
  'private',
  'safe',
  'items',
  'branch',
  'item_type',
  'strict',
  'facet',
  'limit',
  'download',
  'fields',
  'vocabulary',
]

/** The parameters that say which records a list has. */
export const listParamsOf = (resource: Resource): readonly string[] => [
  ...filtersOf(resource).map(({ name }) => name),
  ...furtherFiltersOf(resource).keys(),
  'q',
  'search',
  'updated_since',
  'updated_before',
]

/** The same of query parameters. */
export const toListQuery = (params: ReadonlyMap<string, string>, account?: Account): ListQuery => ({
  filters: params,
  search: params.get('search') ?? '',
  q: params.get('q') ?? '',
  ordering: (params.get('ordering') ?? '').split(',').map((name) => name.trim()),
  seesAllLists: mayEditLists(account),
})

/** Parameters of lists that do not say which records they have. */
const otherParams = ['ordering', 'page', 'page_size', 'format']

/**
 * The query of a list as a text, for something that is done to all its records.
 * @throws HttpError 400 for a parameter that is no filter, which lists ignore: all records would be
 * meant
 */
export function parseListQueryText(
  resource: Resource,
  text: string,
  account: Account | undefined,
): ListQuery {
  const params = paramsOf(text.replace(/^\?/, ''))
  const isSearchable = resource.fields.some((field) => field.searchable)
  const known = [
    ...filtersOf(resource).map(({ name }) => name),
    ...(isSearchable ? ['search'] : []),
    ...furtherFiltersOf(resource).keys(),
    'q',
    ...otherParams,
  ]
  const unknown = [...params.keys()].filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw httpErrors.badRequest(
      message('Unknown parameters in the query: {names}.', { names: unknown.join(', ') }),
    )
  return toListQuery(params, account)
}

/** The query for the first page of a list, for pages that show some of its records. */
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

/**
 * The serializer of the negotiated format; for `?safe=1` its spreadsheet-safe variant, for
 * `?items=` that with the holdings, if there is one, for `?fields=` that with some fields, and for
 * `?vocabulary=` that with other terms.
 * @throws HttpError 400 for items, fields and vocabularies that there are none of
 */
export function selectSerializer(
  ctx: RequestContext,
  serializers: readonly RecordSerializer[],
  shown: 'list' | 'record',
  kind: ResourceName,
): RecordSerializer {
  const serializer = serializers.find(({ name }) => name === ctx.state.format.name)
  if (!serializer) throw new Error(`no serializer for the format ${ctx.state.format.name}`)
  const { account } = ctx.state
  const isForStaff = wantsPrivate(ctx) && account !== undefined && mayWrite(account, kind)
  const forReader = isForStaff ? (serializer.forStaff ?? serializer) : serializer
  const isSafe = ['1', 'true'].includes(queryParam(ctx, 'safe'))
  const safe = isSafe ? (forReader.formulaSafe ?? forReader) : forReader
  const chosen = withVocabulary(ctx, withFields(ctx, safe, shown))
  const { withItems } = chosen
  const items = withItems && parseItemOptions(ctx)
  const shownItems = items && withItems(items)
  return (isForStaff ? shownItems?.forStaff : shownItems) ?? chosen
}

export const wantsPrivate = (ctx: RequestContext): boolean => queryParam(ctx, 'private') === 'true'

function withFields(
  ctx: RequestContext,
  serializer: RecordSerializer,
  shown: 'list' | 'record',
): RecordSerializer {
  const names = parseFieldNames(ctx)
  if (!names) return serializer
  const { fields } = serializer
  if (!fields) throw httpErrors.invalidField('fields', 'Fields are chosen in JSON and CSV.')
  checkFieldNames(names, shown === 'list' ? fields.inLists : fields.inRecords)
  return fields.select(names)
}

function withVocabulary(ctx: RequestContext, serializer: RecordSerializer): RecordSerializer {
  const fromQuery = ['GET', 'HEAD'].includes(ctx.method) ? queryParam(ctx, 'vocabulary') : ''
  if (fromQuery === '') return serializer
  const name = descriptionVocabularies.find((candidate) => candidate === fromQuery)
  if (!name) throw httpErrors.invalidField('vocabulary', notAChoice(fromQuery))
  if (!serializer.withVocabulary)
    throw httpErrors.invalidField('vocabulary', 'Vocabularies are chosen in RDF formats.')
  return serializer.withVocabulary(name)
}

/** The identifier in the path, in NFC like all stored identifiers. */
export const recordIdParam = (ctx: RequestContext): string => (ctx.params.id ?? '').normalize('NFC')
