// Builds the fields that a bibliographic record has for the holdings of its zine, where a client
// asks for them: 852 as MARC 21 has it, or 952 as Koha has its items (docs/reference/marc.md,
// "Holdings in bibliographic records").

import type { RecordAccessor } from '../record-accessor.js'
import type { ItemField, ItemOptions } from '../serializer.js'
import {
  type FieldWithIndicators,
  type MarcField,
  type Subfields,
  constant,
  subfields,
} from './fields.js'
import { shelvingIndicators, shelvingLocation } from './holdings.js'

/** The fields of each choice. */
export const itemFields: Readonly<
  Record<ItemField, (options: ItemOptions) => readonly MarcField[]>
> = {
  852: () => holdingFields,
  952: kohaFields,
}

const holdingFields: readonly MarcField[] = [
  ['852', '__', '', (zine) => zine.holdings().flatMap(locationOf)],
  [
    '856',
    '41',
    '',
    (zine) => zine.holdings().map((holding) => subfields('u', holding.text('digital_url'))),
  ],
]

const locationOf = (holding: RecordAccessor): FieldWithIndicators[] =>
  holding.related('repository_id').map((repository) => ({
    indicators: shelvingIndicators(holding),
    subfields: [
      ...shelvingLocation(holding, repository),
      ...[...accessOf(holding), ...copiesOf(holding)].flatMap((note) => subfields('z', note)),
    ],
  }))

// 942 is of the whole record: `z` is Koha's code for a classification of another kind than its own.
function kohaFields({ branch, itemType }: ItemOptions): readonly MarcField[] {
  return [
    ['942', '__', '', constant('2', 'z', 'c', itemType)],
    [
      '952',
      '__',
      '',
      (zine) =>
        zine
          .holdings()
          .flatMap((holding) =>
            holding
              .related('repository_id')
              .map(({ id }) => kohaItem(holding, branch ?? id, itemType)),
          ),
    ],
  ]
}

// The most characters that Koha's columns have: it refuses an item with a longer text.
const maxLocationLength = 80
const maxBarcodeLength = 20

/** An item, with its subfields in the order in which Koha writes them. */
function kohaItem(holding: RecordAccessor, branch: string, itemType: string): Subfields {
  const [location, barcode] = [holding.text('location'), holding.text('barcode')]
  const status = holding.text('access_status')
  const isLent = status === '' || status === 'circulating'
  const condition = holding.text('condition')
  const notes = [
    ...holding.values('notes'),
    ...(condition === '' ? [] : [`Condition: ${condition}`]),
    ...accessOf(holding),
    ...copiesOf(holding),
    ...(isWithin(location, maxLocationLength) ? [] : [`Location: ${location}`]),
    ...(isWithin(barcode, maxBarcodeLength) ? [] : [`Barcode: ${barcode}`]),
  ]
  return [
    ...subfields('2', 'z', '5', status === 'restricted' ? '1' : '', '7', isLent ? '' : '1'),
    ...subfields('a', branch, 'b', branch),
    ...subfields('c', isWithin(location, maxLocationLength) ? location : ''),
    ...subfields('d', dateAcquired(holding)),
    ...subfields('e', [...holding.values('source'), ...holding.values('donor')].join('; ')),
    ...subfields('g', amountIn(holding.text('price')), 'i', holding.text('accession_number')),
    ...subfields('o', holding.text('call_number')),
    ...subfields('p', isWithin(barcode, maxBarcodeLength) ? barcode : ''),
    ...subfields('u', holding.text('digital_url'), 'x', holding.text('staff_note'), 'y', itemType),
    // One subfield, since Koha joins several by the same mark.
    ...subfields('z', notes.join(' | ')),
  ]
}

/** A date, which Koha insists on: that of the record where nobody says another. */
const dateAcquired = (holding: RecordAccessor): string => {
  const acquired = holding.text('acquired')
  return /^\d{4}-\d{2}-\d{2}$/.test(acquired) ? acquired : holding.text('created_at').slice(0, 10)
}

/** The number in a price, without which Koha refuses an item. */
const amountIn = (price: string): string => /\d+(?:\.\d+)?/.exec(price.replace(',', '.'))?.[0] ?? ''

const isWithin = (text: string, length: number): boolean => Array.from(text).length <= length

const accessOf = (holding: RecordAccessor): readonly string[] =>
  holding.codes('access_status').map(({ label }) => label)

const copiesOf = (holding: RecordAccessor): readonly string[] =>
  holding
    .values('copy_count')
    .filter((count) => count !== '1')
    .map((count) => `${count} copies`)
