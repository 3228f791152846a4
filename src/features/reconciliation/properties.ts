// The properties that tell namesakes apart, and how the values of a query are compared with those
// of an entity (docs/reference/reconciliation.md, "Properties").

import { identifierKey } from '../../lib/names/name-index.js'
import { likenessOfNames } from '../../lib/names/name-likeness.js'
import { fold } from '../../lib/names/folding.js'
import { parseIssuedDates } from '../../model/dates.js'
import { type Years, yearsOf } from '../../model/edtf.js'
import type { Resources } from '../../model/resources.js'
import { type RecordValues, listValue, textValue } from '../../model/record/values.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import { type Entity, type EntityType, type RecordType, isRecordType, readKey } from './entities.js'

/** A value, or an entity that was reconciled before. */
export type PropertyValue =
  string | number | boolean | { readonly id: string; readonly name: string }

export type QueryProperty = { readonly pid: string; readonly values: readonly PropertyValue[] }

export type PropertyDescription = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly types: readonly EntityType[]
}

export const properties: readonly PropertyDescription[] = [
  {
    id: 'kind',
    name: 'Kind',
    description:
      'Person, Collective or Organization; of a repository its kind, of a zine its genre, of a place country, admin1 or city.',
    types: ['agents', 'zines', 'repositories', 'places'],
  },
  {
    id: 'year',
    name: 'Year',
    description: 'A year of the zine; a year in which the agent made a zine or was active.',
    types: ['agents', 'zines', 'repositories'],
  },
  {
    id: 'zine',
    name: 'Zine',
    description: 'A zine of the agent: its title or identifier.',
    types: ['agents'],
  },
  {
    id: 'creator',
    name: 'Creator',
    description: 'Who made the zine: a name or an identifier.',
    types: ['zines'],
  },
  {
    id: 'country',
    name: 'Country',
    description: 'A country: its name or its ISO 3166-1 code.',
    types: ['agents', 'zines', 'repositories', 'places'],
  },
  {
    id: 'city',
    name: 'City',
    description: 'The name of a city.',
    types: ['agents', 'zines', 'repositories'],
  },
  {
    id: 'id',
    name: 'Identifier',
    description:
      'The identifier here, or one of another authority: ORCID, Wikidata, ISIL, ROR, ISBN, GeoNames and others.',
    types: ['agents', 'zines', 'repositories', 'subjects', 'genres', 'places'],
  },
]

/** How much a property counts, in points of the score. */
const pointsOf: ReadonlyMap<string, number> = new Map([
  ['zine', 20],
  ['creator', 20],
  ['year', 12],
  ['country', 12],
  ['city', 12],
])

/** The score with what a comparison adds or takes away. */
export function adjustScore(score: number, pid: string, agreement: number | undefined): number {
  const points = pointsOf.get(pid) ?? 10
  // Nothing is known: a little less likely than one of which it is known.
  if (agreement === undefined) return score - points / 8
  return agreement >= 0.5
    ? score + Math.min((100 - score) / 2, points / 2) * agreement - (1 - agreement) * (points / 2)
    : score - points * (1 - agreement)
}

export const valueText = (value: PropertyValue): string =>
  typeof value === 'object' ? value.name || value.id : String(value)

/** The key of an entity that a value is, if it is one of this type. */
export function idOfType(value: PropertyValue, type: EntityType): string | undefined {
  const key = readKey(typeof value === 'object' ? value.id : String(value))
  return key?.type === type ? key.id : undefined
}

export type ComparisonSources = {
  readonly resources: Resources
  readonly vocabularies: Readonly<Record<'countries', Vocabulary>>
}

/**
 * How well the values agree with an entity: from 0 to 1; undefined where nothing is known of it.
 * Zines and years of agents are compared elsewhere, since they need other records.
 */
export type CompareProperty = (entity: Entity, property: QueryProperty) => number | undefined

