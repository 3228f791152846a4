// Which lines of N-Quads belong to which graph, by their grammar, whatever their literals contain.

import toNT from '@rdfjs/to-ntriples'
import { expect } from 'chai'
import fc from 'fast-check'
import { DataFactory } from 'n3'
import { Store as Oxigraph, parse } from 'oxigraph'

import {
  countInGraph,
  createLinkFinder,
  differenceOf,
  filterByGraph,
  isCertainlyValid,
  readNQuads,
  readTriples,
  replaceIris,
  selectTriples,
  toDeleteData,
} from '../../src/rdf/nquads.js'
import {
  type Term,
  iri,
  quad,
  stringLiteral,
  typedLiteral,
  writeNQuads,
} from '../../src/rdf/terms.js'
import { xsd } from '../../src/rdf/namespaces.js'

const open = iri('https://a.example/open')
const closed = iri('https://a.example/closed')

const literal = (value: string, kind?: string | typeof open) => DataFactory.literal(value, kind)
const stated = (object: ReturnType<typeof literal> | typeof open, graph = closed) =>
  DataFactory.quad(iri('a:s'), iri('a:p'), object, graph)

const forged = `" <${open.value}> .`
const objects = {
  'a literal that ends like one': literal(`x" <${open.value}> .`),
  'a literal that holds a line': literal(`"\n<a:s> <a:p> "x" <${open.value}> .\n`),
  'a literal with backslashes': literal(`\\" <${open.value}> .\\`),
  'a datatype that is the graph': literal('x', open),
  'an object that is the graph': open,
  'a literal of odd line ends': literal(`\r\u2028\u2029\u0085${forged}`),
}
describe('the triples of what was written', () => {
  const anyIri = fc.webUrl().map((url) => url.replace(/[<>"{}|\\^`\s]/g, ''))
  const anyObject = fc.oneof(
    anyIri.map(iri),
    fc.string({ unit: 'grapheme' }).map((value) => literal(value)),
    fc
      .string({ unit: fc.constantFrom('"', '\\', '\n', '\t', '<', '>', ' ', '.', 'a') })
      .map((value) => literal(value)),
    fc.constant(literal('2020', iri('http://www.w3.org/2001/XMLSchema#gYear'))),
    fc.constant(literal('x', 'en')),
  )

  it('are those that a parser reads, of the graphs that are asked for', () => {
    const anyQuad = fc
      .tuple(anyIri, anyIri, anyObject, fc.constantFrom(open, closed))
      .map(([s, p, o, g]) => DataFactory.quad(iri(s), iri(p), o, g))
    fc.assert(
      fc.property(fc.array(anyQuad, { maxLength: 6 }), (quads) => {
        const written = writeNQuads(quads)
        const expected = readNQuads(written)
          .filter(({ graph }) => graph.equals(open))
          .map(({ subject, predicate, object }) => ({
            s: subject.value,
            p: predicate.value,
            o: object.value,
          }))
        expect(readTriples(written, [open])).to.deep.equal(expected)
      }),
      { numRuns: 500 },
    )
  })

  it('have none of another graph, however its literals end', () => {
    const quads = Object.values(objects).map((object) => stated(object))
    expect(readTriples(writeNQuads(quads), [open])).to.deep.equal([])
  })
})

describe('quads with other IRIs', () => {
  const anyIri = fc.constantFrom('a:s', 'a:p', 'a:kept', 'b:o', 'https://a.example/?a:s&é', '')
  const anyObject = fc.oneof(
    anyIri.map(iri),
    fc
      .string({ unit: fc.constantFrom('"', '\\', '\n', '<', 'a:s', '>', ' ', '.', '^^', '@', 'é') })
      .map((value) => literal(value)),
    anyIri.map((type) => literal('a:s', iri(`x:${type}`))),
    fc.constant(literal('<a:s>', 'en')),
  )
  const anyQuad = fc
    .tuple(anyIri, anyIri, anyObject, fc.constantFrom(closed, DataFactory.defaultGraph()))
    .map(([s, p, o, g]) => DataFactory.quad(iri(s), iri(p), o, g))
  const replace = (value: string): string =>
    value.startsWith('a:') || value === closed.value ? `moved:${value}` : value
  const moved = (term: Term) => (term.termType === 'NamedNode' ? iri(replace(term.value)) : term)

  it('are those of a parser whose terms are replaced one by one', () => {
    fc.assert(
      fc.property(fc.array(anyQuad, { maxLength: 6 }), (quads) => {
        const expected = quads.map(({ subject, predicate, object, graph }) =>
          // The casts: what is replaced stays a term of its kind.
          DataFactory.quad(
            moved(subject) as typeof subject,
            moved(predicate) as typeof predicate,
            (predicate.value === 'a:kept' ? object : moved(object)) as typeof object,
            moved(graph) as typeof graph,
          ),
        )
        const isKept = (predicate: string): boolean => predicate === 'a:kept'
        expect(replaceIris(writeNQuads(quads), replace, isKept)).to.equal(writeNQuads(expected))
      }),
      { numRuns: 500 },
    )
  })

  it('are not made of what is no line', () => {
    expect(() => replaceIris('<a:s> <a:p> "x .\n', replace, () => false)).to.throw('not a line')
  })
})

describe('the terms that are made here', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\r', '\t', 'a') }),
  )
  const anyTerms = anyText.chain((value) =>
    fc.constantFrom(
      [stringLiteral(value), literal(value)] as const,
      [typedLiteral(value, xsd('string')), literal(value, xsd('string'))] as const,
      [typedLiteral(value, xsd('gYear')), literal(value, xsd('gYear'))] as const,
      [iri(value), DataFactory.namedNode(value)] as const,
    ),
  )

  it('are written like those of every other library', () => {
    fc.assert(
      fc.property(anyTerms, ([own, other]) => {
        const [subject, predicate] = [iri('a:s'), iri('a:p')]
        const ofOthers = DataFactory.quad(subject, predicate, other, closed)
        expect(writeNQuads([quad(subject, predicate, own, closed)])).to.equal(`${toNT(ofOthers)}\n`)
        expect(writeNQuads([ofOthers])).to.equal(`${toNT(ofOthers)}\n`)
      }),
    )
  })

  it('equal those of other libraries and nothing else', () => {
    fc.assert(
      fc.property(anyTerms, anyTerms, ([own, other], [second, third]) => {
        expect(own.equals(other)).to.equal(true)
        expect(other.equals(own)).to.equal(true)
        const isSame = other.equals(third)
        expect([own.equals(second), own.equals(third), third.equals(own)]).to.deep.equal([
          isSame,
          isSame,
          isSame,
        ])
        expect(own.equals(undefined)).to.equal(false)
      }),
    )
    expect(stated(open).equals(quad(iri('a:s'), iri('a:p'), open, closed))).to.equal(true)
    expect(quad(iri('a:s'), iri('a:p'), open, closed).equals(stated(open))).to.equal(true)
    expect(quad(iri('a:s'), iri('a:p'), open, closed).equals(stated(closed))).to.equal(false)
  })
})

describe('the difference of two texts', () => {
  // Few different lines, so that texts have many in common, some of them the end of another.
  const anyLine = fc
    .constantFrom('a', 'b', '> <a:p> "b', 'c', 'd')
    .map((name) => `<a:${name}> <a:p> "b" <a:g> .\n`)
  const anyText = fc.array(anyLine, { maxLength: 40 }).map((lines) => lines.join(''))
  const linesOf = (text: string) => new Set(text.split('\n').filter((line) => line !== ''))

  it('is the lines that only one of them has', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, anyText, (start, before, after, end) => {
        const [one, other] = [start + before + end, start + after + end]
        const { removed, added } = differenceOf(one, other)
        const [old, current] = [linesOf(one), linesOf(other)]
        expect([...linesOf(removed)]).to.have.members([...old].filter((line) => !current.has(line)))
        expect([...linesOf(added)]).to.have.members([...current].filter((line) => !old.has(line)))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('the lines of a graph', () => {
  it('are all lines of that graph and none of another', () => {
    const [first, last] = [stated(literal('x'), open), stated(iri('a:o'), open)]
    const ours = [first, last]
    const theirs = [stated(literal('y')), stated(literal('z', 'en'))]
    const written = writeNQuads([first, ...theirs, last])
    expect(filterByGraph(written, [open])).to.equal(writeNQuads(ours))
    expect(filterByGraph(written, [closed])).to.equal(writeNQuads(theirs))
    expect(filterByGraph(written, [open, closed])).to.equal(written)
  })

  for (const [what, object] of Object.entries(objects))
    it(`do not include that of another with ${what}`, () => {
      expect(filterByGraph(writeNQuads([stated(object)]), [open])).to.equal('')
    })

  it('do not include a triple whose object is the graph', () => {
    const line = `<a:s> <a:p> <${open.value}> .\n`
    expect(filterByGraph(line, [open])).to.equal('')
  })

  it('are found whatever the literals contain', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.boolean())), (said) => {
        const quads = said.map(([value, isOpen]) => stated(literal(value), isOpen ? open : closed))
        const ours = quads.filter(({ graph }) => graph.value === open.value)
        expect(filterByGraph(writeNQuads(quads), [open])).to.equal(writeNQuads(ours))
      }),
    )
  })

  it('are not found in text that is not N-Quads', () => {
    for (const text of ['x', '<a:s> <a:p> "x', `<a:s> <a:p> "x" <${open.value}>`, '\n'])
      expect(() => filterByGraph(text, [open])).to.throw(/not a line of N-Quads/)
  })
})

