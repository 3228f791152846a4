// The profile for bibliographic records in UNIMARC, whose tags have a `U` before them
// (sources/unimarc.ts), with the items of French and Italian libraries
// (docs/reference/import-profiles.md, "Profiles").

import type { Profile } from '../profile.js'
import { createMarcProfileWithoutItems } from './marc21.js'
import { type RuleRow, toRules, undecided } from './rules.js'

/** The field of items that libraries in France agreed on. */
export const unimarcItemTag = 'U995'

const person = { as: 'name', relators: '4', kind: 'Person', join: ', ' } as const
const group = { as: 'name', relators: '4', kind: 'Organization', direct: true } as const

// prettier-ignore
const rules: readonly RuleRow[] = [
  ['U200$a', 'zines.title', { as: 'isbd' }],
  ['U200$hi', 'zines.issue_designation', { as: 'isbd', join: ', ' }],
  ['U200$e', 'zines.public_notes', { prefix: 'Subtitle: ' }],
  ['U200$d', 'zines.alternative_title', { as: 'isbd' }],
  ['U200$c', 'zines.alternative_title', { as: 'isbd' }],
  ...['500', '510', '512', '513', '514', '515', '516', '517', '518', '520', '532', '540', '541'].map((tag): RuleRow => [`U${tag}$ahi`, 'zines.alternative_title', { as: 'isbd', join: ', ' }]),
  ['U700$ab', 'zines.creator', person],
  ['U710$ab', 'zines.creator', group],
  ['U720$a', 'zines.creator', { ...group, kind: 'Collective' }],
  ['U701$ab', 'zines.creator', person],
  ['U711$ab', 'zines.creator', group],
  ['U721$a', 'zines.creator', { ...group, kind: 'Collective' }],
  ['U702$ab', 'zines.contributor', person],
  ['U712$ab', 'zines.contributor', group],
  ['U722$a', 'zines.contributor', { ...group, kind: 'Collective' }],
  ['U200$f', 'zines.creator', { as: 'names', fallback: true }],
  ['U200$g', 'zines.contributor', { as: 'names', fallback: true }],
  ['U205$abf', 'zines.edition_statement', { as: 'isbd' }],
  ...['210', '214'].flatMap((tag): readonly RuleRow[] => [
    [`U${tag}$a`, 'zines.place_of_publication', { as: 'place' }],
    [`U${tag}$c`, 'zines.publisher', { as: 'name' }],
    [`U${tag}$d`, 'zines.date', { as: 'date' }],
    [`U${tag}$eg`, 'zines.public_notes', { as: 'isbd', prefix: 'Manufacture: ' }],
    [`U${tag}$h`, 'zines.public_notes', { as: 'isbd', prefix: 'Date of manufacture: ' }],
  ]),
  ['U215$a', 'zines.number_of_pages', { as: 'pages' }],
  ['U215$d', 'zines.physical_dimensions', { as: 'isbd' }],
  ['U215$ce', 'zines.public_notes', { as: 'isbd', prefix: 'Description: ' }],
  ['U225$ae', 'zines.series_title', { as: 'isbd' }],
  ['U225$v', 'zines.issue_designation', { as: 'isbd', fallback: true }],
  ['U410$t', 'zines.series_title', { as: 'isbd', fallback: true }],
  ['U461$t', 'zines.series_title', { as: 'isbd', fallback: true }],
  ['U461$v', 'zines.issue_designation', { as: 'isbd', fallback: true }],
  ['U327$a', 'zines.table_of_contents'],
  ['U330$a', 'zines.abstract'],
  ['U333$a', 'zines.public_notes', { prefix: 'Audience: ' }],
  ['U310$a', 'zines.public_notes', { prefix: 'Binding and availability: ' }],
  ['U316$a', 'holdings.notes'],
  ['U317$a', 'private'],
  ...['300', '301', '302', '303', '304', '305', '306', '307', '308', '311', '312', '313', '314', '320', '321', '324', '326', '336', '337'].map((tag): RuleRow => [`U${tag}$a`, 'zines.public_notes']),
  ['U606$ax', 'zines.subject', { as: 'isbd', join: ' -- ' }],
  ['U606$y', 'zines.coverage', { as: 'isbd' }],
  ['U606$z', 'zines.coverage', { as: 'isbd' }],
  ['U607$a', 'zines.coverage', { as: 'isbd' }],
  ['U600$ab', 'zines.subject', { as: 'isbd', join: ', ' }],
  ['U601$ab', 'zines.subject', { as: 'isbd', join: '. ' }],
  ['U602$a', 'zines.subject', { as: 'isbd' }],
  ['U605$a', 'zines.subject', { as: 'isbd' }],
  ['U610$a', 'zines.subject', { as: 'isbd' }],
  ['U608$a', 'zines.genre', { as: 'isbd' }],
  ['U101$a', 'zines.language', { as: 'language' }],
  ['U010$a', 'zines.identifier', { as: 'isbn' }],
  ['U011$a', 'zines.identifier', { as: 'isbn' }],
  ['U856$u', 'holdings.digital_url'],
  ['U995$f', 'holdings.barcode'],
  ['U995$k', 'holdings.call_number'],
  ['U995$c', 'holdings.location'],
  ['U995$e', 'holdings.location', { fallback: true }],
  ['U995$u', 'holdings.notes'],
  ...['a', 'b', 'd', 'g', 'h', 'i', 'j', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's', 't', 'v', 'w'].map((code): RuleRow => [`U995$${code}`, 'nothing']),
  ['U930$a', 'holdings.call_number', { fallback: true }],
  ...['700', '701', '702'].map((tag): RuleRow => [`U${tag}$cdf`, 'nothing']),
  ...['100', '102', '105', '106', '110', '115', '135', '181', '182', '183', '801', '830'].map((tag): RuleRow => [`U${tag}`, 'nothing']),
  ['U9XX', 'private'],
]

/** @param isMixed whether the file has records of MARC 21 too */
export function createUnimarcProfile(isMixed: boolean): Profile {
  const marc21 = createMarcProfileWithoutItems()
  return {
    ...undecided,
    name: 'UNIMARC',
    description: 'Bibliographic records in UNIMARC, with items in 995.',
    source: {},
    identifiers: marc21.identifiers,
    items: unimarcItemTag,
    rules: [...toRules(rules), ...(isMixed ? marc21.rules : [])],
    defaults: marc21.defaults,
  }
}
