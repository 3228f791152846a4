// What values of records are called in the language of a page: the codes of vocabularies, countries
// and languages.

import { skos } from '../rdf/namespaces.js'
import type { Place } from '../model/places.js'
import type { Vocabulary, VocabularyEntry } from '../model/vocabulary.js'
import type { Language } from './languages.js'
import type { Translator } from './translator.js'

/** The label of a code; the code itself where the vocabulary does not have it. */
export function labelOfCode(
  translator: Translator,
  vocabulary: Vocabulary | undefined,
  code: string,
): string {
  const entry = vocabulary?.find(code)
  return vocabulary && entry ? labelOfEntry(translator, vocabulary, entry) : code
}

/**
 * The label of an entry: what its vocabulary says in the language, else what countries and
 * languages are called in it, else a translation of its English label.
 */
const labelOfEntry = (
  translator: Translator,
  vocabulary: Vocabulary,
  entry: Pick<VocabularyEntry, 'code' | 'label'>,
): string =>
  translator.language === 'en'
    ? entry.label
    : (translatedLabel(translator, vocabulary, entry) ?? entry.label)

const translatedLabel = (
  { language, findPattern }: Translator,
  vocabulary: Vocabulary,
  { code, label }: Pick<VocabularyEntry, 'code' | 'label'>,
): string | undefined =>
  labelInVocabulary(vocabulary, code, language) ??
  displayName(vocabulary, code, language) ??
  (translatedVocabularies.has(vocabulary.name) ? findPattern(label) : undefined)

/** A language, unless it is that of a translator, or not known. */
export const otherLanguage = (translator: Translator, language: string): string | undefined =>
  language === '' || language.split('-')[0] === translator.language ? undefined : language

/** The language of the label of a code; empty where that is not known. */
export function languageOfCode(
  translator: Translator,
  vocabulary: Vocabulary | undefined,
  code: string,
): string {
  const entry = vocabulary?.find(code)
  if (!vocabulary || !entry) return ''
  const isTranslated =
    translator.language !== 'en' && translatedLabel(translator, vocabulary, entry) !== undefined
  if (isTranslated) return translator.language
  // Of a term without an English label, the first of its labels is shown.
  return languageOfLabel(vocabulary, entry) ?? 'en'
}

const languageOfLabel = (
  vocabulary: Vocabulary,
  { code, label }: Pick<VocabularyEntry, 'code' | 'label'>,
): string | undefined => {
  const languages = vocabulary
    .statements(code)
    .filter(
      ({ predicate, object }) => predicate.equals(skos('prefLabel')) && object.value === label,
    )
    .map(({ object }) => (object.termType === 'Literal' ? object.language : ''))
    .map((language) => (language === '' ? 'en' : language))
  return languages.find((language) => /^en\b/i.test(language)) ?? languages[0]
}

/** The entries with their labels in the language, in the order of these. */
export function entriesIn(
  translator: Translator,
  vocabulary: Vocabulary,
  entries = vocabulary.entries,
): readonly VocabularyEntry[] {
  if (translator.language === 'en') return entries
  const { compare } = new Intl.Collator(translator.language)
  return entries
    .map((entry) => ({ ...entry, label: labelOfEntry(translator, vocabulary, entry) }))
    .sort((a, b) => compare(a.label, b.label))
}

/** The name of a country by its code of ISO 3166. */
const countryName = (language: Language, code: string): string | undefined =>
  nameOf(displayNames.countries[language], code)

/** What a place is called: countries have names in each language. */
export function labelOfPlace(
  { language }: Translator,
  place: Pick<Place, 'level' | 'country_code' | 'name'> | undefined,
): string | undefined {
  if (language === 'en' || place?.level !== 'country') return place?.name
  return countryName(language, place.country_code) ?? place.name
}

/** The vocabularies whose labels are plain words, which the files of translations have. */
export const translatedVocabularies: ReadonlySet<string> = new Set([
  'access-status',
  'agent-kinds',
  'agent-roles',
  'content-advice',
  'formats',
  'repository-kinds',
  'repository-status',
  'rights-status',
])

const labelInVocabulary = (
  vocabulary: Vocabulary,
  code: string,
  language: Language,
): string | undefined =>
  vocabulary
    .statements(code)
    .find(
      ({ predicate, object }) =>
        predicate.equals(skos('prefLabel')) &&
        object.termType === 'Literal' &&
        object.language.split('-')[0] === language,
    )?.object.value

const namesOf = (type: 'region' | 'language') => ({
  en: new Intl.DisplayNames('en', { type, fallback: 'none' }),
  es: new Intl.DisplayNames('es', { type, fallback: 'none' }),
  fr: new Intl.DisplayNames('fr', { type, fallback: 'none' }),
})

const displayNames = { countries: namesOf('region'), languages: namesOf('language') } as const

function displayName({ name }: Vocabulary, code: string, language: Language): string | undefined {
  if (name !== 'countries' && name !== 'languages') return undefined
  const standardName = nameOf(displayNames[name][language], code)
  return standardName && standardName.charAt(0).toLocaleUpperCase(language) + standardName.slice(1)
}

function nameOf(names: Intl.DisplayNames, code: string): string | undefined {
  try {
    return names.of(code)
  } catch {
    // A code that is not of the form of its standard, such as one of an institution's own.
    return undefined
  }
}
