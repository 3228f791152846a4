// What can be reconciled: agents, zines and repositories, subjects, genres and places, with their
// names and a line that tells namesakes apart. Only public values are read.

import type { RecordReads } from '../../catalogue/record-reads.js'
import type { Place, Places } from '../../model/places.js'
import { type RecordValues, listValue, textValue } from '../../model/record/values.js'
import type { RecordLookup, Reference } from '../../model/record/views.js'
import { type Vocabulary, altLabelsOf } from '../../model/vocabulary.js'

const recordTypes = ['agents', 'zines', 'repositories'] as const
const termTypes = ['subjects', 'genres'] as const
export const entityTypes = [...recordTypes, ...termTypes, 'places'] as const

export type RecordType = (typeof recordTypes)[number]
export type TermType = (typeof termTypes)[number]
export type EntityType = (typeof entityTypes)[number]

export const typeLabels: Readonly<Record<EntityType, string>> = {
  agents: 'Agents (people, collectives, organizations)',
  zines: 'Zines',
  repositories: 'Repositories (libraries, archives, distros)',
  subjects: 'Subjects',
  genres: 'Genres',
  places: 'Places',
}

export const isEntityType = (name: string): name is EntityType =>
  entityTypes.some((entityType) => entityType === name)

export const isRecordType = (name: EntityType): name is RecordType =>
  recordTypes.some((recordType) => recordType === name)

/** An entity by its type and its own identifier. */
export type EntityKey = { readonly type: EntityType; readonly id: string }

/** An identifier as the reconciliation API has it: `agents/jackie-wang`. */
export const writeKey = ({ type, id }: EntityKey): string => `${type}/${id}`

export function readKey(text: string): EntityKey | undefined {
  const slash = text.indexOf('/')
  const type = text.slice(0, Math.max(0, slash))
  const id = text.slice(slash + 1)
  return isEntityType(type) && id !== '' ? { type, id } : undefined
}

export type Entity = EntityKey & {
  readonly name: string
  /** All its names, the first of which is `name`. */
  readonly names: readonly string[]
  readonly description: string
  /** Of a record. */
  readonly values?: RecordValues
  /** The agents that a zine names, with their names. */
  readonly makers?: readonly { readonly id: string; readonly name: string }[]
  readonly place?: Place
}

export type EntitySources = {
  readonly catalogue: Pick<RecordReads, 'find'>
  readonly vocabularies: Readonly<Record<TermType | 'countries' | 'repository-kinds', Vocabulary>>
  readonly places: Places
}

export class Entities {
  readonly #catalogue: EntitySources['catalogue']
  readonly #vocabularies: EntitySources['vocabularies']
  readonly #places: Places
  readonly #ofRecord: Readonly<
    Record<RecordType, (key: EntityKey, values: RecordValues, makerLookup: RecordLookup) => Entity>
  > = {
    agents: (key, values) => this.#ofAgent(key, values),
    zines: (key, values, makerLookup) => this.#ofZine(key, values, makerLookup),
    repositories: (key, values) => this.#ofRepository(key, values),
  }

  constructor({ catalogue, vocabularies, places }: EntitySources) {
    this.#catalogue = catalogue
    this.#vocabularies = vocabularies
    this.#places = places
  }

  /** The entities that exist, by `writeKey`. */
  async read(keys: readonly EntityKey[]): Promise<ReadonlyMap<string, Entity>> {
    const references = keys.flatMap(referenceTo)
    const lookup = await this.#catalogue.find(references)
    const makers = references.flatMap((reference) => makersOf(reference, lookup))
    const makerLookup = await this.#catalogue.find(makers)
    const entries = keys.flatMap((key) => {
      const entity = this.#toEntity(key, lookup, makerLookup)
      return entity ? [[writeKey(key), entity] as const] : []
    })
    return new Map(entries)
  }

