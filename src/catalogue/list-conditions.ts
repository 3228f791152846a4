// Reads the further filters of lists (docs/api.md, "Further filters"), such as
// `subject__in=art,music`, as conditions. The filters that have the name of a field are read in
// lists.ts.

import { type Message, message } from '../message.js'
import { ValidationError } from '../model/record/input.js'
import type { RdfMapper } from '../model/record/rdf-mapper.js'
import {
  type Field,
  type Filter,
  type Resource,
  type Resources,
  filtersAndFieldsOf,
} from '../model/resources.js'
import type { FilterCondition, ListCondition } from '../queries/list-queries.js'
import { stringLiteral } from '../rdf/terms.js'

type Reading = {
  readonly resource: Resource
  readonly resources: Resources
  readonly mapper: RdfMapper
  /** The value of another parameter of the same list; empty where it is not given. */
  readonly valueOf: (name: string) => string
}

type ReadCondition = (value: string, reading: Reading) => readonly ListCondition[]

const codeFields = ['subject', 'genre', 'language', 'format'] as const

/**
 * By the name of the parameter. Those of holdings are read together, since one holding has to match
 * all.
 */
const zineFilters: Readonly<Record<string, ReadCondition>> = {
  ...Object.fromEntries(
    codeFields.flatMap((name) => [
      [`${name}__in`, anyOf(name)],
      [`${name}__all`, eachOf(name)],
    ]),
  ),
  // One date has to be in the whole range.
  year__gte: (_, reading) => years(reading),
  year__lte: (_, reading) => (reading.valueOf('year__gte').trim() === '' ? years(reading) : []),
  decade,
  undated: (value, reading) => [
    {
      kind: 'unset',
      filter: datesOf(reading.resource),
      isUnset: booleanIn('undated', value),
    },
  ],
  place: (value, reading) => [
    isGeonameId(value) ? placeWithin(reading, value) : placeNamed(reading, value),
  ],
  series: (value, { resource }) => {
    const filter = referenceOf(resource, 'series')
    return [{ kind: 'any', filter, terms: [filter.toIri(value)] }]
  },
  has_holding: (value, reading) => [
    { ...namedByHoldings(reading, []), isNamed: booleanIn('has_holding', value) },
  ],
  access: (value, reading) => [
    namedByHoldings(reading, [conditionOfHoldings(reading, 'access_status', value)]),
  ],
  country: (value, reading) => [heldInCountry(value, reading)],
  only_in: (value, reading) => [
    {
      kind: 'only-named',
      resource: reading.resources.holdings,
      by: fieldOf(reading.resources.holdings, 'zine_id'),
      ...conditionOfHoldings(reading, 'repository_id', value),
    },
  ],
  repository: (_, reading) => heldWith(reading),
  digital: (_, reading) => (reading.valueOf('repository') === '' ? heldWith(reading) : []),
  unknown_maker: (value, { resource, resources }) => [
    {
      kind: 'naming',
      by: fieldOf(resource, 'creator'),
      text: fieldOf(resources.agents, 'display_name'),
      texts: namesOfUnknownMakers,
      isNaming: booleanIn('unknown_maker', value),
    },
  ],
  only_general_subject: (value, { resource, mapper }) => {
    const filter = filterOf(resource, 'subject')
    const isOnly = booleanIn('only_general_subject', value)
    return [{ kind: 'only', filter, terms: [termOf(mapper, filter, generalSubject)], isOnly }]
  },
  broken_reference: (value, { resource, resources }) => [
    {
      kind: 'dangling',
      fields: ['creator', 'contributor', 'publisher'].map((name) => fieldOf(resource, name)),
      target: resources.agents,
      isDangling: booleanIn('broken_reference', value),
    },
  ],
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

const filtersByResource: Partial<Record<Resource['name'], readonly [string, ReadCondition][]>> = {
  zines: Object.entries(zineFilters),
}

/** The names of the further filters of a resource. */
export const furtherFiltersOf = ({ name }: Resource): readonly string[] =>
  (filtersByResource[name] ?? []).map(([filter]) => filter)

/**
 * The conditions that the further filters of a list set.
 * @param filters by name; an empty value is no filter
 * @throws ValidationError for a value that the filter does not take
 */
export function parseConditions(
  resource: Resource,
  filters: ReadonlyMap<string, string>,
  { resources, mapper }: { readonly resources: Resources; readonly mapper: RdfMapper },
): readonly ListCondition[] {
  const reading: Reading = {
    resource,
    resources,
    mapper,
    valueOf: (name) => filters.get(name) ?? '',
  }
  const conditions: ListCondition[] = []
  for (const [name, read] of filtersByResource[resource.name] ?? []) {
    const value = filters.get(name)?.trim()
    if (value) conditions.push(...read(value, reading))
  }
  return conditions
}

function anyOf(name: string): ReadCondition {
  return (value, { resource, mapper }) => {
    const filter = filterOf(resource, name)
    const terms = partsOf(`${name}__in`, value).map((one) => termOf(mapper, filter, one))
    return [{ kind: 'any', filter, terms }]
  }
}

function eachOf(name: string): ReadCondition {
  return (value, { resource, mapper }) => {
    const filter = filterOf(resource, name)
    return partsOf(`${name}__all`, value).map((one) => ({
      kind: 'any' as const,
      filter,
      terms: [termOf(mapper, filter, one)],
    }))
  }
}

/** How many values a filter takes. */
const maxParts = 100

function partsOf(name: string, value: string): string[] {
  const parts = value
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
  if (parts.length > maxParts)
    throw invalid(name, message('A filter takes no more than {count} values.', { count: maxParts }))
  return parts
}

function years({ resource, valueOf }: Reading): ListCondition[] {
  const [from, to] = ['year__gte', 'year__lte'].map((name) => yearIn(name, valueOf(name).trim()))
  return [{ kind: 'years', filter: datesOf(resource), from, to }]
}

function decade(value: string, { resource }: Reading): ListCondition[] {
  const [, digits] = /^(\d{3})[0X]s?$/i.exec(value) ?? []
  if (digits === undefined) throw invalid('decade', message('Enter a decade such as 1990.'))
  const filter = filterOf(resource, 'year')
  return [{ kind: 'any', filter, terms: [stringLiteral(`${digits}X`)] }]
}

/** The dates that can be read. */
function datesOf({ name, derivedSpans = [] }: Resource) {
  const [dates] = derivedSpans
  if (!dates) throw new Error(`${name} have no dates`)
  return dates
}

const isGeonameId = (value: string): boolean => /^\d+$/.test(value)

/** The zines of a place, and of the places in it, by the places that their texts name. */
function placeWithin({ resource }: Reading, id: string): ListCondition {
  const filter = referenceOf(resource, 'place')
  const { places } = filter
  const place = places?.find(id)
  if (!places || !place) return { kind: 'any', filter, terms: [] }
  return {
    kind: 'within',
    filter,
    place,
    includes: (one) => places.isWithin(one, place),
  }
}

const placeNamed = ({ resource }: Reading, words: string): ListCondition => ({
  kind: 'containing',
  filter: fieldOf(resource, 'place_of_publication'),
  parts: words
    .toLowerCase()
    .split(/[\s,]+/u)
    .filter(Boolean),
})

function referenceOf({ name, derivedReferences = [] }: Resource, wanted: string) {
  const found = derivedReferences.find((one) => one.name === wanted)
  if (!found) throw new Error(`${name} have no derived reference ${wanted}`)
  return found
}

/** One holding has to be in the repository, and digital too if that is asked. */
function heldWith(reading: Reading): ListCondition[] {
  const { valueOf } = reading
  const [repository, digital] = [valueOf('repository').trim(), valueOf('digital').trim()]
  const condition = (name: string, value: string | boolean): FilterCondition =>
    conditionOfHoldings(reading, name, value)
  const ofRepository = repository === '' ? [] : [condition('repository_id', repository)]
  if (digital === '') return [namedByHoldings(reading, ofRepository)]
  const isDigital = booleanIn('digital', digital)
  const asDigital = namedByHoldings(reading, [
    ...ofRepository,
    condition('digital_available', true),
  ])
  if (isDigital) return [asDigital]
  // Of zines that are not digital anywhere, or not in this repository.
  return [
    ...(repository === '' ? [] : [namedByHoldings(reading, ofRepository)]),
    { ...asDigital, isNamed: false },
  ]
}

function conditionOfHoldings(
  { resources, mapper }: Reading,
  name: string,
  value: string | boolean,
): FilterCondition & { readonly filter: Field } {
  const filter = fieldOf(resources.holdings, name)
  return { filter, term: mapper.termOf(filter, value) }
}

/** A repository in the country has it. */
function heldInCountry(value: string, reading: Reading): ListCondition {
  const { resources, mapper } = reading
  const { holdings, repositories } = resources
  const filter = fieldOf(repositories, 'country')
  return {
    ...namedByHoldings(reading, []),
    through: {
      by: fieldOf(holdings, 'repository_id'),
      resource: repositories,
      filters: [{ filter, term: mapper.termOf(filter, value) }],
    },
  }
}

const namedByHoldings = (
  { resources: { holdings } }: Reading,
  filters: readonly FilterCondition[],
): Extract<ListCondition, { kind: 'named' }> => ({
  kind: 'named',
  resource: holdings,
  by: fieldOf(holdings, 'zine_id'),
  filters,
  isNamed: true,
})

const termOf = (mapper: RdfMapper, filter: Filter, value: string) => {
  if ('prefixes' in filter) throw new Error(`${filter.name} has no terms`)
  return mapper.termOf(filter, value)
}

function filterOf(resource: Resource, name: string): Filter {
  const filter = filtersAndFieldsOf(resource).find((one) => one.name === name)
  if (!filter) throw new Error(`${resource.name} have no filter ${name}`)
  return filter
}

function fieldOf(resource: Resource, name: string): Field {
  const field = resource.byName.get(name)
  if (!field) throw new Error(`${resource.name} have no field ${name}`)
  return field
}

/** Undefined where none is given. */
function yearIn(name: string, value: string): number | undefined {
  if (value === '') return undefined
  if (!/^\d{4}$/.test(value)) throw invalid(name, message('Enter a year in four digits.'))
  return Number(value)
}

function booleanIn(name: string, value: string): boolean {
  if (value !== 'true' && value !== 'false') throw invalid(name, message('Enter true or false.'))
  return value === 'true'
}

const invalid = (name: string, text: Message): ValidationError =>
  new ValidationError(new Map([[name, [text]]]))
