// Translates the texts of pages. The English text that a page has is the key of its translations,
// so a text without one is shown in English (docs/how-to/translations.md).

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Message, type MessageValues, fill } from '../message.js'
import type { Messages } from './messages.js'
import type { Language } from './languages.js'
import { packageRoot } from '../lib/package-files.js'
import { readPo } from './po-file.js'

export type Translator = {
  readonly language: Language
  /** The text in the language, with its placeholders still in it. */
  readonly pattern: (text: string) => string
  /** The same for a number of things: the English texts for one and for several. */
  readonly pluralPattern: (count: number, one: string, other: string) => string
  /** The text in the language, with the values in place of `{name}`. */
  readonly t: (text: string, values?: MessageValues) => string
  /** The same of a text that may be data; undefined where the language has none for it. */
  readonly findPattern: (text: string) => string | undefined
  /** A message, which may also be data: what is not known is shown with every character. */
  readonly message: (message: Message) => string
  /** A text that depends on a number, which it has as `{count}`. */
  readonly plural: (count: number, one: string, other: string, values?: MessageValues) => string
  readonly number: (value: number) => string
  /**
   * The day of a time in ISO 8601: as it is in English, else as people of the language write it.
   */
  readonly date: (time: string) => string
}

/** A text that means several things says which one after a bar: `in {words}|language`. */
const withoutContext = (text: string): string =>
  text.includes('|') ? text.replace(/\|[a-z ]+$/, '') : text

function createTranslator(language: Language, messages: Messages): Translator {
  const rules = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })

  function findPattern(text: string): string | undefined {
    const translation = messages.get(text)
    return typeof translation === 'object' ? translation.other : translation
  }

  const pattern = (text: string): string => findPattern(text) ?? withoutContext(text)

  const t = (text: string, values?: MessageValues): string =>
    values ? fill(pattern(text), values) : pattern(text)

  function pluralPattern(count: number, one: string, other: string): string {
    const category = rules.select(count)
    const forms = messages.get(other)
    if (forms === undefined || typeof forms === 'string') return category === 'one' ? one : other
    return forms[category] ?? forms.other
  }

  return {
    language,
    pattern,
    findPattern,
    pluralPattern,
    t,
    message: (message) =>
      typeof message === 'string'
        ? (findPattern(message) ?? message)
        : t(message.pattern, message.values),
    plural: (count, one, other, values = {}) =>
      fill(pluralPattern(count, one, other), { count: numbers.format(count), ...values }),
    // Most numbers of a page are below a thousand, which all languages write alike.
    number: (value) =>
      Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : numbers.format(value),
    date: (time) => (language === 'en' ? time.slice(0, 10) : formatDate(days, time)),
  }
}

function formatDate(days: Intl.DateTimeFormat, time: string): string {
  const day = new Date(`${time.slice(0, 10)}T00:00:00Z`)
  return Number.isNaN(day.getTime()) ? time.slice(0, 10) : days.format(day)
}

export const english: Translator = createTranslator('en', new Map())

const translators = new Map<Language, Translator>([['en', english]])

/**
 * The translator of a language, whose file is read when it is first asked for.
 * @throws ExpectedError
 */
export function translatorFor(language: Language): Translator {
  const known = translators.get(language)
  if (known) return known
  const translator = createTranslator(language, readMessages(language))
  translators.set(language, translator)
  return translator
}

/** The translations of a language. @throws ExpectedError */
export function readMessages(language: Language): Messages {
  const file = join(packageRoot, 'src', 'messages', `${language}.po`)
  return readPo(file, readFileSync(file, 'utf8'), language)
}

/** Marks a text that depends on a number, and is translated where it is shown. */
export const pluralMessage = (one: string, other: string) => ({ one, other }) as const
