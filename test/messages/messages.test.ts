// The translations of messages against the sources: every text that a page asks for is in each file, and nothing else
// is. docs/how-to/translations.md says how to work with these tests.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect } from 'chai'
import { DataFactory } from 'n3'
import ts from 'typescript'

import { changeFeeds, dumpFiles, releaseFileKinds } from '../../src/model/dataset-description.js'
import { readModelFiles } from '../../src/model/declarations/read-files.js'
import { createIris, type Iris, resourceNames } from '../../src/model/iris.js'
import { buildResources, filtersAndFieldsOf } from '../../src/model/resources.js'
import { buildVocabulary, mergeLocalTerms } from '../../src/model/vocabulary.js'
import { message, partsOf } from '../../src/message.js'
import { labelOfCode, translatedVocabularies } from '../../src/messages/labels.js'
import { languages } from '../../src/messages/languages.js'
import { sh, skos } from '../../src/rdf/namespaces.js'
import { iri, stringLiteral, triple } from '../../src/rdf/terms.js'
import { descriptionOf } from '../../src/features/vocabularies/vocabulary-page.js'
import type { PluralForms } from '../../src/messages/messages.js'
import { clientTexts } from '../../src/views/client-texts.js'
import { readMessages, translatorFor } from '../../src/messages/translator.js'

type Found = {
  readonly texts: Set<string>
  /** English singulars by their plurals. */
  readonly plurals: Map<string, string>
  /** Texts that a page has without asking for them, with their files. */
  readonly untranslated: string[]
}

/** The positions of the texts in the arguments of the functions that take them. */
const textFunctions: Readonly<Record<string, number>> = { t: 0, rich: 0, message: 0 }
const pluralFunctions: Readonly<Record<string, number>> = {
  plural: 1,
  richPlural: 1,
  pluralMessage: 0,
}

function readSources(): Found {
  const found: Found = { texts: new Set(), plurals: new Map(), untranslated: [] }
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('views/client/'))
    .map((name) => join('src', name))
  for (const file of files) {
    const source = ts.createSourceFile(
      file,
      readFileSync(file, 'utf8'),
      ts.ScriptTarget.Latest,
      true,
      file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
    )
    visit(source, found)
    if (!englishPages.some((name) => file.endsWith(`/${name}.tsx`)))
      found.untranslated.push(...untranslatedIn(source).map((text) => `${file}: ${text}`))
  }
  return found
}

/** What programmers read is in English (docs/translations.md). */
const englishPages = ['api-reference', 'ontology', 'shapes', 'swagger']

/** Names, keys and commands, which are the same in every language. */
const namesOfThings =
  /^(SPARQL( 1\.1 Protocol)?|API|IRI|MARCXML|Dublin Core \(oai_dc\)|Natural Earth|GeoNames|citeproc-js|CC BY-SA 3\.0|Ctrl|Enter|Shift|Alt|Authorization: Token|\{(?:source|import|row)\}|np[mx] .*)$/

/** Texts with letters that stand in elements, or in attributes that are read out. */
function untranslatedIn(node: ts.Node): readonly string[] {
  const own = ownTexts(node).filter((text) => /\p{L}/u.test(text) && !namesOfThings.test(text))
  const parts: string[] = []
  ts.forEachChild(node, (child) => void parts.push(...untranslatedIn(child)))
  return [...own.map((text) => text.trim()), ...parts]
}

function ownTexts(node: ts.Node): readonly string[] {
  if (ts.isJsxText(node)) return [node.text.trim()]
  if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) return shownIn(node.expression)
  if (!ts.isJsxAttribute(node) || !readAttributes.has(node.name.getText())) return []
  return node.initializer && ts.isJsxExpression(node.initializer)
    ? shownIn(node.initializer.expression)
    : shownIn(node.initializer)
}

const readAttributes = new Set(['aria-label', 'alt', 'title', 'placeholder', 'label', 'hint'])

const giveTheirRight: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
])

/** The literals that an expression may give. */
function shownIn(node: ts.Node | undefined): readonly string[] {
  if (!node) return []
  if (ts.isBinaryExpression(node))
    return giveTheirRight.has(node.operatorToken.kind)
      ? [...shownIn(node.left), ...shownIn(node.right)]
      : []
  if (ts.isConditionalExpression(node))
    return [...shownIn(node.whenTrue), ...shownIn(node.whenFalse)]
  if (ts.isParenthesizedExpression(node)) return shownIn(node.expression)
  return ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) ? [node.text] : []
}

function visit(node: ts.Node, found: Found): void {
  if (ts.isCallExpression(node)) readCall(node, found)
  ts.forEachChild(node, (child) => visit(child, found))
}

