// The documentation: every reference leads somewhere, and what it lists is what the program has.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'

import { expect } from 'chai'

import { furtherFiltersOf } from '../../src/catalogue/list-conditions.js'
import { createIris } from '../../src/model/iris.js'
import { openModel } from '../model/model.js'

const root = resolve('.')

/** What is searched: folders with all their files, and files. */
const places = [
  ...['src', 'test', 'bench', 'shapes', 'ontology', 'docs', 'deploy', 'sample'],
  ...['standards', 'vocabularies'],
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'Dockerfile', '.ci'],
]

const self = 'test/project/documentation.test.ts'

const texts = await readTexts()
const { resources } = await openModel(createIris('https://zines.example'))
const pages = new Map([...texts].filter(([name]) => name.endsWith('.md')))

describe('the documentation', () => {
  it('has every section that a comment or a page refers to', () => {
    const missing = matches(/(docs\/[\w/-]+\.md),\s(?:[\s/#*]*)"([^"\n]+(?:\n[^"\n]*)?)"/g).filter(
      ({ groups: [page = '', heading = ''] }) =>
        !headingsOf(texts.get(page) ?? '').includes(withoutLineBreak(heading)),
    )
    expect(missing.map(describeMatch)).to.deep.equal([])
  })

  it('has no link that leads to a missing file or heading', () => {
    const broken = [...pages].flatMap(([page, text]) =>
      linksOf(text).filter((target) => !leadsSomewhere(page, target)),
    )
    expect(broken).to.deep.equal([])
  })

  it('refers to no page outside the repository', () => {
    const outside =
      /\.\.\/shared|\b(?:specification|decisions|design|mapping|reliability)\.md|^.*(?:\/\/|\*|#).*\b(?:spec|specification|decisions|design|mapping): [A-Z\d]/gm
    expect(matches(outside).map(describeMatch)).to.deep.equal([])
  })

  it('names only source files that exist', () => {
    const missing = [...pages].flatMap(([page, text]) =>
      [...text.matchAll(/`((?:src|test|bench|shapes|ontology|standards|vocabularies)\/[\w./-]+)`/g)]
        .map(([, path = '']) => path)
        .filter((path) => !path.includes('.cache/') && !existsSync(join(root, path)))
        .map((path) => `${page}: ${path}`),
    )
    expect(missing).to.deep.equal([])
  })

  // A file that was moved would be left out in silence, as patterns without a match are.
  it('names only tests that exist in the configurations of .ci', () => {
    const named = [...texts]
      .filter(([name]) => /^\.ci\/.*\.json$/.test(name))
      .flatMap(([, text]) => [...text.matchAll(/"build\/(test\/[^"*]+)\.js"/g)])
      .flatMap(([, path = '']) => alternativesOf(path))
    expect(named).not.to.be.empty
    expect(named.filter((path) => !existsSync(join(root, `${path}.ts`)))).to.deep.equal([])
  })

  it('begins with a README of at most 120 lines', () => {
    const lines = (texts.get('README.md') ?? '').trimEnd().split('\n')
    expect(lines.length).to.be.at.most(120)
  })

  it('has pages of at most 250 lines in docs/', () => {
    const long = [...pages]
      .filter(([page]) => page.startsWith('docs/'))
      .map(([page, text]) => [page, text.trimEnd().split('\n').length] as const)
      .filter(([, lines]) => lines > 250)
    expect(long).to.deep.equal([])
  })

  it('lists the further filters of zines, and no others', () => {
    const [, section = ''] = (texts.get('docs/reference/lists.md') ?? '').split(
      '\n### Further filters\n',
    )
    const [table = ''] = section.split('\n## ')
    const cells = [...table.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell).join()
    const listed = new Set([...cells.matchAll(/`(\w+)=/g)].map(([, name]) => name))
    // The filters by codes share a row.
    const filters = Array.from(furtherFiltersOf(resources.zines).keys(), (name) =>
      name.replace(/^(genre|language|format)__/, 'subject__'),
    )
    expect([...listed].sort()).to.deep.equal([...new Set(filters)].sort())
  })

  it('lists the settings that the program reads, and no others', () => {
    const listed = codesIn(firstColumn(sectionOf('docs/reference/settings.md', 'Settings')))
    const read = quotedNames(texts.get('src/config.ts') ?? '')
    expect(listed.sort()).to.deep.equal(read.sort())
  })

  it('has a row for each cache of the service, and no others', () => {
    const table = firstColumn(sectionOf('docs/explanation/requests.md', 'Caches'))
    const rows = [...table.matchAll(/`(src\/[^`]+)`/g)].map(([, file]) => file)
    const calls = matches(/\bcreateCache(?:<|\()/g)
      .map(({ file }) => file)
      .filter((file) => file.startsWith('src/') && file !== 'src/lib/cache.ts')
    expect(rows.sort()).to.deep.equal(calls.sort())
  })

  it('names only commands that the help has, and describes all that it has', async () => {
    const help = await helpText()
    const known = commandsIn(help)
    const named = new Set([...pages.values()].flatMap((text) => commandsIn(text)))
    expect([...named].filter((command) => !known.includes(command))).to.deep.equal([])
    const described = [...pages]
      .filter(([page]) => page.startsWith('docs/how-to/'))
      .flatMap(([, text]) => commandsIn(text))
    const undescribed = known.filter(
      (command) => command !== 'load' && !described.includes(command),
    )
    expect(undescribed).to.deep.equal([])
  })
})

type Match = { readonly file: string; readonly line: number; readonly groups: readonly string[] }

/** All places of a pattern, outside of this file. */
function matches(pattern: RegExp): Match[] {
  return [...texts]
    .filter(([file]) => file !== self)
    .flatMap(([file, text]) =>
      [...text.matchAll(pattern)].map((match) => ({
        file,
        line: text.slice(0, match.index).split('\n').length,
        groups: match.slice(1).length > 0 ? match.slice(1) : [match[0]],
      })),
    )
}

const describeMatch = ({ file, line, groups }: Match): string =>
  `${file}:${line}: ${groups.join(', ')}`

/** A heading that a comment breaks over two lines. */
const withoutLineBreak = (heading: string): string => heading.replace(/\s*\n[\s/#*]*/, ' ')

async function readTexts(): Promise<ReadonlyMap<string, string>> {
  const files: string[] = []
  for (const place of places) {
    if (!existsSync(join(root, place))) continue
    const entries = await readdir(join(root, place), {
      recursive: true,
      withFileTypes: true,
    }).catch(() => undefined)
    if (!entries) files.push(place)
    else
      for (const entry of entries)
        if (entry.isFile()) files.push(relative(root, join(entry.parentPath, entry.name)))
  }
  const isText = /(?:\.(?:tsx?|d\.ts|md|ttl|js|json|css|service)|Dockerfile|\/run|\/virtuoso)$/
  const read = files
    .filter((file) => isText.test(file) && !/\.cache\/|node_modules\//.test(file))
    .map(async (file) => [file, await readFile(join(root, file), 'utf8')] as const)
  return new Map(await Promise.all(read))
}

/** The headings of a page, without those in blocks of code. */
function headingsOf(text: string): string[] {
  const lines = text.replace(/^```[^]*?^```/gm, '').split('\n')
  return lines.flatMap((line) => /^#{1,6} (.+?)\s*$/.exec(line)?.[1] ?? [])
}

/** The anchor that GitHub makes of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** The targets of a page's links to files and headings. */
function linksOf(text: string): string[] {
  const prose = text.replace(/^```[^]*?^```/gm, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
}

function leadsSomewhere(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? page : relative(root, resolve(root, dirname(page), path))
  if (!existsSync(join(root, file))) return false
  return (
    anchor === undefined ||
    headingsOf(texts.get(file) ?? '')
      .map(anchorOf)
      .includes(anchor)
  )
}

/** The text from a heading to the next of the same level. */
function sectionOf(page: string, heading: string): string {
  const [, section = ''] = (texts.get(page) ?? '').split(`\n## ${heading}\n`)
  return section.split('\n## ')[0] ?? ''
}

const firstColumn = (section: string): string =>
  section
    .split('\n')
    .flatMap((line) => /^\|([^|]*)\|/.exec(line)?.[1] ?? [])
    .join('\n')

const codesIn = (text: string): string[] =>
  [...text.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = '']) => name)

/** The names of environment variables in a source text. */
const quotedNames = (text: string): string[] => [
  ...new Set([...text.matchAll(/'([A-Z][A-Z_]{3,})'/g)].map(([, name = '']) => name)),
]

/** The commands that a text names, such as `account add`. */
function commandsIn(text: string): string[] {
  const named = text.matchAll(/(?<![\w/-])zine-catalogue (account \w+|token \w+|[a-z]+)\b(?! *=)/g)
  return [...new Set([...named].map(([, command = '']) => command))]
}

async function helpText(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['build/src/main.js', 'help'])
  return stdout
}

/** The paths that a pattern with one pair of braces stands for. */
function alternativesOf(pattern: string): readonly string[] {
  const [, before = '', names, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? []
  return names === undefined ? [pattern] : names.split(',').map((name) => before + name + after)
}
