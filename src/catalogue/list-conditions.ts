// The further filters of lists (docs/reference/lists.md, "Further filters"), such as
// `subject__in=art,music`: how each is read as conditions, and what pages and OpenAPI say of it. A
// new filter is one entry of the table. The filters that have the name of a field are read in
// lists.ts.

import { type Message, message } from '../message.js'
import { ValidationError } from '../model/record/input.js'
import type { RdfMapper } from '../model/record/rdf-mapper.js'
import {
  type CountedValue,
  type Field,
  type Filter,
  type Resource,
  type Resources,
  filtersAndFieldsOf,
} from '../model/resources.js'
import {
  type ListCondition,
  type NamingRecords,
  contains,
  hasAny,
  hasOther,
  isDatedWithin,
  isNamed,
  isOneOf,
  isSet,
  isWithin,
  namesMissing,
  namesRecordCalled,
  not,
} from '../queries/conditions.js'
import type { FilterCondition } from '../queries/patterns.js'
import { stringLiteral } from '../rdf/terms.js'
import { fieldOfNamedFacet } from './list-facets.js'

export type FurtherFilter = {
  /** What pages call it. */
  readonly label: string
  /** What its values are values of, by which pages label them. */
  readonly labelledBy?: (resources: Resources) => CountedValue
  /** What it finds, as OpenAPI says it. */
  readonly text: string
  /** Which values it takes, in OpenAPI; any text unless given. */
  readonly schema?: { readonly type: 'string' | 'boolean'; readonly pattern?: string }
  /** @throws ValidationError for a value that the filter does not take */
  readonly read: (reading: Reading) => readonly ListCondition[]
}

type Reading = {
  /** The parameter, and its value, which is not empty. */
  readonly name: string
  readonly value: string
  /** The value of another parameter of the same list; empty where it is not given. */
  readonly valueOf: (name: string) => string
  readonly resource: Resource
  readonly resources: Resources
  readonly mapper: RdfMapper
  /** The identifiers of the records of the list that `list` names. */
  readonly listedIds: readonly string[]
}

const year = /^[0-9]{4}$/

