// What a name says of itself: its natural order, whether it is that of a person or of a group,
// whether it is of several people, and whether it names nobody.

import { fold, foldWords } from './folding.js'

export type GuessedKind = {
  readonly kind: 'Person' | 'Collective' | 'Organization'
  /**
   * What the guess rests on, such as `the word “Press”`; undefined for a person, which is what most
   * are.
   */
  readonly reason: string | undefined
}

/** A name that may be of several. */
export type NameParts = {
  /** In their natural order. */
  readonly names: readonly string[]
  /** False when it may be one name as well. */
  readonly isSure: boolean
}

/** Those who publish themselves, in the words of the languages that zines are in. */
const selfPublished =
  'self|self ?published|self ?pub|self ?publisher|the (?:author|artist|creator|maker|editor|writer|zinester)s?|author|myself|' +
  '(?:el |der |die )?autor(?:a|in)?|l ?auteur|l ?autrice|eigenverlag|(?:im )?selbstverlag|auto ?edicion|auto ?editad[oa]|auto ?edition|auto ?edite|' +
  'auto ?produzione|auto ?prodotto'

const unknownElsewhere =
  '(?:(?:auteur|autor|autrice|autora|autorin) )?(?:inconnue?|anonyme|anonimo|anonima|anonym|unbekannt|desconocid[oa]|sconosciut[oa]|onbekend)'

const unknownForms = new RegExp(`^(?:${selfPublished}|${unknownElsewhere})$`)

const unknownNames =
  /^(?:(?:(?:author|creator|artist|maker|writer|editor|publisher|name|zinester|zine maker)s? )?(?:unknown|anonymous|anon|unidentified|not known|not identified|not given|not stated|unattributed|withheld|uncredited)(?: (?:author|creator|artist|maker|writer|editor|publisher|name|zinester)s?)?|none|no (?:author|name|creator|artist)(?: (?:given|listed|stated))?|n a|sn|nn|tbd)$/

/** `V.A.`, `V/A`, `AA.VV.`: not `VA`, which may be somebody's initials. */
const variousLetters = /^(?:v\.?\s?\/\s?a|v\.\s?a|v\.?v\.\s?a\.?a|a\.?a\.\s?v\.?v)\.?$/i

const variousNames =
  /^(?:vari[oa]s|vari[oa]s (?:autor[ae]s|artistas)|autori vari|divers|diverse|diverses|divers auteurs|verschiedene|various|varied|multiple|several|many|various others|compilation|(?:various|multiple|several|many|different|assorted)(?: \w+)? (?:authors?|artists?|creators?|contributors?|writers?|people|makers?|editors?|zinesters?))$/

/** `Unknown`, `Anonymous`, `n/a`, `?`, `[creator unknown]`. */
export function isUnknownName(name: string): boolean {
  if (/^n\.?\/?a\.?$/i.test(name.trim())) return name.includes('/') || name.includes('.')
  if (/^\[?s\.\s?n\.\]?$/i.test(name.trim())) return true
  const folded = fold(name)
  return (
    folded === '' || (folded.length > 2 && (unknownNames.test(folded) || unknownForms.test(folded)))
  )
}

/** `Various`, `various authors`, `V.A.` */
export const isVariousName = (name: string): boolean =>
  variousLetters.test(name.trim()) || variousNames.test(fold(name))

/** What reaches somebody, and must not become a public name. */
export type Contact = 'email' | 'phone'

/** The e-mail address or telephone number in a name; undefined where it has none. */
export function contactIn(name: string): Contact | undefined {
  if (/[^\s@<>()]@[^\s@<>()]+\.\p{L}{2,}/u.test(name)) return 'email'
  const withoutYears = name.replace(/\b\d{4}\??\s*[-–]\s*(?:\d{4}\b)?/g, ' ')
  return /\d(?:[\s().\/-]{0,3}\d){6,}/.test(withoutYears) ? 'phone' : undefined
}

const organizationWords = wordSet(
  'press presses publishing publications publisher publishers books bookstore bookshop books distro distribution library libraries ' +
    'archive archives university universities college school institute institution center centre foundation ' +
    'records label museum church department committee association society council services service inc llc ltd gmbh plc corp ' +
    'company corporation office program programme fund hospital clinic magazine newspaper comics productions ' +
    'media industries enterprises apparel guild federation agency board ministry party editions edizioni ediciones ' +
    'verlag editorial studio studios printing printers',
)

