// The table of quads keeps what was added, and gives what is asked for, as a set of lines does.

import { expect } from 'chai'
import fc from 'fast-check'

import { countQuads, forEachQuad } from '../../../src/rdf/nquads.js'
import { type QuadPattern, createPatternSet } from '../../../src/features/sparql/quad-patterns.js'
import { type QuadPiece, QuadTable } from '../../../src/features/sparql/quad-table.js'

const iris = ['a', 'b', 'c', 'd'].map((name) => `<http://z.example/${name}>`)
const objects = [...iris, '"a"', '"a <b> \\" c"@en', '"1"^^<http://z.example/number>']
const graphs = ['<http://z.example/g>', '<http://z.example/h>']

const anyLine = fc
  .tuple(
    fc.constantFrom(...iris),
    fc.constantFrom(...iris),
    fc.constantFrom(...objects),
    fc.constantFrom(...graphs),
  )
  .map((terms) => `${terms.join(' ')} .\n`)

const anyPattern: fc.Arbitrary<QuadPattern> = fc.oneof(
  fc.constantFrom(...iris, '<http://z.example/unknown>').map((subject) => ({ subject })),
  fc.constantFrom(...iris).map((predicate) => ({ predicate })),
  fc.constantFrom(...objects).map((object) => ({ object })),
  fc.record({ predicate: fc.constantFrom(...iris), object: fc.constantFrom(...objects) }),
  fc.constant({}),
)

const anyPatterns = fc.array(anyPattern, { maxLength: 3 })

/** The lines with one of the patterns. */
function matching(lines: Iterable<string>, patterns: readonly QuadPattern[]): string[] {
  const set = createPatternSet(patterns)
  const found: string[] = []
  for (const line of lines) forEachQuad(line, (quad) => set.matches(quad) && found.push(line))
  return found.sort()
}

/** A piece as text, which has as many lines as it says. */
function textOf({ nquads, quads }: QuadPiece): string {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(nquads)
  expect(countQuads(text)).to.equal(quads)
  return text
}

describe('a table of quads', () => {
  it('has the quads that were added and not removed', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyLine, { maxLength: 30 }),
        fc.array(fc.record({ removed: fc.array(anyLine), added: fc.array(anyLine) })),
        anyPatterns,
        anyPatterns,
        (loaded, changes, wanted, known) => {
          const table = new QuadTable(3)
          table.load(loaded.join(''))
          const expected = new Set(loaded)
          for (const { removed, added } of changes) {
            table.remove(removed.join(''))
            table.add(added.join(''))
            for (const line of removed) expected.delete(line)
            for (const line of added) expected.add(line)
          }
          expect(table.size).to.equal(expected.size)
          const selected = [
            ...table.select(createPatternSet(wanted).parts, createPatternSet(known).parts),
          ].map(textOf)
          const isKnown = new Set(matching(expected, known))
          expect(
            selected
              .join('')
              .split(/(?<=\n)/)
              .filter(Boolean)
              .sort(),
          ).to.deep.equal(matching(expected, wanted).filter((line) => !isKnown.has(line)))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('gives many quads in pieces, and those of a subject while its places are used again', () => {
    const table = new QuadTable()
    const line = (subject: string, number: number) =>
      `<http://z.example/${subject}> ${iris[0]} "${'x'.repeat(100)}${number}" ${graphs[0]} .\n`
    const lines = Array.from({ length: 5_000 }, (_, number) => line('many', number))
    table.load(lines.join(''))
    const { parts } = createPatternSet([{ subject: '<http://z.example/many>' }])
    const pieces = table.select(parts, createPatternSet().parts)
    const given = [textOf(pieces.next().value as QuadPiece)]
    expect(given[0]?.length).to.be.below(140_000)
    // The last places, which were given first.
    table.remove(lines.slice(1_000).join(''))
    table.add(Array.from({ length: 4_000 }, (_, number) => line('other', number)).join(''))
    given.push(...[...pieces].map(textOf))
    const text = given.join('')
    for (const one of lines.slice(0, 1_000)) expect(text).to.include(one)
    expect(text).not.to.include('other')
  })

  it('gives a quad that is longer than a piece, and others before and after it', () => {
    const table = new QuadTable()
    const lines = ['"a"', `"${'雑'.repeat(100_000)}"`, '"é"@fr'].map(
      (object) => `<http://z.example/s> ${iris[0]} ${object} ${graphs[0]} .\n`,
    )
    table.load(lines.join(''))
    const pieces = [...table.select(createPatternSet([{}]).parts, createPatternSet().parts)]
    expect(pieces.map(textOf)).to.deep.equal([lines.slice(0, 2).join(''), lines[2]])
  })

  it('refuses what is no quad of a named graph', () => {
    const table = new QuadTable()
    for (const text of [
      'no quad\n',
      '<a> <b> <c> .\n',
      '<a> <b> "c"^^<d> .\n',
      '<a> <b> <c> <d>\n',
    ])
      expect(() => table.add(text), text).to.throw(Error)
    expect(table.size).to.equal(0)
  })
})
