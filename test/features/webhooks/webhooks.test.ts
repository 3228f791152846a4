// Tests webhooks over HTTP, with a receiver that answers as a test wants: what is sent, in which order, what
// happens when it is refused, and who may see and change which webhook.

import { createHmac } from 'node:crypto'
import { type IncomingHttpHeaders, type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect } from 'chai'

import { PASSWORD, type TestService, startService, useService } from '../../service.js'
import { browse } from '../../views/browser.js'
import { resourceOf, unique } from '../../http/catalogue.js'
import { until } from '../../waiting.js'

const timing = { collect: 10, look: 20, firstWait: 40, longestWait: 100, timeout: 2_000, giveUp: 0 }

type Delivery = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: { log: string; next: string; results: { sequence: number; id: string }[] }
}

/** How the receiver answers; a number is a status. */
type Answer = number | 'endless' | 'redirect' | 'hang up'

describe('webhooks over HTTP', () => {
  const service = useService(
    { WEBHOOKS: 'on', WEBHOOK_HOSTS: '127.0.0.1' },
    { deliveryTiming: timing, changeRequestLimits: { fromNetwork: 1000, inAll: 1000 } },
  )
  let receiver: Server
  let origin: string
  let deliveries: Delivery[]
  let answers: Answer[]

  before(async () => {
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const answer = answers.shift() ?? 204
        deliveries.push({
          path: request.url ?? '',
          headers: request.headers,
          text,
          body: JSON.parse(text || '{}') as Delivery['body'],
        })
        if (answer === 'hang up') response.destroy()
        else if (answer === 'redirect')
          response.writeHead(307, { location: `${origin}/elsewhere` }).end()
        else if (answer === 'endless') {
          response.writeHead(200)
          const timer = setInterval(() => response.write('x'.repeat(65_536)), 1)
          response.on('close', () => clearInterval(timer))
        } else response.writeHead(answer).end()
      })
    }).listen(0, '127.0.0.1')
    await new Promise((done) => receiver.once('listening', done))
    origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  })

  after(() => {
    receiver.closeAllConnections()
    receiver.close()
  })

  beforeEach(() => {
    deliveries = []
    answers = []
  })

  /** A webhook of the test, which is the last to be used: its changes are sent to it. */
  async function add(fields: object = {}, on: TestService = service()) {
    const path = `/${unique('hook')}`
    const { status, body } = await on.post('/api/webhooks/', { url: origin + path, ...fields })
    expect(status, JSON.stringify(body)).to.equal(201)
    const read = async () =>
      (await on.get(`/api/webhooks/${body.id}/`, { token: on.tokens.admin })).body
    return {
      id: body.id as string,
      secret: body.secret as string,
      received: () => deliveries.filter((one) => one.path === path),
      read,
      remove: () => on.delete(`/api/webhooks/${body.id}/`),
    }
  }

  async function create(name: 'agents' | 'repositories' = 'agents'): Promise<string> {
    const id = unique(name)
    const { status } = await service().post(`/api/${name}/`, resourceOf(name).minimal(id))
    expect(status).to.equal(201)
    return id
  }

  const idsIn = (received: readonly Delivery[]): readonly string[] =>
    received.flatMap(({ body }) => body.results.map(({ id }) => id))

  it('get the page of changes that /api/changes/ has, signed with their secret', async () => {
    const hook = await add()
    const id = await create()
    await until(() => hook.received().length === 1)
    const [delivery] = hook.received()
    const sequence = delivery?.body.results[0]?.sequence ?? 0
    const feed = await service().get(`/api/changes/?since=${sequence - 1}`)
    expect(delivery?.body.results.map((one) => one.id)).to.deep.equal([id])
    expect(delivery?.body.log).to.equal(feed.body.log)
    expect(delivery?.body.results).to.deep.equal(
      feed.body.results.map((one: { url: string }) => ({
        ...one,
        url: one.url.replace(service().url, 'https://zines.example'),
      })),
    )
    const timestamp = delivery?.headers['x-webhook-timestamp'] as string
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).to.be.below(30)
    const signed = createHmac('sha256', hook.secret)
      .update(`${timestamp}.${delivery?.text ?? ''}`)
      .digest('hex')
    expect(delivery?.headers['x-signature-256']).to.equal(`sha256=${signed}`)
    expect(delivery?.headers['x-webhook-id']).to.equal(hook.id)
    expect(delivery?.headers['content-type']).to.equal('application/json')
    await until(async () => (await hook.read()).since === sequence)
    expect((await hook.read()).last_delivery).to.be.a('string')
    await hook.remove()
  })

  it('get what was refused again, in order, until it is accepted', async () => {
    const hook = await add()
    answers = [500, 'hang up', 503]
    const first = await create()
    await until(() => hook.received().length >= 1)
    const second = await create()
    await until(() => idsIn(hook.received()).includes(second))
    await until(async () => (await hook.read()).failure === null)
    const ids = idsIn(hook.received())
    expect(ids.indexOf(second)).to.be.above(ids.indexOf(first))
    expect(ids.filter((id) => id === first)).to.have.length(4)
    expect(ids.at(-1)).to.equal(second)
    await hook.remove()
  })

  it('get only the changes of the kind that they name', async () => {
    const hook = await add({ kind: 'repositories' })
    await create('agents')
    const id = await create('repositories')
    await until(() => hook.received().length === 1)
    expect(idsIn(hook.received())).to.deep.equal([id])
    await hook.remove()
  })

  describe('of open tasks', () => {
    const SECRET = 'Zebulon'

    /** Asks for a change of an agent as a visitor does; returns the number of the request. */
    async function request(): Promise<string> {
      const id = `${SECRET}-${await create('agents')}`
      const agent = resourceOf('agents').minimal(id, { display_name: SECRET })
      await service().post('/api/agents/', agent)
      const { headers } = await browse(service().url).send(`/requests/new?kind=agents&id=${id}`, {
        topic: 'remove',
        text: `I am ${SECRET}.`,
        answer: `${SECRET}@mail.example`,
      })
      return new URL(headers.get('location') ?? '', origin).searchParams.get('sent') ?? ''
    }

    const numbersIn = (received: readonly Delivery[]): readonly string[] =>
      received.flatMap(({ text }) =>
        [...text.matchAll(/"url":"https:\/\/zines\.example\/manage\/requests\/(\d+)"/g)].map(
          ([, number = '']) => number,
        ),
      )

    it('get what is open, and then each new one once, by kind, time and link alone', async () => {
      const first = await request()
      const hook = await add({ kind: 'tasks' })
      await until(() => numbersIn(hook.received()).includes(first))
      const second = await request()
      await until(() => numbersIn(hook.received()).includes(second))
      const third = await request()
      await until(() => numbersIn(hook.received()).includes(third))
      const numbers = numbersIn(hook.received())
      for (const number of [first, second, third])
        expect(numbers.filter((one) => one === number)).to.deep.equal([number])
      for (const { text } of hook.received()) expect(text).to.not.include(SECRET)
      const last = JSON.parse(hook.received().at(-1)?.text ?? '') as object
      const url = `https://zines.example/manage/requests/${third}`
      expect(last).to.have.all.keys('text', 'tasks')
      expect(last).to.have.property('text', `A request for a change is open: ${url}`)
      await hook.remove()
    })

    it('get what was refused again, and nothing else in between', async () => {
      answers = [500, 'hang up']
      const number = await request()
      const hook = await add({ kind: 'tasks' })
      await until(async () => (await hook.read()).last_delivery !== null)
      const received = hook.received()
      expect(received).to.have.length(3)
      expect(new Set(received.map(({ text }) => text)).size).to.equal(1)
      expect(numbersIn(received.slice(2))).to.include(number)
      expect((await hook.read()).failure).to.equal(null)
      await hook.remove()
    })

    it('get only what their account may see', async () => {
      const number = await request()
      const zines = await add({ kind: 'tasks', account: 'zines-editor' })
      const all = await add({ kind: 'tasks' })
      await until(() => numbersIn(all.received()).includes(number))
      const zine = resourceOf('zines').minimal(unique('zine'), { creator: [await create()] })
      const { status, body } = await service().post('/api/zines/', zine)
      expect(status).to.equal(201)
      await browse(service().url).send(`/requests/new?kind=zines&id=${body.zine_id}`, {
        topic: 'other',
        text: 'x',
      })
      await until(() => zines.received().length > 0)
      expect(numbersIn(zines.received())).to.not.include(number)
      await Promise.all([zines.remove(), all.remove()])
    })

    it('are not sent the changes of records', async () => {
      const hook = await add({ kind: 'tasks' })
      const id = await create()
      const other = await add()
      await create()
      await until(() => other.received().length > 0)
      expect(hook.received().map(({ text }) => text)).to.not.include(id)
      await Promise.all([hook.remove(), other.remove()])
    })
  })

  it('say why a delivery failed', async () => {
    const hook = await add()
    answers = [500, 500, 500, 500, 500, 500]
    await create()
    await until(async () => (await hook.read()).failure !== null)
    const { failure, state } = await hook.read()
    expect(state).to.equal('active')
    expect(failure.message).to.equal('The address answers with status 500.')
    expect(Date.parse(failure.retry_at)).to.be.above(Date.parse(failure.first))
    await hook.remove()
  })

  it('are disabled with the reason when they failed for long, and go on when they are enabled', async () => {
    const hook = await add()
    answers = Array.from({ length: 10 }, () => 500)
    const id = await create()
    await until(async () => (await hook.read()).state === 'disabled')
    const { reason } = await hook.read()
    expect(reason).to.match(/^The address answers with status 500\. It failed 10 times since 20/)
    expect(hook.received()).to.have.length(10)
    const enabled = await service().post(`/api/webhooks/${hook.id}/enable/`, {})
    expect(enabled.body).to.include({ state: 'active', reason: null, failure: null })
    await until(() => hook.received().length === 11)
    expect(idsIn(hook.received()).at(-1)).to.equal(id)
    await hook.remove()
  })

  it('are disabled at once when the address answers 410', async () => {
    const hook = await add()
    answers = [410]
    await create()
    await until(async () => (await hook.read()).state === 'disabled')
    expect((await hook.read()).reason).to.include('status 410')
    await hook.remove()
  })

  it('follow no redirect', async () => {
    const hook = await add()
    answers = ['redirect']
    await create()
    await until(async () => (await hook.read()).failure !== null || hook.received().length > 1)
    expect(deliveries.map(({ path }) => path)).to.not.include('/elsewhere')
    await hook.remove()
  })

  it('read no more than the beginning of an answer', async () => {
    const hook = await add()
    answers = ['endless']
    await create()
    await until(async () => (await hook.read()).last_delivery !== null)
    expect(hook.received()).to.have.length(1)
    await hook.remove()
  })

  it('whose name leads to this machine get nothing', async () => {
    const { port } = receiver.address() as AddressInfo
    const hook = await add({ url: `http://localhost:${port}/inside` })
    await create()
    await until(async () => (await hook.read()).failure !== null)
    expect((await hook.read()).failure.message).to.match(/^localhost:\d+ is not a public address/)
    expect(deliveries.filter(({ path }) => path === '/inside')).to.deep.equal([])
    await hook.remove()
  })

  it('of a disabled account get nothing, and get it all when it is enabled', async () => {
    const name = unique('account')
    await service().accounts.add({ name, password: PASSWORD, role: 'editor', restrictedTo: [] })
    const hook = await add({ account: name })
    await service().accounts.disable(name)
    const first = await create()
    const other = await add()
    const second = await create()
    await until(() => other.received().length === 1)
    expect(hook.received()).to.deep.equal([])
    await service().accounts.enable(name)
    await create()
    await until(() => hook.received().length === 1)
    expect(idsIn(hook.received()).slice(0, 2)).to.deep.equal([first, second])
    await Promise.all([hook.remove(), other.remove()])
  })

  it('go on after a restart where they stopped', async () => {
    const env = { WEBHOOKS: 'on', WEBHOOK_HOSTS: '127.0.0.1' }
    const first = await startService(env, { deliveryTiming: timing })
    const hook = await add({}, first)
    const agent = (on: TestService) => {
      const id = unique('agent')
      return on.post('/api/agents/', resourceOf('agents').minimal(id)).then(() => id)
    }
    const before = await agent(first)
    await until(async () => (await hook.read()).last_delivery !== null)
    answers = Array.from({ length: 100 }, () => 500)
    const missed = await agent(first)
    await until(async () => (await hook.read()).failure !== null)
    await first.close()
    const sent = hook.received().length
    answers = []
    const second = await startService(
      { ...env, DATA_DIR: first.dataDir },
      { deliveryTiming: timing },
    )
    try {
      await until(() => hook.received().length > sent)
      const after = idsIn(hook.received().slice(sent))
      expect(after).to.include(missed).and.to.not.include(before)
    } finally {
      await second.stop()
    }
  })

  describe('in the API', () => {
    it('are added with a secret that is shown this once', async () => {
      const { status, headers, body } = await service().post('/api/webhooks/', {
        url: `${origin}/one`,
      })
      expect(status).to.equal(201)
      expect(body.secret).to.match(/^[0-9a-f]{64}$/)
      expect(headers.get('location')).to.equal(`${service().url}/api/webhooks/${body.id}/`)
      expect(headers.get('cache-control')).to.equal('private, no-store')
      const read = await service().get(`/api/webhooks/${body.id}/`, {
        token: service().tokens.admin,
      })
      expect(read.body).to.not.have.property('secret')
      expect((await service().delete(`/api/webhooks/${body.id}/`)).status).to.equal(204)
    })

    it('belong to their account: others do not see them, administrators see all', async () => {
      const { editor, zinesEditor, admin } = service().tokens
      const sent = { url: `${origin}/own` }
      const { body } = await service().post('/api/webhooks/', sent, { token: editor })
      expect(body.account).to.equal('editor')
      const path = `/api/webhooks/${body.id}/`
      for (const [token, status] of [
        [editor, 200],
        [zinesEditor, 404],
        [admin, 200],
      ] as const)
        expect((await service().get(path, { token })).status).to.equal(status)
      expect((await service().delete(path, { token: zinesEditor })).status).to.equal(404)
      expect((await service().post(`${path}disable/`, {}, { token: zinesEditor })).status).to.equal(
        404,
      )
      const list = async (token: string) =>
        (await service().get('/api/webhooks/', { token })).body.count as number
      expect(await list(zinesEditor)).to.equal(0)
      expect(await list(editor)).to.equal(1)
      expect(await list(admin)).to.be.at.least(1)
      expect((await service().delete(path, { token: editor })).status).to.equal(204)
    })

    // prettier-ignore
    for (const [what, sent, field] of [
      ['without an address', {}, 'url'],
      ['with a blank address', { url: ' ' }, 'url'],
      ['with an address that is no text', { url: 5, kind: [] }, 'kind'],
      ['with a private address', { url: 'http://10.0.0.1/' }, 'url'],
      ['with an unknown kind', { url: 'https://hooks.example/', kind: 'stamps' }, 'kind'],
      ['with a position that is no number', { url: 'https://hooks.example/', since: 'x' }, 'since'],
      ['with a position beyond the end', { url: 'https://hooks.example/', since: 1e9 }, 'since'],
      ['for an unknown account', { url: 'https://hooks.example/', account: 'eve' }, 'account'],
    ] as const)
      it(`${what} are refused with 400 and a message for the field`, async () => {
        const { status, body } = await service().post('/api/webhooks/', sent)
        expect(status).to.equal(400)
        expect(body[field]).to.be.an('array').with.length(1)
      })

    it('of another account are added by administrators only', async () => {
      const { status, body } = await service().post(
        '/api/webhooks/',
        { url: 'https://hooks.example/', account: 'admin' },
        { token: service().tokens.editor },
      )
      expect(status).to.equal(400)
      expect(body).to.have.all.keys('account')
    })
  })

  it('are added, disabled, enabled and removed on the page of the account', async () => {
    const browser = browse(service().url)
    await browser.signIn('editor')
    const url = `${origin}/page`
    const { text } = await browser.send('/manage/account', { do: 'webhook', url })
    expect(text).to.match(/<code>[0-9a-f]{64}<\/code>/)
    const token = service().tokens.editor
    const [added] = (await service().get('/api/webhooks/', { token })).body.results
    expect(added).to.include({ url, state: 'active' })
    const press = (action: string) =>
      browser.send('/manage/account', { do: `webhook-${action}`, webhook: added.id })
    const state = async () =>
      (await service().get(`/api/webhooks/${added.id}/`, { token })).body.state as string
    await press('disable')
    expect(await state()).to.equal('disabled')
    await press('enable')
    expect(await state()).to.equal('active')
    expect((await browser.get('/manage/account')).text).to.not.match(/<code>[0-9a-f]{64}<\/code>/)
    expect((await press('remove')).text).to.include('Webhook removed.')
    expect((await press('remove')).text).to.include('There is no such webhook.')
  })

  it('are not added on the page of an account that may write nothing', async () => {
    const browser = browse(service().url)
    await browser.signIn('viewer')
    const { text } = await browser.send('/manage/account', { do: 'webhook', url: `${origin}/x` })
    expect(text).to.include('Your account may not add webhooks.')
    expect(text).to.not.include('Add a webhook')
  })
})

describe('webhooks that are switched off', () => {
  const service = useService()

  it('cannot be added: 501', async () => {
    const { status, body } = await service().post('/api/webhooks/', {
      url: 'https://hooks.example/',
    })
    expect(status).to.equal(501)
    expect(body).to.deep.equal({
      detail: 'Webhooks are switched off on this service (WEBHOOKS).',
    })
  })

  it('are not on the page of the account', async () => {
    const browser = browse(service().url)
    await browser.signIn('editor')
    expect((await browser.get('/manage/account')).text).to.not.include('Webhooks')
  })
})
