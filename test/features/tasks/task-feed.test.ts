// Tests the feed of open tasks: what each account sees in it, that nothing of a person is in it, and that its
// token is good for nothing else.

import { expect } from 'chai'

import { PASSWORD } from '../../service.js'
import { browse } from '../../views/browser.js'
import { resourceOf, unique, useCatalogue } from '../../http/catalogue.js'
import { importClient } from '../imports/import-client.js'

const SECRET = 'Zebulon'

describe('the feed of open tasks', () => {
  const { service, given } = useCatalogue({ BASE_URL: 'https://zines.example' })
  const { begin } = importClient(service)
  let requests: { readonly agents: number; readonly zines: number }

  before(async () => {
    const agent = await given.agent({ agent_id: `${SECRET}-agent`, display_name: SECRET })
    const zine = await given.zine({ zine_id: `${SECRET}-zine`, title: SECRET })
    requests = {
      agents: await ask('agents', String(agent.agent_id)),
      zines: await ask('zines', String(zine.zine_id)),
    }
    const admin = browse(service().url)
    await admin.signIn('admin')
    await admin.send('/manage/accounts', { do: 'invite', name: `${SECRET}-bea`, role: 'editor' })
  })

  /** Asks for a change as a visitor does. */
  async function ask(kind: string, id: string): Promise<number> {
    const visitor = browse(service().url)
    const { headers } = await visitor.send(`/requests/new?kind=${kind}&id=${id}`, {
      topic: 'remove',
      text: `I am ${SECRET}.`,
      answer: `${SECRET}@mail.example`,
    })
    return Number(new URL(headers.get('location') ?? '', service().url).searchParams.get('sent'))
  }

  /** Adds an address of the feed; returns the path with its token. */
  async function add(token: string, fields: object = {}) {
    const sent = { label: unique('reader'), ...fields }
    const { status, headers, body } = await service().post('/api/auth/feeds/', sent, { token })
    expect(status, JSON.stringify(body)).to.equal(201)
    expect(headers.get('cache-control')).to.equal('private, no-store')
    const { pathname, search } = new URL(String(body.url))
    return { label: sent.label, path: pathname + search, body }
  }

  /** The feed, with the paths that it leads to. */
  async function read(path: string) {
    const answer = await service().get(path, { token: null })
    const paths = [...answer.text.matchAll(/href="https:\/\/zines\.example([^"]*)"/g)]
    return { ...answer, paths: paths.map(([, found]) => found) }
  }

  it('leads an administrator to what is open, and says nothing of the people', async () => {
    const { id } = await begin('title\nOne\n')
    const { path } = await add(service().tokens.admin)
    const { status, headers, text, paths } = await read(path)
    expect(status).to.equal(200)
    expect(headers.get('content-type')).to.equal('application/atom+xml; charset=utf-8')
    expect(headers.get('cache-control')).to.equal('private, no-store')
    expect(paths).to.have.members([
      `/manage/requests/${requests.agents}`,
      `/manage/requests/${requests.zines}`,
      '/manage/accounts',
      `/manage/imports/${id}`,
    ])
    expect(text).to.not.include(SECRET)
    expect(text).to.not.include(path.slice(path.indexOf('=') + 1))
    await service().delete(`/api/imports/${id}/`)
  })

  it('has the newest first, each with an identifier of its own', async () => {
    const { path } = await add(service().tokens.admin)
    const { text } = await read(path)
    const times = [...text.matchAll(/<updated>([^<]*)<\/updated>/g)].map(([, time]) => time)
    expect(times.slice(1)).to.deep.equal(times.slice(1).toSorted().toReversed())
    expect(times[0]).to.equal(times[1])
    const ids = [...text.matchAll(/<id>([^<]*)<\/id>/g)].map(([, id]) => id)
    expect(new Set(ids).size).to.equal(ids.length)
  })

  it('has for each account only what it may see', async () => {
    const ofZines = await add(service().tokens.zinesEditor)
    expect((await read(ofZines.path)).paths).to.deep.equal([`/manage/requests/${requests.zines}`])
    const ofEditor = await add(service().tokens.editor)
    expect((await read(ofEditor.path)).paths).to.have.members([
      `/manage/requests/${requests.agents}`,
      `/manage/requests/${requests.zines}`,
    ])
    const { status } = await service().post(
      '/api/auth/feeds/',
      { label: 'x' },
      { token: service().tokens.viewer },
    )
    expect(status).to.equal(403)
  })

  it('has no more than the token with which its address was made may do', async () => {
    const limited = await service().accounts.addToken('admin', {
      label: unique('limited'),
      restrictedTo: ['zines'],
    })
    const { path } = await add(limited.token)
    expect((await read(path)).paths).to.deep.equal([`/manage/requests/${requests.zines}`])
  })

  it('loses what is done', async () => {
    const { agent_id } = await given.agent({})
    const number = await ask('agents', String(agent_id))
    const { path } = await add(service().tokens.admin)
    expect((await read(path)).paths).to.include(`/manage/requests/${number}`)
    const admin = browse(service().url)
    await admin.signIn('admin')
    const form = { '.version': '0', note: '', do: 'done' }
    await admin.send(`/manage/requests/${number}`, form)
    expect((await read(path)).paths).to.not.include(`/manage/requests/${number}`)
  })

  it('has a token that is good for nothing else, and no other token is good for it', async () => {
    const { path } = await add(service().tokens.admin)
    const token = path.slice(path.indexOf('=') + 1)
    for (const at of ['/api/auth/me/', '/api/zines/', '/api/auth/feeds/']) {
      const { status, body } = await service().get(at, { token })
      expect(status, at).to.equal(401)
      expect(body).to.deep.equal({ detail: 'Invalid token.' })
    }
    const agent = resourceOf('agents').minimal(unique('agent'))
    expect((await service().post('/api/agents/', agent, { token })).status).to.equal(401)
    for (const other of ['', 'none', service().tokens.admin])
      expect((await read(`/feeds/tasks?token=${other}`)).status).to.equal(404)
  })

  it('is void when it is revoked, expires, or its account is disabled', async () => {
    const name = unique('account')
    await service().accounts.add({ name, password: PASSWORD, role: 'editor', restrictedTo: [] })
    const token = await service().accounts.login(name, PASSWORD)
    const [revoked, expiring, left] = [
      await add(token),
      await add(token, { days: 1 }),
      await add(token),
    ]
    const { body } = await service().get('/api/auth/feeds/', { token })
    expect(body.results.map(({ label }: { label: string }) => label)).to.deep.equal(
      [revoked, expiring, left].map(({ label }) => label),
    )
    expect(JSON.stringify(body)).to.not.include('token=')
    const at = `/api/auth/feeds/${revoked.label}/`
    expect((await service().get(at, { token })).status).to.equal(200)
    expect((await service().delete(at, { token })).status).to.equal(204)
    expect((await read(revoked.path)).status).to.equal(404)
    const now = Date.now
    try {
      Date.now = () => now() + 86_400_000
      expect((await read(expiring.path)).status).to.equal(404)
      expect((await read(left.path)).status).to.equal(200)
    } finally {
      Date.now = now
    }
    await service().accounts.disable(name)
    expect((await read(left.path)).status).to.equal(404)
  })

  it('does not let other tokens be revoked by its addresses', async () => {
    const label = unique('program')
    const { token } = await service().accounts.addToken('admin', { label, restrictedTo: [] })
    expect((await service().delete(`/api/auth/feeds/${label}/`, { token })).status).to.equal(404)
    expect((await service().delete('/api/auth/feeds/login/', { token })).status).to.equal(404)
    expect((await service().get('/api/auth/me/', { token })).status).to.equal(200)
  })

  it('is added on the page of the account, which shows its address once', async () => {
    const browser = browse(service().url)
    await browser.signIn('editor')
    const label = unique('reader')
    const { text } = await browser.send('/manage/account', { do: 'feed', label })
    const [, path = ''] = />[^<]*(\/feeds\/tasks\?token=[0-9a-f]{40})</.exec(text) ?? []
    expect((await read(path)).status).to.equal(200)
    const again = (await browser.get('/manage/account')).text
    expect(again).to.include(label).and.include('read the feed of open tasks')
    expect(again).to.not.include('token=')
    await browser.send('/manage/account', { do: 'revoke', label })
    expect((await read(path)).status).to.equal(404)
  })
})
