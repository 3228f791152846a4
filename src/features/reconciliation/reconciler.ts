// Answers reconciliation queries: finds entities by name, compares their properties, and gives each
// a score from 0 to 100 (docs/reference/reconciliation.md, "Scores"). Knows no HTTP.

import type { NamedResource, RecordNames } from '../../catalogue/index/record-names.js'
import type { Lists } from '../../catalogue/lists.js'
import { type FoundName, identifierKey } from '../../lib/names/name-index.js'
import { isNobody } from '../../lib/names/name-likeness.js'
import type { Place } from '../../model/places.js'
import { listValue } from '../../model/record/values.js'
import { createYielder } from '../../lib/scheduling.js'
import {
  type Entities,
  type Entity,
  type EntityKey,
  type EntitySources,
  type EntityType,
  createEntities,
  entityTypes,
  isRecordType,
  readKey,
  writeKey,
} from './entities.js'
import {
  type ComparisonSources,
  type QueryProperty,
  adjustScore,
  createComparison,
  idOfType,
  valueText,
  yearOf,
} from './properties.js'
import { createTermNames } from './term-names.js'

export type ReconciliationQuery = {
  /** Empty when only properties are given. */
  readonly text: string
  /** Empty for all types. */
  readonly types: readonly EntityType[]
  readonly limit: number
  readonly properties: readonly QueryProperty[]
}

type Feature = { readonly id: string; readonly value: number | boolean }

export type Candidate = {
  readonly entity: Entity
  /** From 0 to 100. */
  readonly score: number
  readonly features: readonly Feature[]
  /** Whether it is certain enough to be taken without asking anybody. */
  readonly isMatch: boolean
}

export type Reconciler = Entities & {
  /** The candidates, the best first. */
  reconcile(query: ReconciliationQuery): Promise<readonly Candidate[]>
  /** The answers to several queries, in their order; other work runs in between. */
  reconcileAll(queries: readonly ReconciliationQuery[]): Promise<readonly (readonly Candidate[])[]>
  /** The entities whose names begin so, or are like it. */
  suggest(prefix: string, types: readonly EntityType[], limit: number): Promise<readonly Entity[]>
}

export type ReconcilerSources = EntitySources &
  ComparisonSources & {
    readonly catalogue: EntitySources['catalogue'] & Pick<Lists, 'list' | 'facetCounts'>
    readonly recordNames: Pick<RecordNames, 'find' | 'complete' | 'withIdentifier'>
  }

/** A name less alike is no candidate. */
const minLikeness = 0.45

/**
 * So many candidates of each type are found by name, and so many of all are compared by their
 * properties.
 */
const maxFound = 40
const maxPropertiesCompared = 10

/** A match leads by so many points, and has at least so many. */
const minLead = 10
const minMatchScore = 85

/** A zine that is named in a query is one of so many with such a title. */
const maxZinesNamed = 24
const minTitleLikeness = 0.75

/** What is known of a candidate before its record is read. */
type Draft = EntityKey & {
  readonly likeness: number
  readonly isSame: boolean
  /** Found by an identifier. */
  readonly isIdentified: boolean
}

type Scored = Omit<Candidate, 'isMatch'> & {
  readonly draft: Draft
  readonly agrees: boolean
  readonly contradicts: boolean
}

