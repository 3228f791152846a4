// Every regular expression of the service takes a time that grows with the length of what it reads, and
// no faster: read out of the sources and the shapes, and judged by recheck, so that a new one is judged too.

import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'
import { Parser } from 'n3'
import { check } from 'recheck'
import ts from 'typescript'

import { sh } from '../../src/rdf/namespaces.js'

type Pattern = { readonly source: string; readonly flags: string; readonly where: string }

/** Those that recheck is afraid of and that are no danger, by their text. */
const harmless: ReadonlyMap<string, string> = new Map([
  ['\\p{M}{64}', 'reads each character 64 times at most'],
  ['(\\d)0*e\\+?', 'reads what toExponential writes, some twenty characters'],
])

/** What is made at start, by the text of its making, and what it is made of. */
const made: ReadonlyMap<string, string> = new Map([
  ["new RegExp(`^${about} ?(\\\\d{4})$`, 'i')", '^(?:c\\.?|ca\\.?|circa|about) ?(\\d{4})$'],
])

/** What is made of patterns that are judged where they are written, in the shapes. */
const ofShapes = 'new RegExp(pattern.value, flags)'

const patterns = [...(await inSources('src')), ...(await inShapes('shapes'))]

describe('Regular expressions', function () {
  this.timeout(60_000)

  it('are found where they are written', () => {
    expect(patterns.filter(({ where }) => where.startsWith('src'))).to.have.length.above(50)
    expect(patterns.filter(({ where }) => where.startsWith('shapes'))).to.have.length.above(5)
  })

  for (const { source, flags, where } of patterns)
    it(`take linear time: /${source}/${flags} of ${where}`, async () => {
      if (harmless.has(source)) return
      const told = await check(source, flags, { timeout: 50_000 })
      expect(told.status, told.status === 'vulnerable' ? told.attack.pattern : '').to.equal('safe')
    })

  it('that are said to be harmless are there', () => {
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
    } else if (isMaking(node) && node.getText() !== ofShapes) {
      const source = made.get(node.getText())
      if (source === undefined) throw new Error(`${where}: what does ${node.getText()} make?`)
      found.push({ source, flags: 'i', where })
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(where, text, ts.ScriptTarget.Latest, true))
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
