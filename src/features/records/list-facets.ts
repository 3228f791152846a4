// The filters of a page of a list: those that can be chosen, with the number of records that each
// would leave, and those that are. What they find is described in docs/reference/lists.md,
// "Filters" and "Further filters".

import { message } from '../../message.js'
import type { Translator } from '../../messages/translator.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { furtherFiltersOf } from '../../catalogue/list-conditions.js'
import { fieldOfNamedFacet } from '../../catalogue/list-facets.js'
import type { FacetCount, FacetOptions, ListQuery } from '../../catalogue/lists.js'
import { labelInSentence } from '../../model/label-case.js'
import {
  type Filter,
  type Resource,
  type Resources,
  filtersAndFieldsOf,
  filtersOf,
} from '../../model/resources.js'
import { worklistFilters, worklistNames } from '../../model/worklists.js'
import { yieldToEventLoop } from '../../lib/scheduling.js'
import {
  type ChosenFilter,
  type Facet,
  type FacetChoice,
  maxShownChoices,
} from '../../views/components/facets.js'
import type { TitleFilter } from '../../views/list-title.js'
import { worklistTexts } from '../../views/worklist-texts.js'
import { labelFacetCounts } from '../../http/response/facet-labels.js'
import { activeFilters } from './active-filters.js'
import { isEditorial } from './editorial-fields.js'

/** What a page of a list can be filtered by, and is. */
export type ListFilters = {
  readonly facets: readonly Facet[]
  readonly chosen: readonly ChosenFilter[]
}

type FacetDependencies = { readonly catalogue: Catalogue; readonly resources: Resources }

/** A list whose filters are shown. */
type Filtering = FacetDependencies & {
  readonly resource: Resource
  readonly query: ListQuery
  /**
   * The name of the facet of which all values are shown; that of none, such as an empty text, for
   * no facet.
   */
  readonly whole: string
  /** Whether the list is for somebody who may edit its records. */
  readonly isWriter: boolean
  readonly translator: Translator
}

type Changes = FacetChoice['changes']

/** Up to so many values of a facet are shown where all are wanted. */
const maxWholeChoices = 1000

/**
 * Finds the filters of a list, and keeps them until the next write: each page of a list has the
 * same.
 */
export const findFilters = (filtering: Filtering): Promise<ListFilters> =>
  filtering.catalogue.keepUntilNextWrite(keyOf(filtering), () => makeFilters(filtering), {
    weightOf,
  })

/** About 200 bytes for each choice. */
const weightOf = ({ facets, chosen }: ListFilters): number =>
  200 * facets.reduce((sum, { choices }) => sum + choices.length, chosen.length + 1)

/** All that the filters of a list depend on. */
const keyOf = ({ resource, query, whole, isWriter, translator: { language } }: Filtering): string =>
  JSON.stringify([
    'filters',
    resource.name,
    language,
    isWriter,
    query.seesAllLists,
    whole,
    [...query.filters].filter(([name]) => !paramsOfPlace.has(name)).sort(),
  ])

/**
 * The parameters that say which part of a list is shown, and how. All others may change what it
 * lists.
 */
const paramsOfPlace: ReadonlySet<string> = new Set(['page', 'page_size', 'ordering', 'view'])

async function makeFilters(filtering: Filtering): Promise<ListFilters> {
  const { resource } = filtering
  const facets: Facet[] = []
  const makers =
    resource.name === 'zines'
      ? zineFacets
      : resource.facets.filter(isShownTo(filtering)).map(oneValue)
  for (const make of makers) {
    // Counting blocks the event loop for a moment.
    await yieldToEventLoop()
    const facet = await make(filtering)
    const isWhole = facet.name === filtering.whole && facet.choices.length > maxShownChoices
    facets.push({ ...facet, isWhole })
  }
  const ofFacets = facets.flatMap(({ label, choices }) =>
    choices
      .filter(({ isChosen }) => isChosen)
      .map(({ label: text, ...choice }) => ({ ...choice, label, text })),
  )
  return { facets, chosen: [...ofFacets, ...(await otherFilters(filtering, ofFacets))] }
}

