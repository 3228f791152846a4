// Identifiers that are forgotten: no answer and no file has one, and nothing leads from it to another. The case of a
// maker whose former name is in identifiers, in texts and in what others sent is played as a whole.

import { gunzipSync } from 'node:zlib'

import { expect } from 'chai'

import { placesOf } from '../../data-directory.js'
import { minimal } from '../../examples.js'
import { type TestService, WITH_INDEX } from '../../service.js'
import { browse } from '../../views/browser.js'
import { recordPath, unique, useCatalogue } from '../../http/catalogue.js'
import { image, sendPicture } from '../pictures/picture-files.js'

const former = 'oldname-quill'

/**
 * What an anonymous visitor can ask for. An answer may repeat the path or the word of the request.
 * `/api/search/` and `/api/suggest/` need the index.
 */
const addresses: readonly string[] = [
  '/api/agents/oldname-quill/',
  '/id/agents/oldname-quill',
  '/api/zines/gutter-moss-1-oldname-quill/',
  '/id/zines/gutter-moss-1-oldname-quill',
  '/api/agents/rowan-quill/?format=turtle',
  '/api/agents/rowan-quill/?format=jsonld',
  '/api/changes/?since=0',
  '/activity/',
  '/activity/page/1',
  '/ldes',
  '/ldes/page/1',
  '/oai?verb=ListIdentifiers&metadataPrefix=oai_dc',
  '/oai?verb=ListRecords&metadataPrefix=oai_dc',
  '/oai?verb=ListSets',
  '/sitemap.xml',
  ...(WITH_INDEX ? ['/api/search/?q=oldname', '/api/suggest/?q=oldname'] : []),
  '/api/zines/?format=atom',
  '/api/zines/?search=oldname',
  '/reconcile?query=Oldname%20Quill',
  '/api/zines/gutter-moss-1/?format=bibtex',
  '/api/zines/export/?format=csv',
  '/api/export/agents/',
]

const pages = ['/api/agents/', '/api/zines/', '/api/agents/rowan-quill/', '/makers']

