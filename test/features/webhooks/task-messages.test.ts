// Tests that what webhooks send of open tasks is what ntfy, Matrix and Slack take, with the settings that
// docs/how-to/administer.md names: each is stood in for by a receiver that accepts and shows what its
// documentation says.

import { readFile } from 'node:fs/promises'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect } from 'chai'

import { useService } from '../../service.js'
import { until } from '../../waiting.js'
import { browse } from '../../views/browser.js'
import { resourceOf, unique } from '../../http/catalogue.js'

/** What a person would see of a delivery; a text for a refusal. */
type Show = (url: URL, body: string, contentType: string) => { status: number; shown: string }

const refuse = (shown: string) => ({ status: 400, shown })

const receivers: Readonly<Record<string, Show>> = {
  // Publishing with a message template: `{{.name}}` is a member of the JSON that was sent.
  ntfy(url, body) {
    const template = url.searchParams.get('template') ?? ''
    if (template !== 'yes') return { status: 200, shown: body }
    const sent = JSON.parse(body) as Readonly<Record<string, unknown>>
    const message = url.searchParams.get('message') ?? ''
    const shown = message.replace(/\{\{\.(\w+)\}\}/g, (_, name: string) => String(sent[name]))
    return { status: 200, shown: `${url.searchParams.get('title')}: ${shown}` }
  },
  // Generic webhooks of hookshot show `text`, and anything else as JSON.
  matrix(_, body) {
    const sent = JSON.parse(body) as { readonly text?: unknown }
    return { status: 200, shown: typeof sent.text === 'string' ? sent.text : body }
  },
  // Incoming webhooks take JSON with `text`.
  slack(_, body, contentType) {
    if (!contentType.startsWith('application/json')) return refuse('invalid_payload')
    const sent = JSON.parse(body) as { readonly text?: unknown }
    return typeof sent.text === 'string' && sent.text !== ''
      ? { status: 200, shown: sent.text }
      : refuse('no_text')
  },
}

describe('what webhooks send of open tasks', () => {
  const timing = {
    collect: 10,
    look: 20,
    firstWait: 40,
    longestWait: 100,
    timeout: 2_000,
    giveUp: 0,
  }
  const service = useService(
    { WEBHOOKS: 'on', WEBHOOK_HOSTS: '127.0.0.1' },
    { deliveryTiming: timing },
  )
  let receiver: Server
  let origin: string
  const shown = new Map<string, string[]>()

  before(async () => {
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const url = new URL(request.url ?? '', origin)
        const [, name = ''] = url.pathname.split('/')
        const type = request.headers['content-type'] ?? ''
        const answer = receivers[name]?.(url, Buffer.concat(chunks).toString(), type)
        shown.set(name, [...(shown.get(name) ?? []), answer?.shown ?? ''])
        response.writeHead(answer?.status ?? 404).end()
      })
    }).listen(0, '127.0.0.1')
    await new Promise((done) => receiver.once('listening', done))
    origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
    const id = unique('agent')
    await service().post('/api/agents/', resourceOf('agents').minimal(id))
    await browse(service().url).send(`/requests/new?kind=agents&id=${id}`, {
      topic: 'other',
      text: 'x',
    })
  })

  after(() => {
    receiver.closeAllConnections()
    receiver.close()
  })

  const sentence = 'A request for a change is open: https://zines.example/manage/requests/1'

  /** The query of the address that the documentation names for ntfy. */
  async function queryForNtfy(): Promise<string> {
    const text = await readFile('docs/how-to/administer.md', 'utf8')
    return /`https:\/\/ntfy\.sh\/[\w-]+(\?[^`]*)`/.exec(text)?.[1] ?? ''
  }

  for (const [name, expected] of [
    ['ntfy', `Zines: ${sentence}`],
    ['matrix', sentence],
    ['slack', sentence],
  ] as const)
    it(`is shown by ${name} as a sentence with a link`, async () => {
      const query = name === 'ntfy' ? await queryForNtfy() : ''
      const url = `${origin}/${name}${query}`
      const { status, body } = await service().post('/api/webhooks/', { url, kind: 'tasks' })
      expect(status).to.equal(201)
      await until(() => shown.has(name))
      expect(shown.get(name)).to.deep.equal([expected])
      const read = async () =>
        (await service().get(`/api/webhooks/${body.id}/`, { token: service().tokens.admin })).body
      await until(async () => (await read()).last_delivery !== null)
      expect(await read()).to.include({ state: 'active', kind: 'tasks', failure: null })
    })
})
