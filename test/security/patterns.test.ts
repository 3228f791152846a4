// Every regular expression in src/ and shapes/ takes time linear in the length of its input, according to
// recheck. They are found in the files, so that new ones are checked too.

import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'
import { Parser } from 'n3'
import { check } from 'recheck'
import ts from 'typescript'

import { windows1252 } from '../../src/lib/sources/tables/encodings.js'
import { sequencePattern } from '../../src/lib/sources/tables/repair.js'
import { linkTargets } from '../../src/model/link-targets.js'
import { sh } from '../../src/rdf/namespaces.js'

type Pattern = { readonly source: string; readonly flags: string; readonly where: string }

/** They take time that grows with the square of the length. */
const ofIssues = 'reads an issue, of a hundred characters at most'
const ofImports =
  'reads a name, a term or another short text of an import, of at most 2,000 characters'

const ofCatalogues = 'reads an address that the administrator names'

const ofCopies = 'reads a page of this service, whose texts are escaped, or a part of its address'

/** Expressions that recheck rejects although their input is short, with the reason. */
const harmless: ReadonlyMap<string, string> = new Map([
  [
    '((?:#|№|\\b(?:no?s?|nrs?|n[uú]m(?:ero|ber)?s?|issues?|nummer|heft)\\b\\.?|n°|nº)\\s*)(\\d{1,18})(?:\\s?[-–/&+]\\s?(\\d{1,18}))?(?!\\d)',
    ofIssues,
  ],
  ['()(\\d{1,18})(?:\\s?[-–/&+]\\s?(\\d{1,18}))?(?=\\D*$)', ofIssues],
  ['(<main\\b[^>]*>).*(<\\/main>)', ofCopies],
  ['\\s*<link\\b[^>]*\\bhref="([^"]*)"[^>]*\\/>', ofCopies],
  ['^\\.(?=\\.*$)|\\.+$', ofCopies],
  ['<section class="places-within">.*?<\\/section>', ofCopies],
  ['\\/\\*.*?\\*\\/', 'reads the style sheets of this project, once'],
  ['0+$', 'reads the fraction of a time, some six digits'],
  ['(\\d)0*e\\+?', 'reads what toExponential writes, some twenty characters'],
  ['\\s*[(:].*$', ofImports],
  ['^[^\\p{L}]+|[^\\p{L}]+$', ofImports],
  ['[,\\s]+(?:b\\.\\s*|born\\s+)?\\d{4}\\??\\s*[-–]\\s*(?:\\d{4}\\??)?\\.?$', ofImports],
  ['[\\s,;:]+$', ofImports],
  ['(\\S)\\s*\\?+$', ofImports],
  ['^(.*\\S\\s.*\\S),\\s*(\\p{L}+)\\.?$', ofImports],
  ['^(.*\\S\\s.*\\S)\\s+(eds?)\\.?$', ofImports],
  ['\\p{L}{3,}\\.$', ofImports],
  [',?\\s+(?:and|und|et|y|e|with|w\\/)\\s+|\\s*[&+]\\s*', ofImports],
  ['\\s*[("“][^()"“”]+[)"”]\\s*', ofImports],
  ['\\s*--\\s*|\\s+[-–—]\\s+|\\s*[–—]\\s*', ofImports],
  ['^([^()]+?)\\s*\\([^()]*\\)\\.?$', ofImports],
  ['^([^,()]+),\\s*([^,()]+)$', ofImports],
  ['\\s*[,;/|+]\\s*|\\s+(?:and|or)\\s+|\\s*&(?:amp;)?\\s*|\\.\\s+', ofImports],
  ['^(?:https?|ftps?):\\/\\/[^\\s/]+\\.\\S+$', ofImports],
  ['^-+|-+$', ofImports],
  ['\\s*[x×]\\s*', ofImports],
  ['\\s*(?:[/,;+&|]|\\s(?:and|und|et|y|with)\\s)\\s*', ofImports],
  ['^[[(\\s.]+|[\\])\\s.]+$', ofImports],
  [
    String.raw`[,;\s]*[[(]?\b(?:et\.?\s+al|and others|et autres|y otr[oa]s|u\.\s?a)\b\.?[\])]?\.?$`,
    ofImports,
  ],
  [String.raw`^(.+?)\s*[([]([^()[\]]+)[)\]]$`, ofImports],
  [String.raw`\s*(?:[;|]|\^\^)\s*|\s+\/\s+|\s*\n\s*`, ofImports],
  [String.raw`\$.*$`, ofImports],
  [String.raw`\s+[:;+]\s+|[;()\u0000]`, ofImports],
  [String.raw`\/+$`, ofCatalogues],
  [
    String.raw`(?<![\d.,])(?:\d+(?:[.,]\d+)?(?:[ -]?\d+\/\d+| ?[¼½¾⅓⅔⅛⅜⅝⅞])?\s*(?:cm\b|mm\b|inch(?:es)?\b|in\.|in\b(?!\s+(?!x\b)[\p{L}\d])|["”″])?(?:\s*[x×]\s*\d+(?:[.,]\d+)?(?:[ -]?\d+\/\d+| ?[¼½¾⅓⅔⅛⅜⅝⅞])?(?!\d)\s*(?:cm\b|mm\b|inch(?:es)?\b|in\.|in\b(?!\s+(?!x\b)[\p{L}\d])|["”″])?)+(?!\s*(?:p|pp|pg|pgs|pages?|págs?|páginas?|seiten|s)\b\.?)|\d+(?:[.,]\d+)?(?:[ -]?\d+\/\d+| ?[¼½¾⅓⅔⅛⅜⅝⅞])?\s*(?:cm\b|mm\b|inch(?:es)?\b|in\.|in\b(?!\s+(?!x\b)[\p{L}\d])|["”″]))`,
    ofImports,
  ],
])