export function createReconciler(sources: ReconcilerSources): Reconciler {
  const { catalogue, recordNames, places } = sources
  const entities = createEntities(sources)
  const termNames = createTermNames(sources)
  const compare = createComparison(sources)

  async function reconcile(query: ReconciliationQuery): Promise<readonly Candidate[]> {
    const types = query.types.length > 0 ? query.types : entityTypes
    const named = await findMakers(query.properties)
    const drafts = await findDrafts(query, types, named)
    const compared = drafts.slice(0, Math.max(maxPropertiesCompared, query.limit))
    const read = await entities.read(compared)
    const scored: Scored[] = []
    const best = compared[0]?.likeness ?? 0
    const isNear = ({ likeness }: Draft): boolean => likeness > best - maxYearDistance
    for (const draft of compared) {
      const entity = read.get(writeKey(draft))
      if (entity) scored.push(await scoreOf(draft, entity, query, { named, isNear: isNear(draft) }))
    }
    scored.sort(
      (one, other) =>
        other.score - one.score ||
        sizeOf(other.entity) - sizeOf(one.entity) ||
        (one.entity.id < other.entity.id ? -1 : 1),
    )
    const match = findMatch(query, scored)
    return scored.slice(0, query.limit).map(({ entity, score, features }, index) => ({
      entity,
      score,
      features,
      isMatch: match && index === 0,
    }))
  }

  async function reconcileAll(queries: readonly ReconciliationQuery[]) {
    const answers: (readonly Candidate[])[] = []
    const maybeYield = createYielder()
    for (const query of queries) {
      answers.push(await reconcile(query))
      await maybeYield()
    }
    return answers
  }

  async function findDrafts(
    { text, properties }: ReconciliationQuery,
    types: readonly EntityType[],
    named: NamedMakers | undefined,
  ): Promise<readonly Draft[]> {
    const drafts = new Map<string, Draft>()
    const add = (draft: Draft): void => {
      const key = writeKey(draft)
      const before = drafts.get(key)
      if (!before || before.likeness < draft.likeness || draft.isIdentified) drafts.set(key, draft)
    }
    const maybeYield = createYielder()
    for (const type of text === '' ? [] : types) {
      for (const { id, likeness, isSame } of await findByName(type, text))
        if (likeness >= minLikeness) add({ type, id, likeness, isSame, isIdentified: false })
      await maybeYield()
    }
    if (text === '') for (const draft of await findByRelation(types, properties, named)) add(draft)
    for (const key of findIdentified(text, types, properties))
      add({ ...key, likeness: 1, isSame: true, isIdentified: true })
    return [...drafts.values()].sort(
      (one, other) =>
        Number(other.isIdentified) - Number(one.isIdentified) ||
        other.likeness - one.likeness ||
        sizeOfPlace(other) - sizeOfPlace(one),
    )
  }

  const sizeOfPlace = ({ type, id }: EntityKey): number =>
    type === 'places' ? sizeOf({ place: places.find(id) }) : 0

  function findByName(
    type: EntityType,
    text: string,
  ): Promise<readonly FoundName[]> | readonly FoundName[] {
    if (isRecordType(type)) return recordNames.find(type, text, maxFound)
    // Many places have one name.
    return termNames.find(type, text, type === 'places' ? 2 * maxFound : maxFound)
  }

  /** The entities with an identifier in the query: as a property, or as the text itself. */
  function findIdentified(
    text: string,
    types: readonly EntityType[],
    properties: readonly QueryProperty[],
  ): readonly EntityKey[] {
    const given = properties
      .filter(({ pid }) => pid === 'id')
      .flatMap(({ values }) =>
        values.map((value) => (typeof value === 'object' ? value.id : String(value))),
      )
    const texts = [...given, ...(readKey(text) ? [text] : [])]
    return texts.flatMap((one): EntityKey[] => {
      const key = readKey(one)
      if (key) return types.includes(key.type) ? [key] : []
      if (one.trim() === '') return []
      return types.flatMap((type): EntityKey[] => [
        { type, id: one.trim() },
        ...(isRecordType(type) ? withIdentifier(type, one) : []),
      ])
    })
  }

  const withIdentifier = (type: NamedResource, text: string): readonly EntityKey[] =>
    recordNames.withIdentifier(type, identifierKey(text)).map((id) => ({ type, id }))

  /** The agents who made the zines that a query names, and how well the titles agree. */
  async function findMakers(
    properties: readonly QueryProperty[],
  ): Promise<NamedMakers | undefined> {
    const values = properties
      .filter(({ pid }) => pid === 'zine')
      .flatMap((property) => property.values)
    if (values.length === 0) return undefined
    const zines = new Map<string, number>()
    for (const value of values) {
      const id = idOfType(value, 'zines')
      if (id !== undefined) zines.set(id, 1)
      else
        for (const found of findTitles(valueText(value)))
          zines.set(found.id, Math.max(found.likeness, zines.get(found.id) ?? 0))
    }
    const references = [...zines.keys()].map((id) => ({ target: 'zines', id }) as const)
    const lookup = await catalogue.find(references)
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

  /** The zines with a title; those with one that is like it only where there is none. */
  function findTitles(title: string): readonly FoundName[] {
    const found = recordNames.find('zines', title, maxZinesNamed)
    const same = found.filter(({ isSame }) => isSame)
    return same.length > 0 ? same : found.filter(({ likeness }) => likeness >= minTitleLikeness)
  }

  /** Without a text: the makers of a zine, and the zines of a maker. */
  async function findByRelation(
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
        recordNames.find('agents', valueText(value), 1).find(({ isSame }) => isSame)?.id
      if (id === undefined) continue
      const filters = new Map([['creator', id]])
      const query = { filters, search: '', ordering: [], page: 1, pageSize: maxFound }
      for (const { values } of (await catalogue.list('zines', query)).records)
        zines.push(toRelated('zines', String(values.zine_id), 0.7))
    }
    return [...agents.map(([id, likeness]) => toRelated('agents', id, 0.7 * likeness)), ...zines]
  }

  async function scoreOf(
    draft: Draft,
    entity: Entity,
    { text, properties }: ReconciliationQuery,
    context: ScoringContext,
  ): Promise<Scored> {
    const features: Feature[] = []
    if (text !== '' && !draft.isIdentified)
      features.push(
        { id: 'name_similarity', value: round(100 * draft.likeness) },
        { id: 'same_name', value: draft.isSame },
      )
    if (draft.isIdentified) features.push({ id: 'identifier', value: true })
    let score = 100 * draft.likeness
    let [agrees, contradicts] = [false, false]
    const seen = new Set<string>()
    for (const property of properties) {
      const { pid } = property
      if (seen.has(pid) || (pid === 'id' && draft.isIdentified)) continue
      seen.add(pid)
      const agreement = await agreementOf(entity, property, context)
      score = adjustScore(score, pid, agreement)
      if (agreement !== undefined) {
        features.push({ id: `property_${pid}`, value: round(agreement) })
        if (agreement < 0.5) contradicts = true
        else if (tellingProperties.has(pid) && agreement >= 0.9) agrees = true
      }
    }
    if (draft.isIdentified) score = 100
    return {
      draft,
      entity,
      score: round(Math.min(100, Math.max(0, score))),
      features,
      agrees,
      contradicts,
    }
  }

  async function agreementOf(
    entity: Entity,
    property: QueryProperty,
    { named, isNear }: ScoringContext,
  ): Promise<number | undefined> {
    if (entity.type === 'agents' && property.pid === 'zine')
      return named?.isKnown ? (named.makers.get(entity.id) ?? 0) : undefined
    const own = compare(entity, property)
    return isNear && entity.type === 'agents' && property.pid === 'year' && own !== 1
      ? ((await hasZineOfYear(entity.id, property)) ?? own)
      : own
  }

  /** Whether an agent made a zine of the year; undefined where no zine of the agent has a year. */
  async function hasZineOfYear(
    agent: string,
    { values }: QueryProperty,
  ): Promise<number | undefined> {
    const years = values
      .map((value) => yearOf(valueText(value)))
      .filter((year) => year !== undefined)
    if (years.length === 0) return undefined
    const query = { filters: new Map([['creator', agent]]), search: '', ordering: [] }
    const counts = await catalogue.facetCounts('zines', 'year', query)
    if (counts.length === 0) return undefined
    return counts.some(({ value }) => years.includes(Number(value))) ? 1 : 0
  }

  async function suggest(
    prefix: string,
    types: readonly EntityType[],
    limit: number,
  ): Promise<readonly Entity[]> {
    const keys = new Map<string, EntityKey & { readonly likeness: number }>()
    const add = (type: EntityType, found: readonly FoundName[], offset: number): void => {
      for (const { id, likeness } of found) {
        const key = writeKey({ type, id })
        if (!keys.has(key)) keys.set(key, { type, id, likeness: likeness + offset })
      }
    }
    for (const key of findIdentified(prefix, types, []))
      keys.set(writeKey(key), { ...key, likeness: 9 })
    for (const type of types) add(type, await completeName(type, prefix, limit), 1)
    if (keys.size < limit)
      for (const type of types)
        add(
          type,
          (await findByName(type, prefix)).filter(
            ({ likeness }) => likeness >= minSuggestedLikeness,
          ),
          0,
        )
    const wanted = [...keys.values()]
      .sort((one, other) => other.likeness - one.likeness || sizeOfPlace(other) - sizeOfPlace(one))
      .slice(0, limit)
    const read = await entities.read(wanted)
    return wanted.flatMap((key) => read.get(writeKey(key)) ?? [])
  }

  const completeName = (
    type: EntityType,
    prefix: string,
    limit: number,
  ): Promise<readonly FoundName[]> | readonly FoundName[] =>
    isRecordType(type)
      ? recordNames.complete(type, prefix, limit)
      : termNames.complete(type, prefix, limit)

  return { ...entities, reconcile, reconcileAll, suggest }
}

