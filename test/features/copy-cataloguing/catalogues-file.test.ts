// The file that names other catalogues: what it takes, and what it says of the rest.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { ExpectedError } from '../../../src/errors.js'
import { readCatalogues } from '../../../src/features/copy-cataloguing/catalogues-file.js'

const sru = { name: 'Union', type: 'sru', url: 'https://union.example/sru' }

describe('catalogues.json', () => {
  let directory: string

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
  })
  after(() => rm(directory, { recursive: true, force: true }))

  async function reading(content: unknown, hosts: readonly string[] = []) {
    const file = join(directory, 'catalogues.json')
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
    return readCatalogues(file, hosts)
  }

  it('may be absent', async () => {
    expect(await readCatalogues(join(directory, 'none.json'), [])).to.deep.equal([])
  })

  it('has catalogues in their order, with the options of their type', async () => {
    const catalogues = [
      { ...sru, index: 'tit', schema: 'MARC21-xml', record: 'https://union.example/r/{id}' },
      { name: 'Archive', type: 'oai-pmh', url: 'https://archive.example/oai', prefix: 'marcxml' },
      { name: 'Sister', type: 'service', url: 'https://zines.example' },
    ]
    expect(await reading(catalogues)).to.deep.equal(catalogues)
  })

  // prettier-ignore
  const wrong: readonly (readonly [string, unknown, string])[] = [
    ['is no JSON', '[{', 'is no JSON'],
    ['is no list', sru, 'is no list of catalogues'],
    ['has another type', [{ ...sru, type: 'z39.50' }], 'catalogue 1: "type" takes service, sru, oai-pmh'],
    ['has no name', [{ type: 'sru', url: sru.url }], 'catalogue 1: "name" and "url" are needed'],
    ['has a member of another type', [sru, { ...sru, name: 'x', prefix: 'y' }], 'catalogue 2: "prefix" is not known; it has name, type, url, index'],
    ['has a number', [{ ...sru, name: 7 }], 'catalogue 1: "name" takes a text'],
    ['has two of one name', [sru, sru], 'two catalogues are called "Union"'],
    ['has another scheme', [{ ...sru, url: 'file:///etc/passwd' }], 'is no address of http or https'],
    ['has a private address', [{ ...sru, url: 'http://169.254.169.254/' }], '169.254.169.254 is not a public address'],
    ['has a password', [{ ...sru, url: 'https://me:secret@union.example/' }], 'must not contain a password'],
  ]
  for (const [what, content, message] of wrong)
    it(`is refused with what is wrong when it ${what}`, async () => {
      const failure = await reading(content).catch((error: unknown) => error)
      expect(failure).to.be.instanceOf(ExpectedError)
      expect(String(failure))
        .to.include(`${join(directory, 'catalogues.json')}: `)
        .and.include(message)
    })

  it('may name a private address that IMPORT_HOSTS names', async () => {
    const own = { ...sru, url: 'http://10.0.0.7:9998/biblios' }
    expect(await reading([own], ['10.0.0.7'])).to.deep.equal([own])
  })
})
