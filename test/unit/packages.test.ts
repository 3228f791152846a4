// The packages that are shipped with the service, by package-lock.json.

import { readFile } from 'node:fs/promises'

import { expect } from 'chai'

type Lock = {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly name?: string }>>
}

describe('the packages that are shipped', () => {
  /** The name of the package at each path: another one where package.json overrides it. */
  let shipped: ReadonlyMap<string, string | undefined>

  before(async () => {
    const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as Lock
    shipped = new Map(
      Object.entries(packages)
        .filter(([path, { dev }]) => path !== '' && !dev)
        .map(([path, { name }]) => [path, name]),
    )
  })

  it('have nothing of Comunica, which shacl-engine needs for SPARQL constraints only', () => {
    const comunica = [...shipped].filter(([path]) => path.includes('@comunica/'))
    expect(new Set(comunica.map(([, name]) => name))).to.deep.equal(new Set(['empty-npm-package']))
  })

  it('do not have jsonld, which only tests use', () => {
    expect([...shipped.keys()]).not.to.include('node_modules/jsonld')
  })
})
