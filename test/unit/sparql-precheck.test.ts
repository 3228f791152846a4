// The check of a query's text before it is parsed: what it accepts and rejects, and that its time grows only
// with the length of the text.

import { expect } from 'chai'
import fc from 'fast-check'

import { QueryError } from '../../src/sparql/errors.js'
import { textLimits, checkQueryText } from '../../src/sparql/precheck.js'
import { type Token, UnterminatedStringError, scan } from '../../src/sparql/lexer.js'

const deep = (open: string, close: string, depth: number) =>
  open.repeat(depth) + close.repeat(depth)
const tooDeep = '{'.repeat(100)

/** The tokens of a text, each by its kind and what it is. */
function tokensOf(text: string): string[] {
  const tokens: Token[] = []
  scan(text, (token) => tokens.push(token))
  return tokens.map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`)
}

describe('the SPARQL lexer', () => {
  // prettier-ignore
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['', []],
    ['SELECT * { ?s ?p ?o }', ['word SELECT', 'sign *', 'open {', 'close }']],
    ['limit10 LIMIT 10', ['word limit10', 'word LIMIT', 'word 10']],
    ['?LIMIT $LIMIT @LIMIT', []],
    ['ex:LIMIT :LIMIT _:LIMIT LIMIT:x', ['word ex:LIMIT', 'word :LIMIT', 'word _:LIMIT', 'word LIMIT:x']],
    ['é:LIMIT xéLIMIT', ['word é:LIMIT', 'word xéLIMIT']],
    ['ex:a\\(b\\{c', ['word ex:a\\(b\\{c']],
    ['"{" \'{\' """{"{""{""" \'\'\'{\'\'\'', []],
    ['"\\"{" \'\\\'{\' """\\"""{"""', []],
    ['"""a""" { """b"""', ['open {']],
    ['"" { \'\' [', ['open {', 'open [']],
    ['<http://a/[> <a(b[c>{', ['open {']],
    ['<a{', ['word a', 'open {']],
    ['<http://a/(x)#y>', []],
    ['# { "\n( # [\r)', ['open (', 'close )']],
    ['<http://a/#b>{', ['open {']],
    ['?a<?b&&?c>1', ['word 1']],
    ['?a < ?b && ?c > 1', ['sign &', 'sign &', 'word 1']],
    ['<p:p>/<p:q>|^<p:r>', ['sign /', 'sign |', 'sign ^']],
    ['"x"^^<http://a/b>', ['sign ^', 'sign ^']],
    ['1+1!=2', ['word 1', 'sign +', 'word 1', 'sign !', 'sign =', 'word 2']],
  ]
  for (const [text, tokens] of cases)
    it(`reads ${JSON.stringify(text)}`, () => {
      expect(tokensOf(text)).to.deep.equal(tokens)
    })

  for (const text of ['"', "'", '"a\nb"', '"""a""', "'''", '"\\"', '{ "a'])
    it(`reports an unterminated string in ${JSON.stringify(text)}`, () => {
      expect(() => tokensOf(text)).to.throw(UnterminatedStringError)
    })

  it('returns tokens in order and without overlaps, and ends', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        let last = 0
        try {
          scan(text, ({ start, end }) => {
            expect(start).to.be.at.least(last)
            expect(end).to.be.above(start)
            last = end
          })
        } catch (error) {
          expect(error).to.be.instanceOf(UnterminatedStringError)
        }
        expect(last).to.be.at.most(text.length)
      }),
    )
  })
})

describe('the check of a query’s text', () => {
  const passes: Readonly<Record<string, string>> = {
    'nothing at all': '',
    'a plain query': 'SELECT * { ?s ?p ?o }',
    'brackets as deep as may be': deep('{', '}', textLimits.depth),
    'many brackets beside each other': '{}()[]'.repeat(5000),
    'brackets in a string': `ASK { ?s ?p "${tooDeep}" }`,
    'brackets in a long string': `ASK { ?s ?p """"${tooDeep}"\n${tooDeep}""" }`,
    'brackets in a long string of the other quotes': `ASK { ?s ?p '''${tooDeep}''' }`,
    'brackets behind an escaped quote': `ASK { ?s ?p "\\"${tooDeep}" }`,
    'brackets in an IRI': `ASK { ?s <http://a/${'('.repeat(100)}> ?o }`,
    'brackets in comments': `ASK { # ${tooDeep}\n ?s ?p ?o } #${tooDeep}`,
    'escaped brackets in a name': `PREFIX a: <a:> ASK { a:${'\\('.repeat(100)} ?p ?o }`,
    'a number sign in an IRI, and what follows': `ASK { <http://a/#> ?p ?o }`,
    'as many bytes as may be': 'x'.repeat(textLimits.size),
  }
  for (const [what, query] of Object.entries(passes))
    it(`accepts ${what}`, () => {
      expect(() => checkQueryText(query)).not.to.throw()
    })

  const refused: Readonly<Record<string, readonly [string, RegExp]>> = {
    'brackets that are too deep': [deep('{', '}', textLimits.depth + 1), /nested/],
    'brackets of all kinds': [deep('{([', '])}', 30), /nested/],
    'brackets that are never closed': ['('.repeat(65), /nested/],
    'brackets behind a string': [`"a" ${tooDeep}`, /nested/],
    'brackets behind an empty long string': [`"""""" ${tooDeep}`, /nested/],
    'brackets behind a comment': [`# "\n ${tooDeep}`, /nested/],
    'brackets behind an IRI with a number sign': [`<http://a/#> ${tooDeep}`, /nested/],
    'brackets behind an escaped backslash': [`"\\\\" ${tooDeep}`, /nested/],
    'brackets behind less-than': [`?a < ${tooDeep}`, /nested/],
    'a string that is not closed': ['ASK { ?s ?p "a }', /not closed/],
    'too many operators': ['1||'.repeat(501), /operators/],
    'a path that is too long': ['a/'.repeat(1001), /operators/],
    'one byte too many': ['x'.repeat(textLimits.size + 1), /bytes/],
    'too many bytes in fewer characters': ['é'.repeat(textLimits.size / 2 + 1), /bytes/],
  }
  for (const [what, [query, words]] of Object.entries(refused))
    it(`rejects ${what}`, () => {
      expect(() => checkQueryText(query)).to.throw(QueryError, words)
    })

  it('takes time in proportion to the length at most', () => {
    const bits = [
      '"',
      "'",
      '"""',
      "'''",
      '\\',
      '\\"',
      "\\'",
      '<',
      '>',
      '#',
      '\n',
      '{}',
      'a',
      '?',
      '@',
      '^',
      ':',
      '%',
      'é',
      ' ',
    ]
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...bits), { minLength: 1, maxLength: 6 }),
        fc.constantFrom('', '"', "'", '<'),
        (unit, start) => {
          const text =
            start +
            unit
              .join('')
              .repeat(textLimits.size)
              .slice(0, textLimits.size / 2)
          // The best of three, as the machine may have other things to do; a quadratic one takes seconds.
          const times = Array.from({ length: 3 }, () => timeOf(text))
          expect(Math.min(...times)).to.be.below(100)
        },
      ),
      { numRuns: 300 },
    )
  })
})

function timeOf(text: string): number {
  const begun = performance.now()
  try {
    checkQueryText(text)
  } catch (error) {
    expect(error).to.be.instanceOf(QueryError)
  }
  return performance.now() - begun
}