/** Whether a filter may be on a page: some are for those who may edit the records. */
const isShownTo =
  ({ isWriter }: Pick<Filtering, 'isWriter'>) =>
  (filter: Filter): boolean =>
    isWriter || !isEditorial(filter)

type MadeFacet = Omit<Facet, 'isWhole'>

type MakeFacet = (filtering: Filtering) => Promise<MadeFacet>

const zineFacets: readonly MakeFacet[] = [
  severalValues('subject'),
  severalValues('genre'),
  decades,
  years,
  severalValues('language'),
  (filtering) => oneValue(filterOf(filtering.resource, 'creator'))(filtering),
  repositories,
  severalValues('format'),
  holdings,
  contentAdvice,
  worklists,
]

/** A facet of which one value can be chosen, by the filter of the same name. */
function oneValue(filter: Filter): MakeFacet {
  return async (filtering) => {
    const { catalogue, resource, query } = filtering
    const { name, label } = filter
    const limit = limitOf(filtering, name)
    const chosen = valueOf(query, name)
    const including = chosen === '' ? [] : [chosen]
    const counts = await catalogue.facetCounts(resource.name, name, query, {
      mostFrequent: mostFrequentBeside(including, limit),
    })
    const labelled = await labelFacetCounts(filtering, filter, withChosen(counts, including, limit))
    return {
      name,
      label,
      choices: labelled.map((entry) =>
        choiceOf(entry, { param: name, isChosen: entry.value === chosen }),
      ),
    }
  }
}

/**
 * A facet of which several values can be chosen. Records have each of them, so that a further one
 * narrows the list, unless the address asks for any of them.
 */
function severalValues(name: string): MakeFacet {
  const [any, each] = [`${name}__in`, `${name}__all`]
  // `format` alone is the format of the answer.
  const single = name === 'format' ? undefined : name
  const params = single === undefined ? [any, each] : [single, any, each]
  const join = (values: readonly string[], isEach: boolean): Changes => {
    const [first] = values
    const isSingle = isEach && values.length === 1 && single !== undefined
    const several = first !== undefined && !isSingle ? values.join(',') : undefined
    return {
      ...(single === undefined ? {} : { [single]: isSingle ? first : undefined }),
      [any]: isEach ? undefined : several,
      [each]: isEach ? several : undefined,
    }
  }
  return async (filtering) => {
    const { catalogue, resource, query } = filtering
    const filter = filterOf(resource, name)
    const limit = limitOf(filtering, name)
    const chosen = distinct([
      ...(single === undefined ? [] : [valueOf(query, single)]),
      ...partsOf(query, any),
      ...partsOf(query, each),
    ])
    const isEach = partsOf(query, any).length === 0
    const mostFrequent = mostFrequentBeside(chosen, limit)
    const count = (counted: ListQuery, options: FacetOptions) =>
      catalogue.facetCounts(resource.name, name, counted, options)
    const others = without(query, ...params)
    const counts = isEach
      ? await count(query, { mostFrequent, isNarrowed: true })
      : added(
          await count(others, { mostFrequent }),
          await count(withFilter(others, any, chosen.join(',')), {}),
        )
    const labelled = await labelFacetCounts(filtering, filter, withChosen(counts, chosen, limit))
    return {
      name,
      label: filter.label,
      choices: labelled.map((entry): FacetChoice => {
        const isChosen = chosen.includes(entry.value)
        const values = isChosen
          ? chosen.filter((value) => value !== entry.value)
          : [...chosen, entry.value]
        const changes = join(values, isEach)
        return {
          ...entry,
          param: isEach ? each : any,
          isChosen,
          changes,
          ...(!isEach && { sign: '+' }),
        }
      }),
      ...(chosen.length > 0 && {
        joining: { isEach, changes: join(chosen, !isEach) },
      }),
    }
  }
}

