// Tests the index in memory over a remote store: it is filled while lists are answered already, follows the commits of
// another process, and is filled anew after a gap (docs/explanation/remote-store.md, "The index in
// memory").

import { expect } from 'chai'

import { agent } from '../examples.js'
import { skipWithoutProc, textOfNameless } from '../nameless-file.js'
import { type TestService, startReaderProcess, startService } from '../service.js'
import { readConfig } from '../../src/config.js'
import { iri } from '../../src/rdf/terms.js'
import { RemoteCommits } from '../../src/store/remote/commit-protocol.js'
import { createSparqlClient } from '../../src/store/remote/sparql-client.js'
import { type TestEndpoint, startEndpoint } from '../sparql-engine.js'
import { until } from '../waiting.js'

const records = 'https://zines.example/graphs/records'

describe('the index over a remote store', () => {
  let endpoint: TestEndpoint
  let writer: TestService
  let reader: Awaited<ReturnType<typeof startReaderProcess>>

  beforeEach(async () => {
    endpoint = await startEndpoint()
    writer = await startService({ STORE: endpoint.url, LIST_INDEX: 'on' })
    for (const id of ['ada', 'bob']) await writer.post('/api/agents/', agent(id))
    reader = await startReaderProcess(writer)
  })

  afterEach(async () => {
    endpoint.failWith(undefined)
    await reader.stop()
    await writer.stop()
    await endpoint.stop()
  })

  const idsAt = async ({ get }: Pick<TestService, 'get'>, query: string): Promise<string> => {
    const { status, body, text } = await get(`/api/agents/?ordering=created_at&${query}`)
    expect(status, text).to.equal(200)
    return body.results.map(({ agent_id }: { agent_id: string }) => agent_id).join(' ')
  }

  /** The queries that are sent meanwhile. */
  async function asked(work: () => Promise<unknown>): Promise<readonly string[]> {
    const start = endpoint.asked.length
    await work()
    return endpoint.asked.slice(start).map(({ text }) => text)
  }

  const isPage = (text: string): boolean => text.includes('#part>') && text.includes('VALUES')

  it('answers lists without a query of the store, in the writer and in a reader', async () => {
    for (const process of [writer, reader]) {
      const first = await asked(() => idsAt(process, 'page_size=7'))
      expect(first.filter((text) => text.includes('COUNT('))).to.deep.equal([])
      await writer.post('/api/agents/', agent(`cy-${process === writer ? 'writer' : 'reader'}`))
      await until(async () => (await idsAt(process, 'page_size=7')).includes('cy-'))
      const later = await asked(() => idsAt(process, 'page_size=7'))
      expect(later.filter((text) => !text.includes('#commit>'))).to.deep.equal([])
    }
  })

  it('is filled while SPARQL answers lists, and q is answered 503', async () => {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    endpoint.failWith(({ text }, _, serve) => (isPage(text) ? void held.then(serve) : serve()))
    const late = await startReaderProcess(writer)
    expect(await idsAt(late, '')).to.equal('ada bob')
    const { status, body, headers } = await late.get('/api/agents/?q=ada')
    expect([status, headers.get('retry-after')]).to.deep.equal([503, '5'])
    expect(body.detail).to.equal('The index of words is being filled. Try again soon.')
    // What is written meanwhile is in it too.
    await writer.post('/api/agents/', agent('cy'))
    await writer.delete('/api/agents/bob/')
    release()
    await until(async () => (await late.get('/api/agents/?q=ada')).status === 200)
    expect(await idsAt(late, '')).to.equal('ada cy')
    await late.stop()
  })

  it('does not answer before it knows what was written while it was filled', async () => {
    const isFollowing = (text: string): boolean =>
      text.includes('#commit-') && text.includes('#catalogue>')
    const release = { pages: (): void => undefined, commits: (): void => undefined }
    const pages = new Promise<void>((resolve) => (release.pages = resolve))
    const commits = new Promise<void>((resolve) => (release.commits = resolve))
    let isHeld = false
    endpoint.failWith(({ text }, _, serve) => {
      if (isPage(text)) void pages.then(serve)
      else if (isHeld && isFollowing(text)) void commits.then(serve)
      else serve()
    })
    const late = await startReaderProcess(writer)
    expect(await idsAt(late, '')).to.equal('ada bob')
    isHeld = true
    expect((await writer.post('/api/agents/', agent('cy'))).status).to.equal(201)
    expect((await writer.delete('/api/agents/bob/')).status).to.equal(204)
    release.pages()
    setTimeout(() => release.commits(), 1500)
    await until(async () => (await late.get('/api/agents/?q=ada')).status === 200)
    expect(await idsAt(late, '')).to.equal('ada cy')
    await late.stop()
  })

  it('is filled anew after a gap in the notes of commits, and then follows again', async () => {
    expect(await idsAt(reader, 'q=ada')).to.equal('ada')
    const commitTriple = (number: number) =>
      `GRAPH <${records}> { <${records}#commit> <${records}#entry> "${number}" }`
    // As after more commits than notes are kept.
    const read = await asked(async () => {
      endpoint.oxigraph.update(`INSERT DATA { ${commitTriple(5000)} }`)
      await until(() => endpoint.asked.some(({ text }) => text.includes('#commit-5001>')))
      await until(async () => (await reader.get('/api/agents/?q=bob')).status === 200)
    })
    expect(read.filter(isPage)).not.to.deep.equal([])
    expect(await idsAt(reader, '')).to.equal('ada bob')
    // The number goes back to that of the writer: another gap.
    await writer.post('/api/agents/', agent('cy'))
    await until(async () => (await reader.get('/api/agents/?q=cy')).body.count === 1)
    const later = await asked(async () => {
      await writer.post('/api/agents/', agent('dee'))
      await until(async () => (await reader.get('/api/agents/?q=dee')).body.count === 1)
    })
    expect(later.filter(isPage)).to.deep.equal([])
    expect(await idsAt(reader, '')).to.equal('ada bob cy dee')
  })

  it('follows a commit of more records than a note has in one literal', async () => {
    const lines = Array.from({ length: 450 }, (_, number) => {
      const id = `many-${number}`
      return JSON.stringify({ op: 'create', kind: 'agents', id, body: agent(id) })
    })
    const made = await writer.ask('POST', '/api/batches/', {
      raw: lines.join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect(made.status, made.text).to.equal(200)
    const read = await asked(() =>
      until(async () => (await reader.get('/api/agents/?page_size=1')).body.count === 452),
    )
    expect(read.filter(isPage)).to.deep.equal([])
    expect((await reader.get('/api/agents/?q=many-449')).body.count).to.equal(1)
  })

  it('keeps the notes of the last thousand commits', async () => {
    const config = readConfig({ STORE: endpoint.url }).store
    if (config === 'embedded') throw new Error('STORE is not embedded')
    const graphs = { shown: [], inEntries: [], records: iri(records) }
    const remote = new RemoteCommits(createSparqlClient(config), graphs)
    const notes = (): readonly string[] =>
      endpoint.oxigraph
        .dump({ format: 'application/n-quads' })
        .match(/#commit-\d+/g)
        ?.toSorted() ?? []
    expect(notes()).to.deep.equal(['#commit-2', '#commit-3'])
    for (const number of [1002, 1003]) {
      const commit = { number, changes: [{ key: 'agents/ada', after: '' }] }
      await remote.prepare(commit, () => undefined)
      await remote.publish(commit)
    }
    expect(notes()).to.deep.equal(['#commit-1002', '#commit-1003'])
  })

  it('has parts for records as long as they exist, also over a store of an earlier release', async () => {
    const parts = (): number =>
      endpoint.oxigraph
        .dump({ format: 'application/n-quads' })
        .split('\n')
        .filter((line) => line.includes('#part>')).length
    expect(parts()).to.equal(2)
    await writer.delete('/api/agents/bob/')
    expect(parts()).to.equal(1)
    await writer.close()
    endpoint.oxigraph.update(
      `DELETE WHERE { GRAPH <${records}> { ?s <${records}#part> ?o } } ;
       DELETE WHERE { GRAPH <${records}> { <${records}#layout> ?p ?o } }`,
    )
    writer = await startService({ ...writer.env, DATA_DIR: writer.dataDir, LIST_INDEX: 'on' })
    expect(parts()).to.equal(1)
  })

  it('is not used, and nothing is kept, when the commits cannot be followed any more', async () => {
    expect(await idsAt(reader, '')).to.equal('ada bob')
    endpoint.failWith(({ text }, response, serve) =>
      text.includes('#commit-') ? void response.writeHead(500).end() : serve(),
    )
    await writer.patch('/api/agents/ada/', { biography: 'New' }).catch(() => undefined)
    const asksTheStore = async (): Promise<boolean> =>
      (await asked(() => reader.get('/api/agents/'))).some((text) => text.includes('COUNT('))
    await until(asksTheStore)
    endpoint.failWith(undefined)
    await until(async () => !(await asksTheStore()))
  })

  describe('the copy of the records that a reader keeps', () => {
    const readsRecords = (text: string): boolean => text.includes('/agents%2F')
    /** The biography, and whether the store was asked for the record. */
    async function read(id: string, from: Pick<TestService, 'get'> = reader) {
      let biography: unknown
      const queries = await asked(async () => {
        const { status, body } = await from.get(`/api/agents/${id}/?fresh=${Math.random()}`)
        biography = status === 200 ? body.biography : status
      })
      return [biography, queries.some(readsRecords)]
    }

    beforeEach(async () => {
      await writer.post('/api/agents/', { ...agent('eve'), biography: 'First' })
      await until(async () => (await reader.get('/api/agents/?q=eve')).body.count === 1)
    })

    it('answers without asking the store, as long as the commits can be followed', async () => {
      expect(await read('ada')).to.deep.equal(['', false])
      expect(await read('eve')).to.deep.equal(['First', false])
      expect(await read('nobody')).to.deep.equal([404, true])
      endpoint.failWith(({ text }, response, serve) =>
        text.includes('#commit-') ? void response.writeHead(500).end() : serve(),
      )
      await until(async () => (await read('eve'))[1] === true)
      expect(await read('eve')).to.deep.equal(['First', true])
    })

    it('has what was written, in its place in the file', async function () {
      skipWithoutProc(this)
      await until(async () => (await textOfNameless(reader.dataDir)).includes('First'))
      await writer.patch('/api/agents/eve/', { biography: 'Second' })
      await until(async () => (await read('eve'))[0] === 'Second')
      expect(await read('eve')).to.deep.equal(['Second', false])
      await until(async () => (await textOfNameless(reader.dataDir)).includes('Second'))
      await until(async () => !(await textOfNameless(reader.dataDir)).includes('First'))
      await writer.delete('/api/agents/eve/')
      await until(async () => (await read('eve'))[0] === 404)
      await until(async () => !(await textOfNameless(reader.dataDir)).includes('Second'))
    })

    it('shows a write through the reader at once', async () => {
      for (let number = 0; number < 20; number += 1) {
        await reader.patch('/api/agents/eve/', { biography: `Text ${number}` })
        expect(await read('eve')).to.deep.equal([`Text ${number}`, false])
      }
    })

    it('is not used after a write through the reader whose commit it could not learn of', async () => {
      let isDown = false
      endpoint.failWith(({ text }, response, serve) =>
        isDown && text.includes('#commit-') && text.includes('#catalogue>')
          ? void response.writeHead(500).end()
          : serve(),
      )
      isDown = true
      await reader.patch('/api/agents/eve/', { biography: 'Second' })
      expect(await read('eve')).to.deep.equal(['Second', true])
      isDown = false
      await until(async () => (await read('eve'))[1] === false)
      expect(await read('eve')).to.deep.equal(['Second', false])
    })

    it('is filled anew after a gap', async () => {
      endpoint.oxigraph.update(
        `INSERT DATA { GRAPH <${records}> { <${records}#commit> <${records}#entry> "5000" } }`,
      )
      await until(async () => {
        const text = endpoint.asked.at(-1)?.text ?? ''
        return (
          text.includes('#commit-5001>') && (await reader.get('/api/agents/?q=eve')).status === 200
        )
      })
      expect(await read('ada')).to.deep.equal(['', false])
    })

    it('is not kept with RECORD_FILE=off', async () => {
      const off = await startReaderProcess(writer, { RECORD_FILE: 'off' })
      await until(async () => (await off.get('/api/agents/?q=eve')).status === 200)
      expect(await read('ada', off)).to.deep.equal(['', true])
      await off.stop()
    })
  })

  it('is off with LIST_INDEX=off: then every answer comes from the store', async () => {
    const off = await startReaderProcess(writer, { LIST_INDEX: 'off' })
    expect((await off.get('/api/agents/?q=ada')).status).to.equal(501)
    await writer.post('/api/agents/', agent('cy'))
    expect(await idsAt(off, '')).to.equal('ada bob cy')
    await off.stop()
  })
})
