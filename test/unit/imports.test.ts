// Imports run one way only, along the path of a request (the README draws it). Only app/ sees all.

import { readFile, readdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'

import { expect } from 'chai'

/** What each folder may import, besides itself. `config` is src/config.ts, `scheduling` src/scheduling.ts. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  rdf: [],
  model: ['rdf'],
  queries: ['model', 'rdf'],
  store: ['rdf', 'scheduling'],
  catalogue: ['queries', 'model', 'rdf', 'store/store', 'store/errors', 'scheduling', 'cache'],
  accounts: ['store/key-value', 'store/durable-file', 'model/iris', 'scheduling'],
  formats: ['model', 'rdf'],
  sparql: ['rdf', 'store/store', 'store/remote', 'store/embedded'],
  views: ['formats/serializer', 'model', 'rdf'],
  http: [
    'views',
    'catalogue',
    'formats',
    'model',
    'rdf',
    'accounts',
    'sparql',
    'config',
    'scheduling',
    'cache',
  ],
  commands: ['config', 'accounts', 'catalogue', 'model', 'rdf', 'store'],
}

/** The packages that only one part of the house knows. */
const owners: Readonly<Record<string, readonly string[]>> = {
  koa: ['http'],
  '@koa/router': ['http'],
  'koa-body': ['http'],
  preact: ['views', 'http'],
  'preact-render-to-string': ['views'],
  'classic-level': ['store'],
  oxigraph: ['store', 'rdf', 'sparql'],
  sparqljs: ['sparql'],
  'shacl-engine': ['model'],
}

const source = resolve('src')

describe('imports', () => {
  for (const [folder, others] of Object.entries(allowed))
    it(`lead from ${folder}/ to ${others.join(', ') || 'nothing'} alone`, async () => {
      const strays = (await importsOf(folder)).filter(
        ({ target }) =>
          target !== folder &&
          // src/errors.ts may be imported by all.
          target !== 'errors' &&
          !target.startsWith(`${folder}/`) &&
          !others.some((other) => target === other || target.startsWith(`${other}/`)),
      )
      expect(strays).to.deep.equal([])
    })

  it('of a package stay in the folders that own it', async () => {
    const strays: string[] = []
    for (const folder of [...Object.keys(allowed), 'app'])
      for (const { file, specifier } of await importsOf(folder, false)) {
        const owner = owners[specifier]
        if (owner && !owner.includes(folder)) strays.push(`${file}: ${specifier}`)
      }
    expect(strays).to.deep.equal([])
  })
})

type Import = { readonly file: string; readonly specifier: string; readonly target: string }

/** The imports of a folder's files: ours, as paths below src without ending, or those of packages. */
async function importsOf(folder: string, ours = true): Promise<Import[]> {
  const names = await readdir(join(source, folder), { recursive: true })
  const files = names.filter((name) => /\.tsx?$/.test(name)).map((name) => join(folder, name))
  const imports = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(source, file), 'utf8')
      return [...text.matchAll(/(?:from|import) '([^']+)'/g)].map(([, specifier = '']) => ({
        file,
        specifier,
        target: relative(source, resolve(source, dirname(file), specifier)).replace(/\.js$/, ''),
      }))
    }),
  )
  return imports.flat().filter(({ specifier }) => specifier.startsWith('.') === ours)
}
