// What is typed into a form where a code or an identifier is asked for: without scripts it may be
// the label of the code or the title of the record. The script of the form does the same while
// somebody types (views/client/form.ts).

import type { Catalogue } from '../../catalogue/catalogue.js'
import { findExactTerm, termListOf, type TermList } from '../../model/term-lists.js'
import { labelOfCode } from '../../messages/labels.js'
import type { Translator } from '../../messages/translator.js'
import type { ResourceName } from '../../model/iris.js'
import { comparableTitle } from '../../model/record/title.js'
import { textValue } from '../../model/record/values.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import { firstPageQuery } from './list-query.js'

type TypedValuesDependencies = {
  readonly catalogue: Pick<Catalogue, 'list' | 'find'>
  readonly resources: Resources
}

/** The values of the fields of a form, by their names. */
type Input = ReadonlyMap<string, readonly string[]>

type TypedInput = {
  readonly resource: Resource
  readonly input: Input
  /** What the record has now: its values stay, also where they lead to nothing any more. */
  readonly current?: Input | undefined
}

/**
 * The input with the codes of labels, in the language of the page or in English, and with the
 * identifiers of titles. What stands for nothing, or for several, stays as it was typed.
 */
export async function resolveTypedValues(
  dependencies: TypedValuesDependencies,
  translator: Translator,
  { resource, input, current = new Map() }: TypedInput,
): Promise<Input> {
  const resolved = new Map<string, readonly string[]>()
  for (const [name, values] of input) {
    const field = resource.byName.get(name)
    const typed = values.filter((value) => !current.get(name)?.includes(value))
    const resolvedValues = field
      ? await resolveField(dependencies, translator, field, typed)
      : typed
    const byTyped = new Map(typed.map((value, index) => [value, resolvedValues[index] ?? value]))
    resolved.set(
      name,
      values.map((value) => byTyped.get(value) ?? value),
    )
  }
  return resolved
}

/** The same for some values of one field. */
export async function resolveField(
  dependencies: TypedValuesDependencies,
  translator: Translator,
  { vocabulary, target }: Field,
  values: readonly string[],
): Promise<readonly string[]> {
  if (vocabulary) return codesOf(translator, vocabulary, values)
  return target && values.length <= maxReferences ? idsOf(dependencies, target, values) : values
}

/** Each is searched for. */
const maxReferences = 100

function codesOf(
  translator: Translator,
  vocabulary: Vocabulary,
  values: readonly string[],
): readonly string[] {
  if (values.every((value) => vocabulary.find(value))) return values
  const terms = termsIn(translator, vocabulary)
  return values.map((value) =>
    vocabulary.find(value) ? value : (findExactTerm(terms, value)?.code ?? value),
  )
}

/**
 * The terms of a vocabulary by their labels in a language; the English ones are among the other
 * labels.
 */
function termsIn(translator: Translator, vocabulary: Vocabulary): TermList {
  const { name, terms } = termListOf(vocabulary)
  return {
    name,
    terms: terms.map((term) => ({
      ...term,
      label: labelOfCode(translator, vocabulary, term.code),
      altLabels: [term.label, ...term.altLabels],
    })),
  }
}

async function idsOf(
  { catalogue, resources }: TypedValuesDependencies,
  target: ResourceName,
  values: readonly string[],
): Promise<readonly string[]> {
  const lookup = await catalogue.find(values.map((id) => ({ target, id })))
  const ids: string[] = []
  for (const value of values) {
    const isId = lookup({ target, id: value }) !== undefined
    ids.push(isId ? value : ((await findOnlyId(catalogue, resources[target], value)) ?? value))
  }
  return ids
}

/**
 * The identifier of the only record with a title; undefined where there is none, or may be several.
 * @param besides the identifier of a record that does not count
 */
export async function findOnlyId(
  catalogue: Pick<Catalogue, 'list'>,
  resource: Resource,
  title: string,
  besides?: string,
): Promise<string | undefined> {
  const { records, areAll } = await findByTitle(catalogue, resource, title)
  const [only, ...others] = records
    .map(({ values }) => textValue(values, resource.id.name))
    .filter((id) => id !== besides)
  return areAll && others.length === 0 ? only : undefined
}

type TitledRecords = {
  readonly records: readonly ResolvedRecord[]
  /** Whether no other record has the title; else there may be more. */
  readonly areAll: boolean
}

/** The records with this title, as far as they are among the first that have its words. */
export async function findByTitle(
  catalogue: Pick<Catalogue, 'list'>,
  { name, title }: Resource,
  text: string,
): Promise<TitledRecords> {
  const search = longestWords(text)
  if (!title || search === '') return { records: [], areAll: true }
  const { count, records } = await catalogue.list(name, firstPageQuery(maxSearched, { search }))
  return {
    records: records.filter(
      ({ values }) => comparableTitle(textValue(values, title.name)) === comparableTitle(text),
    ),
    areAll: count <= records.length,
  }
}

/** How many records with the words of a title are looked at. */
const maxSearched = 50

/** The longest words are the rarest, and the number of search terms is limited. */
const longestWords = (text: string): string =>
  text
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .sort((a, b) => b.length - a.length)
    .slice(0, 6)
    .join(' ')
    .trim()
