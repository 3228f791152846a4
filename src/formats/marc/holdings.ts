// A holding as a MARC 21 holdings record (mapping: 5).

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
export const holdingsRows: readonly MarcField[] = [
  // tag  ind.  from             subfields
  ['024', '7_', 'holding_id',    (holding) => [subfields('a', holding.iri, '2', 'uri')]],
  ['506', '0_', 'access_status', access(['circulating'])],
  ['506', '1_', 'access_status', access(['digital-only', 'personal-use', 'reading-room-only', 'restricted'])],
  ['845', '__', 'distro_status', eachValue('a')],
  ['852', '8_', 'repository_id', isShelved(true)],  // $b location, $h call_number, $p barcode, $q condition, $z notes
  ['852', '__', 'repository_id', isShelved(false)], // the same without a call number
  ['856', '41', 'digital_url',   eachValue('u')],
  ['866', '_0', 'copy_count',    copies],
  ['876', '__', 'barcode',       (holding, from) => holding.values(from).map((text) => subfields('p', text))],
]

/** @param agency who says it: MARC's code or, where there is none, a name */
export const createHoldingsRecord =
  (agency: string) =>
  (holding: RecordAccessor): MarcRecord => ({
    leader: `00000${statusOf(holding)}x  a22000001${holding.text('barcode') ? 'i' : 'n'} 4500`,
    control: [
      ['001', holding.id],
      ['003', agency],
      ['004', holding.text('zine_id')],
      ['005', transactionOf(holding.text('updated_at'))],
      ['008', codesOf(holding)],
    ],
    data: fieldsOf(holdingsRows, holding),
  })

const lending = new Map([
  ['circulating', 'a'],
  ['restricted', 'l'],
])

const copying = new Map([
  ['no-duplication', 'b'],
  ['duplication-allowed', 'a'],
])

// Complete; nobody knows how it came; nothing on retention; copies; lending; copying; a report of one.
function codesOf(holding: RecordAccessor): string {
  const zine = holding.related('zine_id')[0]
  const status = holding.text('access_status')
  return [
    enteredOf(holding.text('created_at')),
    '2u    0   4',
    String(Math.min(Number(holding.text('copy_count')), 999)).padStart(3, '0'),
    lending.get(status) ?? (status ? 'b' : 'u'),
    copying.get(holding.text('distro_status')) ?? 'u',
    zine ? languageOf(zine) : 'und',
    '0',
    enteredOf(holding.text('updated_at')),
  ].join('')
}

function access(codes: readonly string[]): BuildField {
  return (holding, from) =>
    holding
      .codes(from)
      .filter(({ code }) => codes.includes(code))
      .map(({ label }) => subfields('a', label))
}

// 8: a shelf mark of some other scheme than those that MARC knows.
function isShelved(isNumbered: boolean): BuildField {
  return (holding, from) =>
    (holding.text('call_number') !== '') === isNumbered
      ? holding.related(from).map((repository) => shelvingLocation(holding, repository))
      : []
}

const shelvingLocation = (holding: RecordAccessor, repository: RecordAccessor): Subfields => [
  ...subfields(
    'a',
    repository.text('isil') ||
      repository.text('marc_org_code') ||
      repository.text('repository_name'),
  ),
  ...subfields('b', holding.text('location'), 'e', addressOf(repository)),
  ...subfields('h', holding.text('call_number'), 'p', holding.text('barcode')),
  ...subfields('q', holding.text('condition')),
  ...holding.values('notes').flatMap((note) => subfields('z', note)),
]

const addressOf = (repository: RecordAccessor): string =>
  [
    repository.text('city'),
    repository.text('region'),
    ...repository.codes('country').map(({ label }) => label),
  ]
    .filter(Boolean)
    .join(', ')

// 852 $t, which looks made for it, is the number that one copy has.
function copies(holding: RecordAccessor, from: string): Subfields[] {
  return holding
    .values(from)
    .flatMap((count) => (count === '1' ? [] : [subfields('a', `${count} copies`)]))
}