const groupWords = wordSet(
  'collective collectif kollective kollektiv colectivo colectiva collettivo kolektiv crew collaborative cooperative coop ' +
    'co-op group groupe grupo club network project projects gang brigade battalion contingent cheerleaders ' +
    'team orchestra front bloc cell circle coalition alliance union convergence assembly campaign ' +
    'cross avengers teens camp festival fest fair workshop class army liberation movement action ' +
    'infoshop friends band ensemble squad posse syndicate commune syndikat caucus members zine family families',
)

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(fold))
}

export const isGroupWord = (word: string): boolean =>
  groupWords.has(word) || organizationWords.has(word)

/** The kind of an agent by the words of its name. */
export function guessKind(name: string): GuessedKind {
  const words = name.split(/[\s/]+/).map((written) => ({ written, word: fold(written) }))
  const [first] = words
  const lastWordIn = (set: ReadonlySet<string>) =>
    words.findLast(({ word }) => set.has(word))?.written.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  // A single word such as “Press” or “Fest” may be anybody's name.
  const group = words.length > 1 ? lastWordIn(groupWords) : undefined
  const organization = words.length > 1 ? lastWordIn(organizationWords) : undefined
  // The later of both is what the name is about: “Press Collective”, “Friends Press”.
  const isGroup =
    group !== undefined && name.lastIndexOf(group) > name.lastIndexOf(organization ?? '\n')
  if (isGroup) return { kind: 'Collective', reason: `the word “${group}”` }
  if (organization) return { kind: 'Organization', reason: `the word “${organization}”` }
  if (first?.word === 'the' && words.length > 1)
    return { kind: 'Collective', reason: `the name begins with “${first.written}”` }
  return { kind: 'Person', reason: undefined }
}

const suffixes =
  /^(?:jr|sr|ii|iii|iv|esq|md|phd|dphil|psyd|edd|jd|dds|rn|ma|mfa|bfa|mba|msw|mls|mlis|msis|sj|osb|osf|ocd|obe|cbe|mbe)$/

/** Whether a piece of a name after a comma is a degree, an order or `Jr.`, and no name. */
export const isNameSuffix = (piece: string): boolean => suffixes.test(foldWords(piece).join(''))

/** Forms of companies, which stand behind a comma as a first name does: `Printed Matter, Inc.` */
const companyForms = wordSet(
  'inc incorporated llc llp ltd limited corp corporation gmbh mbh plc pty sarl srl asbl vzw ltda and',
)

/** Those that are initials too: `Smith, S. A.` */
const shortCompanyForms = wordSet('co sa sas ag kg ug ev bv nv ab oy as aps sl lda cv lp spa')

/** Whether a piece after a comma says what kind of company the piece before it is. */
function isCompanyForm(piece: string, before: string): boolean {
  const words = foldWords(piece)
  const mayBeShort =
    words.some((word) => companyForms.has(word)) || guessKind(before).kind !== 'Person'
  return (
    words.length > 0 &&
    words.every((word) => companyForms.has(word) || (mayBeShort && shortCompanyForms.has(word)))
  )
}

/** `[et al.]`, `and others`: that there are more, who are not named. */
const andOthers =
  /[,;\s]*[[(]?\b(?:et\.?\s+al|and others|et autres|y otr[oa]s|u\.\s?a)\b\.?[\])]?\.?$/i
const roleWords =
  /^(?:eds?|editors?|authors?|illustrators?|ill|illus|compilers?|comp|translators?|trans|creators?|artists?|publishers?|contributors?|cartoonists?|writers?)$/
const leadingRole =
  /^(?:edited|written|drawn|illustrated|compiled|made|zine)?\s*by\s+|^(?:editors?|authors?|artists?|creators?|illustrators?)\s*:\s*/i
const particles =
  /^(?:de|da|di|do|du|del|della|der|den|des|la|le|las|los|lo|van|von|zu|al|el|bin|ibn|san|st|mac|mc|o|y|ter|ten|dos)$/i

/**
 * A name without what stands around it in catalogues: brackets, dates of life, `ed.`, a full stop
 * or a question mark at its end.
 */
