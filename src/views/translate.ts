// The texts of pages in the language of the page. These functions may be called only while a page
// is rendered, by its components or by the functions that they call. Handlers use the translator of
// a language instead.

import type { ComponentChildren } from 'preact'

import { type Message, type MessageValues, message, partsOf } from '../message.js'
import {
  entriesIn,
  labelOfCode,
  labelOfPlace,
  languageOfCode,
  otherLanguage,
} from '../messages/labels.js'
import type { ResourceName } from '../model/iris.js'
import type { Place } from '../model/places.js'
import type { Resource } from '../model/resources.js'
import type { Vocabulary, VocabularyEntry } from '../model/vocabulary.js'
import { resourceTitle } from './links.js'
import type { Translator } from '../messages/translator.js'
import { type KindText, kindTexts } from './kind-texts.js'

export { message }

/**
 * The translator of the page that is rendered. It is no context of Preact, which is read by hooks:
 * with them a page took 1.4 times the processor time, and the last page stayed in memory.
 */
let current: Translator | undefined

/**
 * Renders a page, or a part of one. Rendering waits for nothing, so no two pages are rendered at
 * the same time.
 */
export function renderWith(translator: Translator, render: () => string): string {
  const previous = current
  current = translator
  try {
    return render()
  } finally {
    current = previous
  }
}

export function pageTranslator(): Translator {
  if (!current) throw new Error('Texts of pages are translated only while a page is rendered.')
  return current
}

/** The text in the language of the page, with the values in place of `{name}`. */
export const t = (text: string, values?: MessageValues): string => pageTranslator().t(text, values)

/** A text that depends on a number, which it has as `{count}`. */
export const plural = (count: number, one: string, other: string, values?: MessageValues): string =>
  pageTranslator().plural(count, one, other, values)

/** A number as people of the language write it. */
export const numberText = (value: number): string => pageTranslator().number(value)

/** A text of its own for each kind of record, since its noun decides about the words beside it. */
export const tKind = (name: ResourceName, text: KindText, values?: MessageValues): string =>
  t(kindTexts[name][text], values)

/** A label and what it says: `Title: from A to Z`. */
export const labelled = (label: string, value: string): string =>
  t('{label}: {value}', { label, value })

/** A text in quotation marks. */
export const quoted = (text: string): string => t('“{text}”', { text })

type RichValues = Readonly<Record<string, ComponentChildren>>

/** A text with elements in place of its placeholders. */
export const rich = (text: string, values: RichValues): ComponentChildren =>
  fillWithElements(pageTranslator().pattern(text), values)

/** A text with elements that depends on a number, which it has as `{count}`. */
export function richPlural(
  count: number,
  one: string,
  other: string,
  values: RichValues = {},
): ComponentChildren {
  const translator = pageTranslator()
  return fillWithElements(translator.pluralPattern(count, one, other), {
    count: translator.number(count),
    ...values,
  })
}

const fillWithElements = (pattern: string, values: RichValues): ComponentChildren =>
  partsOf(pattern).map((part, index) => (index % 2 === 1 ? values[part] : part))

/** A message of the API, or of a form, in the language of the page. */
export const messageText = (text: Message): string => pageTranslator().message(text)

/** What a code of a vocabulary is called; the code itself where the vocabulary does not have it. */
export const codeText = (vocabulary: Vocabulary | undefined, code: string): string =>
  labelOfCode(pageTranslator(), vocabulary, code)

/** The language of the label of a code, where it is not that of the page. */
export const codeLanguage = (
  vocabulary: Vocabulary | undefined,
  code: string,
): string | undefined => languageUnlessOfPage(languageOfCode(pageTranslator(), vocabulary, code))

/** For the attribute `lang` of what may be in another language than the page. */
export const languageUnlessOfPage = (language: string): string | undefined =>
  otherLanguage(pageTranslator(), language)

/**
 * What a field is called, by its name; the name itself where the kind of record does not have the
 * field.
 */
export function fieldText({ byName }: Resource, name: string): string {
  const field = byName.get(name)
  return field ? t(field.formLabel) : t(otherTexts[name] ?? name)
}

/** What is in forms of records and no field of them. */
const otherTexts: Readonly<Record<string, string>> = {
  visibility: message('Who sees this record'),
  hidden_reason: message('Reason'),
}

/** What the role of an account or a token is called. */
export const roleText = (role: string): string => t(roles[role] ?? role)

const roles: Readonly<Record<string, string>> = {
  admin: message('Administrator|account'),
  editor: message('Editor|account'),
  viewer: message('Viewer|account'),
}

/** The same with the kinds of records that it is restricted to. */
export const roleWithKinds = (role: string, kinds: readonly ResourceName[]): string =>
  kinds.length === 0
    ? roleText(role)
    : labelled(roleText(role), kinds.map((name) => nounText(name, 2)).join(', '))

/** The entries of a vocabulary with their labels, in the order of these. */
export const entriesOf = (
  vocabulary: Vocabulary,
  entries?: readonly VocabularyEntry[],
): readonly VocabularyEntry[] => entriesIn(pageTranslator(), vocabulary, entries)

/** What a place is called: countries have names in each language. */
export const placeName = (place: Place): string =>
  labelOfPlace(pageTranslator(), place) ?? place.name

/** The day of a time in ISO 8601. */
export const dateText = (time: string): string => pageTranslator().date(time)

/** What a kind of record is called: `zine`, `zines`. */
export const nounText = (name: ResourceName, count = 1): string => {
  const { pluralPattern } = pageTranslator()
  const { one, other } = kindTexts[name].noun
  return pluralPattern(count, one, other)
}

/** So many records of a kind: `1 copy`, `2,000 copies`. */
export const recordCount = (name: ResourceName, count: number): string =>
  `${numberText(count)} ${nounText(name, count)}`

/** What the list of a kind of record is called. */
export const kindTitle = (name: ResourceName): string => t(resourceTitle(name))