describe('the triples of a graph', () => {
  const said = new Set(['a:p'])

  it('are those of its lines that have the requested properties', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.boolean())), (values) => {
        const quads = values.map(([value, isOpen]) =>
          stated(literal(value), isOpen ? open : closed),
        )
        const ours = values.filter(([, isOpen]) => isOpen)
        const triples = ours.map(([value]) => ({ s: 'a:s', p: 'a:p', o: value }))
        expect(selectTriples(writeNQuads(quads), open, said)).to.deep.equal(triples)
        expect(selectTriples(writeNQuads(quads), open, new Set(['a:q']))).to.deep.equal([])
      }),
    )
  })

  it('have IRIs, typed literals and literals in a language as values', () => {
    const objects = [iri('a:o'), literal('1', iri('a:integer')), literal('eins', 'de')]
    const written = writeNQuads(objects.map((object) => stated(object, open)))
    expect(selectTriples(written, open, said).map(({ o }) => o)).to.deep.equal(['a:o', '1', 'eins'])
  })

  it('are read whatever is escaped, in every form of escape', () => {
    const line = String.raw`<a:s> <a:p> "\n\u00e9\n\t\"\\\U0001F600" <${open.value}> .`
    const [triple] = selectTriples(`${line}\n`, open, said)
    expect(triple?.o).to.equal('\né\n\t"\\😀')
  })

  it('are not read from text that is not N-Quads', () => {
    expect(() => selectTriples('x', open, said)).to.throw(/not a line of N-Quads/)
  })
})

