// Judged queries over a real collection: what a reader types, and which records answer it. They are derived from the data
// by rules, with records chosen by a fixed random sequence, so that nothing can be tuned to one query; a few are written
// by hand. The figures: judged-search.ts.

import type { ResourceName } from '../src/model/iris.js'
import { type RecordValues, listValue, textValue } from '../src/model/record/values.js'
import { type Vocabulary, altLabelsOf } from '../src/model/vocabulary.js'
import type { Collection } from './collection.js'
import { type Random, createRandom } from './random.js'

export type JudgedQuery = {
  /** What readers do, such as `title, misspelt`. */
  readonly kind: string
  /** Known items and makers have one answer, which has to be the first. */
  readonly group: 'known item' | 'maker' | 'other'
  /** The list that is searched; undefined for the search of all kinds. */
  readonly list: ResourceName | undefined
  readonly q: string
  /** Whether a record answers it, by its kind and identifier. */
  readonly isAnswer: (name: ResourceName, id: string) => boolean
}

type Rule = {
  readonly kind: string
  readonly group: JudgedQuery['group']
  readonly count: number
  readonly make: (source: Source) => Omit<JudgedQuery, 'kind' | 'group'> | undefined
}

type Source = Collection & {
  readonly random: Random
  readonly zine: RecordValues
  readonly agent: RecordValues
  readonly zinesWith: (isWanted: (zine: RecordValues) => boolean) => ReadonlySet<string>
}

/** The queries of all rules. */
export function judgedQueries(collection: Collection): readonly JudgedQuery[] {
  const { zines, agents } = collection.records
  const random = createRandom(16)
  const zinesWith = (isWanted: (zine: RecordValues) => boolean): ReadonlySet<string> =>
    new Set(zines.filter(isWanted).map((zine) => textValue(zine, 'zine_id')))
  const people = agents.filter(
    (agent) => textValue(agent, 'display_name').split(' ').length === 2 && makes(agent),
  )
  function makes(agent: RecordValues): boolean {
    const id = textValue(agent, 'agent_id')
    return zines.some((zine) => listValue(zine, 'creator').includes(id))
  }
  return rules.flatMap(({ kind, group, count, make }) => {
    const made: JudgedQuery[] = []
    // Not every record has what a rule needs.
    for (let attempt = 0; attempt < 3000 && made.length < count; attempt += 1) {
      const query = make({
        ...collection,
        random,
        zine: random.pick(zines),
        agent: random.pick(people),
        zinesWith,
      })
      if (query && !made.some(({ q }) => q === query.q)) made.push({ kind, group, ...query })
    }
    return made
  })
}

const titleOf = (zine: RecordValues): string => textValue(zine, 'title')
const issueOf = (zine: RecordValues): string => textValue(zine, 'issue_designation')
const nameOf = (agent: RecordValues): string => textValue(agent, 'display_name')

/** A title of two to five plain words. */
const isPlain = (title: string): boolean =>
  /^[A-Za-z]+(?: [A-Za-z]+){1,4}$/.test(title) && title.length >= 9

const sameTitle = (zine: RecordValues) => (other: RecordValues) =>
  comparable(titleOf(other)) === comparable(titleOf(zine))

/** Without the article, wherever it stands. */
const comparable = (title: string): string => title.toLowerCase().replace(/^the |, the$/, '')

const inZines = (q: string, answers: ReadonlySet<string>) => ({
  list: 'zines' as const,
  q,
  isAnswer: (name: ResourceName, id: string) => name === 'zines' && answers.has(id),
})

/** A word with one letter left out, doubled, replaced or swapped with the next. */
export function misspell(text: string, random: Random): string {
  const words = text.split(' ')
  const longest = words.reduce((a, b) => (b.length > a.length ? b : a))
  const at = random.between(1, longest.length - 3)
  const [before, letter, next, after] = [
    longest.slice(0, at),
    longest[at] ?? '',
    longest[at + 1] ?? '',
    longest.slice(at + 2),
  ]
  const forms = [
    before + next + after,
    before + letter + letter + next + after,
    `${before}${letter === 'e' ? 'a' : 'e'}${next}${after}`,
    before + next + letter + after,
  ]
  const form = forms[random.between(0, forms.length - 1)] ?? longest
  return words.map((word) => (word === longest ? form : word)).join(' ')
}

const byMaker = (agent: RecordValues) => (zine: RecordValues) =>
  listValue(zine, 'creator').includes(textValue(agent, 'agent_id'))

/** Whether a query is one of the words of a name in another case, of which there are others. */
const sameName = (collection: Collection, agent: RecordValues): ReadonlySet<string> =>
  new Set(
    collection.records.agents
      .filter((other) => nameOf(other).toLowerCase() === nameOf(agent).toLowerCase())
      .map((other) => textValue(other, 'agent_id')),
  )

function titled(change: (title: string, random: Random) => string): Rule['make'] {
  return ({ zine, zinesWith, random }) => {
    if (!isPlain(titleOf(zine))) return undefined
    return inZines(change(titleOf(zine), random), zinesWith(sameTitle(zine)))
  }
}