/** How many records each value adds to a list, by how many have it in all and in the list. */
function added(all: readonly FacetCount[], inList: readonly FacetCount[]): FacetCount[] {
  const countOf = new Map(inList.map(({ value, count }) => [value, count]))
  return all
    .map(({ value, count }) => ({ value, count: count - (countOf.get(value) ?? 0) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
}

/** The content advice that readers leave out; each says how many zines of the list have it. */
async function contentAdvice(filtering: Filtering): Promise<MadeFacet> {
  const { catalogue, resource, query } = filtering
  const [name, param] = ['content_advice', 'content_advice__not_in']
  const chosen = partsOf(query, param)
  const limit = limitOf(filtering, name)
  const counts = await catalogue.facetCounts(resource.name, name, query, {
    mostFrequent: mostFrequentBeside(chosen, limit),
    isNarrowed: true,
  })
  const labelled = await labelFacetCounts(
    filtering,
    filterOf(resource, name),
    withChosen(counts, chosen, limit),
  )
  return {
    name,
    label: furtherFiltersOf(resource).get(param)?.label ?? '',
    choices: labelled.map((entry) => {
      const { value } = entry
      const isChosen = chosen.includes(value)
      const values = isChosen ? chosen.filter((code) => code !== value) : [...chosen, value]
      const changes = { [param]: values.length > 0 ? values.join(',') : undefined }
      return { ...entry, param, sign: '−', isChosen, changes }
    }),
  }
}

/**
 * The filters in force as the title of the list says them: labels as they stand within a sentence,
 * of languages the first name alone.
 */
export const filtersInTitle = (
  { byName }: Resource,
  chosen: readonly ChosenFilter[],
  { language }: Pick<Translator, 'language'>,
): readonly TitleFilter[] =>
  chosen.map((filter) => {
    const vocabulary = byName.get(groupOf(filter.param.replace('__not_in', '')))?.vocabulary
    if (!vocabulary) return filter
    const [first = filter.text] = filter.text.split(';')
    const isName = ['languages', 'countries'].includes(vocabulary.name)
    if (!isName) return { ...filter, text: labelInSentence(vocabulary, filter.text) }
    // Languages are written small in the others.
    const isSmall = language !== 'en' && vocabulary.name === 'languages'
    return { ...filter, text: isSmall ? first.toLocaleLowerCase(language) : first }
  })

/** The parameters that say when a zine is from; choosing a decade replaces the others. */
const noYears = {
  decade: undefined,
  year: undefined,
  year__gte: undefined,
  year__lte: undefined,
  undated: undefined,
}

async function decades({ catalogue, query, translator: { t } }: Filtering): Promise<MadeFacet> {
  const [, digits] =
    /^(\d{3})[0X]s?$/i.exec(valueOf(query, 'decade') || valueOf(query, 'year')) ?? []
  const isYear = valueOf(query, 'decade') === '' && /^\d{4}$/.test(valueOf(query, 'year'))
  const chosen = digits === undefined || isYear ? '' : `${digits}0`
  const others = without(query, ...Object.keys(noYears))
  const counts = (await catalogue.facetCounts('zines', 'year', others))
    .filter(({ value }) => value.endsWith('X'))
    .map(({ value, count }) => ({ value: value.replace('X', '0'), count }))
  const choices = withChosen(counts, chosen === '' ? [] : [chosen])
    .sort((a, b) => (a.value < b.value ? 1 : -1))
    .map(({ value, count }): FacetChoice => {
      const isChosen = value === chosen
      const changes = { ...noYears, decade: isChosen ? undefined : value }
      return {
        param: 'decade',
        value,
        label: t('{decade}s', { decade: value }),
        count,
        isChosen,
        changes,
      }
    })
  const isUndated = valueOf(query, 'undated') === 'true'
  const undated: FacetChoice = {
    param: 'undated',
    value: 'true',
    label: t('Undated'),
    count: await countIfFast(catalogue, withFilter(others, 'undated', 'true')),
    isChosen: isUndated,
    changes: { ...noYears, undated: isUndated ? undefined : 'true' },
  }
  const range = { from: valueOf(query, 'year__gte'), to: valueOf(query, 'year__lte') }
  return {
    name: 'decade',
    label: message('Decade'),
    choices: [...choices, undated].filter(isUseful),
    range,
  }
}

/** The single years, once a decade or a range of years is chosen. */
async function years(filtering: Filtering): Promise<MadeFacet> {
  const { catalogue, query } = filtering
  const chosen = valueOf(query, 'year')
  const isNarrowed = ['decade', 'year', 'year__gte', 'year__lte'].some(
    (name) => valueOf(query, name) !== '',
  )
  const counts = isNarrowed ? await catalogue.facetCounts('zines', 'year', query) : []
  const inDecade = counts.filter(({ value }) => /^\d{4}$/.test(value) && isWithin(query, value))
  const choices = withChosen(inDecade, /^\d{4}$/.test(chosen) ? [chosen] : [])
    .sort((a, b) => (a.value < b.value ? 1 : -1))
    .map((entry) =>
      choiceOf(
        { ...entry, label: entry.value },
        { param: 'year', isChosen: entry.value === chosen },
      ),
    )
  return { name: 'year', label: message('Year'), choices }
}

/** A zine with several dates has years outside the decade too, which are left out. */
function isWithin(query: ListQuery, year: string): boolean {
  const decade = valueOf(query, 'decade').slice(0, 3)
  const [from, to] = [valueOf(query, 'year__gte'), valueOf(query, 'year__lte')]
  return year.startsWith(decade) && year >= from && (to === '' || year <= to)
}

async function repositories(filtering: Filtering): Promise<MadeFacet> {
  const { catalogue, resources, query } = filtering
  const chosen = valueOf(query, 'repository')
  const counts = await catalogue.namedFacetCounts(
    'zines',
    'repository',
    without(query, 'repository'),
  )
  const labelled = await labelFacetCounts(
    filtering,
    fieldOfNamedFacet('repository', resources),
    withChosen(counts, chosen === '' ? [] : [chosen], limitOf(filtering, 'repository')),
  )
  return {
    name: 'repository',
    label: message('Library'),
    choices: labelled.map((entry) =>
      choiceOf(entry, { param: 'repository', isChosen: entry.value === chosen }),
    ),
  }
}

const heldChoices = [
  { param: 'has_holding', value: 'true', label: message('In a library') },
  { param: 'has_holding', value: 'false', label: message('In no library') },
  { param: 'digital', value: 'true', label: message('Available digitally') },
] as const

async function holdings({ catalogue, query, translator: { t } }: Filtering): Promise<MadeFacet> {
  const choices: FacetChoice[] = []
  for (const choice of heldChoices) {
    await yieldToEventLoop()
    const isChosen = valueOf(query, choice.param) === choice.value
    const count = await countIfFast(catalogue, withFilter(query, choice.param, choice.value))
    choices.push(
      choiceOf({ ...choice, label: t(choice.label), count }, { param: choice.param, isChosen }),
    )
  }
  return { name: 'held', label: message('Copies'), choices: choices.filter(isUseful) }
}

/** The worklists that no other facet has, for who may edit zines. */
async function worklists({
  catalogue,
  query,
  isWriter,
  translator: { t },
}: Filtering): Promise<MadeFacet> {
  const choices: FacetChoice[] = []
  for (const name of isWriter ? worklistNames : []) {
    const [param, value] = worklistFilters[name]
    if (param === 'undated' || param === 'has_holding') continue
    await yieldToEventLoop()
    const count = await countIfFast(catalogue, withFilter(query, param, value))
    const isChosen = valueOf(query, param) === value
    const label = t(worklistTexts[name].title)
    choices.push(choiceOf({ value, label, count }, { param, isChosen }))
  }
  return { name: 'worklist', label: message('Worklists'), choices: choices.filter(isUseful) }
}

const isUseful = ({ count, isChosen }: FacetChoice): boolean => isChosen || count !== 0

/** Over a store that is asked for each count, these are not worth it. */
const countIfFast = (catalogue: Catalogue, query: ListQuery): Promise<number | undefined> =>
  catalogue.findsWords ? catalogue.count('zines', query) : Promise.resolve(undefined)

/** The filters in force that no facet shows, so that they can be removed. */
async function otherFilters(
  filtering: Filtering,
  shown: readonly ChosenFilter[],
): Promise<ChosenFilter[]> {
  const { resource, query } = filtering
  const fields = filtersOf(resource).map(({ name }) => name)
  const isShown = (param: string): boolean =>
    shown.some(
      (filter) =>
        groupOf(filter.param) === groupOf(param) ||
        (fields.includes(param) && param in filter.changes),
    )
  const others = [...fields, ...furtherFiltersOf(resource).keys(), ...timeFilters]
    .map((name) => [name, valueOf(query, name)] as const)
    .filter(([name, value]) => value !== '' && !isShown(name))
  const described = await activeFilters(filtering, resource, others)
  return described.map(({ name, label, text }) => ({
    param: name,
    value: valueOf(query, name),
    label,
    text,
    changes: { [name]: undefined },
  }))
}

/** The field that several filters take codes of. */
const groupOf = (param: string): string => param.replace(/__(?:in|all)$/, '')

const timeFilters = ['updated_since', 'updated_before']

const choiceOf = (
  entry: Pick<FacetChoice, 'value' | 'label' | 'language' | 'count'>,
  { param, isChosen }: { readonly param: string; readonly isChosen: boolean },
): FacetChoice => ({
  ...entry,
  param,
  isChosen,
  changes: { [param]: isChosen ? undefined : entry.value },
})

/**
 * How many values are needed, besides those that are chosen: one more than are shown tells that
 * there are more.
 */
const limitOf = ({ whole }: Filtering, name: string): number =>
  name === whole ? maxWholeChoices : maxShownChoices + 1

/** The values that `withChosen` takes. */
const mostFrequentBeside = (chosen: readonly string[], limit: number) => ({
  limit: limit + chosen.length,
  including: chosen,
})

/** The most frequent values, after those that are chosen, however frequent these are. */
function withChosen(
  counts: readonly FacetCount[],
  chosen: readonly string[],
  limit = maxWholeChoices,
): FacetCount[] {
  const countOf = new Map(counts.map(({ value, count }) => [value, count]))
  const others = counts.filter(({ value }) => !chosen.includes(value)).slice(0, limit)
  return [...chosen.map((value) => ({ value, count: countOf.get(value) ?? 0 })), ...others]
}

const valueOf = ({ filters }: ListQuery, name: string): string => filters.get(name)?.trim() ?? ''

const partsOf = (query: ListQuery, name: string): readonly string[] =>
  distinct(
    valueOf(query, name)
      .split(',')
      .map((value) => value.trim()),
  )

const distinct = (values: readonly string[]): string[] => [...new Set(values.filter(Boolean))]

function without(query: ListQuery, ...names: readonly string[]): ListQuery {
  const filters = new Map(query.filters)
  for (const name of names) filters.delete(name)
  return { ...query, filters }
}

const withFilter = (query: ListQuery, name: string, value: string): ListQuery => ({
  ...query,
  filters: new Map(query.filters).set(name, value),
})

function filterOf(resource: Resource, name: string): Filter {
  const filter = filtersAndFieldsOf(resource).find((candidate) => candidate.name === name)
  if (!filter) throw new Error(`${resource.name} have no filter ${name}`)
  return filter
}