function readCall({ expression, arguments: given }: ts.CallExpression, found: Found): void {
  const name = ts.isPropertyAccessExpression(expression)
    ? expression.name.text
    : ts.isIdentifier(expression)
      ? expression.text
      : ''
  const textAt = textFunctions[name]
  if (textAt !== undefined) for (const text of literalsIn(given[textAt])) found.texts.add(text)
  const pluralAt = pluralFunctions[name]
  if (pluralAt === undefined) return
  const [one] = literalsIn(given[pluralAt])
  const [other] = literalsIn(given[pluralAt + 1])
  if (one !== undefined && other !== undefined) found.plurals.set(other, one)
}

/** The text of a literal, and of each branch of a choice between literals. */
function literalsIn(node: ts.Expression | undefined): readonly string[] {
  if (!node) return []
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text]
  if (ts.isConditionalExpression(node))
    return [...literalsIn(node.whenTrue), ...literalsIn(node.whenFalse)]
  if (ts.isParenthesizedExpression(node)) return literalsIn(node.expression)
  return []
}

const placeholdersOf = (text: string): readonly string[] =>
  [...new Set(partsOf(text).filter((_, index) => index % 2 === 1))].sort()

const sources = readSources()

const singulars: ReadonlySet<string> = new Set(sources.plurals.values())

const french = readMessages('fr')

const translations = { Spanish: readMessages('es'), French: french } as const

const formsOf = (translation: string | PluralForms): readonly string[] =>
  typeof translation === 'string' ? [translation] : Object.values(translation)

describe('the messages of pages', () => {
  it('are found in the sources', () => {
    expect(sources.texts).to.include('Skip to the content')
    expect(sources.plurals.get('zines')).to.equal('zine')
  })

  it('are all asked for in the language of the page', () => {
    expect(sources.untranslated).to.deep.equal([])
  })

  it('have no-break spaces beside quotation marks and before a colon in French, narrow before ; ! ?', () => {
    const texts = [...french.values()].flatMap(formsOf)
    expect(
      texts.filter((text) => /« | »|[\p{L}}»] [:;?!]|\u00a0[;?!]|\u202f:/u.test(text)),
    ).to.deep.equal([])
  })

  it('say what they are about without “for good” and “by chance” in English', () => {
    const texts = [...sources.texts, ...sources.plurals.keys()]
    expect(
      texts.filter((text) => /\bfor good\b|\bby chance\b|\beverybody\b/i.test(text)),
    ).to.deep.equal([])
  })

  /** Other words for a thing that has one (docs/how-to/translations.md), and those that leave somebody out. */
  for (const [name, unwanted] of [
    ['Spanish', /\bautorías?\b|\bzines\b(?! y cultura)|\bmira también\b|\bsolicitud|\beliminar/i],
    [
      'French',
      /(?<!droit d’)\bauteur|autrice|·e|celles et ceux|\bchercher\b|\bimportations?\b|\bzines\b(?! et culture)/i,
    ],
  ] as const)
    it(`have one word for one thing in the ${name} translations`, () => {
      const texts = [...translations[name].values()].flatMap(formsOf)
      const read = (text: string) => text.replaceAll(/\{\w+\}/g, '')
      expect(texts.filter((text) => unwanted.test(read(text)))).to.deep.equal([])
    })

  for (const [name, messages] of Object.entries(translations)) {
    it(`are all in the ${name} translations`, () => {
      const missing = [...sources.texts, ...sources.plurals.keys()].filter(
        (text) => !messages.has(text),
      )
      expect(missing).to.deep.equal([])
    })

    it(`have the same placeholders in the ${name} translations`, () => {
      const wrong = [...messages].flatMap(([text, translation]) => {
        const wanted = placeholdersOf(text)
        const mayLackCount = typeof translation === 'object' || singulars.has(text)
        return formsOf(translation).filter(
          (form) => !isSame(placeholdersOf(form), wanted, mayLackCount),
        )
      })
      expect(wrong).to.deep.equal([])
    })

    it(`have forms for numbers in the ${name} translations where they depend on one`, () => {
      const wrong = [...sources.plurals].filter(([other, one]) => {
        const forms = messages.get(other)
        if (typeof forms !== 'object') return !sources.texts.has(other)
        return one !== other && messages.get(one) !== forms.one
      })
      expect(wrong).to.deep.equal([])
    })
  }
})

/** Of a form for one number, the number itself may be left out. */
const isSame = (
  given: readonly string[],
  wanted: readonly string[],
  mayLackCount: boolean,
): boolean =>
  given.every((name) => wanted.includes(name)) &&
  wanted.every((name) => given.includes(name) || (mayLackCount && name === 'count'))