/** By the name of the parameter, in the order of the OpenAPI document. */
const zineFilters: Readonly<Record<string, FurtherFilter>> = {
  ...ofCodes('subject', message('Subject')),
  ...ofCodes('genre', message('Genre')),
  ...ofCodes('language', message('Language')),
  ...ofCodes('format', message('Format')),
  content_advice__not_in: {
    label: message('Leave out content advice'),
    labelledBy: ({ zines }) => fieldOf(zines, 'content_advice'),
    text: 'Only those that have none of these. Codes, joined by commas.',
    read: (reading) => {
      const { filter, terms } = termsOf(reading, 'content_advice')
      return [not(hasAny(filter, terms))]
    },
  },
  year__gte: {
    label: message('From year'),
    text: 'Only those with a date in this year or later.',
    schema: { type: 'string', pattern: year.source },
    // One date has to be in the whole range.
    read: years,
  },
  year__lte: {
    label: message('To year'),
    text: 'Only those with a date in this year or earlier.',
    schema: { type: 'string', pattern: year.source },
    read: (reading) => (reading.valueOf('year__gte') === '' ? years(reading) : []),
  },
  decade: {
    label: message('Decade'),
    text: 'Only those with a date in this decade, such as 1990.',
    schema: { type: 'string', pattern: '^[0-9]{3}[0X]s?$' },
    read: decade,
  },
  undated: yesOrNo(message('Undated'), 'Whether none of the dates names a year.', ({ resource }) =>
    not(isSet(datesOf(resource))),
  ),
  place: {
    label: message('Place of publication'),
    labelledBy: ({ zines }) => referenceOf(zines, 'place'),
    text: 'Only those with a place of publication that contains all these words; for the identifier of a place, only those made there or in a place in it.',
    read: (reading) => [isGeonameId(reading.value) ? placeWithin(reading) : placeNamed(reading)],
  },
  series: {
    label: message('Series'),
    text: 'Only the issues of a series, by the last part of its IRI.',
    read({ value, resource }) {
      const filter = referenceOf(resource, 'series')
      return [hasAny(filter, [filter.toIri(value)])]
    },
  },
  has_holding: yesOrNo(message('In a library'), 'Whether a repository has it.', (reading) =>
    heldWith(reading, []),
  ),
  access: {
    label: message('Access'),
    labelledBy: (resources) => fieldOfNamedFacet('access', resources),
    text: 'Only those with a holding of this access status.',
    read: (reading) => [
      heldWith(reading, [conditionOfHoldings(reading, 'access_status', reading.value)]),
    ],
  },
  country: {
    label: message('Country of the library'),
    labelledBy: (resources) => fieldOfNamedFacet('country', resources),
    text: 'Only those that a repository in this country has, by its code of two letters.',
    read: (reading) => [heldInCountry(reading)],
  },
  only_in: {
    label: message('Only in'),
    labelledBy: (resources) => fieldOfNamedFacet('repository', resources),
    text: 'Only those that this repository has and no other.',
    read(reading) {
      const filters = [conditionOfHoldings(reading, 'repository_id', reading.value)]
      const others = isNamed({ ...holdingsOf(reading, filters), areOthers: true })
      return [heldWith(reading, filters), not(others)]
    },
  },
  repository: {
    label: message('Library'),
    labelledBy: (resources) => fieldOfNamedFacet('repository', resources),
    text: 'Only those that this repository has.',
    read: (reading) => [heldWith(reading, inRepository(reading))],
  },
  digital: yesOrNo(
    message('Available digitally'),
    'Whether a holding, in `repository` if that is given, is available digitally.',
    // One holding has to match both.
    (reading) =>
      heldWith(reading, [
        ...inRepository(reading),
        conditionOfHoldings(reading, 'digital_available', true),
      ]),
  ),
  unknown_maker: yesOrNo(
    message('Unknown maker'),
    'Whether a maker has a name that stands for nobody, such as `Unknown maker`.',
    ({ resource, resources }) =>
      namesRecordCalled({
        by: fieldOf(resource, 'creator'),
        text: fieldOf(resources.agents, 'display_name'),
        texts: namesOfUnknownMakers,
      }),
  ),
  only_general_subject: yesOrNo(
    message('Only a general subject'),
    'Whether its only subject is the general one, `zines`.',
    ({ resource, mapper }) => {
      const filter = filterOf(resource, 'subject')
      return not(hasOther(filter, [termOf(mapper, filter, generalSubject)]))
    },
  ),
  broken_reference: yesOrNo(
    message('Broken reference'),
    'Whether it names a maker, contributor or publisher that was deleted.',
    ({ resource, resources }) =>
      namesMissing(
        ['creator', 'contributor', 'publisher'].map((name) => fieldOf(resource, name)),
        resources.agents,
      ),
  ),
}

/** The names of agents that stand for nobody who is known. Imports make `Unknown maker`. */
const namesOfUnknownMakers = [
  'unknown',
  'anonymous',
  'anon',
  'anon.',
  'unidentified',
  'not known',
  'n/a',
  '?',
  ...['maker', 'creator', 'author', 'artist'].flatMap((who) => [
    `unknown ${who}`,
    `${who} unknown`,
  ]),
]

/** The subject for zines that no narrower one fits, as its definition says. */
const generalSubject = 'zines'

/** By the identifiers of the records that holdings name, and so the holdings of many zines. */
const holdingFilters = {
  ...ofReferences('zine_id', message('Zine')),
  ...ofReferences('repository_id', message('Library')),
}

const filtersByResource: Readonly<Record<string, Readonly<Record<string, FurtherFilter>>>> = {
  zines: zineFilters,
  holdings: holdingFilters,
}

