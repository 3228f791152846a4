// Says where in a record the words of a search occur: in its title, and in the fields, names and
// labels that the search looks at (text-fields.ts), for pages that show the results. It reads only
// what everybody may see.

import type { ResourceName } from '../../model/iris.js'
import {
  type Snippet,
  type TextRange,
  type WordMarks,
  markRanges,
} from '../../model/marked-text.js'
import { labelOfReference } from '../../model/record/title.js'
import { listValue, textValue, type RecordValues } from '../../model/record/values.js'
import {
  type RecordLookup,
  type Reference,
  type ResolvedRecord,
  valuesIn,
} from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { otherLabelsOf } from '../../model/vocabulary.js'
import { type Clause, parseTextQuery } from '../../queries/text-query.js'
import { createYielder } from '../../lib/scheduling.js'
import { textFieldNames, textFields } from './text-fields.js'
import { type FindRanges, createRangeFinder, readTokens } from './word-ranges.js'

export type WordMarking = {
  /** Where each of these records has the words of a search. */
  markWords(records: readonly ResolvedRecord[], q: string): Promise<readonly WordMarks[]>
}

type WordMarkDependencies = {
  readonly resources: Resources
  readonly reads: {
    /** Reads what everybody may see of records. */
    find(references: readonly Reference[]): Promise<RecordLookup>
  }
  readonly lists: {
    withHoldings(listed: readonly ResolvedRecord[]): Promise<readonly ResolvedRecord[]>
  }
}

/** The texts of a field that a search looks at; the first that has the words is shown. */
type SearchedTexts = {
  readonly field: string
  readonly label: string
  /** Made when they are looked at. */
  readonly texts: () => readonly string[]
  readonly language?: string
}

type TitleText = { readonly field: string; readonly text: string }

const maxSnippets = 3
const maxSnippetLength = 180

export function createWordMarking(dependencies: WordMarkDependencies): WordMarking {
  const { resources, reads } = dependencies

  async function markWords(
    records: readonly ResolvedRecord[],
    q: string,
  ): Promise<readonly WordMarks[]> {
    const clauses = parseTextQuery(q, textFieldNames).clauses.filter(
      ({ isExcluded, isOptional }) => !isExcluded && !isOptional,
    )
    const lookup = await reads.find(records.flatMap(referencesIn))
    const maybeYield = createYielder()
    const marked: WordMarks[] = []
    for (const record of records) {
      marked.push(await markRecord(record, clauses, lookup))
      await maybeYield()
    }
    return marked
  }

  async function markRecord(
    record: ResolvedRecord,
    clauses: readonly Clause[],
    lookup: RecordLookup,
  ): Promise<WordMarks> {
    const title = titleIn(record, resources)
    const search = createSearch(clauses)
    const ownTitle = search.take(title)
    // The issue stands beside the title.
    search.take(issueOf(record))
    const ranges = ownTitle?.ranges ?? []
    const shown: (Omit<Snippet, 'text'> & { text: string; ranges: TextRange[] })[] = []
    const look = (fields: readonly SearchedTexts[]): void => {
      for (const { field, label, texts, language } of fields) {
        if (search.isComplete() || shown.length >= maxSnippets) return
        const best = search.takeBest(field, texts())
        const same = shown.find((snippet) => snippet.label === label && snippet.text === best?.text)
        if (best && same) same.ranges.push(...best.ranges)
        else if (best) shown.push({ label, text: best.text, ranges: best.ranges, language })
      }
    }
    const fields = textsOf(record, resources, lookup)
    look(fields)
    if (!search.isComplete()) look(await textsOfNaming(record, dependencies))
    if (!search.isComplete()) {
      search.tolerate()
      const inTitle = search.take(title)
      if (inTitle) ranges.push(...inTitle.ranges)
      look(fields)
    }
    const snippets = shown.map(({ label, language, text, ranges: snippetRanges }) => ({
      label,
      language,
      text: markRanges(text, snippetRanges, maxSnippetLength),
    }))
    return { title: markRanges(title.text, ranges), snippets }
  }

  return { markWords }
}

/** The texts of the records that name a record, where the search looks at any: the holdings. */
async function textsOfNaming(
  record: ResolvedRecord,
  { resources, lists }: Pick<WordMarkDependencies, 'resources' | 'lists'>,
): Promise<readonly SearchedTexts[]> {
  const naming = textFields[record.resource.name].linked.filter(({ by }) => by !== undefined)
  if (naming.length === 0) return []
  const [{ holdings = [] } = {}] = record.holdings ? [record] : await lists.withHoldings([record])
  return naming.map(({ field, target }) => ({
    field,
    label: labelOf(resources, target, field),
    texts: () => holdings.map(({ values }) => textValue(values, field)),
  }))
}

