// Answers reconciliation queries: finds entities by name, compares their properties, and gives each
// a score from 0 to 100 (docs/reference/reconciliation.md, "Scores"). Knows no HTTP.

import type { Lists } from '../../catalogue/lists.js'
import type { FoundName } from '../../lib/names/name-index.js'
import { isNobody } from '../../lib/names/name-likeness.js'
import { createYielder } from '../../lib/scheduling.js'
import {
  type CandidateSources,
  type Draft,
  type NamedMakers,
  CandidateSearch,
  sizeOf,
} from './candidates.js'
import {
  type Entities,
  type Entity,
  type EntityKey,
  type EntityType,
  entityTypes,
  writeKey,
} from './entities.js'
import {
  type CompareProperty,
  type ComparisonSources,
  type QueryProperty,
  adjustScore,
  createComparison,
  valueText,
  yearOf,
} from './properties.js'

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

export type ReconcilerSources = CandidateSources &
  ComparisonSources & {
    readonly entities: Entities
    readonly catalogue: CandidateSources['catalogue'] & Pick<Lists, 'facetCounts'>
  }

/** So many candidates of all are compared by their properties. */
const maxPropertiesCompared = 10

/** A match leads by so many points, and has at least so many. */
const minLead = 10
const minMatchScore = 85

type Scored = Omit<Candidate, 'isMatch'> & {
  readonly draft: Draft
  readonly agrees: boolean
  readonly contradicts: boolean
}

export class Reconciler {
  readonly #entities: Entities
  readonly #search: CandidateSearch
  readonly #catalogue: Pick<Lists, 'facetCounts'>
  readonly #compare: CompareProperty

  constructor(sources: ReconcilerSources) {
    this.#entities = sources.entities
    this.#search = new CandidateSearch(sources)
    this.#catalogue = sources.catalogue
    this.#compare = createComparison(sources)
  }

  /** The candidates, the best first. */
  async reconcile(query: ReconciliationQuery): Promise<readonly Candidate[]> {
    const types = query.types.length > 0 ? query.types : entityTypes
    const named = await this.#search.makersIn(query.properties)
    const drafts = await this.#search.find({ ...query, types, named })
    const compared = drafts.slice(0, Math.max(maxPropertiesCompared, query.limit))
    const read = await this.#entities.read(compared)
    const scored: Scored[] = []
    const best = compared[0]?.likeness ?? 0
    const isNear = ({ likeness }: Draft): boolean => likeness > best - maxYearDistance
    for (const draft of compared) {
      const entity = read.get(writeKey(draft))
      if (entity)
        scored.push(await this.#scoreOf(draft, entity, query, { named, isNear: isNear(draft) }))
    }
    scored.sort(
      (a, b) =>
        b.score - a.score ||
        sizeOf(b.entity) - sizeOf(a.entity) ||
        (a.entity.id < b.entity.id ? -1 : 1),
    )
    const match = findMatch(query, scored)
    return scored.slice(0, query.limit).map(({ entity, score, features }, index) => ({
      entity,
      score,
      features,
      isMatch: match && index === 0,
    }))
  }

  /** The answers to several queries, in their order; other work runs in between. */
  async reconcileAll(
    queries: readonly ReconciliationQuery[],
  ): Promise<readonly (readonly Candidate[])[]> {
    const answers: (readonly Candidate[])[] = []
    const maybeYield = createYielder()
    for (const query of queries) {
      answers.push(await this.reconcile(query))
      await maybeYield()
    }
    return answers
  }

  /** The entities whose names begin so, or are like it. */
  async suggest(
    prefix: string,
    types: readonly EntityType[],
    limit: number,
  ): Promise<readonly Entity[]> {
    const keys = new Map<string, EntityKey & { readonly likeness: number }>()
    const add = (type: EntityType, names: readonly FoundName[], offset: number): void => {
      for (const { id, likeness } of names) {
        const key = writeKey({ type, id })
        if (!keys.has(key)) keys.set(key, { type, id, likeness: likeness + offset })
      }
    }
    for (const key of this.#search.identified(prefix, types, []))
      keys.set(writeKey(key), { ...key, likeness: 9 })
    for (const type of types) add(type, await this.#search.beginning(type, prefix, limit), 1)
    if (keys.size < limit)
      for (const type of types)
        add(
          type,
          (await this.#search.byName(type, prefix)).filter(
            ({ likeness }) => likeness >= minSuggestedLikeness,
          ),
          0,
        )
    const best = [...keys.values()].sort((a, b) => this.#search.compare(a, b)).slice(0, limit)
    const read = await this.#entities.read(best)
    return best.flatMap((key) => read.get(writeKey(key)) ?? [])
  }

  async #scoreOf(
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
      const agreement = await this.#agreementOf(entity, property, context)
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

  async #agreementOf(
    entity: Entity,
    property: QueryProperty,
    { named, isNear }: ScoringContext,
  ): Promise<number | undefined> {
    if (entity.type === 'agents' && property.pid === 'zine')
      return named?.isKnown ? (named.makers.get(entity.id) ?? 0) : undefined
    const agreement = this.#compare(entity, property)
    return isNear && entity.type === 'agents' && property.pid === 'year' && agreement !== 1
      ? ((await this.#hasZineOfYear(entity.id, property)) ?? agreement)
      : agreement
  }

  /** Whether an agent made a zine of the year; undefined where no zine of the agent has a year. */
  async #hasZineOfYear(agent: string, { values }: QueryProperty): Promise<number | undefined> {
    const years = values
      .map((value) => yearOf(valueText(value)))
      .filter((year) => year !== undefined)
    if (years.length === 0) return undefined
    const query = { filters: new Map([['creator', agent]]), search: '', ordering: [] }
    const counts = await this.#catalogue.facetCounts('zines', 'year', query)
    if (counts.length === 0) return undefined
    return counts.some(({ value }) => years.includes(Number(value))) ? 1 : 0
  }
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

/** Properties that make a name that is only alike certain. */
const tellingProperties = new Set(['zine', 'creator'])

const minSuggestedLikeness = 0.6

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
