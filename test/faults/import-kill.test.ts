// The service is killed while it writes an import, and while it takes it back.

import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { type Served, serve, withDirectory } from '../process.js'
import { type Client, clientAt, settingsOf } from './client.js'

const rows = 3000

const table = [
  'Title,Author,Year,Tags',
  ...Array.from({ length: rows }, (_, row) => `Zine ${row},Maker ${row % 200},1999,"punk,own tag"`),
].join('\n')

const decisions = {
  identifiers: { zines: 'z-{row}', holdings: 'z-{row}', agents: '' },
  terms: { subjects: { 'own tag': { create: { code: 'own-tag', label: 'Own tag' } } } },
  defaults: {
    zines: { genre: ['zine'], language: ['en'], rights: [] },
    holdings: { repository_id: 'library' },
  },
}

const ownTerm = '/api/vocabularies/subjects/own-tag/'

describe('kill -9 in the middle of an import', () => {
  it('leaves whole rows, from which it goes on, and which can be taken back', () =>
    withDirectory(async (directory) => {
      let service = await serve(settingsOf(directory))
      let client = await clientAt(service.url)
      await client.prepare()
      const before = await counts(client)
      const path = await createImport(client)
      await client.ask('POST', `${path}preview/`, {})
      await settled(client, path)

      await killDuring('commit', service, client, path)
      ;({ service, client } = await startAgain(directory))
      const stopped = (await client.get(path)).body
      expect(stopped.state, stopped.message).to.equal('stopped')
      const written = await counts(client)
      expect(written.zines, 'some rows are there').to.be.greaterThan(0).and.lessThan(rows)
      expect(written.holdings).to.equal(written.zines)
      expect(written.zines % 100, 'whole commits').to.equal(0)

      await client.ask('POST', `${path}preview/`, {})
      const { preview } = await settled(client, path)
      expect(preview.counts.zines).to.deep.equal({
        created: rows - written.zines,
        unchanged: written.zines,
      })
      await client.ask('POST', `${path}commit/`, {})
      expect((await settled(client, path)).state).to.equal('written')
      expect((await counts(client)).zines).to.equal(rows)
      expect((await client.get(ownTerm)).status).to.equal(200)

      await killDuring('undo', service, client, path)
      ;({ service, client } = await startAgain(directory))
      const left = await counts(client)
      expect(left.holdings).to.equal(left.zines)
      await client.ask('POST', `${path}undo/`, {})
      const undone = await settled(client, path)
      expect(undone.state, undone.message).to.equal('undone')
      expect(undone.kept).to.deep.equal([])
      expect(await counts(client)).to.deep.equal(before)
      expect((await client.get(ownTerm)).status).to.equal(404)
      expect((await service.end('SIGTERM')).code).to.equal(0)
    }))
})

/** @returns the path of the import */
async function createImport(client: Client): Promise<string> {
  const response = await fetch(`${client.url}/api/imports/?filename=zines.csv`, {
    method: 'POST',
    headers: { authorization: `Token ${client.token}`, 'content-type': 'text/csv' },
    body: table,
  })
  const path = `/api/imports/${((await response.json()) as { id: string }).id}/`
  await settled(client, path)
  expect((await client.ask('PATCH', path, decisions)).status).to.equal(200)
  return path
}

async function settled(client: Client, path: string): Promise<any> {
  for (;;) {
    const { body } = await client.get(path)
    if (body.progress === null) return body
    await sleep(50)
  }
}

const stateAfter = { commit: 'written', undo: 'undone' }

/** Begins a step of an import, and kills the service when a part of it is done. */
async function killDuring(
  step: keyof typeof stateAfter,
  service: Served,
  client: Client,
  path: string,
): Promise<void> {
  // It is answered after two seconds, when a fast machine may have done all.
  const asked = client.ask('POST', `${path}${step}/`, {}).catch(() => undefined)
  for (let done = 0; done === 0;) {
    const { state, progress } = (await client.get(path)).body
    expect(state, 'the work goes on').not.to.equal(stateAfter[step])
    done = progress?.done ?? 0
  }
  expect((await service.end('SIGKILL')).signal).to.equal('SIGKILL')
  await asked
}

async function startAgain(directory: string) {
  const service = await serve(settingsOf(directory))
  return { service, client: await clientAt(service.url) }
}

async function counts(client: Client) {
  const countOf = async (name: string): Promise<number> =>
    (await client.get(`/api/${name}/?page_size=1`)).body.count
  return {
    zines: await countOf('zines'),
    agents: await countOf('agents'),
    holdings: await countOf('holdings'),
  }
}