describe('the update that deletes quads', () => {
  const format = { format: 'application/n-quads' }
  const lastOf = (removed: string, kept = ''): string => {
    const store = new Oxigraph()
    store.load(removed + kept, format)
    store.update(toDeleteData(removed))
    return store.dump(format)
  }

  it('deletes them, whatever their literals contain, and nothing else', () => {
    const kept = writeNQuads([stated(literal('kept')), stated(literal('kept', 'en'), open)])
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (values) => {
        const quads = values.flatMap((value) => [
          stated(literal(`x${value}`)),
          stated(literal(`x${value}`, 'en-GB'), open),
          stated(literal(`x${value}`, iri('a:type'))),
        ])
        expect(lastOf(writeNQuads(quads), kept).split('\n').sort()).to.deep.equal(
          kept.split('\n').sort(),
        )
      }),
    )
  })

  it('deletes what looks like an escape or the end of the update', () => {
    const texts = [
      String.raw`\\u0041`,
      String.raw`\u0041`,
      '\\u0041',
      '" } }',
      "'''",
      '# x',
      '\u0001',
    ]
    for (const text of texts)
      expect(lastOf(writeNQuads([stated(literal(text))])), text).to.equal('')
  })

  it('deletes quads of the default graph', () => {
    expect(lastOf('<a:s> <a:p> "x" .\n<a:s> <a:p> <a:o> .\n')).to.equal('')
  })

  it('is not made of text that is not N-Quads', () => {
    expect(() => toDeleteData('} ; CLEAR ALL ; #\n')).to.throw(/not a line of N-Quads/)
  })
})

