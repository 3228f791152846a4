// The numbers that issue designations say, their order, and the numbers that a series lacks.

import { expect } from 'chai'

import { compareIssues, missingIssues, readIssueNumbers } from '../../src/model/issue-numbers.js'
import { processorTime } from '../waiting.js'

// prettier-ignore
const designations: readonly (readonly [designation: string, volume: number | undefined, numbers: string])[] = [
  ['no. 12', undefined, '12'],
  ['#3', undefined, '3'],
  ['3', undefined, '3'],
  ['Issue 4', undefined, '4'],
  ['[no. 1?]', undefined, '1'],
  ['第3号', undefined, '3'],
  ['no. 4.5', undefined, '4.5'],
  ['no. 1, 2', undefined, '1 2'],
  ['no. 5 & 6', undefined, '5 6'],
  ['no. 43-45', undefined, '43-45'],
  ['nos. 1–6', undefined, '1-6'],
  ['no. 156-1', undefined, '156'],
  ['vol. 2 no. 10', 2, '10'],
  ['vol. 9 no. 4, 5', 9, '4 5'],
  ['Volume 3, Number 2', 3, '2'],
  ['vol. 5', 5, ''],
  ['v. 1, no. 2 (Spring 1994)', 1, '2'],
  ['no. 12,751', undefined, '12751'],
  ['no. Spring', undefined, ''],
  ['special', undefined, ''],
  ['no. 4-Jan', undefined, ''],
  ['no. Issue # "Mail Me Mask Art"', undefined, ''],
  ['year 4', undefined, ''],
  ['', undefined, ''],
]

describe('the numbers of an issue', () => {
  for (const [designation, volume, numbers] of designations)
    it(`of ${JSON.stringify(designation)} are ${numbers || 'none'}`, () => {
      const read = readIssueNumbers(designation)
      expect(read.volume).to.equal(volume)
      const written = read.ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`))
      expect(written.join(' ')).to.equal(numbers)
    })

  it('are read of a long text in no time', () => {
    const text = `no. ${'1, '.repeat(100_000)}${'vol '.repeat(10_000)}`
    const started = processorTime()
    readIssueNumbers(text.slice(0, 200_000))
    expect(processorTime() - started).to.be.below(1000)
  })
})

describe('the issues of a series', () => {
  it('are sorted as people count them, with those without a number last, by year', () => {
    const sorted = ['no. 2', 'no. 10', 'no. 4.5', 'no. 4', '#3', 'no. 4, 5', 'no. 43-45', '11']
    const shuffled = [...sorted].reverse().map((designation) => ({ designation, year: 1990 }))
    const others = [
      { designation: 'Winter', year: 1993 },
      { designation: 'Spring', year: 1994 },
      { designation: '', year: undefined },
    ]
    const all = [...[...others].reverse(), ...shuffled].sort(compareIssues)
    expect(all.map(({ designation }) => designation)).to.deep.equal([
      ...['no. 2', '#3', 'no. 4', 'no. 4, 5', 'no. 4.5', 'no. 10', '11', 'no. 43-45'],
      ...['Winter', 'Spring', ''],
    ])
  })

  it('are sorted by volume before number', () => {
    const designations = ['vol. 2 no. 1', 'vol. 10 no. 1', 'vol. 1 no. 10', 'vol. 1 no. 9', 'no. 3']
    const sorted = designations
      .map((designation) => ({ designation, year: undefined }))
      .sort(compareIssues)
    expect(sorted.map(({ designation }) => designation)).to.deep.equal([
      ...['no. 3', 'vol. 1 no. 9', 'vol. 1 no. 10', 'vol. 2 no. 1', 'vol. 10 no. 1'],
    ])
  })

  const missing = (...of: readonly string[]): string =>
    missingIssues(of)
      .map(({ volume, from, to }) => `${volume === undefined ? '' : `${volume}:`}${from}-${to}`)
      .join(' ')

  it('lack the numbers below the highest that none of them has', () => {
    expect(missing('no. 2', 'no. 5', 'no. 9')).to.equal('1-1 3-4 6-8')
    expect(missing('no. 1', 'no. 2-4', 'no. 5 & 6')).to.equal('')
    expect(missing('no. 1', 'no. 1.5', 'no. 3')).to.equal('2-2')
    expect(missing('no. 1', 'Spring', '')).to.equal('')
    expect(missing('no. 0', 'no. 2')).to.equal('1-1')
  })

  it('lack numbers in each volume, or across volumes that go on counting', () => {
    expect(missing('vol. 1 no. 1', 'vol. 1 no. 3', 'vol. 2 no. 2')).to.equal('1:2-2 2:1-1')
    expect(missing('vol. 1 no. 1', 'vol. 1 no. 2', 'vol. 2 no. 3', 'vol. 2 no. 5')).to.equal('4-4')
    expect(missing('vol. 3', 'no. 2')).to.equal('1-1')
  })

  it('lack nothing below a year or a joke', () => {
    expect(missing('no. 1', 'no. 1994', 'no. 12,751')).to.equal('')
  })
})
