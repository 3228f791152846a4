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

  it('have nothing with which jsonld could fetch contexts', () => {
    const paths = [...shipped.keys()]
    expect(paths).to.include('node_modules/jsonld')
    for (const client of ['ky', 'undici']) expect(paths).not.to.include(`node_modules/${client}`)
    const clients = [...shipped].filter(([path]) => path.endsWith('@digitalbazaar/http-client'))
    expect(clients.map(([, name]) => name)).to.deep.equal(['empty-npm-package'])
  })
})