describe('what the model calls things', () => {
  let names: ReadonlySet<string>
  let ofShapes: ReadonlySet<string>
  let iris: Iris

  before(async () => {
    iris = createIris('http://localhost')
    const files = await readModelFiles('.', '', iris)
    const resources = buildResources(iris, files)
    ofShapes = new Set(
      files.shapes.flatMap(({ predicate, object }) =>
        predicate.equals(sh('message')) ? [object.value] : [],
      ),
    )
    const ofFields = resourceNames.flatMap((name) =>
      [...resources[name].fields, ...filtersAndFieldsOf(resources[name])].flatMap((field) => [
        field.label,
        ...('hint' in field ? [field.formLabel, field.hint] : []),
      ]),
    )
    const ofVocabularies = [...files.vocabularies.values()].flatMap((vocabulary) => [
      vocabulary.title,
      descriptionOf(vocabulary),
      ...(translatedVocabularies.has(vocabulary.name)
        ? vocabulary.entries.map(({ label }) => label)
        : []),
    ])
    const others = [...dumpFiles, ...releaseFileKinds, ...changeFeeds].map(({ title }) => title)
    names = new Set([...ofFields, ...ofVocabularies, ...others].filter((text) => !isName(text)))
  })

  for (const [name, messages] of Object.entries(translations)) {
    it(`is all in the ${name} translations`, () => {
      expect([...names].filter((text) => !messages.has(text))).to.deep.equal([])
    })

    it(`is with the messages of pages all that is in the ${name} translations`, () => {
      const more = ['JSON lines', 'Zine', 'Agent', 'Repository', 'Holding']
      const unused = [...messages.keys()].filter(
        (text) =>
          !sources.texts.has(text) &&
          !sources.plurals.has(text) &&
          !singulars.has(text) &&
          !names.has(text) &&
          !more.includes(text) &&
          !ofShapes.has(text) &&
          !text.startsWith('Open data about'),
      )
      expect(unused).to.deep.equal([])
    })
  }

  it('is taken from a vocabulary that has it in the language', () => {
    const scheme = iris.vocabulary('subjects')
    const concept = iri(`${scheme}#punk`)
    const labelled = (text: string, language: string) =>
      triple(concept, skos('prefLabel'), DataFactory.literal(text, language))
    const shipped = [
      triple(concept, skos('notation'), stringLiteral('punk')),
      labelled('Punk', 'en'),
    ]
    const local = [labelled('Punk y afines', 'es'), labelled('Punk et alentours', 'fr')]
    const vocabulary = buildVocabulary({
      name: 'subjects',
      scheme,
      quads: mergeLocalTerms(scheme, shipped, local),
      file: 'subjects.ttl',
    })
    expect(vocabulary.find('punk')?.label).to.equal('Punk')
    expect(
      languages.map((one) => labelOfCode(translatorFor(one), vocabulary, 'punk')),
    ).to.deep.equal(['Punk', 'Punk y afines', 'Punk et alentours'])
  })
})

/** What is called the same in all languages. */
const isName = (text: string): boolean =>
  text === '' || /^(?:[ABJ]\d?[ISB\d ]*|CC.*|EPUB|PDF|Digest|Micro|JIS .*|Tête-bêche)$/.test(text)

describe('the texts of scripts', () => {
  it('are those that pages give them', () => {
    const files = readdirSync('src/views/client').filter((name) => name.endsWith('.ts'))
    const used = files.flatMap((name) => textsOfScript(join('src/views/client', name)))
    expect([...new Set(used)].sort()).to.deep.equal([...clientTexts].sort())
  })
})

function textsOfScript(file: string): readonly string[] {
  const found: string[] = []
  const collect = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression))
      if (node.expression.text === 'text') found.push(...literalsIn(node.arguments[0]))
    ts.forEachChild(node, collect)
  }
  collect(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true))
  return found
}

describe('a translator', () => {
  it('chooses the form of a text by the rules of the language', () => {
    const { plural } = translatorFor('fr')
    expect(plural(0, 'zine', 'zines')).to.equal(plural(1, 'zine', 'zines'))
    expect(translatorFor('es').plural(0, 'zine', 'zines')).to.equal('fanzines')
  })

  it('leaves English as it is written, without what tells two meanings apart', () => {
    const { t } = translatorFor('en')
    expect(t('in {words}|language', { words: 'Spanish' })).to.equal('in Spanish')
  })

  it('shows a text without a translation in English', () => {
    expect(translatorFor('es').t('Not a {thing}', { thing: 'message' })).to.equal('Not a message')
  })

  it('shows a message of another server with every character', () => {
    const text = 'Another server says: rock|pop'
    expect(translatorFor('fr').message(text)).to.equal(text)
  })

  it('puts the values of a message into its translation', () => {
    const text = message('There is no account named "{name}".', { name: 'ada {name}' })
    expect(String(text)).to.equal('There is no account named "ada {name}".')
    expect(translatorFor('es').message(text)).to.include('«ada {name}»')
  })
})