export function bareName(name: string): string {
  const bare = name
    .replace(/&amp;/g, '&')
    // Between letters it stands for one that is lost, which a person has to see.
    .replace(/(?<!\p{L})\ufffd|\ufffd(?!\p{L})/gu, ' ')
    .replace(/[\s\u00a0\u200b]+/g, ' ')
    .trim()
    .replace(andOthers, '')
    .replace(/^\[([^[\]]*)\]$|^\(([^()]*)\)$|^"([^"]*)"$/, '$1$2$3')
    .replace(leadingRole, '')
    .replace(/[,\s]+(?:b\.\s*|born\s+)?\d{4}\??\s*[-–]\s*(?:\d{4}\??)?\.?$/, '')
    .replace(/[\s,;:]+$/, '')
    .trim()
  return withoutFullStop(withoutRole(bare))
    .replace(/(\S)\s*\?+$/, '$1')
    .replace(/[[\]]/g, '')
    .trim()
}

/** The year of birth that stands behind a name in catalogues. */
export const birthYearOf = (name: string): string | undefined =>
  /[,\s](?:b\.\s*|born\s+)?(\d{4})\??\s*[-–]\s*(?:\d{4}\??)?\.?\)?$/.exec(name.trim())?.[1]

/** Without `(editor)`, `, author` or `Ed.` at the end. `Sanders, Ed` is a name. */
function withoutRole(name: string): string {
  const [, before, role] =
    /^(.+?)\s*[([]([^()[\]]+)[)\]]$/.exec(name) ??
    /^(.*\S\s.*\S),\s*(\p{L}+)\.?$/u.exec(name) ??
    /^(.*\S\s.*\S)\s+(eds?)\.?$/i.exec(name) ??
    []
  return before !== undefined && roleWords.test(fold(role ?? '')) ? before : name
}

/** Without the full stop that catalogues set after a name; that of an initial or of `Jr.` stays. */
function withoutFullStop(name: string): string {
  const lastWord = fold(name.split(/\s/).at(-1) ?? '')
  const belongs = suffixes.test(lastWord) || companyForms.has(lastWord)
  return /\p{L}{3,}\.$/u.test(name) && !belongs ? name.slice(0, -1) : name
}

/** The name in its natural order: `Wang, Jackie` is `Jackie Wang`. */
export function naturalOrder(name: string): string {
  const bare = bareName(name)
  const inverted = asInverted(bare)
  if (!inverted) return bare
  const { last, first, suffix } = inverted
  return [`${first} ${last}`, ...suffix].join(' ')
}

type Inverted = {
  readonly last: string
  readonly first: string
  readonly suffix: readonly string[]
}

