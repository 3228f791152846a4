// Files of translations in PO: what is read from them, which faults are named, and that their headers tell translators the
// same plural forms as the service has.

import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'

import { expect } from 'chai'
import fc from 'fast-check'

import { ExpectedError } from '../../src/errors.js'
import { languages } from '../../src/messages/languages.js'
import type { Messages, PluralForms } from '../../src/messages/messages.js'
import { pluralCategories, readPo } from '../../src/messages/po-file.js'

type Entry = {
  readonly context: string | undefined
  readonly text: string
  readonly plural: string | undefined
  readonly forms: readonly [one: string, many: string, other: string]
  readonly comment: string
}

const read = (...lines: readonly string[]): Messages => readPo('es.po', lines.join('\n'), 'es')

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** The text as strings of some characters each, as editors wrap long lines. */
const quoted = (text: string, width: number): string =>
  (text.match(new RegExp(`[^]{1,${width}}`, 'gu')) ?? [''])
    .map((part) => part.replace(/["\\\n\r\t]/g, (one) => escapes[one] ?? `\\${one}`))
    .map((part) => `"${part}"`)
    .join('\n')

function write({ context, text, plural, forms, comment }: Entry, width: number): string {
  const strings: (readonly [keyword: string, text: string])[] = [
    ...(context === undefined ? [] : [['msgctxt', context] as const]),
    ['msgid', text],
    ...(plural === undefined
      ? [['msgstr', forms[0]] as const]
      : [
          ['msgid_plural', plural] as const,
          ...forms.map((form, at) => [`msgstr[${at}]`, form] as const),
        ]),
  ]
  return [
    `# ${comment}`,
    ...strings.map(([keyword, value]) => `${keyword} ${quoted(value, width)}`),
  ].join('\n')
}

const text = fc.oneof(
  fc.string({ minLength: 1, unit: 'grapheme' }),
  fc.string({
    minLength: 1,
    unit: fc.constantFrom('"', '\\', '\n', '\r', '\t', 'n', '#', 'é', ' '),
  }),
)

const entry: fc.Arbitrary<Entry> = fc.record({
  context: fc.option(fc.stringMatching(/^[a-z]{1,8}$/), { nil: undefined }),
  text,
  plural: fc.option(text, { nil: undefined }),
  forms: fc.tuple(text, text, text),
  comment: fc.stringMatching(/^[a-z" ]*$/),
})

const keysOf = ({ context, text: one, plural }: Entry): readonly string[] =>
  [one, plural ?? one].map((english) => (context ? `${english}|${context}` : english))

const entries = fc.uniqueArray(entry, {
  comparator: (a, b) => keysOf(a).some((key) => keysOf(b).includes(key)),
})

describe('a file of translations', () => {
  it('gives back every text that is written to it, wrapped or not, with blank lines or without', () => {
    fc.assert(
      fc.property(
        entries,
        fc.integer({ min: 1, max: 99 }),
        fc.constantFrom('\n', '\n\n', '\r\n\r\n'),
        (given, width, between) => {
          const content = given.map((one) => write(one, width)).join(between)
          const expected = new Map<string, string | PluralForms>()
          for (const one of given) {
            const [single = '', several = ''] = keysOf(one)
            const [first, many, other] = one.forms
            expected.set(single, first)
            if (one.plural !== undefined) expected.set(several, { one: first, many, other })
          }
          expect(readPo('es.po', content, 'es')).to.deep.equal(expected)
        },
      ),
    )
  })

  it('leaves out its header, and texts without a translation, fuzzy or no longer used', () => {
    const messages = read(
      'msgid ""',
      'msgstr "Language: es\\n"',
      '',
      'msgid "Search"',
      'msgstr ""',
      '',
      '#, python-brace-format, fuzzy',
      'msgid "Title"',
      'msgstr "Título"',
      '',
      'msgid "zine"',
      'msgid_plural "zines"',
      'msgstr[0] "fanzine"',
      'msgstr[1] ""',
      'msgstr[2] "fanzines"',
      '',
      '#, fuzzy',
      '#~ msgid "Gone"',
      '#~ msgstr "Ido"',
      '',
      'msgid "Kept"',
      'msgstr "Guardado"',
      '',
      '# The end.',
    )
    expect([...messages]).to.deep.equal([['Kept', 'Guardado']])
  })

  for (const [what, lines, fault] of [
    [
      'a keyword that PO does not have',
      ['msgid "A"', 'msgsrt "B"'],
      '2: not expected here: msgsrt "B"',
    ],
    ['a string that does not end', ['msgid "A'], '1: not expected here: msgid "A'],
    ['a quotation mark that is not escaped', ['', 'msgid "A "b" c"'], '2: not expected here'],
    ['an escape that PO does not have', ['msgid "A\\d"'], '1: not expected here'],
    ['a string without a keyword', ['# A comment', '"A"'], '2: not expected here: "A"'],
    [
      'a keyword twice',
      ['msgid "A"', 'msgstr "B"', 'msgstr "C"'],
      '3: not expected here: msgstr "C"',
    ],
    [
      'a text without a translation',
      ['msgid "A"', '', 'msgid "B"', 'msgstr "C"'],
      '1: msgstr is missing',
    ],
    ['a translation without a text', ['msgstr "B"'], '1: msgid is missing'],
    [
      'a form too few',
      ['msgid "A"', 'msgid_plural "B"', 'msgstr[0] "C"'],
      '1: msgstr[1] is missing',
    ],
    [
      'a form too many',
      ['msgid "A"', 'msgid_plural "B"', ...[0, 1, 2, 3].map((at) => `msgstr[${at}] "C"`)],
      '1: msgstr[3] is one form too many',
    ],
    [
      'forms of a text that does not depend on a number',
      ['msgid "A"', 'msgstr "B"', 'msgstr[1] "C"'],
      '1: msgstr[1] is one form too many',
    ],
    [
      'a text twice',
      ['msgid "A"', 'msgstr "B"', '', 'msgid "A"', 'msgstr "C"'],
      '4: "A" is there twice',
    ],
  ] as const)
    it(`is refused with its name and the line for ${what}`, () => {
      expect(() => read(...lines)).to.throw(ExpectedError, `es.po:${fault}`)
    })
})

describe('the header of a file of translations', () => {
  const numbers = [...Array(200).keys(), 999_999, 1_000_000, 1_000_001, 2_000_000, 10_000_000]

  for (const language of languages.filter((one) => one !== 'en'))
    it(`has the language and the plural forms of ${language}`, () => {
      const file = readFileSync(`src/messages/${language}.po`, 'utf8')
      const [, count, rule = ''] =
        /^"Plural-Forms: nplurals=(\d); plural=(.+);\\n"$/m.exec(file) ?? []
      const categories = pluralCategories(language)
      const rules = new Intl.PluralRules(language)
      expect(file).to.include(`"Language: ${language}\\n"`)
      expect(Number(count)).to.equal(categories.length)
      expect(numbers.map((n) => categories[Number(runInNewContext(rule, { n }))])).to.deep.equal(
        numbers.map((n) => rules.select(n)),
      )
    })
})