describe('lines that are certainly valid', () => {
  const isTaken = (nquads: string): boolean => {
    try {
      parse(nquads, { format: 'application/n-quads' })
      return true
    } catch {
      return false
    }
  }
  const base = 'https://zines.example/id/zines'
  const about = (object: ReturnType<typeof literal> | typeof open, subject = `${base}/a`) =>
    writeNQuads([DataFactory.quad(iri(subject), iri(`${base}#p`), object, closed)])

  it('are most of the lines of records', () => {
    const objects = [
      literal('A "title" of\ntwo lines \\ é \u{1F600}'),
      literal('2026-11-20', iri('http://www.w3.org/2001/XMLSchema#date')),
      iri('http://id.loc.gov/vocabulary/iso639-1/en'),
      iri(`${base}/%C3%A9-1#authors-1`),
    ]
    for (const object of objects)
      expect(isCertainlyValid(about(object)), about(object)).to.equal(true)
    expect(isCertainlyValid(objects.map((object) => about(object)).join(''))).to.equal(true)
    expect(isCertainlyValid('')).to.equal(true)
  })

  it('are accepted by the store, whatever they contain', () => {
    const parts = fc.constantFrom(
      'https://',
      'http://',
      'a',
      'Z9',
      '.',
      ':',
      '/',
      '%',
      '%4',
      '%41',
      '#',
      '?',
    )
    const odd = fc.constantFrom(
      '"',
      '\\',
      '<',
      '>',
      ' ',
      '^^',
      '@',
      '[',
      ']',
      '\n',
      '\u00e9',
      '-',
      '_',
    )
    const texts = fc.array(fc.oneof(parts, odd), { maxLength: 8 }).map((some) => some.join(''))
    let plain = 0
    fc.assert(
      fc.property(texts, texts, fc.boolean(), (start, end, isLiteral) => {
        const written = about(
          isLiteral ? literal(end) : iri(`https://a${end}`),
          `https://b${start}`,
        )
        if (!isCertainlyValid(written)) return
        plain += 1
        expect(isTaken(written), written).to.equal(true)
      }),
      { numRuns: 5000 },
    )
    expect(plain).to.be.above(100)
  })
})

describe('the links to a namespace', () => {
  const find = createLinkFinder(['https://w.example/', 'https://v.example/x/'])

  it('are the quads whose object is an IRI that begins with it', () => {
    const quads = [
      stated(iri('https://w.example/Q1'), open),
      stated(literal('x> <https://w.example/Q2')),
      stated(literal('> <https://w.example/Q2> .\n<a:s> <a:p> <https://w.example/Q2')),
      stated(literal('x', iri('https://w.example/type'))),
      stated(iri('https://wxexample/Q3')),
      stated(iri('a:o'), iri('https://w.example/graph')),
      DataFactory.quad(iri('https://w.example/s'), iri('https://w.example/p'), iri('a:o'), open),
      stated(iri('https://v.example/y/')),
      stated(iri('https://v.example/x/1')),
    ]
    expect([...find(writeNQuads(quads))]).to.deep.equal([
      { s: 'a:s', p: 'a:p', o: 'https://w.example/Q1', g: open.value },
      { s: 'a:s', p: 'a:p', o: 'https://v.example/x/1', g: closed.value },
    ])
  })
})

describe('the number of quads of a graph', () => {
  it('is that of the lines that are filtered by it, whatever the literals contain', () => {
    const someObject = fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => literal(text)),
      fc.constantFrom(open, literal(` <${open.value}> .\n`), literal('x', open)),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(someObject, fc.boolean())), (objects) => {
        const nquads = writeNQuads(
          objects.map(([object, isOpen]) => stated(object, isOpen ? open : closed)),
        )
        expect(countInGraph(nquads, open)).to.equal(
          filterByGraph(nquads, [open]).split('\n').length - 1,
        )
      }),
    )
  })
})