  #toEntity(key: EntityKey, lookup: RecordLookup, makerLookup: RecordLookup): Entity | undefined {
    const { type, id } = key
    if (isRecordType(type)) {
      const values = lookup({ target: type, id })
      return values && this.#ofRecord[type](key, values, makerLookup)
    }
    if (type === 'places') return this.#ofPlace(key)
    return this.#ofTerm(key)
  }

  #ofRepository(key: EntityKey, values: RecordValues): Entity {
    const name = textValue(values, 'repository_name')
    return {
      ...key,
      name,
      names: [name, ...listValue(values, 'alternative_names')],
      description: line([
        labelIn(this.#vocabularies['repository-kinds'], textValue(values, 'repository_kind')),
        textValue(values, 'city'),
        labelIn(this.#vocabularies.countries, textValue(values, 'country')),
      ]),
      values,
    }
  }

  #ofAgent(key: EntityKey, values: RecordValues): Entity {
    const name = textValue(values, 'display_name')
    return {
      ...key,
      name,
      names: [name, ...listValue(values, 'alternative_names')],
      description: line([
        textValue(values, 'kind'),
        firstOf(values, 'location'),
        firstOf(values, 'active_dates'),
      ]),
      values,
    }
  }

  #ofZine(key: EntityKey, values: RecordValues, makerLookup: RecordLookup): Entity {
    const issue = textValue(values, 'issue_designation')
    const title = textValue(values, 'title')
    const makers = makersOf({ target: 'zines', id: key.id }, () => values).map((reference) => {
      const agent = makerLookup(reference)
      return { id: reference.id, name: agent ? textValue(agent, 'display_name') : '' }
    })
    const creators = listValue(values, 'creator')
    return {
      ...key,
      name: issue === '' ? title : `${title}, ${issue}`,
      names: [title, ...listValue(values, 'alternative_title')],
      description: line([
        makers
          .filter(({ id, name }) => name !== '' && creators.includes(id))
          .slice(0, 3)
          .map(({ name }) => name)
          .join(', '),
        listValue(values, 'date').slice(0, 2).join(', '),
      ]),
      values,
      makers,
    }
  }

  #ofTerm(key: EntityKey): Entity | undefined {
    const vocabulary = this.#vocabularies[key.type as TermType]
    const entry = vocabulary.find(key.id)
    return (
      entry && {
        ...key,
        name: entry.label,
        names: [entry.label, ...altLabelsOf(vocabulary, entry.code)],
        description: entry.definition ?? '',
      }
    )
  }

  #ofPlace(key: EntityKey): Entity | undefined {
    const place = this.#places.find(key.id)
    if (!place) return undefined
    const region = place.level === 'city' ? this.#places.find(String(place.parent)) : undefined
    const country =
      place.level === 'country' ? '' : labelIn(this.#vocabularies.countries, place.country_code)
    return {
      ...key,
      name: place.name,
      names: [place.name],
      description: line([placeLevels[place.level], region?.name ?? '', country]),
      place,
    }
  }
}

const placeLevels: Readonly<Record<Place['level'], string>> = {
  country: 'Country',
  admin1: 'Region',
  city: 'City',
}

const referenceTo = ({ type, id }: EntityKey): readonly Reference[] =>
  isRecordType(type) ? [{ target: type, id }] : []

/** The agents that a zine names. */
function makersOf(reference: Reference, lookup: RecordLookup): readonly Reference[] {
  const values = reference.target === 'zines' ? lookup(reference) : undefined
  if (!values) return []
  const ids = ['creator', 'contributor', 'publisher'].flatMap((field) => listValue(values, field))
  return [...new Set(ids)].map((id) => ({ target: 'agents', id }))
}

const labelIn = (vocabulary: Vocabulary, code: string): string =>
  code === '' ? '' : (vocabulary.find(code)?.label ?? code)

const firstOf = (values: RecordValues, field: string): string =>
  listValue(values, field)[0] ?? textValue(values, field)

const line = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ')
