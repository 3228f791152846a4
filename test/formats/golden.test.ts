// Every RDF format of the examples, word for word. `UPDATE_GOLDEN=1` writes the files anew, to be
// read before they are kept.

import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { expect } from 'chai'

import { printList } from '../../src/formats/press.js'
import { setUpPresses } from '../../src/formats/presses.js'
import { resourceNames } from '../../src/model/addresses.js'
import { addresses, examples, lens, resources, sheetsOf } from './collection.js'

const endings: Readonly<Record<string, string>> = {
  jsonld: 'jsonld',
  turtle: 'ttl',
  ntriples: 'nt',
  rdfxml: 'rdf',
}

const at = (page: number) => `https://zines.example/api/?page_size=2&page=${page}`
const first = 'https://zines.example/api/?page_size=2'
const links = { self: at(2), first, last: at(3), next: at(3), previous: first }
const presses = setUpPresses({ addresses, resources, lens })

describe('printed records', () => {
  for (const name of resourceNames)
    for (const press of presses[name].filter((one) => one.name in endings)) {
      const sheets = sheetsOf(name, examples)

      it(`of ${name} in ${press.name} are as they were`, async () => {
        for (const [index, sheet] of sheets.entries())
          await expectGolden(`${name}-${index + 1}.${endings[press.name]}`, press.record(sheet))
      })

      it(`of ${name} in ${press.name} are as they were in a list`, async () => {
        const list = printList(press, sheets, { count: 5, links })
        await expectGolden(`${name}-list.${endings[press.name]}`, list)
      })
    }

  it('never hold what a private agent keeps to itself', () => {
    for (const name of resourceNames)
      for (const press of presses[name])
        for (const sheet of sheetsOf(name, examples))
          expect(press.record(sheet)).not.to.match(/Hidden Name|hidden@example|555 0100/)
  })
})

async function expectGolden(name: string, printed: string): Promise<void> {
  const file = join(resolve('test/formats/golden'), name)
  const text = name.endsWith('.jsonld')
    ? `${JSON.stringify(JSON.parse(printed), undefined, 2)}\n`
    : printed
  if (process.env.UPDATE_GOLDEN) await writeFile(file, text)
  expect(text).to.equal(await readFile(file, 'utf8'))
}
