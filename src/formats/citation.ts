// What the formats for reference managers (BibTeX, RIS, CSL-JSON) have in common: which parts of a
// zine they cite, before a format writes them in its own way.

import { parseExactDate } from '../model/dates.js'
import { withheldName } from '../model/record/title.js'
import type { RecordAccessor } from './record-accessor.js'
import { type StandardIdentifier, parseIdentifier } from '../model/standard-identifiers.js'

export type PersonalName = {
  readonly family: string
  readonly given: string
  /** Such as `Jr.`. */
  readonly suffix: string | undefined
}

/** The parts of a person's name, by the form of the sort name; undefined for all other names. */
export function personalName(agent: RecordAccessor): PersonalName | undefined {
  const [family = '', given = '', suffix, ...more] = agent
    .text('sort_name')
    .split(',')
    .map((part) => part.trim())
  const isName = agent.text('kind') === 'Person' && family !== '' && given !== ''
  const isWhole = more.length === 0 && (suffix === undefined || suffixPattern.test(suffix))
  return isName && isWhole ? { family, given, suffix } : undefined
}

const suffixPattern = /^(?:[js]r\.?|i{1,3}|iv|v)$/i

export const displayName = (agent: RecordAccessor | undefined): string =>
  agent?.text('display_name') ?? withheldName

export const isEditor = (agent: RecordAccessor): boolean => agent.values('roles').includes('editor')

export const publishersOf = (zine: RecordAccessor): readonly string[] =>
  zine.references('publisher').map(displayName)

/** Whether a text is a date and nothing else. */
export const isExactDate = (date: string): boolean => parseExactDate(date) !== undefined

/**
 * The other contributors, the dates that the entry does not say elsewhere, and the public notes.
 * @param saysDate whether the entry says the whole of its first date
 */
export function detailNotesOf(
  zine: RecordAccessor,
  saysDate: (date: string) => boolean = isExactDate,
): readonly string[] {
  const [first = '', ...others] = zine.values('date')
  const dates = [...(first === '' || saysDate(first) ? [] : [first]), ...others]
  const helpers = zine
    .references('contributor')
    .filter((agent) => !agent || !isEditor(agent))
    .map(displayName)
  return [
    ...(helpers.length > 0 ? [`With ${helpers.join(', ')}`] : []),
    ...(dates.length > 0 ? [`Date: ${dates.join('; ')}`] : []),
    ...zine.values('public_notes'),
  ]
}

/**
 * The zine and the repository of a holding, and where the copy is: the repository, the place, the
 * call number.
 */
export function citedCopy(holding: RecordAccessor) {
  const [zine] = holding.related('zine_id')
  const [repository] = holding.related('repository_id')
  if (!zine) throw new Error(`the zine of the holding ${holding.id} is not in the lookup`)
  const library = repository?.text('repository_name') ?? ''
  const shelfMark = [library, holding.text('location'), holding.text('call_number')]
    .filter(Boolean)
    .join(', ')
  return { zine, library, shelfMark }
}

/** The identifiers of a kind, without those whose check digit is wrong. */
export const identifiersOfKind = (
  zine: RecordAccessor,
  kind: StandardIdentifier['kind'],
): readonly string[] =>
  zine
    .values('identifier')
    .map(parseIdentifier)
    .filter((identifier) => identifier.kind === kind && !identifier.wrong)
    .map(({ value }) => value)

export const splitLines = (value: string): readonly string[] =>
  value
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
