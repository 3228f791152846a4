// The packages that are shipped with the service, by package-lock.json.

import { readFile } from 'node:fs/promises'

import { expect } from 'chai'

type Lock = {
  readonly packages: Readonly<
    Record<string, { readonly dev?: boolean; readonly name?: string; readonly resolved?: string }>
  >
}

describe('the packages that are shipped', () => {
  let shipped: readonly (readonly [path: string, resolved: string])[]

  before(async () => {
    const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as Lock
    shipped = Object.entries(packages)
      .filter(([path, { dev }]) => path !== '' && !dev)
      .map(([path, { resolved = '' }]) => [path, resolved])
  })

  it('have nothing of Comunica, which shacl-engine needs for SPARQL constraints only', () => {
    const comunica = shipped.filter(([path]) => path.includes('@comunica/'))
    expect(comunica.map(([, resolved]) => resolved)).to.satisfy((all: readonly string[]) =>
      all.every((resolved) => resolved.includes('/empty-npm-package/')),
    )
  })

  it('do not have jsonld, which only tests use', () => {
    expect(shipped.map(([path]) => path)).not.to.include('node_modules/jsonld')
  })
})