const madeBy =
  (change: (name: string, random: Random) => string): Rule['make'] =>
  ({ agent, zinesWith, random }) => {
    if (!/^[A-Z][a-z]{3,} [A-Z][a-z]{4,}$/.test(nameOf(agent))) return undefined
    return inZines(change(nameOf(agent), random), zinesWith(byMaker(agent)))
  }

const agentCalled =
  (list: 'agents' | undefined, change: (name: string, random: Random) => string): Rule['make'] =>
  (source) => {
    const { agent, random } = source
    if (!/^[A-Z][a-z]{3,} [A-Z][a-z]{4,}$/.test(nameOf(agent))) return undefined
    const answers = sameName(source, agent)
    return {
      list,
      q: change(nameOf(agent), random),
      isAnswer: (name, id) => name === 'agents' && answers.has(id),
    }
  }

const same = (text: string): string => text

/** Labels that are of one subject only, with the zines that have it. */
function aboutSubject(
  labelsOf: (vocabulary: Vocabulary, code: string) => readonly string[],
): Rule['make'] {
  return ({ zine, zinesWith, random, vocabularies }) => {
    const codes = listValue(zine, 'subject')
    const code = codes[random.between(0, Math.max(0, codes.length - 1))] ?? ''
    const [label] = labelsOf(vocabularies.subjects, code)
    if (label === undefined) return undefined
    const said = new RegExp(`\\b${label.replace(/[^\w ]/g, '.')}`, 'i')
    return inZines(
      label,
      zinesWith((one) => listValue(one, 'subject').includes(code) || said.test(titleOf(one))),
    )
  }
}

const words = (text: string): string[] => text.match(/[A-Za-z]{4,}/g) ?? []

