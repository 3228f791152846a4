// The check of a query's text before it is parsed: what it accepts and rejects, and that its time grows only
// with the length of the text.

import { expect } from 'chai'
import fc from 'fast-check'

import { InvalidError } from '../../../src/errors.js'
import { textLimits, readQueryText } from '../../../src/features/sparql/precheck.js'
import { type Token, scan } from '../../../src/features/sparql/lexer.js'
import { processorTime } from '../../waiting.js'

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
    ['"{" \'{\' """{"{""{""" \'\'\'{\'\'\'', ['string "{"', "string '{'", 'string """{"{""{"""', "string '''{'''"]],
    ['"\\"{" \'\\\'{\'', ['string "\\"{"', "string '\\'{'"]],
    ['"""\\"""{"""', ['string """\\"""{"""']],
    ['"""a""" { """b"""', ['string """a"""', 'open {', 'string """b"""']],
    ['"" { \'\' [', ['string ""', 'open {', "string ''", 'open [']],
    ['<http://a/[> <a(b[c>{', ['open {']],
    ['<a{', ['word a', 'open {']],
    ['<http://a/(x)#y>', []],
    ['# { "\n( # [\r)', ['open (', 'close )']],
    ['<http://a/#b>{', ['open {']],
    ['?a<?b&&?c>1', ['word 1']],
    ['?a < ?b && ?c > 1', ['sign &', 'sign &', 'word 1']],
    ['<p:p>/<p:q>|^<p:r>', ['sign /', 'sign |', 'sign ^']],
    ['"x"^^<http://a/b>', ['string "x"', 'sign ^', 'sign ^']],
    ['1+1!=2', ['word 1', 'sign +', 'word 1', 'sign !', 'sign =', 'word 2']],
  ]
  for (const [text, tokens] of cases)
    it(`reads ${JSON.stringify(text)}`, () => {
      expect(tokensOf(text)).to.deep.equal(tokens)
    })

  for (const text of ['"', "'", '"a\nb"', '"""a""', "'''", '"\\"', '{ "a'])
    it(`reports an unterminated string in ${JSON.stringify(text)}`, () => {
      expect(() => tokensOf(text)).to.throw(SyntaxError)
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
          expect(error).to.be.instanceOf(SyntaxError)
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
      expect(() => readQueryText(query)).not.to.throw()
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
    'brackets that are escaped': ['\\u007B'.repeat(65), /nested/],
    'brackets that are escaped, of which some are not': ['(\\U00000028'.repeat(33), /nested/],
    'brackets behind an escape in what looks like an IRI': [
      `1 <a\\u005C${'('.repeat(66)}>`,
      /nested/,
    ],
    'brackets behind an escape that is made of others': [
      `<\\u\\u0030041${'('.repeat(65)}>`,
      /nested/,
    ],
    'operators that are escaped': ['1\\u007C|'.repeat(501), /operators/],
    'brackets behind less-than': [`?a < ${tooDeep}`, /nested/],
    'a string that is not closed': ['ASK { ?s ?p "a }', /not closed/],
    'too many operators': ['1||'.repeat(501), /operators/],
    'a path that is too long': ['a/'.repeat(1001), /operators/],
    'one byte too many': ['x'.repeat(textLimits.size + 1), /bytes/],
    'too many bytes in fewer characters': ['é'.repeat(textLimits.size / 2 + 1), /bytes/],
  }
  for (const [what, [query, words]] of Object.entries(refused))
    it(`rejects ${what}`, () => {
      expect(() => readQueryText(query)).to.throw(InvalidError, words)
    })

  it('returns the text without code point escapes, but for those in strings', () => {
    // prettier-ignore
    const cases = [
      ['?xx\\u0078', '?xxx'],
      ['a:caf\\u00E9 <caf\\u00e9>', 'a:café <café>'],
      ['\\U0001F600', '😀'],
      ['"\\u0022" \'\\u0027\' "a\\\\u0041" \\u0041', '"\\u0022" \'\\u0027\' "a\\\\u0041" A'],
      ['<http://a/#caf\\u00E9\'> "\\u0022"', '<http://a/#café\'> "\\u0022"'],
      ['a:don\\\'t \\u0041 "\\u0022"', 'a:don\\\'t A "\\u0022"'],
      ['# don\'t \\u0041\n "\\u0022"', '# don\'t A\n "\\u0022"'],
      ['a\\u003Ab', 'a:b'],
      ['\\uD83D\\uDE00 \\U00110000 \\u00G0', '\\uD83D\\uDE00 \\U00110000 \\u00G0'],
    ] as const
    for (const [text, query] of cases) expect(readQueryText(text)).to.equal(query)
  })

  it('returns the same text, whichever characters of its names, IRIs, comments and signs are escaped', () => {
    const parts = [
      'SELECT',
      ' ',
      '*',
      '{',
      '}',
      '?s',
      'a:é',
      '<http://a/é#b>',
      '1',
      '/',
      '😀',
      '# x\n',
    ]
    const strings = ['"a\\u0022"', "'\\\\'", '"""a\\""""', "''"]
    const escaped = (character: string): string => {
      const code = (character.codePointAt(0) ?? 0).toString(16)
      return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
    }
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...parts, ...strings), fc.array(fc.boolean()))),
        (chosen) => {
          const plain = chosen.map(([part]) => part).join(' ')
          const text = chosen
            .map(([part, isEscaped]) =>
              strings.includes(part)
                ? part
                : Array.from(part, (character, index) =>
                    isEscaped[index] && !/[<#\n]/.test(character) ? escaped(character) : character,
                  ).join(''),
            )
            .join(' ')
          expect(readQueryText(text)).to.equal(plain)
        },
      ),
    )
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
      '\\u007B',
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
          // The best of three, as the first ones may be compiled; a quadratic one takes seconds.
          const times = Array.from({ length: 3 }, () => timeOf(text))
          expect(Math.min(...times)).to.be.below(100)
        },
      ),
      { numRuns: 300 },
    )
  })
})

function timeOf(text: string): number {
  const begun = processorTime()
  try {
    readQueryText(text)
  } catch (error) {
    expect(error).to.be.instanceOf(InvalidError)
  }
  return processorTime() - begun
}
