// The profile for MARC 21 bibliographic records, with the items of library systems
// (docs/reference/import-profiles.md, "Profiles").

import type { Profile, Target } from '../profile.js'
import { type RuleRow, toRules, undecided } from './rules.js'

/** The fields that library systems have items in; the first that a file has is taken. */
export const itemTags = ['952', '949', '999', '852'] as const

export type ItemTag = (typeof itemTags)[number]

/**
 * The first indicator says how the name of a person begins: with a forename, a surname, or that of
 * a family.
 */
function personRules(tag: '100' | '700', to: Target): readonly RuleRow[] {
  const person = { as: 'name', relators: 'e4', kind: 'Person' } as const
  return [
    [`${tag}[0*]$abcd`, to, { ...person, direct: true, fuller: 'q' }],
    // All others are read as a surname, which most names begin with.
    ...Array.from('12#456789', (indicator): RuleRow => [
      `${tag}[${indicator}*]$abcd`,
      to,
      { ...person, fuller: 'cq' },
    ]),
    [`${tag}[3*]$abcd`, to, { ...person, kind: 'Collective', direct: true }],
  ]
}

// prettier-ignore
const bibliographicRules: readonly RuleRow[] = [
  // Titles.
  ['245$ab', 'zines.title', { as: 'isbd' }],
  ['245$np', 'zines.issue_designation', { as: 'isbd' }],
  ['246$abnp', 'zines.alternative_title', { as: 'isbd' }],
  ['247$abnp', 'zines.alternative_title', { as: 'isbd' }],
  ['130$anp', 'zines.alternative_title', { as: 'isbd' }],
  ['240$anp', 'zines.alternative_title', { as: 'isbd' }],
  ['242$abnp', 'zines.alternative_title', { as: 'isbd' }],
  ['730$anp', 'zines.alternative_title', { as: 'isbd' }],
  ['740$anp', 'zines.alternative_title', { as: 'isbd' }],
  ['880-245$abnp', 'zines.alternative_title', { as: 'isbd' }],
  ['880-246$abnp', 'zines.alternative_title', { as: 'isbd' }],
  ['880-130$anp', 'zines.alternative_title', { as: 'isbd' }],
  ['880-240$anp', 'zines.alternative_title', { as: 'isbd' }],
  ['880-7XX$at', 'zines.public_notes', { as: 'isbd' }],
  ['880-730$anp', 'zines.alternative_title', { as: 'isbd' }],
  ['880-740$anp', 'zines.alternative_title', { as: 'isbd' }],
  // Names.
  ...personRules('100', 'zines.creator'),
  ['110$abcdn', 'zines.creator', { as: 'name', relators: 'e4', kind: 'Organization', direct: true }],
  ['111$acdn', 'zines.creator', { as: 'name', relators: 'j4', kind: 'Organization', direct: true }],
  ...personRules('700', 'zines.contributor'),
  ['710$abcdn', 'zines.contributor', { as: 'name', relators: 'e4', kind: 'Organization', direct: true }],
  ['711$acdn', 'zines.contributor', { as: 'name', relators: 'j4', kind: 'Organization', direct: true }],
  ['720$a', 'zines.contributor', { as: 'name', relators: 'e4' }],
  ['700$tnp', 'zines.relation', { as: 'isbd' }],
  ['710$tp', 'zines.relation', { as: 'isbd' }],
  ['245$c', 'zines.creator', { as: 'names', fallback: true }],
  // Those of names are other names of the same maker.
  ['880-1XX', 'nothing'],
  ...['700', '710', '711'].flatMap((tag): RuleRow[] => [
    [`880-${tag}$tnp`, 'zines.relation', { as: 'isbd' }],
    [`880-${tag}$abcdq`, 'nothing'],
  ]),
  // Edition, publication, description, series.
  ['250$ab', 'zines.edition_statement', { as: 'isbd' }],
  ['260$a', 'zines.place_of_publication', { as: 'place' }],
  ['260$b', 'zines.publisher', { as: 'name', fallback: true }],
  ['260$c', 'zines.date', { as: 'date' }],
  ['260$e', 'zines.public_notes', { as: 'isbd', prefix: 'Place of manufacture: ' }],
  ['260$f', 'zines.public_notes', { as: 'isbd', prefix: 'Manufacturer: ' }],
  ['264[*1]$a', 'zines.place_of_publication', { as: 'place' }],
  ['264[*1]$b', 'zines.publisher', { as: 'name', fallback: true }],
  ['264[*1]$c', 'zines.date', { as: 'date' }],
  ['264[*2]$b', 'zines.publisher', { as: 'name', fallback: true }],
  ['264[*2]$a', 'zines.place_of_publication', { as: 'place', fallback: true }],
  ['264[*2]$c', 'zines.date', { as: 'date', fallback: true }],
  ['264[*0]$a', 'zines.place_of_publication', { as: 'place', fallback: true }],
  ['264[*0]$c', 'zines.date', { as: 'date', fallback: true }],
  ['264[*0]$b', 'zines.publisher', { as: 'name', fallback: true }],
  ['264[*3]$ab', 'zines.public_notes', { as: 'isbd', prefix: 'Manufacture: ' }],
  ['264[*3]$c', 'zines.date', { as: 'date', fallback: true }],
  ['264[*4]$c', 'zines.date', { as: 'date', fallback: true }],
  ['008/07-10', 'zines.date', { as: 'date', fallback: true }],
  ['752$abcd', 'zines.place_of_publication', { as: 'place', fallback: true, join: ', ' }],
  ['880-26X', 'zines.public_notes', { as: 'isbd' }],
  ['300$a', 'zines.number_of_pages', { as: 'pages' }],
  ['300$c', 'zines.physical_dimensions', { as: 'isbd' }],
  ['300$be', 'zines.public_notes', { as: 'isbd', prefix: 'Description: ' }],
  ['362$a', 'zines.issue_designation', { as: 'isbd', fallback: true }],
  ['440$anp', 'zines.series_title', { as: 'isbd' }],
  ['490$a', 'zines.series_title', { as: 'isbd' }],
  ['830$anp', 'zines.series_title', { as: 'isbd', fallback: true }],
  ['440$v', 'zines.issue_designation', { as: 'isbd', fallback: true }],
  ['490$v', 'zines.issue_designation', { as: 'isbd', fallback: true }],
  ['830$v', 'zines.issue_designation', { as: 'isbd', fallback: true }],
  ['800$tnp', 'zines.series_title', { as: 'isbd', fallback: true }],
  ['810$tnp', 'zines.series_title', { as: 'isbd', fallback: true }],
  ['880-4XX', 'zines.series_title', { as: 'isbd' }],
  // Notes that are for everybody. First indicator 0 keeps one private, where MARC gives it no other
  // meaning.
  ['500$a', 'zines.public_notes'],
  ['500[0*]', 'private'],
  ['501$a', 'zines.public_notes'],
  ['501[0*]', 'private'],
  ['504$a', 'zines.public_notes'],
  ['504[0*]', 'private'],
  ['505$agrt', 'zines.table_of_contents'],
  ['506$abcdu', 'zines.public_notes', { prefix: 'Access: ' }],
  ['508$a', 'zines.public_notes'],
  ['508[0*]', 'private'],
  ['511$a', 'zines.public_notes'],
  ['515$a', 'zines.public_notes'],
  ['515[0*]', 'private'],
  ['518$adop', 'zines.public_notes'],
  ['518[0*]', 'private'],
  ...['#', '0', '1', '2', '3', '8'].map((indicator): RuleRow => [`520[${indicator}*]$ab`, 'zines.abstract']),
  ['520[4*]$abc', 'zines.content_advice'],
  ['521$a', 'zines.public_notes', { prefix: 'Audience: ' }],
  ['522$a', 'zines.coverage'],
  ['522[0*]', 'private'],
  ['525$a', 'zines.public_notes'],
  ['525[0*]', 'private'],
  ['530$abcdu', 'zines.public_notes'],
  ['530[0*]', 'private'],
  ['533$abcdefmn', 'zines.public_notes', { prefix: 'Reproduction: ' }],
  ['533[0*]', 'private'],
  ['534$pabcefklmnt', 'zines.source'],
  ['534[0*]', 'private'],
  ['538$a', 'zines.public_notes'],
  ['538[0*]', 'private'],
  ['540$a', 'zines.rights'],
  ['540[0*]', 'private'],
  ['545$ab', 'zines.public_notes'],
  ['546$ab', 'zines.public_notes'],
  ['546[0*]', 'private'],
  ['550$a', 'zines.public_notes'],
  ['550[0*]', 'private'],
  ['555$a', 'zines.public_notes'],
  ['541$ac', 'holdings.source', { as: 'isbd', join: ', ' }],
  ['541$d', 'holdings.acquired'],
  ['541$e', 'holdings.accession_number'],
  ['541$h', 'holdings.price'],
  ['541$bfno35', 'private'],
  ['561[1*]$a', 'holdings.provenance'],
  ['563$a', 'zines.binding_features'],
  ['563[0*]', 'private'],
  ['580$a', 'zines.public_notes'],
  ['580[0*]', 'private'],
  ['585$a', 'zines.public_notes'],
  ['585[0*]', 'private'],
  ['586$a', 'zines.public_notes'],
  ['880-500$a', 'zines.public_notes'],
  ['880-500[0*]', 'private'],
  ['880-505$agrt', 'zines.public_notes'],
  ...['#', '0', '1', '2', '3', '8'].map((indicator): RuleRow => [`880-520[${indicator}*]$ab`, 'zines.public_notes']),
  ['880-520[4*]$abc', 'zines.content_advice_note'],
  // All other notes are those of the staff: 542, 561, 583, 590 and so on.
  ['5XX', 'private'],
  ['880-5XX', 'private'],
  // Subjects. Without places and times, a heading of LCSH and its repeat in FAST are one term.
  ['600$abcdq', 'zines.subject', { as: 'isbd', join: ' ' }],
  ['600$t', 'zines.subject', { as: 'isbd' }],
  ['610$ab', 'zines.subject', { as: 'isbd', join: '. ' }],
  ['611$a', 'zines.subject', { as: 'isbd' }],
  ['630$ap', 'zines.subject', { as: 'isbd', join: '. ' }],
  ['647$a', 'zines.subject', { as: 'isbd' }],
  ['650$ax', 'zines.subject', { as: 'isbd', join: ' -- ' }],
  ['653$a', 'zines.subject', { as: 'isbd' }],
  ['690$ax', 'zines.subject', { as: 'isbd', join: ' -- ' }],
  ['648$a', 'zines.coverage', { as: 'isbd' }],
  ['651$az', 'zines.coverage', { as: 'isbd', join: ' -- ' }],
  ['651$x', 'zines.subject', { as: 'isbd' }],
  ['600$z', 'zines.coverage', { as: 'isbd' }],
  ['610$z', 'zines.coverage', { as: 'isbd' }],
  ['650$z', 'zines.coverage', { as: 'isbd', join: ' -- ' }],
  ['690$z', 'zines.coverage', { as: 'isbd' }],
  ['650$y', 'zines.coverage', { as: 'isbd' }],
  ['651$y', 'zines.coverage', { as: 'isbd' }],
  ['600$x', 'zines.subject', { as: 'isbd' }],
  ['610$x', 'zines.subject', { as: 'isbd' }],
  ['600$v', 'zines.genre', { as: 'isbd' }],
  ['610$v', 'zines.genre', { as: 'isbd' }],
  ['650$v', 'zines.genre', { as: 'isbd' }],
  ['651$v', 'zines.genre', { as: 'isbd' }],
  ['690$v', 'zines.genre', { as: 'isbd' }],
  ['655$a', 'zines.genre', { as: 'isbd' }],
  ['880-6XX', 'zines.public_notes', { as: 'isbd' }],
  // Languages and identifiers.
  ['041$a', 'zines.language', { as: 'language' }],
  ['008/35-37', 'zines.language', { as: 'language', fallback: true }],
  ['020$a', 'zines.identifier', { as: 'isbn' }],
  ['022$a', 'zines.identifier', { as: 'isbn' }],
  ['024$a', 'zines.identifier'],
  ['035$a', 'zines.identifier'],
  ['856[40]$u', 'holdings.digital_url'],
  ['856[41]$u', 'holdings.digital_url'],
  ['856[*0]$u', 'holdings.digital_url'],
  ['856[*1]$u', 'holdings.digital_url'],
  ['856[*2]$u', 'zines.relation'],
  ['856[*#]$u', 'zines.identifier'],
  ['856[*8]$u', 'zines.identifier'],
  ['856$x', 'private'],
  ['773$atgdw', 'zines.relation', { as: 'isbd' }],
  ['776$aitdw', 'zines.relation', { as: 'isbd' }],
  ['780$aitdw', 'zines.relation', { as: 'isbd' }],
  ['785$aitdw', 'zines.relation', { as: 'isbd' }],
  ['786$ant', 'zines.source', { as: 'isbd' }],
  ['787$ant', 'zines.relation', { as: 'isbd' }],
  // Codes for library systems, and how the record came about.
  ...['LDR', '003', '005', '006', '007', '010', '015', '016', '019', '029', '037', '039', '040', '042', '043', '045', '046', '049', '066', '072', '336', '337', '338', '340', '344', '347', '385', '386', '388'].map(
    (tag): RuleRow => [tag, 'nothing'],
  ),
  // Items of holdings records, where these are in the bibliographic record.
  ['876$c', 'holdings.price'],
  ['876$d', 'holdings.acquired'],
  ['876$e', 'holdings.source'],
  ['876$x', 'holdings.staff_note'],
  ['876$p', 'holdings.barcode', { fallback: true }],
  ['9XX', 'private'],
  ['880-9XX', 'private'],
]

