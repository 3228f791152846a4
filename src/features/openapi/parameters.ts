// The query parameters and headers of requests: shared ones as components, and those of each list.

import { furtherFiltersOf } from '../../catalogue/list-conditions.js'
import {
  type Field,
  type Filter,
  type Resource,
  filtersOf,
  ordersOf,
} from '../../model/resources.js'
import { defaultItemType, kohaCode } from '../../http/request/item-options.js'
import { defaultSize, maxSize } from '../../http/request/pagination.js'
import { type Format, itemFieldTags, descriptionVocabularies } from '../../formats/serializer.js'
import {
  type ComponentReference,
  type Parameter,
  inQuery,
  searchIn,
  sharedParameter,
  textSearch,
} from '../../http/operation.js'
import { choicesOf, codePatternOf, fieldDescription, types } from './field-schemas.js'

const timeText =
  'A date alone is its midnight; without an offset, the time is in UTC. Anything else is 400.'

/** The parameters that several operations share, as components. */
export const sharedParameters: Readonly<Record<string, Parameter>> = {
  Page: inQuery(
    'page',
    'The number of the page, from 1. Past the last page, and for anything but a number from 1, there is no page: 404.',
    { type: 'integer', minimum: 1, default: 1 },
  ),
  PageSize: inQuery(
    'page_size',
    `How many records a page has, at most ${maxSize}: a larger number is taken as ${maxSize}, and anything but a number from 1 as ${defaultSize}.`,
    { type: 'integer', minimum: 1, maximum: maxSize, default: defaultSize },
  ),
  Cursor: {
    ...inQuery(
      'cursor',
      'Leads from page to page without missing or repeating a record that stays, whoever writes meanwhile: empty for the first page, then as `next` has it. The order is newest first, or as `ordering` says, but not relevance; words of `q` are taken as they are typed. With `page`, broken, or of another list or order: 400.',
    ),
    allowEmptyValue: true,
  },
  UpdatedSince: inQuery(
    'updated_since',
    `Only those whose \`updated_at\` is this time or later. ${timeText}`,
    { type: 'string', format: 'date-time' },
  ),
  UpdatedBefore: inQuery(
    'updated_before',
    `Only those whose \`updated_at\` is earlier than this time. ${timeText}`,
    { type: 'string', format: 'date-time' },
  ),
  Private: inQuery(
    'private',
    'With `true`, an account that may edit these records is shown private fields too: all of them in JSON of one record, those for the staff in CSV and MARC. For all others it changes nothing.',
    { type: 'boolean', default: false },
  ),
  Safe: inQuery(
    'safe',
    'With `1`, CSV for spreadsheets: a cell that one would take for a formula has an apostrophe before it.',
    { type: 'string', enum: ['1', 'true'] },
  ),
  Fields: inQuery(
    'fields',
    'In JSON and CSV, only these members or columns: their names, separated by commas. A name that is unknown, or not shown to the client, is 400, and so are fields in other formats.',
  ),
  Vocabulary: inQuery(
    'vocabulary',
    'In RDF formats, a description in the terms of another vocabulary: BIBFRAME 2 or schema.org. In other formats 400.',
    { type: 'string', enum: [...descriptionVocabularies] },
  ),
  Items: inQuery(
    'items',
    'In MARC (`marc`, `marcxml`), the holdings of each zine in its bibliographic record: `852` as in MARC 21, `952` as the items of Koha. Anything else is 400.',
    { type: 'string', enum: [...itemFieldTags] },
  ),
  Branch: inQuery(
    'branch',
    "With `items=952`, Koha's code of the library of all items; without it, the identifier of each repository.",
    { type: 'string', pattern: kohaCode.source },
  ),
  ItemType: inQuery('item_type', "With `items=952`, Koha's code of the type of all items.", {
    type: 'string',
    pattern: kohaCode.source,
    default: defaultItemType,
  }),
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETags that the client has; 304 if one of them is current.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A key of the request, such as a UUID. Within 24 hours, the same request with the same key creates nothing again and is answered with the record as it is now, or 410 where that was deleted. Another request of the account with the key: 422. The same while it is still being answered: 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      'With `return=minimal` (RFC 7240) the answer has no body: 201 for a new record, 204 for others.',
    schema: { type: 'string' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag that the record must still have; otherwise 412, and nothing is written.',
    schema: { type: 'string' },
  },
}

/** The parameters that put the holdings of zines into MARC records; none for other resources. */
export const itemParameters = (resource: Resource): readonly ComponentReference[] =>
  resource.name === 'zines' ? ['Items', 'Branch', 'ItemType'].map(sharedParameter) : []

/** The parameters that filter, order and page a list of the resource. */
export const listParameters = (resource: Resource): readonly (Parameter | ComponentReference)[] => [
  ...selectionParameters(resource),
  sharedParameter('Page'),
  sharedParameter('PageSize'),
  sharedParameter('Cursor'),
]

/** The parameters that filter and order a list of the resource. */
export function selectionParameters(
  resource: Resource,
): readonly (Parameter | ComponentReference)[] {
  const { fields, derivedOrders = [] } = resource
  const searchable = fields.filter((field) => field.searchable).map(nameOf)
  const about = derivedOrders.map(({ name, comment }) => ` \`${name}\` is ${comment}.`).join('')
  return [
    textSearch,
    ...(searchable.length > 0 ? [searchIn(...searchable)] : []),
    ...filtersOf(resource).map(filterBy),
    sharedParameter('UpdatedSince'),
    sharedParameter('UpdatedBefore'),
    ...furtherFilters(resource),
    inQuery(
      'ordering',
      `The fields to order by, joined by commas, each with a \`-\` before it for descending: ${ordersOf(resource).map(nameOf).join(', ')}. Others are ignored; records without the value come last.${about} With \`q\` also \`relevance\`, which comes first without it, but not by \`cursor\`; else the newest come first.`,
    ),
  ]
}

/** The filters of list-conditions.ts. */
const furtherFilters = (resource: Resource): readonly Parameter[] =>
  Array.from(furtherFiltersOf(resource), ([name, { text, schema = { type: 'string' } }]) =>
    inQuery(name, text, schema),
  )

/** The `format` parameter with the names of the offered formats. */
export function formatParameter(formats: readonly Format[]): Parameter {
  const names = [...new Set(formats.map((format) => format.name))]
  return inQuery('format', 'The format of the response; it wins over the Accept header.', {
    type: 'string',
    enum: names,
  })
}

function filterBy(filter: Filter): Parameter {
  return 'prefixes' in filter ? inQuery(filter.name, filter.comment) : byField(filter)
}

function byField(field: Field): Parameter {
  const rule = field.repeatable ? 'Only those that have this among their' : 'Only those with this'
  const { type } = types[field.kind]
  const codes = choicesOf(field.vocabulary)
  const pattern = codePatternOf(field.vocabulary)
  return inQuery(field.name, `${rule} ${nameOf(field)}, exactly. ${fieldDescription(field)}`, {
    type,
    ...(codes ? { enum: codes } : {}),
    ...(pattern === undefined ? {} : { pattern }),
  })
}

const nameOf = ({ name }: Pick<Field, 'name'>): string => `\`${name}\``
