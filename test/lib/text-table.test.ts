// Texts by number, as bytes.

import { deserialize, serialize } from 'node:v8'

import { expect } from 'chai'
import fc from 'fast-check'

import { compareCodePoints } from '../../src/rdf/terms.js'
import { type SavedTextTable, TextTable } from '../../src/lib/text-table.js'

const letters = fc.constantFrom('a', 'b', 'é', '漢', '\uffee', '😀', ' ')
const anyText = fc
  .oneof(
    { weight: 9, arbitrary: fc.array(letters, { maxLength: 6 }) },
    // Texts of other lengths begin otherwise.
    { weight: 1, arbitrary: fc.array(letters, { minLength: 240, maxLength: 260 }) },
  )
  .map((parts) => parts.join(''))

describe('a table of texts', () => {
  it('gives each text one number, in the order of arrival, and the text for it', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 120 }), (texts) => {
        const table = new TextTable()
        const distinct = [...new Set(texts)]
        expect(texts.map((one) => table.add(one))).to.deep.equal(
          texts.map((text) => distinct.indexOf(text)),
        )
        expect(table.length).to.equal(distinct.length)
        expect(distinct.map((_, number) => table.at(number))).to.deep.equal(distinct)
        expect(distinct.map((one) => table.find(one))).to.deep.equal([...distinct.keys()])
        expect(table.find(`${distinct.join('')}x`)).to.equal(undefined)
      }),
    )
  })

  it('writes a text as UTF-8 where it is told to, and says where it ends', () => {
    fc.assert(
      fc.property(anyText, fc.nat(9), (text, start) => {
        const table = new TextTable()
        const number = table.add(text)
        const bytes = Buffer.alloc(start + table.sizeOf(number) + 1, '.')
        const end = table.write(number, bytes, start)
        expect(end).to.equal(bytes.length - 1)
        expect(bytes.toString()).to.equal(`${'.'.repeat(start)}${text}.`)
      }),
    )
  })

  it('compares texts by code point', () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        const table = new TextTable()
        const difference = table.compare(table.add(one), table.add(other))
        expect(Math.sign(difference)).to.equal(Math.sign(compareCodePoints(one, other)))
      }),
    )
  })

  it('knows which texts begin with some bytes, and which come before and after these', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, beginning) => {
        const table = new TextTable()
        const difference = table.compareBeginning(table.add(text), Buffer.from(beginning))
        expect(Math.sign(difference)).to.equal(
          text.startsWith(beginning) ? 0 : Math.sign(compareCodePoints(text, beginning)),
        )
      }),
    )
  })

  it('reads as many letters as there is room for', () => {
    fc.assert(
      fc.property(anyText, fc.nat(8), (text, room) => {
        const table = new TextTable()
        const into = new Uint16Array(room)
        const count = table.readLetters(table.add(text), into)
        const first = text.slice(0, room)
        expect(String.fromCharCode(...into.subarray(0, count))).to.equal(first)
      }),
    )
  })

  it('has texts of any length, over many blocks', () => {
    const table = new TextTable()
    const texts = Array.from({ length: 60 }, (_, index) => `${index}`.repeat(20_000 * (index % 9)))
    const distinct = [...new Set(texts)]
    for (const text of texts) table.add(text)
    expect(distinct.every((text, number) => table.at(number) === text)).to.equal(true)
    expect(distinct.every((text, number) => table.find(text) === number)).to.equal(true)
  })

  it('is the same after it was saved and restored, and takes further texts then', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 80 }), fc.array(anyText), (texts, further) => {
        const [before, after] = [new TextTable(), new TextTable()]
        for (const text of texts) before.add(text)
        after.restore(deserialize(serialize(before.save())) as SavedTextTable)
        const all = [...new Set([...texts, ...further])]
        expect(all.map((one) => after.add(one))).to.deep.equal([...all.keys()])
        expect(all.map((_, number) => after.at(number))).to.deep.equal(all)
      }),
    )
  })
})
