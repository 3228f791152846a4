// The title of a list: what it lists, in words, such as "Zines in Spanish about feminism, 1990s".

import { message } from '../message.js'
import { english, type Translator } from '../messages/translator.js'
import type { ResourceName } from '../model/iris.js'
import type { ChosenFilter } from './components/facets.js'
import { resourceTitle } from './links.js'

/** What of a filter its title says. */
export type TitleFilter = Pick<ChosenFilter, 'param' | 'value' | 'label' | 'text'>

type Phrase = (
  translator: Translator,
  words: readonly string[],
  values: readonly string[],
  join: Join,
) => string

type Join = 'and' | 'or'

/** @param pattern a text with the words of the filter */
const after =
  (pattern: string): Phrase =>
  (translator, words, _, join) =>
    ` ${translator.t(pattern, { words: listOf(translator, words, join) })}`

const aside =
  (pattern: string): Phrase =>
  (translator, words, _, join) =>
    `, ${translator.t(pattern, { words: listOf(translator, words, join) })}`

const yesOrNo =
  (yes: string, no: string): Phrase =>
  ({ t }, _, [value]) =>
    `, ${t(value === 'true' ? yes : no)}`

const asItIs: Phrase = (translator, words, _, join) => `, ${listOf(translator, words, join)}`

/** By parameter, in the order of the title; what is not here comes last, with its label. */
const phrases: Readonly<Record<ResourceName, Readonly<Record<string, Phrase>>>> = {
  zines: {
    genre: after(message('of the genre {words}')),
    format: after(message('in the format {words}')),
    language: after(message('in {words}|language')),
    subject: after(message('about {words}')),
    creator: after(message('by {words}')),
    contributor: after(message('with contributions by {words}')),
    publisher: after(message('published by {words}')),
    place: after(message('from {words}')),
    repository: after(message('at {words}')),
    year: asItIs,
    decade: asItIs,
    year__gte: aside(message('from {words}|year')),
    year__lte: aside(message('until {words}')),
    undated: yesOrNo(message('undated'), message('dated')),
    has_holding: yesOrNo(message('in a library'), message('in no library')),
    content_advice: aside(message('with the content advice {words}')),
    content_advice__not_in: aside(message('without the content advice {words}')),
    digital: yesOrNo(message('available digitally'), message('not available digitally')),
  },
  agents: { kind: after(message('of the kind {words}')) },
  repositories: {
    repository_kind: after(message('of the kind {words}')),
    country: after(message('in {words}|country')),
    status: asItIs,
  },
  holdings: {
    zine_id: after(message('of {words}')),
    repository_id: after(message('at {words}')),
    access_status: asItIs,
    digital_available: yesOrNo(message('available digitally'), message('not available digitally')),
  },
}

const shared: Readonly<Record<string, Phrase>> = {
  q: ({ t }, _, [q]) => ` ${t('matching “{words}”', { words: q })}`,
  list: ({ t }, [title = '']) => ` ${t('on the list “{words}”', { words: title })}`,
  search: ({ t }, _, [search]) => ` ${t('with “{words}”', { words: search })}`,
  updated_since: aside(message('changed since {words}')),
  updated_before: aside(message('changed before {words}')),
}

/** @param filters the search and the filters in force, with their texts in the language */
export function listTitle(
  name: ResourceName,
  filters: readonly TitleFilter[],
  translator = english,
): string {
  const title = translator.t(resourceTitle(name))
  const groups = new Map<string, TitleFilter[]>()
  for (const filter of withRange(filters)) {
    const group = filter.param.replace(/__(?:in|all)$/, '')
    groups.set(group, [...(groups.get(group) ?? []), filter])
  }
  const known = { ...phrases[name], ...shared }
  const parts = Object.entries(known).flatMap(([group, phrase]) => {
    const ofGroup = groups.get(group)
    if (!ofGroup) return []
    const join: Join = ofGroup.some(({ param }) => param.endsWith('__all')) ? 'and' : 'or'
    return phrase(
      translator,
      ofGroup.map(({ text }) => text),
      ofGroup.map(({ value }) => value),
      join,
    )
  })
  const others = [...groups].filter(([group]) => !(group in known))
  const asides = parts.filter(isAside)
  return [
    title,
    ...parts.filter((part) => !isAside(part)),
    ...asides,
    ...others.map(
      ([, ofGroup]) =>
        `, ${translator.t('{label}: {value}', {
          label: translator.t(ofGroup[0]?.label ?? ''),
          value: ofGroup.map(({ text }) => text).join(', '),
        })}`,
    ),
  ].join('')
}

const isAside = (part: string): boolean => part.startsWith(',')

/** Two years as one range. */
function withRange(filters: readonly TitleFilter[]): readonly TitleFilter[] {
  const [from, to] = ['year__gte', 'year__lte'].map((name) =>
    filters.find(({ param }) => param === name),
  )
  if (!from || !to) return filters
  const others = filters.filter((filter) => filter !== from && filter !== to)
  return [...others, { ...from, param: 'year', text: `${from.text}–${to.text}` }]
}

/** `a, b or c`. */
function listOf({ t }: Translator, words: readonly string[], join: Join): string {
  const last = words.at(-1) ?? ''
  if (words.length < 2) return last
  const first = words.slice(0, -1).join(', ')
  return join === 'and'
    ? t('{first} and {last}', { first, last })
    : t('{first} or {last}', { first, last })
}
