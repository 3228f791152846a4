// A write is seen by the queries that are asked after it, whatever it does.

import { expect } from 'chai'

import { agent, zine } from '../../examples.js'
import { startService } from '../../service.js'
import { recordPath, unique, useCatalogue } from '../../http/catalogue.js'
import { BOMB, ask, rowsOf } from './client.js'

const titlesOf = (id: string) =>
  `SELECT ?o { ?z dcterms:identifier "${id}" ; dcterms:title ?o } ORDER BY ?o`

describe('a SPARQL query sees', () => {
  const { service, given } = useCatalogue({ SPARQL_WORKERS: '2', SPARQL_TIMEOUT: '1' })

  const values = async (query: string) => (await rowsOf(service(), query)).map(({ o }) => o)

  it('a new record', async () => {
    const { zine_id } = await given.zine({ title: 'First seen' })
    expect(await values(titlesOf(zine_id))).to.deep.equal(['First seen'])
  })

  it('a change, and no longer the old value', async () => {
    const { zine_id } = await given.zine({ title: 'Before' })
    await service().patch(recordPath('zines', zine_id), { title: 'After' })
    expect(await values(titlesOf(zine_id))).to.deep.equal(['After'])
  })

  it('that a record and its dependent records are deleted', async () => {
    const { zine_id } = await given.zine()
    const { holding_id } = await given.holding({ zine_id })
    await service().delete(recordPath('zines', zine_id))
    const about = (id: string) => `SELECT ?o { ?s dcterms:identifier "${id}" ; ?p ?o }`
    expect(await values(about(zine_id))).to.be.empty
    expect(await values(about(holding_id))).to.be.empty
  })

  it('the details of an agent only while it is public', async () => {
    const legal_name = unique('Visible')
    const { agent_id } = await given.agent({ legal_name })
    const seen = []
    for (const isPublic of [true, false, true, false]) {
      await service().patch(recordPath('agents', agent_id), { public: isPublic })
      seen.push(await values(`SELECT ?o { ?a dcterms:identifier "${agent_id}" ; zc:legalName ?o }`))
    }
    expect(seen).to.deep.equal([[legal_name], [], [legal_name], []])
  })

  it('a write that was made while a worker was being replaced', async () => {
    const bombs = ['admin', 'editor'].map((name) =>
      ask(service(), BOMB, { token: service().tokens[name as 'admin'] }),
    )
    const { zine_id } = await given.zine({ title: 'Meanwhile' })
    await Promise.all(bombs)
    // Asked of both workers.
    for (let time = 0; time < 4; time++)
      expect(await values(titlesOf(zine_id))).to.deep.equal(['Meanwhile'])
  })

  it('each of many simultaneous writes', async () => {
    const word = unique('burst')
    await Promise.all(Array.from({ length: 50 }, () => given.zine({ title: word })))
    const [row] = await rowsOf(service(), `SELECT (COUNT(*) AS ?c) { ?z dcterms:title "${word}" }`)
    expect(row?.c).to.equal('50')
  })

  it('every vocabulary', async () => {
    const labels = await values('SELECT ?o { ?c skos:notation "perzine" ; skos:prefLabel ?o }')
    // In English, Spanish and French.
    expect(labels).to.deep.equal(['Perzine', 'Perzine', 'Perzine'])
  })
})

describe('a SPARQL query after a restart', () => {
  it('sees what was written before it', async () => {
    const first = await startService({ SPARQL_WORKERS: '1' })
    await first.post('/api/agents/', agent('maker'))
    await first.post('/api/agents/', agent('shy', { public: false, legal_name: 'Unseen' }))
    await first.post('/api/zines/', zine('kept', { title: 'Kept “\\" <x> .\n' }))
    await first.close()
    const second = await startService({ SPARQL_WORKERS: '1', DATA_DIR: first.dataDir })
    try {
      const rows = await rowsOf(second, titlesOf('kept'))
      expect(rows).to.deep.equal([{ o: 'Kept “\\" <x> .' }])
      const names = await rowsOf(second, 'SELECT ?o { ?s zc:legalName ?o }')
      expect(names).to.be.empty
    } finally {
      await second.stop()
    }
  })
})
