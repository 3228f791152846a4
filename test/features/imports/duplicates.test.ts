// Duplicates within a source and with the catalogue.

import { expect } from 'chai'

import {
  type CataloguedZine,
  type ComparedRow,
  createDuplicateFinder,
  isbn13Of,
  issnOf,
} from '../../../src/features/imports/matching/duplicates.js'
import { processorTime } from '../../waiting.js'

let number = 0

const row = (values: Partial<ComparedRow>): ComparedRow => ({
  title: '',
  issue: '',
  dates: [],
  identifiers: [],
  barcodes: [],
  row: (number += 1),
  ...values,
})

/** What the last of these rows is a duplicate of. */
async function duplicatesOf(
  rows: readonly Partial<ComparedRow>[],
  catalogue: readonly CataloguedZine[] = [],
) {
  const finder = await createDuplicateFinder(catalogue)
  return rows.map((one, index) => finder.add(row({ row: index + 1, ...one }))).at(-1)
}

describe('duplicates of a source', () => {
  type Case = readonly [string, Partial<ComparedRow>, Partial<ComparedRow>, string | undefined]
  const cases: readonly Case[] = [
    ['a title but for case', { title: 'Doris' }, { title: ' DORIS ' }, 'title'],
    ['a title but for punctuation', { title: 'No War!' }, { title: 'No War' }, 'similar-title'],
    [
      'an issue that is written otherwise',
      { title: 'Doris', issue: '#24' },
      { title: 'Doris', issue: 'no. 24' },
      'title',
    ],
    [
      'an issue that is in the title',
      { title: 'Doris #24' },
      { title: 'Doris', issue: '24' },
      'similar-title',
    ],
    [
      'not another issue',
      { title: 'Doris', issue: '1' },
      { title: 'Doris', issue: '2' },
      undefined,
    ],
    ['not another date', { title: 'Doris', dates: ['2003'] }, { title: 'Doris' }, undefined],
    [
      'one of several dates',
      { title: 'Doris', dates: ['2003', '2004'] },
      { title: 'Doris', dates: ['2004'] },
      'title',
    ],
    ['not two without a title', {}, {}, undefined],
    [
      'an ISBN of 10 and of 13 digits',
      { title: 'A', identifiers: ['0-306-40615-2'] },
      { title: 'B', identifiers: ['ISBN 978-0-306-40615-7 (pbk.)'] },
      'identifier',
    ],
    [
      'an ISSN with the same issue',
      { title: 'A', issue: '3', identifiers: ['ISSN 0317-8471'] },
      { title: 'B', issue: '#3', identifiers: ['0317-8471'] },
      'identifier',
    ],
    [
      'not an ISSN with another issue',
      { title: 'A', issue: '3', identifiers: ['ISSN 0317-8471'] },
      { title: 'A', issue: '4', identifiers: ['ISSN 0317-8471'] },
      undefined,
    ],
    [
      'not an ISSN without an issue',
      { title: 'A', identifiers: ['ISSN 0317-8471'] },
      { title: 'B', identifiers: ['ISSN 0317-8471'] },
      undefined,
    ],
    [
      'another identifier',
      { title: 'A', identifiers: ['(OCoLC)12'] },
      { title: 'B', identifiers: ['(ocolc)12'] },
      'identifier',
    ],
    [
      'a barcode before a title',
      { title: 'A', barcodes: ['3000 1'] },
      { title: 'A', barcodes: ['3000 1'] },
      'barcode',
    ],
  ]
  for (const [title, one, other, reason] of cases)
    it(`are found by ${title}`, async () => {
      const expected = reason ? [{ reason, row: 1 }] : []
      expect(await duplicatesOf([one, other])).to.deep.equal(expected)
    })

  it('are found in the catalogue, but not the zine that the row updates', async () => {
    const catalogue = [
      { id: 'z1', title: 'Doris', issue: '24', dates: ['2003'] },
      { id: 'z2', barcodes: ['b1'] },
      { id: 'z2', title: 'Ker-bloom!' },
    ]
    const doris = { title: 'doris', issue: '#24', dates: ['2003'] }
    expect(await duplicatesOf([doris], catalogue)).to.deep.equal([{ reason: 'title', zine: 'z1' }])
    expect(await duplicatesOf([{ ...doris, id: 'z1' }], catalogue)).to.deep.equal([])
    expect(await duplicatesOf([{ title: 'Kerbloom', barcodes: ['B1'] }], catalogue)).to.deep.equal([
      { reason: 'barcode', zine: 'z2' },
    ])
  })

  it('are listed in groups, with the strongest reason', async () => {
    const finder = await createDuplicateFinder([])
    const zines: readonly Partial<ComparedRow>[] = [
      { title: 'Doris' },
      { title: 'Xtra Tuf' },
      { title: 'Doris!' },
      { title: 'doris' },
      { title: 'List 1' },
      { title: 'Something', barcodes: ['1'] },
      { title: 'List 1...' },
      { title: 'Other', barcodes: ['1'] },
      { title: 'other' },
    ]
    for (const [index, one] of zines.entries()) finder.add(row({ ...one, row: index + 1 }))
    expect(finder.groups()).to.deep.equal([
      { rows: [1, 3, 4], reason: 'title' },
      { rows: [5, 7], reason: 'similar-title' },
      { rows: [6, 8, 9], reason: 'barcode' },
    ])
  })

  it('are found in 100,000 rows that are one zine within seconds', async () => {
    const finder = await createDuplicateFinder([])
    const start = processorTime()
    for (let index = 1; index <= 100_000; index += 1) finder.add(row({ row: index, title: 'One' }))
    expect(finder.groups()[0]?.rows).to.have.length(100_000)
    expect(processorTime() - start).to.be.below(10_000)
  })

  it('are compared by valid numbers only', () => {
    expect(
      ['0306406152', '[0306406152]', '9780306406157', '080442957X'].map(isbn13Of),
    ).to.deep.equal(['9780306406157', '9780306406157', '9780306406157', '9780804429573'])
    expect(['0306406153', '9780306406158', '123', ''].map(isbn13Of)).to.deep.equal(
      Array<undefined>(4).fill(undefined),
    )
    expect(['ISSN 0317-8471', '2434-561X', '9770317847001'].map(issnOf)).to.deep.equal([
      '03178471',
      '2434561X',
      '03178471',
    ])
    expect(['0317-8472', '03178471', ''].map(issnOf)).to.deep.equal(
      Array<undefined>(3).fill(undefined),
    )
  })
})