/** The parts of a name whose last name stands first; undefined for another one. */
function asInverted(name: string): Inverted | undefined {
  const pieces = name.split(',').map((piece) => piece.trim())
  if (isCompanyForm(pieces.at(-1) ?? '', pieces[0] ?? '')) return undefined
  const suffix = pieces.slice(1).filter(isNameSuffix)
  const [last, firstName, initial, ...more] = pieces.filter((piece) => !suffix.includes(piece))
  if (!last || !firstName || (initial && !/^\p{L}\.$/u.test(initial)) || more.length > 0)
    return undefined
  const first = initial ? `${firstName} ${initial}` : firstName
  if (isGroupWord(fold(last))) return { last, first, suffix }
  if (guessKind(last).kind !== 'Person' || guessKind(first).kind !== 'Person') return undefined
  if (/[&+;/]|\sand\s/i.test(name)) return undefined
  const lastWords = last.split(/\s+/).filter((word) => !particles.test(word.replace(/['’]$/, '')))
  const firstWords = first.split(/\s+/)
  const isFirstName = firstWords
    .slice(1)
    .every((word) => /^(?:\p{L}\.?|\p{L}\.\p{L}\.)$/u.test(word) || particles.test(word))
  const isInverted =
    (lastWords.length <= 1 && firstWords.length <= 4) || (lastWords.length === 2 && isFirstName)
  return isInverted ? { last, first, suffix } : undefined
}

/** Words that stand around `and` in titles and names of groups more than in lists of people. */
const phraseWords = wordSet(
  'rock roll bread roses puppet black white pink red green blue pen ink peace love war work sex drugs arts crafts books music ' +
    'food zines comics stone salt pepper blood guts think die live let us them friends family others company sons daughters ' +
    'co associates supporters',
)

/** The names in `A and B`, `A / B`, `A & B`, `A; B`, `A, B and C`; undefined for one name. */
export function splitName(name: string): NameParts | undefined {
  const strong = bareName(name)
    .split(/\s*(?:[;|]|\^\^)\s*|\s+\/\s+|\s*\n\s*/)
    .filter((part) => fold(part) !== '')
  const parted = strong.map((part) => splitWeakly(part) ?? { names: [part], isSure: true })
  const parts = {
    names: [...new Set(parted.flatMap(({ names }) => names).map(naturalOrder))].filter(
      (part) => fold(part) !== '',
    ),
    isSure: parted.every(({ isSure }) => isSure),
  }
  return parts.names.length > 1 ? parts : undefined
}

const conjunction = /,?\s+(?:and|und|et|y|e|with|w\/)\s+|\s*[&+]\s*/i

/** Splits at `and`, at commas, and at `/` without spaces around it. */
function splitWeakly(text: string): NameParts | undefined {
  const pieces = trimmedPieces(text, conjunction)
  const slashed = pieces.flatMap((piece) => trimmedPieces(piece, '/'))
  // In `Caro, Zee and Eliot` there are three names, in `Wang, Jackie and Crabb, Cindy` two.
  const areInverted = slashed.every((piece) => asInverted(piece))
  const isList = slashed.length > 1 && !areInverted
  const listed = slashed.flatMap((piece) =>
    !isList && asInverted(piece) ? [piece] : splitAtCommas(piece),
  )
  if (listed.length < 2) return undefined
  const hasConjunction = pieces.length > 1
  const hasComma = listed.length > slashed.length
  if (hasConjunction && !hasComma && isNameOfGroup(text, slashed)) return undefined
  const isSlashed = slashed.length > pieces.length
  if (isSlashed && slashed.some((part) => foldWords(part).length === 0 || part.length < 2))
    return undefined
  const areNames = listed.every(isLikelyName)
  const isTwoByComma = hasComma && listed.length === 2
  const mayBeInverted =
    isList && slashed.some((piece) => asInverted(piece)) && !/,\s*and\s/i.test(text)
  const isAmbiguous = isSlashed || isTwoByComma || mayBeInverted || sharesLastName(slashed)
  return { names: listed, isSure: areNames && !isAmbiguous }
}

const trimmedPieces = (text: string, separator: RegExp | string): string[] =>
  text
    .split(separator)
    .map((piece) => piece.trim())
    .filter(Boolean)

/** The pieces between commas; one piece for `Amy Ahlstrom, Esq.` */
function splitAtCommas(text: string): string[] {
  const pieces: string[] = []
  for (const piece of trimmedPieces(text, ',')) {
    const before = pieces.at(-1)
    const belongs = isNameSuffix(piece) || /^\p{L}\.$/u.test(piece)
    if (before !== undefined && (belongs || isCompanyForm(piece, before)))
      pieces.push(`${pieces.pop() ?? ''}, ${piece}`)
    else pieces.push(piece)
  }
  return pieces
}

/**
 * Whether `and` belongs to the name: what it is ends the name (`Mary and Geoff's Press`), and not
 * each part has such a word of its own.
 */
function isNameOfGroup(text: string, parts: readonly string[]): boolean {
  const isGroup = (part: string) => guessKind(part).reason !== undefined
  const isPhrase = parts.some((part) => {
    const words = foldWords(part)
    return words.every((word) => phraseWords.has(word)) || /['’]s\s/.test(part)
  })
  if (isPhrase) return true
  // `Rowan Quill and the Toner Club` may be a person and a group; `Mary and the Mountains` is a
  // band.
  const hasOwnArticle = parts.slice(1).some((part) => /^the\s/i.test(part))
  const [first = ''] = parts
  if (hasOwnArticle && /\s/.test(first) && isLikelyName(first)) return false
  return isGroup(text) && !parts.every(isGroup)
}

/** Whether a part looks like the name of a person: one to four words with capitals, or one word. */
function isLikelyName(part: string): boolean {
  const words = part.split(/\s+/)
  const isShort = words.length <= 4 && !/\s(?:of|for|in|on|the|to)\s|^the\s/i.test(` ${part} `)
  const hasCapitals = words.every((word) => /^[^\p{Ll}]/u.test(word) || particles.test(word))
  return isShort && (hasCapitals || words.length === 1) && guessKind(part).reason === undefined
}

/** `Doug & Michelle Daugherty` may have one last name. */
const sharesLastName = (parts: readonly string[]): boolean => {
  const lengths = parts.map((part) => part.split(/\s+/).length)
  return lengths.length === 2 && lengths[0] === 1 && (lengths[1] ?? 0) > 1
}
