// Reads names and codes of languages: ISO 639-1, 639-2 in both forms, English names and those of
// the language itself. The codes of the vocabulary are those of ISO 639-1.

import type { Vocabulary } from '../../../model/vocabulary.js'
import { matchesOf } from '../../../model/vocabulary.js'
import { cleanLine } from './text.js'

export type ReadLanguage = { readonly text: string; readonly code?: string }

/** The languages that a text names, each with its code if it has one. Empty where it names none. */
export function readLanguages(text: string, languages: Vocabulary): readonly ReadLanguage[] {
  const line = cleanLine(text)
  const whole = codeOf(line, languages)
  if (whole !== undefined) return [{ text: line, code: whole }]
  return line
    .split(/\s*(?:[/,;+&|]|\s(?:and|und|et|y|with)\s)\s*/i)
    .map((part) => part.replace(/^[[(\s.]+|[\])\s.]+$/g, ''))
    .filter((part) => !saysNothing.test(part))
    .flatMap((part) => {
      const code = codeOf(part, languages)
      if (code !== undefined) return [{ text: part, code }]
      return joinedCodes(part, languages) ?? [{ text: part }]
    })
}

const saysNothing =
  /^(?:|[?|-]+|und|zxx|mis|unknown|undetermined|none|n\/a|no linguistic content|wordless|no text)$/i

/** `engspa`, as MARC records had it before 2001. */
function joinedCodes(text: string, languages: Vocabulary): readonly ReadLanguage[] | undefined {
  if (!/^(?:[a-z]{3}){2,6}$/.test(text)) return undefined
  const read = (text.match(/.{3}/g) ?? []).map((part) => ({
    text: part,
    code: codeOf(part, languages),
  }))
  const known = read.flatMap(({ text: part, code }) => (code ? [{ text: part, code }] : []))
  return known.length === read.length ? known : undefined
}

/** A region or script after the language says more than the vocabulary has: `en-CA`. */
const codeOf = (text: string, languages: Vocabulary): string | undefined =>
  keysOf(languages).get(keyOf(text)) ??
  keysOf(languages).get(keyOf(/^([a-z]{2,3})[-_][a-z\d]{2,8}$/i.exec(text)?.[1] ?? ''))

const keyOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/ language$/, '')
    .trim()

const iso6392 = 'http://id.loc.gov/vocabulary/iso639-2/'

// The terminological codes of ISO 639-2, where they differ from the bibliographic ones; and what
// people write.
const others = Object.entries({
  bo: 'bod',
  cs: 'ces',
  cy: 'cym',
  de: 'deu',
  el: 'ell',
  es: 'esp castilian castellano',
  eu: 'eus',
  fa: 'fas farsi',
  fr: 'fra',
  he: 'iw',
  hr: 'scr',
  hy: 'hye',
  id: 'in',
  is: 'isl',
  ja: 'jp jap',
  ka: 'kat',
  mi: 'mri',
  mk: 'mkd',
  ms: 'msa',
  my: 'mya',
  nl: 'nld flemish',
  ro: 'ron',
  sk: 'slk',
  sq: 'sqi',
  sr: 'scc',
  tl: 'fil filipino',
  yi: 'ji',
  zh: 'zho mandarin cantonese cn',
}).flatMap(([code, keys]) => keys.split(' ').map((key) => [key, code] as const))

const cache = new WeakMap<Vocabulary, ReadonlyMap<string, string>>()

function keysOf(languages: Vocabulary): ReadonlyMap<string, string> {
  const known = cache.get(languages)
  if (known) return known
  const keys = new Map<string, string>()
  // What comes first stays: codes are surer than names.
  const add = (key: string, code: string): void => {
    if (key !== '' && !keys.has(key) && languages.find(code)) keys.set(key, code)
  }
  const codes = languages.entries.map(({ code }) => code)
  for (const code of codes) add(code, code)
  for (const code of codes)
    for (const match of matchesOf(languages, code))
      if (match.startsWith(iso6392)) add(match.slice(iso6392.length), code)
  for (const [key, code] of others) add(key, code)
  for (const { code, label } of languages.entries)
    for (const name of [label, ...label.split(/[|;,]/)]) add(keyOf(name), code)
  for (const code of codes) add(keyOf(ownNameOf(code)), code)
  cache.set(languages, keys)
  return keys
}

/** The name of a language in itself: `español`. */
function ownNameOf(code: string): string {
  try {
    return new Intl.DisplayNames([code], { type: 'language', fallback: 'none' }).of(code) ?? ''
  } catch {
    // Not a code that Intl accepts.
    return ''
  }
}