/**
 * The zines of agents whose names are much less alike than the first are not looked at for a year.
 */
const maxYearDistance = 0.12

type ScoringContext = {
  readonly named: NamedMakers | undefined
  /** Whether the name is nearly as much alike as that of the first candidate. */
  readonly isNear: boolean
}

type NamedMakers = {
  /** By identifier, how well the title of a zine of theirs agrees. */
  readonly makers: ReadonlyMap<string, number>
  /** Whether there is a zine with such a title. */
  readonly isKnown: boolean
}

const makerFields = ['creator', 'contributor', 'publisher'] as const

/** Properties that make a name that is only alike certain. */
const tellingProperties = new Set(['zine', 'creator'])

const minSuggestedLikeness = 0.6

const toRelated = (type: EntityType, id: string, likeness: number): Draft => ({
  type,
  id,
  likeness,
  isSame: false,
  isIdentified: false,
})

/** Of places with one name, the larger one comes first. */
const sizeOf = ({ place }: { readonly place?: Place | undefined }): number => {
  if (!place) return 0
  return place.level === 'country' ? Infinity : (place.population ?? 0)
}

const round = (value: number): number => Math.round(value * 100) / 100

/**
 * Whether the first candidate is the one that is meant: it has the name or an identifier of the
 * query, nothing contradicts it, and it leads clearly. A name that is only alike may be another's,
 * unless a zine agrees; and a first name alone may be anybody's.
 */
function findMatch({ text }: ReconciliationQuery, scored: readonly Scored[]): boolean {
  const [first, second] = scored
  if (!first) return false
  const isAlone = (second?.score ?? 0) <= first.score - minLead
  if (first.draft.isIdentified) return !second?.draft.isIdentified
  if (text === '' || isNobody(text) || first.contradicts) return false
  const isCertain = first.agrees || (first.draft.isSame && !isFirstNameOnly(first.entity, text))
  return isCertain && isAlone && first.score >= minMatchScore
}

const isFirstNameOnly = ({ type, values }: Entity, text: string): boolean =>
  type === 'agents' && values?.kind === 'Person' && !/\p{L}\p{M}*[\s,]+\S/u.test(text.trim())
