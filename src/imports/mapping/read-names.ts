// Reads the names of people and groups: what several of them are parted into, how an inverted name reads in
// direct order, and which field of a zine a relator means. Which agent a name stands for is decided elsewhere.

import { cleanLine, withoutEndPunctuation } from './text.js'

/** A name without what MARC and lists have behind it. */
export const cleanName = (name: string): string =>
  withoutEndPunctuation(cleanLine(name).replace(/^(.*\S)\s*\[(?:sic|from old catalog)\]$/i, '$1'))

/** What stands behind a comma without being a name of its own. */
const suffix =
  /^(?:esq|jr|sr|i{1,3}|iv|ph\.? ?d|m\.? ?d|inc|ltd|llc|co|eds?|editors?|et al|the|[ivx]+)\.?$/i

const separator =
  /\s*(?:;|\/|\+|,\s*(?:and|&)\s|\s&(?:amp;)?\s|\s(?:and|with|und|y|et(?! al\b))\s)\s*/gi

/** What separates names also beside the name of a group, in which `and` and `/` are common. */
const sureSeparator = /\s*(?:;|\s\/\s)\s*/g

/** Words that show the name of a group, in which `and` and `/` part nothing. */
const groupWords =
  /\b(?:collective|committee|press|society|network|coalition|project|library|publishing|company|distro|group|center|centre|association|union|club|convergence|counselors|school|university|institute|archive|records|workshop|federation|alliance|team)\b/i

/**
 * The names that a text with several of them has, in their order; empty where it has one. It is a proposal: `Bread
 * and Puppet` is one.
 */
export function proposeNames(text: string): readonly string[] {
  const name = cleanName(text).replace(/,? et al\.?$/i, '')
  const pieces = splitOutsideBrackets(name, looksLikeGroup(name) ? sureSeparator : separator)
  const isList = /,\s*(?:and|&)\s/i.test(name)
  const names = (isInvertedPair(pieces) ? withSurname(pieces) : pieces)
    .flatMap((piece) => (isList ? piece.split(',') : splitAtCommas(piece)))
    .map(cleanName)
    .filter(Boolean)
  return names.length > 1 ? [...new Set(names)] : []
}

/** What is in brackets says something about a name. */
function splitOutsideBrackets(text: string, pattern: RegExp): readonly string[] {
  const outside = text.replace(/\([^)]*\)/g, (bracket) => '_'.repeat(bracket.length))
  const pieces: string[] = []
  let start = 0
  for (const match of outside.matchAll(pattern)) {
    pieces.push(text.slice(start, match.index))
    start = match.index + match[0].length
  }
  return [...pieces, text.slice(start)].filter(Boolean)
}

/** `Daugherty, Doug & Michelle`: two people of one surname. */
const isInvertedPair = ([first = '', ...others]: readonly string[]): boolean =>
  others.length > 0 &&
  /^[^,\s]+, [^,]+$/.test(first) &&
  others.every((piece) => !piece.includes(','))

function withSurname([first = '', ...others]: readonly string[]): readonly string[] {
  const surname = first.slice(0, first.indexOf(','))
  return [first, ...others.map((piece) => `${surname}, ${piece}`)]
}

/** `Ann Lee, Bo Ray` and `Ann, Bo, Cy` are several; `Lee, Ann` is one. */
function splitAtCommas(text: string): readonly string[] {
  const pieces = text
    .split(',')
    .map((piece) => piece.trim())
    .filter(Boolean)
  if (pieces.length < 2 || pieces.some((piece) => suffix.test(piece))) return [text]
  const areWholeNames = pieces.every((piece) => piece.includes(' '))
  return areWholeNames || pieces.length > 2 ? pieces : [text]
}

/** Whether a name is more probably that of a group. */
export const looksLikeGroup = (name: string): boolean => groupWords.test(name)

/** `Wang, Jackie, 1985-` in direct order: `Jackie Wang`. Other names as they are. */
export function directName(name: string): string {
  const [last = '', first = '', ...rest] = withoutDates(cleanName(name)).split(/,\s*/)
  const additions = rest.filter((part) => part !== '')
  if (first === '' || looksLikeGroup(name)) return withoutDates(cleanName(name))
  if (suffix.test(first)) return [last, first].join(' ')
  return [first, last, ...additions].join(' ')
}

/** Dates of birth and death, which MARC has behind a name. */
const withoutDates = (name: string): string =>
  name
    .replace(
      /,?\s*(?:(?:approximately|active|b\.|d\.|ca\.)\s*)*\d{4}\??(?:\s*-\s*(?:\d{4})?\??)?$/i,
      '',
    )
    .trim()

/** The fields of a zine with agents. */
export type AgentField = 'creator' | 'contributor' | 'publisher'

const termsByField: Readonly<Record<'creator' | 'publisher', string>> = {
  creator:
    'aut author; cre creator; art artist; cmp composer; com compiler; zine maker; zinester; maker; cartoonist; ' +
    'cartographer; ctg; photographer; pht; interviewer; ivr; filmmaker; fmk; joint author; co-author; coauthor; writer; dubious author; dub',
  publisher: 'pbl publisher; bkp book producer; dst distributor; isb issuing body; prodc; distro',
}

const fieldByRelator: ReadonlyMap<string, AgentField> = new Map(
  Object.entries(termsByField).flatMap(([field, terms]) =>
    terms.split('; ').flatMap((term) => {
      const [, code = term, name = term] = /^([a-z]{3}) (.+)$/.exec(term) ?? []
      return [code, name, term].map((key) => [key, field as AgentField] as const)
    }),
  ),
)

/** The field that a relator means, as a term, a code or an address: `publisher,`, `pbl`, `…/relators/pbl`. */
export function fieldOfRelator(relator: string): AgentField {
  const term = cleanName(relator.slice(relator.lastIndexOf('/') + 1))
    .toLowerCase()
    .replace(/\.$/, '')
  return fieldByRelator.get(term) ?? 'contributor'
}