// prettier-ignore
const rules: readonly Rule[] = [
  { kind: 'title', group: 'known item', count: 8, make: titled(same) },
  { kind: 'title in capitals', group: 'known item', count: 3, make: titled((title) => title.toUpperCase()) },
  { kind: 'title, misspelt', group: 'known item', count: 8, make: titled(misspell) },
  { kind: 'title, words in another order', group: 'known item', count: 4, make: titled((title) => title.split(' ').reverse().join(' ')) },
  { kind: 'title, last word begun', group: 'known item', count: 5, make: titled((title) => title.slice(0, -2)) },
  { kind: 'title as a phrase', group: 'known item', count: 3, make: titled((title) => `"${title}"`) },
  { kind: 'title, words joined by a hyphen', group: 'known item', count: 2, make: titled((title) => title.replace(' ', '-')) },
  { kind: 'title and issue', group: 'known item', count: 6, make: ({ zine, zinesWith }) => {
    const [, number] = /^no\. (\d+)$/.exec(issueOf(zine)) ?? []
    if (number === undefined || !isPlain(titleOf(zine))) return undefined
    return inZines(`${titleOf(zine)} ${number}`, zinesWith((other) => sameTitle(zine)(other) && issueOf(other) === issueOf(zine)))
  } },
  { kind: 'inverted article', group: 'known item', count: 4, make: ({ zine, zinesWith }) => {
    const [, title] = /^([A-Z][a-z]{3,}(?: [A-Z][a-z]+)*), The$/.exec(titleOf(zine)) ?? []
    return title === undefined ? undefined : inZines(`The ${title}`, zinesWith(sameTitle(zine)))
  } },
  { kind: 'title with an apostrophe, without it', group: 'known item', count: 3, make: ({ zine, zinesWith }) => {
    const title = titleOf(zine)
    return /^[A-Za-z]+['’][a-z]+ [A-Za-z ]+$/.test(title) ? inZines(title.replace(/['’]/, ''), zinesWith(sameTitle(zine))) : undefined
  } },
  { kind: 'title with &, written and', group: 'known item', count: 2, make: ({ zine, zinesWith }) => {
    const title = titleOf(zine)
    return /^[A-Za-z ]+ & [A-Za-z ]+$/.test(title) ? inZines(title.replace('&', 'and'), zinesWith(sameTitle(zine))) : undefined
  } },
  { kind: 'identifier', group: 'known item', count: 3, make: ({ zine }) => inZines(textValue(zine, 'zine_id'), new Set([textValue(zine, 'zine_id')])) },
  { kind: 'title and maker', group: 'known item', count: 4, make: (source) => {
    const { zine, zinesWith, records } = source
    const [id] = listValue(zine, 'creator')
    const maker = records.agents.find((agent) => textValue(agent, 'agent_id') === id)
    if (!maker || id === 'unknown' || !isPlain(titleOf(zine))) return undefined
    return inZines(`${titleOf(zine)} ${nameOf(maker)}`, zinesWith((one) => sameTitle(zine)(one) && byMaker(maker)(one)))
  } },
  { kind: 'zines of a maker', group: 'maker', count: 5, make: madeBy(same) },
  { kind: 'zines of a maker, misspelt', group: 'maker', count: 5, make: madeBy(misspell) },
  { kind: 'zines of a maker, family name first', group: 'maker', count: 3, make: madeBy((name) => name.split(' ').reverse().join(', ')) },
  { kind: 'maker', group: 'maker', count: 4, make: agentCalled('agents', same) },
  { kind: 'maker, misspelt', group: 'maker', count: 4, make: agentCalled('agents', misspell) },
  { kind: 'maker among all kinds', group: 'maker', count: 4, make: agentCalled(undefined, same) },
  { kind: 'maker, last name begun', group: 'maker', count: 3, make: agentCalled('agents', (name) => name.slice(0, -2)) },
  { kind: 'subject', group: 'other', count: 6, make: aboutSubject((vocabulary, code) => [vocabulary.find(code)?.label ?? ''].filter(Boolean)) },
  { kind: 'subject, by another label', group: 'other', count: 5, make: aboutSubject(altLabelsOf) },
  { kind: 'subject and decade', group: 'other', count: 4, make: ({ zine, zinesWith }) => {
    const [code = ''] = listValue(zine, 'subject')
    const [, decade] = /^(\d{3})\d/.exec(listValue(zine, 'date')[0] ?? '') ?? []
    if (decade === undefined || !/^[a-z]+$/.test(code)) return undefined
    const said = new RegExp(`\\b${code.replace(/s$/, '')}`, 'i')
    return inZines(`${code} ${decade}0s`, zinesWith((one) => (listValue(one, 'subject').includes(code) || said.test(titleOf(one))) && (listValue(one, 'date')[0] ?? '').startsWith(decade)))
  } },
  { kind: 'words of the abstract', group: 'other', count: 4, make: ({ zine }) => {
    const found = words(textValue(zine, 'abstract')).sort((a, b) => b.length - a.length).slice(0, 4)
    return found.length < 4 ? undefined : inZines(found.join(' '), new Set([textValue(zine, 'zine_id')]))
  } },
  { kind: 'words of the contents', group: 'other', count: 3, make: ({ zine }) => {
    const found = words(textValue(zine, 'table_of_contents')).sort((a, b) => b.length - a.length).slice(0, 4)
    return found.length < 4 ? undefined : inZines(found.join(' '), new Set([textValue(zine, 'zine_id')]))
  } },
  { kind: 'phrase of the notes', group: 'other', count: 3, make: ({ zine, zinesWith }) => {
    const phrase = /^[A-Za-z]+(?: [A-Za-z]+){3,}/.exec(listValue(zine, 'public_notes')[0] ?? '')?.[0]
    return phrase === undefined ? undefined : inZines(`"${phrase}"`, zinesWith((one) => listValue(one, 'public_notes').some((note) => note.toLowerCase().includes(phrase.toLowerCase()))))
  } },
  { kind: 'title and place', group: 'other', count: 3, make: ({ zine, zinesWith }) => {
    const city = /^[A-Z][a-z]+/.exec(listValue(zine, 'place_of_publication')[0] ?? '')?.[0]
    if (city === undefined || !isPlain(titleOf(zine))) return undefined
    return inZines(`${titleOf(zine)} ${city}`, zinesWith((one) => sameTitle(zine)(one)))
  } },
  { kind: 'title without a word', group: 'other', count: 3, make: ({ zine, zinesWith }) => {
    const [first = '', second = '', ...rest] = titleOf(zine).split(' ')
    if (!isPlain(titleOf(zine)) || rest.length > 0) return undefined
    const without = new RegExp(`\\b${second}`, 'i')
    const answers = zinesWith((one) => new RegExp(`\\b${first}`, 'i').test(titleOf(one)) && !without.test(titleOf(one)))
    return answers.size === 0 ? undefined : inZines(`title:${first} -${second}`, answers)
  } },
  { kind: 'call number', group: 'other', count: 3, make: ({ zine }) => {
    const id = textValue(zine, 'zine_id')
    return { list: 'holdings', q: id, isAnswer: (name, found) => name === 'holdings' && found.endsWith(id) }
  } },
  { kind: 'by hand: riot grrl', group: 'other', count: 1, make: ({ zinesWith }) => inZines('riot grrl', zinesWith((one) => /riot grr+l/i.test(JSON.stringify(one)) || listValue(one, 'subject').some((code) => code.startsWith('riot')))) },
  { kind: 'by hand: Jenna Freedman', group: 'maker', count: 1, make: ({ zinesWith }) => inZines('Jenna Freedman', zinesWith((one) => listValue(one, 'creator').includes('freedman-jenna'))) },
  { kind: 'by hand: café', group: 'other', count: 1, make: ({ zinesWith }) => inZines('café', zinesWith((one) => /caf[eé]/i.test(JSON.stringify(one)))) },
  { kind: 'by hand: feminism', group: 'other', count: 1, make: ({ zinesWith }) => inZines('feminism', zinesWith((one) => listValue(one, 'subject').includes('feminism') || /feminism/i.test(titleOf(one)))) },
]
