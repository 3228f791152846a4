// Builds the MARC 21 holdings record of a holding (docs/reference/marc.md, "MARC holdings
// records").

import type { RecordAccessor } from '../record-accessor.js'
import { languageOf } from './coded-values.js'
import { statusOf } from './bibliographic.js'
import {
  type MarcRecord,
  type BuildField,
  type MarcField,
  type Subfields,
  eachValue,
  enteredOf,
  fieldsOf,
  subfields,
  transactionOf,
} from './fields.js'

// prettier-ignore
export const holdingsFields: readonly MarcField[] = [
  // tag  ind.  from             subfields
  ['024', '7_', 'holding_id',    (holding) => [subfields('a', holding.iri, '2', 'uri')]],
  ['506', '0_', 'access_status', accessNotes((code) => code === 'circulating')],
  // Also for an institution's own terms.
  ['506', '1_', 'access_status', accessNotes((code) => code !== 'circulating')],
  // First indicator 0: private.
  ['541', '0_', 'source',        acquisition],     // $d acquired, $e accession_number, $h price
  ['541', '0_', 'donor',         (holding, from) => holding.values(from).map((donor) => subfields('a', donor, 'c', 'gift'))],
  ['561', '1_', 'provenance',    eachValue('a')],
  ['845', '__', 'distro_status', eachValue('a')],
  ['852', '8_', 'repository_id', locationFields(true)],  // $b location, $h call_number, $p barcode, $q condition, $z notes
  ['852', '__', 'repository_id', locationFields(false)], // the same without a call number
  ['856', '41', 'digital_url',   eachValue('u')],
  ['866', '_0', 'copy_count',    copyCount],
  ['876', '__', 'barcode',       itemInformation], // $p barcode, $j access_status
]

/** @param agency the cataloguing agency: its MARC code or, where it has none, its name */
export const createHoldingsRecord =
  (agency: string) =>
  (holding: RecordAccessor): MarcRecord => ({
    leader: `00000${statusOf(holding)}x  a22000001${holding.text('barcode') ? 'i' : 'n'} 4500`,
    control: [
      ['001', holding.id],
      ['003', agency],
      ['004', holding.text('zine_id')],
      ['005', transactionOf(holding.text('updated_at'))],
      ['008', fixedCodes(holding)],
    ],
    data: fieldsOf(holdingsFields, holding),
  })

const lendingCodes = new Map([
  ['circulating', 'a'],
  ['restricted', 'l'],
])

const copyingCodes = new Map([
  ['no-duplication', 'b'],
  ['duplication-allowed', 'a'],
])

// 008: receipt complete; method of acquisition unknown; retention not given; number of copies;
// lending policy; reproduction policy; language; separate report.
function fixedCodes(holding: RecordAccessor): string {
  const zine = holding.related('zine_id')[0]
  const status = holding.text('access_status')
  return [
    enteredOf(holding.text('created_at')),
    '2u    0   4',
    // There is one at least where the number is not known.
    String(Math.min(Number(holding.text('copy_count') || '1'), 999)).padStart(3, '0'),
    lendingCodes.get(status) ?? (status ? 'b' : 'u'),
    copyingCodes.get(holding.text('distro_status')) ?? 'u',
    zine ? languageOf(zine) : 'und',
    '0',
    enteredOf(holding.text('updated_at')),
  ].join('')
}

function accessNotes(isMeant: (code: string) => boolean): BuildField {
  return (holding, from) =>
    holding
      .codes(from)
      .filter(({ code }) => isMeant(code))
      .map(({ label }) => subfields('a', label))
}

/** First indicator 8: the call number is of a scheme that MARC has no code for. */
export const shelvingIndicators = (holding: RecordAccessor): string =>
  holding.text('call_number') === '' ? '__' : '8_'

function locationFields(hasCallNumber: boolean): BuildField {
  return (holding, from) =>
    (holding.text('call_number') !== '') === hasCallNumber
      ? holding.related(from).map((repository) => shelvingLocation(holding, repository))
      : []
}

/** 852, of a holdings record or of the bibliographic record of the zine. */
export const shelvingLocation = (
  holding: RecordAccessor,
  repository: RecordAccessor,
): Subfields => [
  ...subfields(
    'a',
    repository.text('isil') ||
      repository.text('marc_org_code') ||
      repository.text('repository_name'),
  ),
  ...subfields('b', holding.text('location'), 'e', addressOf(repository)),
  ...subfields('h', holding.text('call_number'), 'p', holding.text('barcode')),
  ...subfields('q', holding.text('condition')),
  ...subfields('x', holding.text('staff_note')),
  ...holding.values('notes').flatMap((note) => subfields('z', note)),
]

function acquisition(holding: RecordAccessor, from: string): Subfields[] {
  return [
    [
      ...subfields('a', holding.text(from), 'd', holding.text('acquired')),
      ...subfields('e', holding.text('accession_number'), 'h', holding.text('price')),
    ],
  ]
}

const addressOf = (repository: RecordAccessor): string =>
  [
    repository.text('city'),
    repository.text('region'),
    ...repository.codes('country').map(({ label }) => label),
  ]
    .filter(Boolean)
    .join(', ')

function itemInformation(holding: RecordAccessor, from: string): Subfields[] {
  const status = holding.codes('access_status').map(({ label }) => label)[0] ?? ''
  return holding.values(from).map((barcode) => subfields('p', barcode, 'j', status))
}

// Not 852 $t, which is the number of one particular copy.
function copyCount(holding: RecordAccessor, from: string): Subfields[] {
  return holding
    .values(from)
    .flatMap((count) => (count === '1' ? [] : [subfields('a', `${count} copies`)]))
}