/** Attacks are counted in steps. By the clock, any expression is slow on a busy machine. */
const limits = {
  timeout: null,
  seedingTimeout: null,
  incubationTimeout: null,
  attackTimeout: null,
}

/** Expressions that are built at start: the code that builds them, and the result. */
const made: ReadonlyMap<string, string> = new Map([
  [
    "new RegExp(`> <(?:${escaped.join('|')})`, 'g')",
    `> <(?:${linkTargets.flatMap(({ namespaces }) => namespaces).join('|')})`,
  ],
  [
    "new RegExp(sequencePattern(upperHalf, [...others.keys()].join('')), 'gu')",
    sequencePattern(windows1252, 'ÅçèêÙ'),
  ],
  [
    "new RegExp(first, 'gu')",
    String.raw`Ada(?:\s|\\[nrt])+(?:O"Hara|O\\"Hara)(?:\s|\\[nrt])+Lovelace|(?<![\p{L}\p{M}\p{N}_-])(?:a b|a%20b)(?![\p{L}\p{M}\p{N}_-])`,
  ],
  ["new RegExp(part, 'yu')", String.raw`Ada(?:\s|\\[nrt])+(?:O"Hara|O\\"Hara)`],
  [
    "new RegExp([...new Set(sources)].join('|'), 'i')",
    String.raw`Ada(?:\s|\\[nrt]|%20|%0a|\+|&nbsp;|&#160;|\u00c2\u00a0)+Lovelace`,
  ],
])

/** Modules that build expressions of parts when they are loaded. */
const builders = [
  'features/imports/mapping/read-extent',
  'features/imports/mapping/read-title',
  'lib/names/name-forms',
]

/** The code that builds expressions from the patterns in the shapes, which are checked there. */
const ofShapes = "new RegExp(pattern.value, reader.value(shape, sh('flags'))?.value)"

const patterns = [
  ...(await inSources('src')),
  ...(await inShapes('shapes')),
  ...(await inModules(builders)),
]

describe('the regular expressions in src and shapes', () => {
  it('are found by this test', () => {
    expect(patterns.filter(({ where }) => where.startsWith('src'))).to.have.length.above(50)
    expect(patterns.filter(({ where }) => where.startsWith('shapes'))).to.have.length.above(5)
  })

  for (const { source, flags, where } of patterns)
    it(`take linear time, such as /${source}/${flags} in ${where}`, async () => {
      if (harmless.has(source)) return
      const result = await check(source, flags, limits)
      expect(result.status, result.status === 'vulnerable' ? result.attack.pattern : '').to.equal(
        'safe',
      )
    })

  it('include those that are listed as harmless', () => {
    const there = new Set(patterns.map(({ source }) => source))
    expect([...harmless.keys()].filter((source) => !there.has(source))).to.deep.equal([])
  })
})

async function inSources(folder: string): Promise<Pattern[]> {
  const names = await readdir(folder, { recursive: true })
  const files = names.filter((name) => /\.tsx?$/.test(name)).map((name) => join(folder, name))
  const found = await Promise.all(
    files.map(async (file) => inProgram(await readFile(file, 'utf8'), file)),
  )
  return [...new Map(found.flat().map((one) => [`/${one.source}/${one.flags}`, one])).values()]
}

function inProgram(text: string, where: string): Pattern[] {
  const found: Pattern[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? []
      found.push({ source, flags, where })
    } else if (isMaking(node) && node.getText() !== ofShapes && !isOf(builders, where)) {
      const source = made.get(node.getText())
      if (source === undefined) throw new Error(`${where}: what does ${node.getText()} make?`)
      found.push({ source, flags: 'i', where })
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(where, text, ts.ScriptTarget.Latest, true))
  return found
}

function isOf(modules: readonly string[], file: string): boolean {
  return modules.some((module) => file.endsWith(`${module}.ts`))
}

async function inModules(modules: readonly string[]): Promise<Pattern[]> {
  const found: Pattern[] = []
  for (const module of modules) found.push(...(await inModule(module)))
  return found
}

/** The expressions that a module builds when it is loaded once more; the modules that it imports are there already. */
async function inModule(module: string): Promise<Pattern[]> {
  const found: Pattern[] = []
  const original = globalThis.RegExp
  globalThis.RegExp = new Proxy(original, {
    construct(target, [source, flags]: [string, string?]) {
      found.push({ source, flags: flags ?? '', where: `src/${module}.ts` })
      return new target(source, flags)
    },
  })
  try {
    await import(new URL(`../../src/${module}.js?again`, import.meta.url).href)
  } finally {
    globalThis.RegExp = original
  }
  return found
}

function isMaking(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  const isCall = ts.isNewExpression(node) || ts.isCallExpression(node)
  return isCall && node.expression.getText() === 'RegExp'
}

async function inShapes(folder: string): Promise<Pattern[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ttl'))
  const quads = await Promise.all(
    files.map(async (name) => new Parser().parse(await readFile(join(folder, name), 'utf8'))),
  )
  return files.flatMap((name, index) =>
    (quads[index] ?? [])
      .filter(({ predicate }) => predicate.equals(sh('pattern')))
      // With and without `sh:flags "i"`, which changes no growth.
      .map(({ object }) => ({ source: object.value, flags: 'i', where: join(folder, name) })),
  )
}
