// The packages that are shipped, in the bundle and beside it: packaging/shipped-packages.js.

import { execFile } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

import { expect } from 'chai'

type ShippedPackage = {
  readonly path: string
  readonly name: string
  readonly version: string
  /** An expression of SPDX. */
  readonly license: string
  /** Its code is in our files; the others are installed as packages of their own. */
  readonly isBundled: boolean
}

/** Licences that ask for no more than a notice, which dist/THIRD-PARTY-NOTICES has. */
const allowed = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT'],
  'CC-BY-4.0', // Icons of the SPARQL editor.
  'OFL-1.1', // A font.
])

/** Licences that ask for more, and of which package alone each is taken. */
const allowedOf: Readonly<Record<string, RegExp>> = {
  // The page of citations names the program and links to its source.
  'CPAL-1.0': /^citeproc$/,
  // libvips: a library in a file of its own, which can be replaced.
  'LGPL-3.0-or-later': /^@img\/sharp-/,
}

describe('the packages that are shipped', () => {
  let shipped: readonly ShippedPackage[]
  let notices: string

  before(async () => {
    const load = (name: string) => import(pathToFileURL(resolve('packaging', name)).href)
    const { bundleProgram } = await load('program.js')
    const { shippedPackages } = await load('shipped-packages.js')
    const { thirdPartyNotices } = await load('notices.js')
    const { inputs } = await bundleProgram({ write: false })
    shipped = shippedPackages(inputs)
    notices = thirdPartyNotices(shipped)
  })

  it('have licences that are known and allowed', () => {
    const refused = shipped.filter(
      ({ name, license }) =>
        !alternatives(license).some((all) =>
          all.every((one) => allowed.has(one) || allowedOf[one]?.test(name)),
        ),
    )
    expect(refused.map(({ name, license }) => `${name}: ${license}`)).to.deep.equal([])
  })

  it('are in our files only where no licence asks that they can be replaced', () => {
    const bundled = shipped.filter(({ isBundled }) => isBundled)
    expect(bundled).not.to.be.empty
    expect(bundled.filter(({ license }) => license.includes('LGPL'))).to.deep.equal([])
  })

  it('that state no licence have the text of one', async () => {
    expect(shipped.map(({ name }) => name)).to.include('jsuri')
    expect(await readFile(join('node_modules', 'jsuri', 'LICENSE'), 'utf8')).to.include(
      'Permission is hereby granted, free of charge',
    )
  })

  it('are in the notices with their licences, where their code is in our files', () => {
    const missing = shipped.filter(
      ({ name, version, license, isBundled }) =>
        notices.includes(`\n${name} ${version} (${license})\n`) !== isBundled,
    )
    expect(missing).to.deep.equal([])
    expect(notices).to.include('Copyright (c) 2014, Derek Watson')
  })

  it('are listed by `npm run sbom`, and nothing that is for development alone', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['packaging/sbom.js'], {
      maxBuffer: 2 ** 26,
    })
    const { bomFormat, components } = JSON.parse(stdout)
    expect(bomFormat).to.equal('CycloneDX')
    const listed = components.map(({ 'bom-ref': ref }: any) => ref)
    expect(new Set(listed)).to.deep.equal(
      new Set(shipped.map(({ name, version }) => `${name}@${version}`)),
    )
  })

  it('have nothing of Comunica, which shacl-engine needs for SPARQL constraints only', () => {
    expect(shipped.filter(({ path }) => path.includes('@comunica/'))).to.deep.equal([])
  })

  it('have nothing with which jsonld could fetch contexts', () => {
    const paths = shipped.map(({ path }) => path)
    expect(paths).to.include('node_modules/jsonld')
    for (const client of ['ky', 'undici', '@digitalbazaar/http-client'])
      expect(paths).not.to.include(`node_modules/${client}`)
  })

  it('are installed with an empty package of ours in place of each that is not used', async () => {
    const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8'))
    for (const name of await readdir('packaging/empty')) {
      const folder = `packaging/empty/${name}`
      const { name: replaced, version } = packages[folder]
      const installed = Object.keys(packages).filter((path) => path.endsWith(`/${replaced}`))
      expect(installed, replaced).to.deep.equal([`node_modules/${replaced}`])
      expect(packages[`node_modules/${replaced}`]).to.include({ link: true, resolved: folder })
      expect(JSON.parse(await readFile(`${folder}/package.json`, 'utf8'))).to.include({ version })
    }
  })
})

/** The licences of an expression: those of one alternative are all to be kept. */
const alternatives = (license: string): readonly (readonly string[])[] =>
  license
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .map((one) => one.split(' AND '))