/** The further filters of a resource, by their parameters. */
export const furtherFiltersOf = ({ name, id }: Resource): ReadonlyMap<string, FurtherFilter> =>
  new Map([
    ...Object.entries(filtersByResource[name] ?? {}),
    [`${id.name}__in`, ofIdentifiers],
    [curatedListFilter, ofCuratedList],
  ])

/** The filter by a list that editors made. What it finds depends on who asks. */
export const curatedListFilter = 'list'

const ofCuratedList: FurtherFilter = {
  label: message('List'),
  text: 'Only those in this list of editors, by its `slug`.',
  read: ({ listedIds }) => [isOneOf(listedIds)],
}

/** All those of a program's own list, in one request. */
const ofIdentifiers: FurtherFilter = {
  label: message('Identifiers'),
  text: 'Only those with one of these identifiers, up to 100, joined by commas.',
  read: (reading) => [isOneOf(partsOf(reading).map((id) => id.normalize('NFC')))],
}

/**
 * The conditions that the further filters of a list set.
 * @param filters by name; an empty value is no filter
 * @throws ValidationError for a value that the filter does not take
 */
export function parseConditions(
  resource: Resource,
  filters: ReadonlyMap<string, string>,
  model: Pick<Reading, 'resources' | 'mapper' | 'listedIds'>,
): readonly ListCondition[] {
  const valueOf = (name: string): string => filters.get(name)?.trim() ?? ''
  return [...furtherFiltersOf(resource)].flatMap(([name, { read }]) => {
    const value = valueOf(name)
    return value === '' ? [] : read({ ...model, resource, name, value, valueOf })
  })
}

function yesOrNo(
  label: string,
  text: string,
  conditionOf: (reading: Reading) => ListCondition,
): FurtherFilter {
  return {
    label,
    text,
    schema: { type: 'boolean' },
    read(reading) {
      const { name, value } = reading
      if (value !== 'true' && value !== 'false')
        throw invalid(name, message('Enter true or false.'))
      const condition = conditionOf(reading)
      return [value === 'true' ? condition : not(condition)]
    },
  }
}

/** The filters by several codes of a field. */
function ofCodes(field: string, label: string): Readonly<Record<string, FurtherFilter>> {
  return {
    [`${field}__in`]: {
      label,
      text: 'Only those that have any of these. Codes, joined by commas.',
      read(reading) {
        const { filter, terms } = termsOf(reading, field)
        return [hasAny(filter, terms)]
      },
    },
    [`${field}__all`]: {
      label,
      text: 'Only those that have each of these. Codes, joined by commas.',
      read(reading) {
        const { filter, terms } = termsOf(reading, field)
        return terms.map((term) => hasAny(filter, [term]))
      },
    },
  }
}

/** The filter by several records that a field may name. */
function ofReferences(field: string, label: string): Readonly<Record<string, FurtherFilter>> {
  return {
    [`${field}__in`]: {
      label,
      text: 'Only those that name one of these records: up to 100 identifiers, joined by commas.',
      read(reading) {
        const { filter, terms } = termsOf(reading, field)
        return [hasAny(filter, terms)]
      },
    },
  }
}

/** The terms that the parameter has of a field. */
function termsOf(reading: Reading, field: string) {
  const filter = filterOf(reading.resource, field)
  return { filter, terms: partsOf(reading).map((part) => termOf(reading.mapper, filter, part)) }
}

/** How many values a filter takes. */
const maxParts = 100

function partsOf({ name, value }: Reading): string[] {
  const parts = value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  if (parts.length > maxParts)
    throw invalid(name, message('A filter takes no more than {count} values.', { count: maxParts }))
  return parts
}

function years({ resource, valueOf }: Reading): ListCondition[] {
  const [from, to] = ['year__gte', 'year__lte'].map((name) => yearIn(name, valueOf(name)))
  return [isDatedWithin(datesOf(resource), { from, to })]
}