export function createComparison({ resources, vocabularies }: ComparisonSources): CompareProperty {
  return (entity, { pid, values }) => {
    const results = values
      .map((value) => compareValue(entity, pid, value))
      .filter((result) => result !== undefined)
    return results.length === 0 ? undefined : Math.max(...results)
  }

  function compareValue(entity: Entity, pid: string, value: PropertyValue): number | undefined {
    const text = valueText(value)
    if (text.trim() === '') return undefined
    if (pid === 'id') return entity.id === text || hasIdentifier(entity, value) ? 1 : undefined
    if (pid === 'year') return isIn(yearOf(text), datesOf(entity))
    if (pid === 'creator' && entity.makers) return compareMakers(entity.makers, value)
    if (pid === 'kind') return compareTexts(text, kindsOf(entity))
    if (pid === 'country') return compareCountry(entity, text)
    if (pid === 'city') return compareCity(entity, text)
    return compareTexts(text, fieldTexts(entity, pid))
  }

  function hasIdentifier(entity: Entity, value: PropertyValue): boolean {
    if (idOfType(value, entity.type) === entity.id) return true
    const key = identifierKey(valueText(value))
    if (key === '' || !isRecordType(entity.type) || !entity.values) return false
    const { values } = entity
    const fields = resources[entity.type].fields.filter(
      ({ name, identifies }) => (identifies ?? false) || name === 'identifier',
    )
    return fields.some(({ name }) =>
      [...listValue(values, name), textValue(values, name)].some(
        (text) => text !== '' && identifierKey(text) === key,
      ),
    )
  }

  function kindsOf({ type, values, place }: Entity): readonly string[] {
    if (place) return [place.level]
    if (!values || !isRecordType(type)) return []
    const { kind } = comparedFields[type]
    const vocabulary = resources[type].byName.get(kind)?.vocabulary
    return textsIn(values, kind).flatMap((code) => [code, vocabulary?.find(code)?.label ?? ''])
  }

  function compareCountry({ type, values, place }: Entity, text: string): number | undefined {
    const field = fieldFor(type, 'country')
    const code = place?.country_code ?? (field && textValue(values ?? {}, field))
    const names = vocabularies.countries
    if (code !== undefined)
      return code === '' ? undefined : compareTexts(text, [code, names.find(code)?.label ?? ''])
    const label = names.find(text.toUpperCase())?.label ?? text
    return containsText(textsOf(type, 'places', values), label)
  }

  function compareCity({ type, values }: Entity, text: string): number | undefined {
    const field = fieldFor(type, 'city')
    return field
      ? compareTexts(text, [textValue(values ?? {}, field)])
      : containsText(textsOf(type, 'places', values), text)
  }
}

type ComparedFields = {
  readonly kind: string
  readonly dates: string
  /** Places in words. */
  readonly places?: string
  readonly country?: string
  readonly city?: string
}

/** The fields that have what properties are about. */
const comparedFields: Readonly<Record<RecordType, ComparedFields>> = {
  agents: { kind: 'kind', dates: 'active_dates', places: 'location' },
  zines: { kind: 'genre', dates: 'date', places: 'place_of_publication' },
  repositories: { kind: 'repository_kind', dates: 'established', country: 'country', city: 'city' },
}

const fieldFor = (type: EntityType, what: keyof ComparedFields): string | undefined =>
  isRecordType(type) ? comparedFields[type][what] : undefined

const textsOf = (type: EntityType, what: keyof ComparedFields, values: RecordValues = {}) =>
  textsIn(values, fieldFor(type, what))

const textsIn = (values: RecordValues, field: string | undefined): readonly string[] =>
  field === undefined ? [] : [...listValue(values, field), textValue(values, field)]

/**
 * Whether a text is in others. That it is not there says little, since countries are mostly left
 * out.
 */
function containsText(texts: readonly string[], text: string): number | undefined {
  const folded = fold(text)
  return folded !== '' && texts.some((known) => ` ${fold(known)} `.includes(` ${folded} `))
    ? 1
    : undefined
}

/** Whether a text is one of these but for case, accents, punctuation or a letter. */
function compareTexts(text: string, known: readonly string[]): number | undefined {
  const texts = known.filter((knownText) => knownText !== '')
  if (texts.length === 0) return undefined
  const values = texts.map((knownText) => likenessOfNames(text, knownText, 'title').value)
  return Math.max(...values) >= 0.8 ? Math.max(...values) : 0
}

function fieldTexts({ values, place }: Entity, name: string): readonly string[] {
  const value = values
    ? Object.hasOwn(values, name)
      ? values[name]
      : undefined
    : place && name in place
      ? place[name as keyof typeof place]
      : undefined
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value.map(String) : [String(value)]
}

function compareMakers(
  makers: NonNullable<Entity['makers']>,
  value: PropertyValue,
): number | undefined {
  if (makers.length === 0) return undefined
  const id = idOfType(value, 'agents')
  if (id !== undefined) return makers.some((maker) => maker.id === id) ? 1 : 0
  const name = valueText(value)
  const best = Math.max(...makers.map((maker) => likenessOfNames(name, maker.name, 'person').value))
  return best >= 0.75 ? best : 0
}

export const yearOf = (text: string): number | undefined => {
  const [year] = /\b\d{4}\b/.exec(text) ?? []
  return year === undefined ? undefined : Number(year)
}

/** The dates that an entity has to do with. */
const datesOf = ({ type, values }: Entity): readonly string[] => textsOf(type, 'dates', values)

function isIn(year: number | undefined, texts: readonly string[]): number | undefined {
  if (year === undefined) return undefined
  const spans = texts.flatMap(parseIssuedDates).map(({ value }) => yearsOf(value))
  if (spans.length === 0) return undefined
  const isOf = ({ earliest = -Infinity, latest = Infinity }: Years): boolean =>
    earliest <= year && year <= latest
  return spans.some(isOf) ? 1 : 0
}
