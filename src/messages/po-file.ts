// Reads translations from PO, the format of gettext, which the tools of translators write
// (https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html).

import { ExpectedError } from '../errors.js'
import type { Messages, PluralForms } from './messages.js'

type Entry = {
  /** The number of its first line. */
  readonly line: number
  isFuzzy: boolean
  /** By their keywords, such as `msgid` and `msgstr[0]`. */
  readonly strings: Map<string, string>
}

/**
 * The translations in a file. As in gettext, those that are empty or marked as fuzzy do not count,
 * and the English singular of a text with a number has its first form.
 * @throws ExpectedError
 */
export function readPo(file: string, content: string, language: string): Messages {
  const categories = pluralCategories(language)
  const keywordsOfForms = categories.map((_, at) => `msgstr[${at}]`)
  const messages = new Map<string, string | PluralForms>()
  for (const { line, isFuzzy, strings } of entriesIn(file, content)) {
    const text = strings.get('msgid') ?? ''
    const plural = strings.get('msgid_plural')
    const context = strings.get('msgctxt')
    const keywords = plural === undefined ? keywordOfForm : keywordsOfForms
    const fault = faultOf(strings, keywords)
    if (fault !== undefined) throw new ExpectedError(`${file}:${line}: ${fault}`)
    const forms = keywords.map((keyword) => strings.get(keyword) ?? '')
    if (text === '' || isFuzzy || forms.includes('')) continue
    for (const english of new Set([text, plural ?? text])) {
      const key = context === undefined ? english : `${english}|${context}`
      if (messages.has(key)) throw new ExpectedError(`${file}:${line}: "${key}" is there twice`)
      messages.set(key, english === plural ? byCategory(categories, forms) : (forms[0] ?? ''))
    }
  }
  return messages
}

const keywordOfForm = ['msgstr']

/**
 * A string of an entry, with its keyword where it does not go on with the string of the line
 * before.
 */
const stringLine =
  /^(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?)[ \t]+)?"([^"\\]*(?:\\["\\nrt][^"\\]*)*)"\s*$/

function entriesIn(file: string, content: string): readonly Entry[] {
  let entry: Entry = { line: 1, isFuzzy: false, strings: new Map() }
  const entries = [entry]
  let keyword: string | undefined
  for (const [index, text] of content.split('\n').entries()) {
    if (text.trim() === '') continue
    const line = index + 1
    const isComment = text.startsWith('#')
    const [, named, escaped] = isComment ? [] : (stringLine.exec(text) ?? [])
    if (entry.strings.has('msgid') && (isComment || named === 'msgctxt' || named === 'msgid')) {
      entry = { line, isFuzzy: false, strings: new Map() }
      entries.push(entry)
      keyword = undefined
    }
    if (isComment) {
      // What is marked `#~` is no longer used, and nor are the flags before it.
      const isObsolete = text.startsWith('#~')
      entry.isFuzzy = !isObsolete && (entry.isFuzzy || /^#,.*\bfuzzy\b/.test(text))
      continue
    }
    keyword = named ?? keyword
    if (escaped === undefined || keyword === undefined || entry.strings.has(named ?? ''))
      throw new ExpectedError(`${file}:${line}: not expected here: ${text}`)
    entry.strings.set(keyword, (entry.strings.get(keyword) ?? '') + unescape(escaped))
  }
  // Comments may stand after the last entry.
  return entries.filter(({ strings }) => strings.size > 0)
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

const unescape = (text: string): string =>
  text.replace(/\\(.)/g, (_, character: string) => escapes[character] ?? character)

function faultOf(strings: Entry['strings'], keywords: readonly string[]): string | undefined {
  if (!strings.has('msgid')) return 'msgid is missing'
  for (const keyword of keywords) if (!strings.has(keyword)) return `${keyword} is missing`
  for (const keyword of strings.keys())
    if (keyword.startsWith('msgstr') && !keywords.includes(keyword))
      return `${keyword} is one form too many`
  return undefined
}

const cldrOrder = ['zero', 'one', 'two', 'few', 'many', 'other'] as const

/** The categories of a language in the order of its forms in a file. */
export function pluralCategories(language: string): readonly Intl.LDMLPluralRule[] {
  const used = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  return cldrOrder.filter((category) => used.includes(category))
}

const byCategory = (
  categories: readonly Intl.LDMLPluralRule[],
  forms: readonly string[],
): PluralForms => ({
  ...Object.fromEntries(categories.map((category, at) => [category, forms[at] ?? ''])),
  other: forms.at(-1) ?? '',
})