/** Undefined where none is given. */
function yearIn(name: string, value: string): number | undefined {
  if (value === '') return undefined
  if (!year.test(value)) throw invalid(name, message('Enter a year in four digits.'))
  return Number(value)
}

function decade({ value, resource }: Reading): ListCondition[] {
  const [, digits] = /^(\d{3})[0X]s?$/i.exec(value) ?? []
  if (digits === undefined) throw invalid('decade', message('Enter a decade such as 1990.'))
  return [hasAny(filterOf(resource, 'year'), [stringLiteral(`${digits}X`)])]
}

/** The dates that can be read. */
function datesOf({ name, derivedSpans = [] }: Resource) {
  const [dates] = derivedSpans
  if (!dates) throw new Error(`${name} have no dates`)
  return dates
}

const isGeonameId = (value: string): boolean => /^\d+$/.test(value)

/** The zines of a place, and of the places in it, by the places that their texts name. */
function placeWithin({ value, resource }: Reading): ListCondition {
  const filter = referenceOf(resource, 'place')
  const { places } = filter
  const place = places?.find(value)
  if (!places || !place) return hasAny(filter, [])
  return isWithin(place, { filter, includes: (iri) => places.isWithin(iri, place) })
}

function placeNamed({ value, resource }: Reading): ListCondition {
  const words = value
    .toLowerCase()
    .split(/[\s,]+/u)
    .filter(Boolean)
  return contains(fieldOf(resource, 'place_of_publication'), words)
}

function referenceOf({ name, derivedReferences = [] }: Resource, referenceName: string) {
  const reference = derivedReferences.find((candidate) => candidate.name === referenceName)
  if (!reference) throw new Error(`${name} have no derived reference ${referenceName}`)
  return reference
}

const inRepository = (reading: Reading): readonly FilterCondition[] => {
  const repository = reading.valueOf('repository')
  return repository === '' ? [] : [conditionOfHoldings(reading, 'repository_id', repository)]
}

function conditionOfHoldings(
  { resources, mapper }: Reading,
  name: string,
  value: string | boolean,
): FilterCondition {
  const filter = fieldOf(resources.holdings, name)
  return { filter, term: mapper.termOf(filter, value) }
}

/** A repository in the country has it. */
function heldInCountry(reading: Reading): ListCondition {
  const { value, resources, mapper } = reading
  const { holdings, repositories } = resources
  const filter = fieldOf(repositories, 'country')
  return isNamed({
    ...holdingsOf(reading, []),
    through: {
      by: fieldOf(holdings, 'repository_id'),
      resource: repositories,
      filters: [{ filter, term: mapper.termOf(filter, value) }],
    },
  })
}

/** One of its holdings matches all of these. */
const heldWith = (reading: Reading, filters: readonly FilterCondition[]): ListCondition =>
  isNamed(holdingsOf(reading, filters))

const holdingsOf = (
  { resources: { holdings } }: Reading,
  filters: readonly FilterCondition[],
): NamingRecords => ({ resource: holdings, by: fieldOf(holdings, 'zine_id'), filters })

const termOf = (mapper: RdfMapper, filter: Filter, value: string) => {
  if ('prefixes' in filter) throw new Error(`${filter.name} has no terms`)
  return mapper.termOf(filter, value)
}

function filterOf(resource: Resource, name: string): Filter {
  const filter = filtersAndFieldsOf(resource).find((candidate) => candidate.name === name)
  if (!filter) throw new Error(`${resource.name} have no filter ${name}`)
  return filter
}

function fieldOf(resource: Resource, name: string): Field {
  const field = resource.byName.get(name)
  if (!field) throw new Error(`${resource.name} have no field ${name}`)
  return field
}

const invalid = (name: string, text: Message): ValidationError =>
  new ValidationError(new Map([[name, [text]]]))
