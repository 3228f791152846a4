// The title of a list: what it lists, in words, such as "Zines in Spanish about feminism, 1990s".

import type { ResourceName } from '../model/iris.js'
import type { ChosenFilter } from './components/facets.js'
import { resourceTitle } from './links.js'

/** What of a filter its title says. */
export type TitleFilter = Pick<ChosenFilter, 'param' | 'value' | 'label' | 'text'>

type Phrase = (words: readonly string[], values: readonly string[], join: string) => string

const after =
  (preposition: string): Phrase =>
  (texts, _, join) =>
    ` ${preposition} ${listOf(texts, join)}`

const yesOrNo =
  (yes: string, no: string): Phrase =>
  (_, [value]) =>
    `, ${value === 'true' ? yes : no}`

const asItIs: Phrase = (texts, _, join) => `, ${listOf(texts, join)}`

/** By parameter, in the order of the title; what is not here comes last, with its label. */
const phrases: Readonly<Record<ResourceName, Readonly<Record<string, Phrase>>>> = {
  zines: {
    genre: after('of the genre'),
    format: after('in the format'),
    language: after('in'),
    subject: after('about'),
    creator: after('by'),
    contributor: after('with contributions by'),
    publisher: after('published by'),
    place: after('from'),
    repository: after('at'),
    year: asItIs,
    decade: asItIs,
    year__gte: (texts) => `, from ${texts.join()}`,
    year__lte: (texts) => `, until ${texts.join()}`,
    undated: yesOrNo('undated', 'dated'),
    has_holding: yesOrNo('in a library', 'in no library'),
    digital: yesOrNo('available digitally', 'not available digitally'),
  },
  agents: { kind: after('of the kind') },
  repositories: { repository_kind: after('of the kind'), country: after('in'), status: asItIs },
  holdings: {
    zine_id: after('of'),
    repository_id: after('at'),
    access_status: asItIs,
    digital_available: yesOrNo('available digitally', 'not available digitally'),
  },
}

const shared: Readonly<Record<string, Phrase>> = {
  q: (_, [q]) => ` matching “${q}”`,
  search: (_, [search]) => ` with “${search}”`,
  updated_since: (texts) => `, changed since ${texts.join()}`,
  updated_before: (texts) => `, changed before ${texts.join()}`,
}

/** @param filters the search and the filters in force */
export function listTitle(name: ResourceName, filters: readonly TitleFilter[]): string {
  const title = resourceTitle(name)
  const groups = new Map<string, TitleFilter[]>()
  for (const filter of withRange(filters)) {
    const group = filter.param.replace(/__(?:in|all)$/, '')
    groups.set(group, [...(groups.get(group) ?? []), filter])
  }
  const known = { ...phrases[name], ...shared }
  const parts = Object.entries(known).flatMap(([group, phrase]) => {
    const own = groups.get(group)
    if (!own) return []
    const join = own.some(({ param }) => param.endsWith('__all')) ? 'and' : 'or'
    return phrase(
      own.map(({ text }) => text),
      own.map(({ value }) => value),
      join,
    )
  })
  const others = [...groups].filter(([group]) => !(group in known))
  const asides = parts.filter(isAside)
  return [
    title,
    ...parts.filter((part) => !isAside(part)),
    ...asides,
    ...others.map(([, own]) => `, ${own[0]?.label}: ${own.map(({ text }) => text).join(', ')}`),
  ].join('')
}

const isAside = (part: string): boolean => part.startsWith(',')

/** Two years as one range. */
function withRange(filters: readonly TitleFilter[]): readonly TitleFilter[] {
  const [from, to] = ['year__gte', 'year__lte'].map((name) =>
    filters.find(({ param }) => param === name),
  )
  if (!from || !to) return filters
  const others = filters.filter((one) => one !== from && one !== to)
  return [...others, { ...from, param: 'year', text: `${from.text}–${to.text}` }]
}

/** `a, b or c`. */
function listOf(words: readonly string[], join: string): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${join} ${last}`
}
