// Finds the zines that are most like a zine: those that share a maker, a subject, a genre, a place, a
// decade or the series with it. What few zines have tells more than what many have
// (docs/reference/explore.md, "Similar zines").

import type { Catalogue } from '../../catalogue/catalogue.js'
import { isDecade } from '../../catalogue/list-facets.js'
import { wholeList } from '../../catalogue/lists.js'
import { yearsOfAll } from '../../model/dates.js'
import { type FindPlace, placesNamedIn } from '../../model/place-names.js'
import { type RecordValues, listValue, textValue } from '../../model/record/values.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import { seriesOf } from '../../model/series.js'

/** How much it tells that two zines share something, by the filter of lists that finds it. */
const weights = {
  creator: 1.5,
  series: 1.5,
  subject: 1,
  place: 0.7,
  genre: 0.5,
  decade: 0.3,
} as const

export type TraitName = keyof typeof weights

export const traitNames = Object.keys(weights) as readonly TraitName[]

/** A value of a zine, as the filter takes it. */
export type Trait = { readonly name: TraitName; readonly value: string }

export type SimilarZine = {
  readonly record: ResolvedRecord
  /** What both have, the most telling first. */
  readonly shared: readonly Trait[]
}

type WeighedTrait = Trait & {
  readonly weight: number
  /** Of the zines that have it, those that were added last. */
  readonly ids: readonly string[]
}

/** So many are found. */
export const maxShown = 6

/** Of a trait that more zines have, those that were added last are looked at. */
const ofOneTrait = { offset: 0, limit: 300 }

/** So many of the zines that share most are read and compared at once, and so many in all. */
const batchSize = 20
const maxCompared = 100

/** Other issues of one series would leave no room for what a reader does not know yet. */
const maxOfOneSeries = 2

type SimilarDependencies = {
  readonly catalogue: Pick<Catalogue, 'count' | 'findIds' | 'readForLists'>
  readonly findPlace: FindPlace
}

/** @returns the public zines that are most like a zine, the most alike first */
export async function findSimilarZines(
  { catalogue, findPlace }: SimilarDependencies,
  { values }: Pick<ResolvedRecord, 'values'>,
): Promise<readonly SimilarZine[]> {
  const traits = await weigh(catalogue, traitsOf(values, findPlace))
  const scores = addWeights(traits)
  scores.delete(textValue(values, 'zine_id'))
  const nearest = [...scores].sort(byScore).slice(0, maxCompared)
  const compared: ComparedZine[] = []
  let similar: readonly SimilarZine[] = []
  for (let start = 0; start < nearest.length && similar.length < maxShown; start += batchSize) {
    const batch = nearest.slice(start, start + batchSize)
    const records = await catalogue.readForLists(batch.map(([id]) => ({ target: 'zines', id })))
    compared.push(...records.map((record) => compare(record, traits, findPlace)))
    similar = withFewOfOneSeries(
      compared
        .filter(({ shared }) => shared.some(({ name }) => !isOfMany(name)))
        .sort((a, b) => byScore([idOf(a), a.score], [idOf(b), b.score])),
    )
  }
  return similar.slice(0, maxShown)
}

/** By itself it makes no zine similar. */
const isOfMany = (name: TraitName): boolean => name === 'genre' || name === 'decade'

function traitsOf(values: RecordValues, findPlace: FindPlace): readonly Trait[] {
  const { named = [] } = yearsOfAll(listValue(values, 'date')) ?? {}
  const places = placesNamedIn(listValue(values, 'place_of_publication'), findPlace)
  const texts: Readonly<Record<TraitName, readonly string[]>> = {
    creator: listValue(values, 'creator'),
    series: seriesOf(values).map(({ slug }) => slug),
    subject: listValue(values, 'subject'),
    place: places.map(({ geoname_id: id }) => String(id)),
    genre: listValue(values, 'genre'),
    decade: named.filter(isDecade).map((decade) => decade.replace(/X$/, '0')),
  }
  return traitNames.flatMap((name) => texts[name].map((value) => ({ name, value })))
}

/** What other zines have too, the most telling first. A trait weighs by its inverse frequency. */
async function weigh(
  catalogue: SimilarDependencies['catalogue'],
  traits: readonly Trait[],
): Promise<readonly WeighedTrait[]> {
  const all = await catalogue.count('zines', wholeList)
  const weighed = await Promise.all(
    traits.map(async ({ name, value }) => {
      const query = { ...wholeList, filters: new Map([[name, value]]) }
      const { count, ids } = await catalogue.findIds('zines', query, ofOneTrait)
      return { name, value, count, ids, weight: weights[name] * Math.log(all / count) }
    }),
  )
  return weighed.filter(({ count }) => count > 1).sort((a, b) => b.weight - a.weight)
}

/** The zines that have some of the traits, with the weights of these together. */
function addWeights(traits: readonly WeighedTrait[]): Map<string, number> {
  const scores = new Map<string, number>()
  for (const { ids, weight } of traits)
    for (const id of ids) scores.set(id, (scores.get(id) ?? 0) + weight)
  return scores
}

type ComparedZine = SimilarZine & { readonly score: number }

function compare(
  record: ResolvedRecord,
  traits: readonly WeighedTrait[],
  findPlace: FindPlace,
): ComparedZine {
  const keys = new Set(traitsOf(record.values, findPlace).map(keyOf))
  const shared = traits.filter((trait) => keys.has(keyOf(trait)))
  return { record, shared, score: shared.reduce((sum, { weight }) => sum + weight, 0) }
}

const keyOf = ({ name, value }: Trait): string => `${name} ${value}`

const idOf = ({ record }: SimilarZine): string => textValue(record.values, 'zine_id')

type Scored = readonly [id: string, score: number]

/** The highest score first, then by code point. */
const byScore = ([a, scoreOfA]: Scored, [b, scoreOfB]: Scored): number =>
  scoreOfB - scoreOfA || (a < b ? -1 : 1)

function withFewOfOneSeries(zines: readonly SimilarZine[]): readonly SimilarZine[] {
  const counts = new Map<string, number>()
  return zines.filter(({ record }) => {
    const slugs = seriesOf(record.values).map(({ slug }) => slug)
    for (const slug of slugs) counts.set(slug, (counts.get(slug) ?? 0) + 1)
    return slugs.every((slug) => (counts.get(slug) ?? 0) <= maxOfOneSeries)
  })
}