/** Goes through the texts of a record until all words of a search are found. */
function createSearch(clauses: readonly Clause[]) {
  const missing = new Set(clauses)
  const finders = new Map<Clause, FindRanges>()
  const useFinders = (isTolerant: boolean): void =>
    clauses.forEach((clause, position) =>
      finders.set(clause, createRangeFinder(clauses, position, isTolerant)),
    )
  useFinders(false)

  /** The missing clauses that a text has, with where it has them. */
  function find(field: string, text: string) {
    const tokens = readTokens(text)
    const ranges: TextRange[] = []
    const clausesInText: Clause[] = []
    for (const clause of missing) {
      if (clause.field !== undefined && ![field, `${field}_id`].includes(clause.field)) continue
      const clauseRanges = finders.get(clause)?.(tokens) ?? []
      if (clauseRanges.length === 0) continue
      ranges.push(...clauseRanges)
      clausesInText.push(clause)
    }
    return { text, ranges, clausesInText }
  }

  /** The text of a field with the most missing clauses, which are missing no longer. */
  function takeBest(field: string, texts: readonly string[]) {
    const [best] = texts
      .map((text) => find(field, text))
      .sort((a, b) => b.clausesInText.length - a.clausesInText.length)
    if (!best || best.clausesInText.length === 0) return undefined
    for (const clause of best.clausesInText) missing.delete(clause)
    return best
  }

  return {
    isComplete: (): boolean => missing.size === 0,
    takeBest,
    take: ({ field, text }: TitleText) => takeBest(field, [text]),
    /** From now on, words that are spelled nearly alike are found too. */
    tolerate: (): void => useFinders(true),
  }
}

/** The records that are named in the fields that a search looks at. */
const referencesIn = ({ resource, values }: ResolvedRecord) =>
  textFields[resource.name].linked.flatMap(({ field, target, by }) =>
    by === undefined ? idsIn(values, field).map((id) => ({ target, id })) : [],
  )

const idsIn = (values: RecordValues, field: string): readonly string[] =>
  [...listValue(values, field), textValue(values, field)].filter(Boolean)

/**
 * The texts of a record's own fields, of its codes and of the records that it names, those that
 * count most first.
 */
function textsOf(
  { resource, values }: ResolvedRecord,
  resources: Resources,
  lookup: RecordLookup,
): readonly SearchedTexts[] {
  const { ownFields, labels, linked } = textFields[resource.name]
  const valuesOf = (name: string): readonly string[] => {
    const field = resource.byName.get(name)
    return field ? valuesIn(field, values) : []
  }
  const labelsOf = (name: string): readonly string[] => {
    const vocabulary = resource.byName.get(name)?.vocabulary
    return valuesOf(name).flatMap((code) => {
      const label = vocabulary?.find(code)?.label ?? code
      const others = vocabulary ? otherLabelsOf(vocabulary, { code, label }) : []
      return [label, ...others.map((other) => `${label} (${other})`)]
    })
  }
  const namesOf = (target: ResourceName, ids: readonly string[], fields: readonly string[]) =>
    ids.flatMap((id) => {
      const named = lookup({ target, id })
      if (!named) return []
      const label = labelOfReference(resources, lookup, { target, id })
      const others = fields.flatMap((field) => idsIn(named, field)).filter((name) => name !== label)
      return [label, ...others.map((other) => `${label} (${other})`)]
    })
  return [
    ...ownFields.map(({ field, weight }) => ({ field, weight, texts: () => valuesOf(field) })),
    ...labels.map(({ field, weight }) => ({
      ...{ field, weight, texts: () => labelsOf(field) },
      // The label of a code is in English; those in other languages stand behind it.
      language: 'en',
    })),
    ...linked
      .filter(({ by }) => by === undefined)
      .map(({ field, weight, target, fields }) => ({
        field,
        weight,
        texts: () => namesOf(target, idsIn(values, field), Object.keys(fields)),
      })),
  ]
    .sort((a, b) => b.weight - a.weight)
    .map((searched) => ({
      ...searched,
      label: labelOf(resources, resource.name, searched.field),
    }))
}

const labelOf = (resources: Resources, name: ResourceName, field: string): string =>
  resources[name].byName.get(field)?.label ?? field

/** What the record is called in lists: holdings by their zine. */
function titleIn({ resource, values, lookup }: ResolvedRecord, resources: Resources): TitleText {
  const { title } = resource.summary
  const field = title?.name ?? resource.id.name
  const [id] = idsIn(values, field)
  if (!title?.target || id === undefined)
    return { field, text: id ?? textValue(values, resource.id.name) }
  return { field, text: labelOfReference(resources, lookup, { target: title.target, id }) }
}

function issueOf({ resource, values }: ResolvedRecord): TitleText {
  const { subtitle } = resource.summary
  const field = subtitle?.name ?? ''
  return { field, text: textValue(values, field) }
}