describe('A maker whose former name is in identifiers', () => {
  const { service } = useCatalogue({ SPARQL_WORKERS: '1' })

  /** @returns the identifier of the import that made the records */
  async function importRows(): Promise<string> {
    const table = 'agent_id,kind,display_name,public\noldname-quill,Person,Oldname Quill,true\n'
    const { body } = await service().ask('POST', '/api/imports/?filename=agents.csv', {
      raw: table,
      headers: { 'content-type': 'text/csv' },
    })
    return String(body.id)
  }

  async function create(): Promise<void> {
    const zines = { creator: [former], date: ['1994'] }
    const lines = [
      {
        op: 'create',
        kind: 'agents',
        body: minimal.agents(former, {
          display_name: 'Oldname Quill',
          alternative_names: ['O. Quill'],
          sort_name: 'Quill, Oldname',
          public: true,
          biography: 'Oldname Quill made Gutter Moss from 1994 on.',
        }),
      },
      {
        op: 'create',
        kind: 'zines',
        body: minimal.zines(`gutter-moss-1-${former}`, {
          ...zines,
          title: 'Gutter Moss',
          table_of_contents: 'Editorial / Oldname Quill\nLetters',
        }),
      },
      {
        op: 'create',
        kind: 'zines',
        body: minimal.zines('gutter-moss-2', {
          ...zines,
          title: 'Gutter Moss',
          public_notes: ['Signed by Oldname Quill.'],
        }),
      },
    ]
    const answer = await service().ask('POST', '/api/batches/?mode=all', {
      raw: lines.map((line) => JSON.stringify(line)).join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect(answer.status, answer.text).to.equal(200)
  }

  before(async () => {
    await create()
    const { get, patch, post } = service()
    await importRows()
    for (const address of addresses) await get(address)
    const sent = await browse(service().url).send(`/requests/new?kind=agents&id=${former}`, {
      topic: 'correct',
      text: `My page is /agents/${former}/. My name is Rowan Quill.`,
      answer: 'rowan@example.org',
    })
    expect(sent.status, sent.text).to.equal(303)
    const zine = `gutter-moss-1-${former}`
    const file = await image().png().toBuffer()
    const sentPicture = await sendPicture(service(), `/api/zines/${zine}/pictures/`, file)
    expect(sentPicture.status).to.equal(201)
    await patch(recordPath('agents', former), {
      display_name: 'Rowan Quill',
      alternative_names: [],
      sort_name: 'Quill, Rowan',
      biography: 'Rowan Quill made Gutter Moss from 1994 on.',
    })
    for (const [path, id] of [
      [recordPath('agents', former), 'rowan-quill'],
      [recordPath('zines', zine), 'gutter-moss-1'],
    ] as const) {
      const renamed = await post(`${path}rename/`, { id, forget: true })
      expect(renamed.status, renamed.text).to.equal(200)
      expect(renamed.body.batch).to.equal(null)
    }
    const texts = [
      ['zines', 'gutter-moss-1', { table_of_contents: 'Editorial / Rowan Quill\nLetters' }],
      ['zines', 'gutter-moss-2', { public_notes: ['Signed by the maker.'] }],
    ] as const
    for (const [kind, id, change] of texts) {
      await patch(recordPath(kind, id), change)
      for (const field of Object.keys(change)) {
        const redacted = await post(`${recordPath(kind, id)}redact/`, { field, value: 'Oldname' })
        expect(redacted.status, redacted.text).to.equal(204)
      }
    }
  })

  for (const address of addresses)
    it(`is not in the answer of ${address} under that name`, async () => {
      const { status, text, headers } = await service().get(address)
      const asked = [address, encodeURIComponent(address)]
      const said = [text, JSON.stringify([...headers])].join('\n')
      const left = asked.reduce((rest, one) => rest.replaceAll(one, ''), said)
      expect(left.replace(/(?:q|search|query)=oldname(?:%20quill)?/gi, '')).not.to.match(
        /oldname-quill|oldname quill/i,
      )
      if (/^\/(?:api|id)\/\w+\/[\w-]*oldname-quill/.test(address))
        expect(status).to.equal(address.startsWith('/id/') ? 410 : 404)
      else expect(status).to.be.below(300)
    })

  for (const page of pages)
    it(`is not in the page ${page} under that name`, async () => {
      const { status, text } = await browse(service().url).get(page)
      expect(status).to.equal(200)
      expect(text).not.to.match(/oldname/i)
    })

  it('is not in the dump and not found by SPARQL under that name', async () => {
    const dump = await fetch(`${service().url}/dumps/catalogue.nt.gz`)
    const bytes = Buffer.from(await dump.arrayBuffer())
    expect(gunzipSync(bytes).toString()).not.to.match(/oldname/i)
    const query =
      'SELECT * { ?s ?p ?o FILTER(CONTAINS(LCASE(CONCAT(STR(?s)," ",STR(?o))),"oldname")) }'
    const found = await service().get(`/sparql?query=${encodeURIComponent(query)}`, {
      headers: { accept: 'text/csv' },
    })
    expect(found.text.trim()).to.equal('s,p,o')
  })

  it('is in no file of the data directory under that name, in any spelling', async () => {
    expect(await placesOf(service().dataDir, 'oldname')).to.deep.equal([])
  })

  it('is nowhere under that name by the proof, which finds the present name', async () => {
    const prove = (text: string) => service().post('/api/removal-proof/', { text })
    const gone = await prove('oldname-quill\nOldname Quill\n')
    expect(gone.body).to.deep.equal({
      gone: true,
      files: [],
      records: [],
      entries: {},
      answers: [],
    })
    const { body } = await prove('rowan quill')
    expect(body.gone).to.equal(false)
    expect(body.files.join()).to.match(/store/)
    expect(body.records).to.deep.include({ kind: 'agents', id: 'rowan-quill' })
    expect(body.answers).to.include.members([
      '/api/export/agents/?format=csv',
      '/reconcile?query=',
      '/api/agents/?search=',
      ...(WITH_INDEX ? ['/api/search/?q=', '/api/suggest/?q=', '/api/agents/?q='] : []),
    ])
    // What is asked for does not count as found, whatever it is.
    for (const text of ['"', 'x', '%', 'zzxq\n"zzxq', 'n'.repeat(1000)])
      expect((await prove(text)).status).to.equal(200)
    for (const text of ['n'.repeat(20_000), 'n\n'.repeat(21)]) {
      const refused = await prove(text)
      expect(refused.status).to.equal(400)
      expect(refused.body.text).to.match(/^Look for at most 20 texts, each of at most 1,?000 /)
    }
    expect((await prove('zzxq zzxq')).body.answers).to.deep.equal([])
    const { body: identifier } = await prove('rowan-quill')
    expect(identifier.answers).to.include.members([
      '/api/changes/?since=0&limit=1000',
      '/activity/page/1',
      '/dumps/catalogue.nt.gz',
      '/oai?verb=ListIdentifiers&metadataPrefix=oai_dc',
    ])
    expect(identifier.answers.join()).to.include('/ldes/page/1')
  })

  it('is not in the histories, batches and requests that editors see', async () => {
    const editor = { token: service().tokens.editor }
    for (const path of [
      `${recordPath('agents', 'rowan-quill')}history/`,
      `${recordPath('zines', 'gutter-moss-1')}history/`,
      `${recordPath('zines', 'gutter-moss-2')}history/`,
      '/api/batches/',
      '/api/deleted/',
      '/api/imports/',
    ]) {
      const { status, text } = await service().get(path, editor)
      expect(status).to.equal(200)
      expect(text).not.to.match(/oldname/i)
    }
    const history = await service().get(`${recordPath('agents', former)}history/`, editor)
    expect(history.status).to.equal(404)
    const pages = browse(service().url)
    await pages.signIn('admin')
    expect((await pages.get('/manage/requests')).text)
      .to.include('Rowan Quill')
      .and.not.to.match(/oldname/i)
  })

  it('has the numbers of the changes without gaps, of which some name no record', async () => {
    const { results } = (await service().get('/api/changes/?since=0&limit=1000')).body
    expect(results.map(({ sequence }: any) => sequence)).to.deep.equal(
      results.map((_: unknown, index: number) => index + 1),
    )
    const forgotten = results.filter(({ change }: any) => change === 'forgotten')
    expect(forgotten).to.have.length(6)
    for (const one of forgotten) expect(one).to.have.all.keys('sequence', 'at', 'kind', 'change')
  })

  it('keeps the picture of the renamed zine', async () => {
    const { admin: token } = service().tokens
    const { body } = await service().get('/api/zines/gutter-moss-1/pictures/', { token })
    expect(body.results).to.have.length(1)
  })

  it('has an identifier that no new record can have, however it comes', async () => {
    const body = minimal.agents(former)
    const posted = await service().post('/api/agents/', body)
    expect(posted.status).to.equal(400)
    const refusal = ['This identifier was deleted permanently. No record can have it again.']
    expect(posted.body).to.deep.equal({ agent_id: refusal })
    const { agent_id } = (await service().post('/api/agents/', minimal.agents(unique('a')))).body
    const renamed = await service().post(`${recordPath('agents', agent_id)}rename/`, { id: former })
    expect(renamed.body).to.deep.equal({ id: refusal })
    expect((await service().post('/api/zines/', minimal.zines(former))).status).to.equal(201)
  })
})

describe('An identifier', () => {
  const { service, given } = useCatalogue()

  const forget = (
    kind: 'agents' | 'zines' | 'repositories' | 'holdings',
    id: string,
    token?: string,
  ) => service().post(`${recordPath(kind, id)}forget/`, {}, token === undefined ? {} : { token })

  const renamed = async (id: string): Promise<string> => {
    const to = unique('renamed')
    const answer = await service().post(`${recordPath('agents', id)}rename/`, { id: to })
    expect(answer.status, answer.text).to.equal(200)
    return to
  }

  const expectGone = async (
    service: TestService,
    kind: 'agents' | 'zines' | 'repositories',
    id: string,
  ) => {
    expect((await service.get(recordPath(kind, id))).status).to.equal(404)
    const thing = await service.get(`/id/${kind}/${id}`)
    expect(thing.status).to.equal(410)
    expect(thing.headers.get('location')).to.equal(null)
    expect(await placesOf(service.dataDir, id)).to.deep.equal([])
  }

  it('is forgotten with its merge or its new name also where other records are hidden', async () => {
    await given.zine({ visibility: 'hidden' })
    for (const [path, change] of [
      ['rename', { id: unique('renamed') }],
      ['merge', { into: (await given.agent()).agent_id }],
    ] as const) {
      const former = await renamed((await given.agent()).agent_id)
      const body = { ...change, forget: true }
      const answer = await service().post(`${recordPath('agents', former)}${path}/`, body)
      expect(answer.status, answer.text).to.equal(200)
      await expectGone(service(), 'agents', former)
    }
  })

  it('of a record that was hidden is as one that never was, and no record can have it', async () => {
    const hidden = await given.zine({ visibility: 'draft' })
    const shown = await given.zine()
    await service().patch(recordPath('zines', shown.zine_id), { visibility: 'hidden' })
    for (const { zine_id: id } of [hidden, shown]) {
      await service().delete(recordPath('zines', id))
      expect((await forget('zines', id)).status).to.equal(204)
      for (const path of [recordPath('zines', id), `/id/zines/${id}`])
        expect((await service().get(path)).status, path).to.equal(404)
      const again = await service().post('/api/zines/', minimal.zines(id))
      expect(again.status).to.equal(400)
    }
    const { zine_id: draft } = await given.zine({ visibility: 'draft' })
    const rename = { id: unique('renamed'), forget: true }
    const renamed = await service().post(`${recordPath('zines', draft)}rename/`, rename)
    expect(renamed.status).to.equal(200)
    expect((await service().get(`/id/zines/${draft}`)).status).to.equal(404)
  })

  it('that leads to a renamed record is forgotten alone, and the others go on leading there', async () => {
    const { agent_id: first } = await given.agent()
    const second = await renamed(first)
    const third = await renamed(second)
    expect((await forget('agents', second)).status).to.equal(204)
    await expectGone(service(), 'agents', second)
    const { status, headers } = await service().get(recordPath('agents', first))
    expect(status).to.equal(301)
    expect(headers.get('location')).to.include(third)
    expect((await forget('agents', second)).status).to.equal(204)
  })

  it('that was merged into another record is forgotten with its history', async () => {
    const [{ agent_id: goes }, { agent_id: stays }] = [await given.agent(), await given.agent()]
    await given.zine({ creator: [goes, stays] })
    const merged = await service().post(`${recordPath('agents', goes)}merge/`, {
      into: stays,
      forget: true,
    })
    expect(merged.status, merged.text).to.equal(200)
    await expectGone(service(), 'agents', goes)
  })

  it('of a deleted record is forgotten with the record and the identifiers before it', async () => {
    const { agent_id: first } = await given.agent({ legal_name: 'Ada Lovelace' })
    const second = await renamed(first)
    await service().delete(recordPath('agents', second))
    expect((await forget('agents', second)).status).to.equal(204)
    for (const id of [first, second]) await expectGone(service(), 'agents', id)
    expect(await placesOf(service().dataDir, 'Ada Lovelace')).to.deep.equal([])
    const { text } = await service().get('/api/deleted/', { token: service().tokens.editor })
    expect(text).not.to.include(second)
  })

  it('of a deleted record that others name is not forgotten, and they are told', async () => {
    const { agent_id } = await given.agent()
    const { zine_id } = await given.zine({ creator: [agent_id] })
    await service().delete(recordPath('agents', agent_id))
    const refused = await forget('agents', agent_id)
    expect(refused.status).to.equal(409)
    expect(refused.body.records).to.deep.equal([{ kind: 'zines', id: zine_id }])
  })

  it('of a deleted record is not in the histories of those that named it', async () => {
    const [{ agent_id }, { agent_id: other }] = [await given.agent(), await given.agent()]
    const { zine_id } = await given.zine({ creator: [agent_id] })
    await service().patch(recordPath('zines', zine_id), { creator: [other] })
    await service().delete(recordPath('agents', agent_id))
    expect((await forget('agents', agent_id)).status).to.equal(204)
    await expectGone(service(), 'agents', agent_id)
  })

  it('of a repository is not in the copies that moved, and its editors are bound to the other', async () => {
    const [{ repo_id: from }, { repo_id: into }] = [
      await given.repository(),
      await given.repository(),
    ]
    const { holding_id } = await given.holding({ repository_id: from })
    const rights = { role: 'editor', restrictedTo: ['holdings'], repository: from } as const
    await service().accounts.add({ name: 'bound', password: 'a long password 123', ...rights })
    const body = { into, forget: true }
    const merged = await service().post(`${recordPath('repositories', from)}merge/`, body)
    expect(merged.status, merged.text).to.equal(200)
    await expectGone(service(), 'repositories', from)
    expect(service().accounts.find('bound')?.repository).to.equal(into)
    expect((await service().get(recordPath('holdings', holding_id))).status).to.equal(200)
  })

  it('of a zine with copies is forgotten after it was deleted', async () => {
    const { zine_id } = await given.zine()
    await given.holding({ zine_id })
    await service().delete(recordPath('zines', zine_id))
    expect((await forget('zines', zine_id)).status).to.equal(204)
    await expectGone(service(), 'zines', zine_id)
  })

  it('of a record that exists is not forgotten, and one that never was is not found', async () => {
    const { agent_id } = await given.agent()
    expect((await forget('agents', agent_id)).status).to.equal(409)
    expect((await forget('agents', unique('never'))).status).to.equal(404)
  })

  it('is forgotten by administrators only', async () => {
    const { agent_id: first } = await given.agent()
    const second = await renamed(first)
    const { editor: token } = service().tokens
    expect((await forget('agents', first, token)).status).to.equal(403)
    const rename = `${recordPath('agents', second)}rename/`
    const body = { id: unique('other'), forget: true }
    expect((await service().post(rename, body, { token })).status).to.equal(403)
    expect((await service().post(rename, { ...body, forget: 'yes' })).body).to.have.key('forget')
  })

  it('that was forgotten keeps a change that it is a part of from being undone', async () => {
    const { agent_id: first } = await given.agent()
    const second = await renamed(first)
    await renamed(second)
    expect((await forget('agents', second)).status).to.equal(204)
    const history = `${recordPath('agents', first)}history/`
    const { results } = (await service().get(history, { token: service().tokens.admin })).body
    const undone = await service().post(`${history}${results.at(1).version}/undo/`, {})
    expect(undone.status, undone.text).to.equal(409)
  })
})
