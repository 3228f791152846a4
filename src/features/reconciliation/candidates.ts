// Finds what a reconciliation query may mean: the entities with such a name or identifier, and where
// only properties are given, those that are related to them. Scores are left to reconciler.ts.

import type { NamedResource, RecordNames } from '../../catalogue/index/record-names.js'
import type { Lists } from '../../catalogue/lists.js'
import type { RecordReads } from '../../catalogue/record-reads.js'
import { createYielder } from '../../lib/scheduling.js'
import { type FoundName, identifierKey } from '../../lib/names/name-index.js'
import type { Place, Places } from '../../model/places.js'
import { listValue } from '../../model/record/values.js'
import { type EntityKey, type EntityType, isRecordType, readKey, writeKey } from './entities.js'
import { type QueryProperty, idOfType, valueText } from './properties.js'
import { type TermNames, type TermSources, createTermNames } from './term-names.js'

/** What is known of a candidate before its record is read. */
export type Draft = EntityKey & {
  readonly likeness: number
  readonly isSame: boolean
  /** Found by an identifier. */
  readonly isIdentified: boolean
}

export type NamedMakers = {
  /** By identifier, how well the title of a zine of theirs agrees. */
  readonly makers: ReadonlyMap<string, number>
  /** Whether there is a zine with such a title. */
  readonly isKnown: boolean
}

/** What is looked for. */
type CandidateQuery = {
  /** Empty when only properties are given. */
  readonly text: string
  readonly types: readonly EntityType[]
  readonly properties: readonly QueryProperty[]
  readonly named: NamedMakers | undefined
}

export type CandidateSources = TermSources & {
  readonly catalogue: Pick<RecordReads, 'find'> & Pick<Lists, 'list'>
  readonly recordNames: Pick<RecordNames, 'find' | 'complete' | 'withIdentifier'>
}

type Names = Promise<readonly FoundName[]> | readonly FoundName[]

/** A name less alike is no candidate. */
const minLikeness = 0.45

/** So many candidates of each type are found by name. */
const maxFound = 40

/** A zine that is named in a query is one of so many with such a title. */
const maxZinesNamed = 24
const minTitleLikeness = 0.75

const makerFields = ['creator', 'contributor', 'publisher'] as const

export class CandidateSearch {
  readonly #catalogue: CandidateSources['catalogue']
  readonly #recordNames: CandidateSources['recordNames']
  readonly #places: Places
  readonly #termNames: TermNames

  constructor(sources: CandidateSources) {
    this.#catalogue = sources.catalogue
    this.#recordNames = sources.recordNames
    this.#places = sources.places
    this.#termNames = createTermNames(sources)
  }

