// The packages that are shipped, in the bundle and beside it (packaging/shipped-packages.js).

import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect } from 'chai'

/** By their paths; another name where package.json overrides a package. */
type ShippedPackages = ReadonlyMap<string, { readonly name?: string }>

describe('the packages that are shipped', () => {
  let shipped: ShippedPackages

  before(async () => {
    const module = await import(pathToFileURL(resolve('packaging/shipped-packages.js')).href)
    shipped = await module.shippedPackages()
  })

  it('have nothing of Comunica, which shacl-engine needs for SPARQL constraints only', () => {
    const comunica = [...shipped].filter(([path]) => path.includes('@comunica/'))
    expect(comunica.filter(([, { name }]) => name !== 'empty-npm-package')).to.deep.equal([])
  })

  it('have nothing with which jsonld could fetch contexts', () => {
    const paths = [...shipped.keys()]
    expect(paths).to.include('node_modules/jsonld')
    for (const client of ['ky', 'undici']) expect(paths).not.to.include(`node_modules/${client}`)
    const clients = [...shipped].filter(([path]) => path.endsWith('@digitalbazaar/http-client'))
    expect(clients.filter(([, { name }]) => name !== 'empty-npm-package')).to.deep.equal([])
  })
})