// Call numbers of the record, where an item has none. The same in each item field.
// prettier-ignore
const callNumbers: readonly RuleRow[] = [
  ['099$a', 'holdings.call_number', { fallback: true }],
  ['090$ab', 'holdings.call_number', { fallback: true }],
  ['050$ab', 'holdings.call_number', { fallback: true }],
  ['060$ab', 'holdings.call_number', { fallback: true }],
  ['092$ab', 'holdings.call_number', { fallback: true }],
  ['082$ab', 'holdings.call_number', { fallback: true }],
]

// prettier-ignore
const itemRules: Readonly<Record<ItemTag, readonly RuleRow[]>> = {
  // Koha.
  '952': [
    ['952$x', 'holdings.staff_note'],
    ['952$d', 'holdings.acquired'],
    ['952$e', 'holdings.source'],
    ['952$g', 'holdings.price'],
    ['952$i', 'holdings.accession_number'],
    ...['f', 'v', 'w'].map((code): RuleRow => [`952$${code}`, 'private']),
    ['952$o', 'holdings.call_number'],
    ['952$p', 'holdings.barcode'],
    ['952$c', 'holdings.location'],
    ['952$8', 'nothing'],
    ['952$a', 'holdings.location', { fallback: true }],
    ['952$h', 'holdings.notes', { prefix: 'Issue: ' }],
    ['952$3', 'holdings.notes'],
    ['952$t', 'holdings.notes', { prefix: 'Copy: ' }],
    ['952$u', 'holdings.digital_url'],
    ['952$z', 'holdings.notes'],
    ...['b', 'l', 'm', 'q', 'r', 's', 'y', '0', '1', '2', '4', '5', '6', '7', '9'].map((code): RuleRow => [`952$${code}`, 'nothing']),
  ],
  // Innovative, and others that OCLC serves.
  '949': [
    ['949$x', 'private'],
    ['949$n', 'private'],
    ['949$p', 'private'],
    ['949$ab', 'holdings.call_number'],
    ['949$i', 'holdings.barcode'],
    ['949$l', 'holdings.location'],
    ['949$z', 'holdings.notes'],
    ['949$c', 'holdings.notes', { prefix: 'Copy: ' }],
    ['949$g', 'holdings.notes', { prefix: 'Issue: ' }],
  ],
  // SirsiDynix.
  '999': [
    ['999$o', 'holdings.notes', { begins: '.PUBLIC.' }],
    ['999$o', 'private'],
    ['999$x', 'private'],
    ['999$p', 'private'],
    ['999$a', 'holdings.call_number'],
    ['999$i', 'holdings.barcode'],
    ['999$l', 'holdings.location'],
    ['999$c', 'holdings.notes', { prefix: 'Copy: ' }],
    ...['d', 'e', 'k', 'm', 'n', 'r', 's', 't', 'u', 'w', 'z'].map((code): RuleRow => [`999$${code}`, 'nothing']),
  ],
  // MARC's own location field.
  '852': [
    ['852$x', 'holdings.staff_note'],
    ['852$khim', 'holdings.call_number'],
    ['852$j', 'holdings.call_number', { fallback: true }],
    ['852$p', 'holdings.barcode'],
    ['852$c', 'holdings.location'],
    ['852$b', 'holdings.location', { fallback: true }],
    ['852$q', 'holdings.condition'],
    ['852$t', 'holdings.notes', { prefix: 'Copy: ' }],
    ['852$z', 'holdings.notes'],
    ['852$a', 'nothing'],
    ['852$8', 'nothing'],
  ],
}

/** @param items the field that the file has items in */
export const createMarcProfile = (items: ItemTag): Profile => ({
  ...undecided,
  name: 'MARC 21',
  description: `Bibliographic records in MARC 21, with items in ${items}.`,
  source: {},
  identifiers: { zines: '{source}-{001}|{import}-{row}', holdings: '{zine}-{item}', agents: '' },
  items,
  rules: toRules([...itemRules[items], ...bibliographicRules, ...callNumbers]),
  defaults: { zines: { genre: null, date: null, language: null }, holdings: {} },
})

/** Records without items: each has one copy, if it is said where. */
export const createMarcProfileWithoutItems = (): Profile => ({
  ...createMarcProfile('852'),
  description: 'Bibliographic records in MARC 21, without items.',
  items: undefined,
  rules: toRules([...bibliographicRules, ...callNumbers]),
})