  /** The candidates, the best first. */
  async find({ text, types, properties, named }: CandidateQuery): Promise<readonly Draft[]> {
    const drafts = new Map<string, Draft>()
    const add = (draft: Draft): void => {
      const key = writeKey(draft)
      const before = drafts.get(key)
      if (!before || before.likeness < draft.likeness || draft.isIdentified) drafts.set(key, draft)
    }
    const maybeYield = createYielder()
    for (const type of text === '' ? [] : types) {
      for (const { id, likeness, isSame } of await this.byName(type, text))
        if (likeness >= minLikeness) add({ type, id, likeness, isSame, isIdentified: false })
      await maybeYield()
    }
    if (text === '')
      for (const draft of await this.#findByRelation(types, properties, named)) add(draft)
    for (const key of this.identified(text, types, properties))
      add({ ...key, likeness: 1, isSame: true, isIdentified: true })
    return [...drafts.values()].sort(
      (a, b) => Number(b.isIdentified) - Number(a.isIdentified) || this.compare(a, b),
    )
  }

  /** The agents who made the zines that a query names, and how well the titles agree. */
  async makersIn(properties: readonly QueryProperty[]): Promise<NamedMakers | undefined> {
    const values = properties
      .filter(({ pid }) => pid === 'zine')
      .flatMap((property) => property.values)
    if (values.length === 0) return undefined
    const zines = new Map<string, number>()
    for (const value of values) {
      const id = idOfType(value, 'zines')
      if (id !== undefined) zines.set(id, 1)
      else
        for (const zine of this.#zinesWithTitle(valueText(value)))
          zines.set(zine.id, Math.max(zine.likeness, zines.get(zine.id) ?? 0))
    }
    const references = [...zines.keys()].map((id) => ({ target: 'zines', id }) as const)
    const lookup = await this.#catalogue.find(references)
    const makers = new Map<string, number>()
    for (const reference of references) {
      const record = lookup(reference)
      const likeness = zines.get(reference.id) ?? 0
      if (record)
        for (const agent of makerFields.flatMap((field) => listValue(record, field)))
          makers.set(agent, Math.max(likeness, makers.get(agent) ?? 0))
    }
    return { makers, isKnown: zines.size > 0 }
  }

  byName(type: EntityType, text: string): Names {
    if (isRecordType(type)) return this.#recordNames.find(type, text, maxFound)
    // Many places have one name.
    return this.#termNames.find(type, text, type === 'places' ? 2 * maxFound : maxFound)
  }

  /** The names of a type that begin so. */
  beginning(type: EntityType, prefix: string, limit: number): Names {
    return isRecordType(type)
      ? this.#recordNames.complete(type, prefix, limit)
      : this.#termNames.complete(type, prefix, limit)
  }

  /** The entities with an identifier in the query: as a property, or as the text itself. */
  identified(
    text: string,
    types: readonly EntityType[],
    properties: readonly QueryProperty[],
  ): readonly EntityKey[] {
    const identifiers = properties
      .filter(({ pid }) => pid === 'id')
      .flatMap(({ values }) =>
        values.map((value) => (typeof value === 'object' ? value.id : String(value))),
      )
    const texts = [...identifiers, ...(readKey(text) ? [text] : [])]
    return texts.flatMap((idText): EntityKey[] => {
      const key = readKey(idText)
      if (key) return types.includes(key.type) ? [key] : []
      if (idText.trim() === '') return []
      return types.flatMap((type): EntityKey[] => [
        { type, id: idText.trim() },
        ...(isRecordType(type) ? this.#withIdentifier(type, idText) : []),
      ])
    })
  }

  /** Puts the more alike first, and of places that are so equally the larger one. */
  compare(a: EntityKey & Likeness, b: EntityKey & Likeness): number {
    return b.likeness - a.likeness || this.#sizeOfPlace(b) - this.#sizeOfPlace(a)
  }

  /** Without a text: the makers of a zine, and the zines of a maker. */
  async #findByRelation(
    types: readonly EntityType[],
    properties: readonly QueryProperty[],
    named: NamedMakers | undefined,
  ): Promise<readonly Draft[]> {
    const agents = types.includes('agents') ? [...(named?.makers ?? [])] : []
    const creators = properties
      .filter(({ pid }) => pid === 'creator')
      .flatMap(({ values }) => values)
    const zines: Draft[] = []
    for (const value of types.includes('zines') ? creators : []) {
      const id =
        idOfType(value, 'agents') ??
        this.#recordNames.find('agents', valueText(value), 1).find(({ isSame }) => isSame)?.id
      if (id === undefined) continue
      const filters = new Map([['creator', id]])
      const query = { filters, search: '', ordering: [], page: 1, pageSize: maxFound }
      for (const { values } of (await this.#catalogue.list('zines', query)).records)
        zines.push(toRelated('zines', String(values.zine_id), 0.7))
    }
    return [...agents.map(([id, likeness]) => toRelated('agents', id, 0.7 * likeness)), ...zines]
  }

  /** The zines with a title; those with one that is like it only where there is none. */
  #zinesWithTitle(title: string): readonly FoundName[] {
    const names = this.#recordNames.find('zines', title, maxZinesNamed)
    const same = names.filter(({ isSame }) => isSame)
    return same.length > 0 ? same : names.filter(({ likeness }) => likeness >= minTitleLikeness)
  }

  #withIdentifier(type: NamedResource, text: string): readonly EntityKey[] {
    return this.#recordNames.withIdentifier(type, identifierKey(text)).map((id) => ({ type, id }))
  }

  #sizeOfPlace({ type, id }: EntityKey): number {
    return type === 'places' ? sizeOf({ place: this.#places.find(id) }) : 0
  }
}

type Likeness = { readonly likeness: number }

const toRelated = (type: EntityType, id: string, likeness: number): Draft => ({
  type,
  id,
  likeness,
  isSame: false,
  isIdentified: false,
})

/** Of places with one name, the larger one comes first. */
export const sizeOf = ({ place }: { readonly place?: Place | undefined }): number => {
  if (!place) return 0
  return place.level === 'country' ? Infinity : (place.population ?? 0)
}
