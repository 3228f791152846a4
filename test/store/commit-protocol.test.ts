// An engine that is not ours, where TEST_STORE names one: what it does in its own way is absorbed.

import { expect } from 'chai'

import { createSparqlClient } from '../../src/store/remote/sparql-client.js'

const { TEST_STORE = '', TEST_STORE_USER, TEST_STORE_PASSWORD } = process.env
const isEngine = /^https?:/.test(TEST_STORE)

describe('the SPARQL client with the engine of TEST_STORE', () => {
  if (!isEngine) {
    it.skip('is skipped because TEST_STORE names no SPARQL engine')
    return
  }

  const graph = `http://engine.test/${process.pid}`
  const endpoint = createSparqlClient({
    query: TEST_STORE,
    update: TEST_STORE,
    credentials:
      TEST_STORE_USER && TEST_STORE_PASSWORD
        ? { user: TEST_STORE_USER, password: TEST_STORE_PASSWORD }
        : undefined,
    timeout: 30,
  })
  const most = 12_000

  before(async () => {
    for (let start = 0; start < most; start += 500) {
      const triples = Array.from(
        { length: 500 },
        (_, n) => `<${graph}> <http://e/p> ${start + n} .`,
      )
      await endpoint.update(`INSERT DATA { GRAPH <${graph}> { ${triples.join('\n')} } }`)
    }
  })

  after(() => endpoint.update(`CLEAR SILENT GRAPH <${graph}>`))

  const all = `SELECT ?o WHERE { GRAPH <${graph}> { ?s ?p ?o } }\nORDER BY ?o`

  it('reads all rows of a large result', async () => {
    const rows = await endpoint.select(all)
    expect(rows.map(({ o }) => Number(o?.value))).to.deep.equal(
      Array.from({ length: most }, (_, number) => number),
    )
  })

  it('reads a page with a large OFFSET', async () => {
    const rows = await endpoint.select(`${all}\nLIMIT 3 OFFSET 11500`)
    expect(rows.map(({ o }) => o?.value)).to.deep.equal(['11500', '11501', '11502'])
  })

  for (const value of [
    '"x"',
    'true',
    '"2026-11-20T09:15:02.123450Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>',
    '"1994-02"^^<http://www.w3.org/2001/XMLSchema#gYearMonth>',
    '"1994?"^^<http://id.loc.gov/datatypes/edtf/EDTF>',
    `"${'long '.repeat(4_000)}"`,
    '<https://example.org/%F0%9F%A6%84>',
    '9007199254740991',
  ])
    it(`inserts ${value.slice(0, 60)} once and deletes it again`, async () => {
      const triple = `GRAPH <${graph}/v> { <${graph}> <http://e/v> ${value} }`
      const count = async (): Promise<number> =>
        (await endpoint.select(`SELECT ?o WHERE { GRAPH <${graph}/v> { ?s ?p ?o } }`)).length
      await endpoint.update(`INSERT DATA { ${triple} }`)
      await endpoint.update(`INSERT DATA { ${triple} }`)
      expect(await count()).to.equal(1)
      await endpoint.update(`DELETE DATA { ${triple} }`)
      await endpoint.update(`DELETE DATA { ${triple} }`)
      expect(await count()).to.equal(0)
    })
})
