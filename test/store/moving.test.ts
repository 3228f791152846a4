// Moving a catalogue between the embedded and a remote store, by a backup or by a setting, loses
// nothing.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { dataDirectoryOf } from '../../src/app/data-directory.js'
import { backUpTo, restore } from '../../src/commands/backup.js'
import { openKeyValueStore } from '../../src/lib/key-value/key-value-store.js'
import { type TestEndpoint, startEndpoint } from '../sparql-engine.js'
import {
  agent,
  fullAgent,
  fullHolding,
  fullRepository,
  fullZine,
  repository,
  zine,
} from '../examples.js'
import { PASSWORD, type TestService, startService } from '../service.js'
import { browse } from '../views/browser.js'

/** All responses of a catalogue to an administrator. */
async function everything(service: TestService): Promise<Readonly<Record<string, string>>> {
  const paths = ['zines', 'agents', 'repositories', 'holdings'].flatMap((name) =>
    ['a', 'b', 'secret', 'maker', 'helper', 'press', 'library'].flatMap((id) => [
      `/api/${name}/${id}/`,
      `/api/${name}/${id}/?private=true`,
    ]),
  )
  const lists = ['/api/zines/', '/api/agents/?ordering=display_name', '/api/holdings/']
  const shown = [...paths, '/api/zines/unseen/', '/api/zines/unseen/history/', ...lists]
  const answers = await Promise.all(
    shown.map(async (path) => {
      const { status, text } = await service.get(path, { token: service.tokens.admin })
      return [path, `${status} ${text.replaceAll(service.url, '')}`] as const
    }),
  )
  return Object.fromEntries(answers)
}

async function fill(service: TestService): Promise<void> {
  const records: [string, object][] = [
    ...['maker', 'helper', 'press'].map((id): [string, object] => ['agents', agent(id)]),
    ['agents', fullAgent('a')],
    ['agents', fullAgent('secret', { public: false, legal_name: 'Hidden Name' })],
    ['repositories', fullRepository('a')],
    ['repositories', repository('library')],
    ['zines', fullZine('a')],
    ['zines', zine('b', { creator: ['secret', 'maker', 'a'], title: '“Füße” \\ "\n🦄' })],
    ['zines', zine('unseen', { visibility: 'hidden' })],
    ['holdings', fullHolding('a', { zine_id: 'a', repository_id: 'library' })],
  ]
  for (const [name, record] of records) {
    const made = await service.post(`/api/${name}/`, record)
    expect(made.status, made.text).to.equal(201)
  }
  await service.patch('/api/zines/b/', { abstract: 'Changed' })
}

describe('moving a catalogue', () => {
  let directory: string
  let endpoint: TestEndpoint
  const embedded = { STORE: 'embedded' }

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-moving-'))
    endpoint = await startEndpoint()
  })

  afterEach(async () => {
    await endpoint.stop()
    await rm(directory, { recursive: true })
  })

  const at = (name: string): string => join(directory, name)

  async function move(from: string, to: string): Promise<void> {
    const file = at(`${from}.gz`)
    await backUpTo(file, dataDirectoryOf({ dataDir: at(from) }))
    await restore(file, dataDirectoryOf({ dataDir: at(to) }))
  }

  async function keysIn(name: string): Promise<string[]> {
    const store = await openKeyValueStore(join(at(name), 'store'))
    const keys: string[] = []
    for await (const [key] of store.entries('')) keys.push(key)
    await store.close()
    return keys
  }

  /** All responses of a service with this data directory. */
  async function shownBy(name: string, env: Readonly<Record<string, string>>) {
    const service = await startService({ ...env, DATA_DIR: at(name) })
    const shown = await everything(service)
    await service.close()
    return shown
  }

  it('by a backup keeps all records and accounts, byte for byte', async () => {
    const first = await startService({ ...embedded, DATA_DIR: at('first') })
    await fill(first)
    const shown = await everything(first)
    await first.close()

    await move('first', 'second')
    expect(await shownBy('second', { STORE: endpoint.url })).to.deep.equal(shown)

    await move('second', 'third')
    expect(await shownBy('third', embedded)).to.deep.equal(shown)

    const third = await startService({ ...embedded, DATA_DIR: at('third') })
    const login = await third.post('/api/auth/token/', { username: 'viewer', password: PASSWORD })
    await third.close()
    expect(login.status).to.equal(200)
  })

  it('by a backup takes along what accounts chose last in forms', async () => {
    const first = await startService({ ...embedded, DATA_DIR: at('first') })
    await fill(first)
    const admin = browse(first.url)
    await admin.signIn('admin')
    const form = { title: 'Seen', creator: 'maker', subject: 'punk', language: 'eo' }
    expect((await admin.send('/manage/zines/new', form)).status).to.equal(303)
    await first.close()
    await move('first', 'second')
    expect(await keysIn('second')).to.include('account-values/admin')
  })

  it('by a backup takes the requests for changes along, and gives none of their numbers again', async () => {
    const ask = async ({ url }: TestService) => {
      const form = { topic: 'remove', text: 'Please remove me.', answer: 'me@example.org' }
      const { headers } = await browse(url).send('/requests/new?kind=agents&id=maker', form)
      return new URLSearchParams(headers.get('location')?.split('?')[1]).get('sent')
    }
    const first = await startService({ ...embedded, DATA_DIR: at('first') })
    await fill(first)
    await ask(first)
    expect(await ask(first)).to.equal('2')
    const admin = browse(first.url)
    await admin.signIn('admin')
    for (const action of ['done', 'delete'])
      await admin.send('/manage/requests/2', { do: action, '.version': '0', note: '' })
    await first.close()

    await move('first', 'second')
    const second = await startService({ ...embedded, DATA_DIR: at('second') })
    const other = browse(second.url)
    await other.signIn('admin')
    expect((await other.get('/manage/requests/1')).text).to.include('me@example.org')
    expect((await other.get('/manage/requests/2')).status).to.equal(404)
    expect(await ask(second)).to.equal('3')
    await second.close()
  })

  it('by the STORE setting keeps everything, there and back, with writes in between', async () => {
    const first = await startService({ ...embedded, DATA_DIR: at('first') })
    await fill(first)
    const shown = await everything(first)
    await first.close()
    const remote = { STORE: endpoint.url }
    expect(await shownBy('first', remote)).to.deep.equal(shown)
    const withRemote = await keysIn('first')
    expect(withRemote).to.include.members(['meta/catalogue', 'remote/commit'])
    expect(await shownBy('first', embedded)).to.deep.equal(shown)
    const withoutRemote = await keysIn('first')
    expect(withoutRemote).to.include('meta/catalogue')
    expect(withoutRemote.filter((key) => key.startsWith('remote/'))).to.deep.equal([])

    const again = await startService({ ...embedded, DATA_DIR: at('first') })
    await again.patch('/api/zines/a/', { title: 'Written in between' })
    await again.delete('/api/zines/b/')
    const after = await everything(again)
    await again.close()
    expect(await shownBy('first', remote)).to.deep.equal(after)
  })

  it('by the STORE setting keeps the history of a hidden record, with what either store wrote', async () => {
    const path = '/api/zines/unseen/'
    const first = await startService({ ...embedded, DATA_DIR: at('first') })
    await fill(first)
    await first.close()
    const second = await startService({ STORE: endpoint.url, DATA_DIR: at('first') })
    expect((await second.patch(path, { title: 'Written unseen' })).status).to.equal(200)
    expect((await second.delete(path)).status).to.equal(204)
    await second.close()
    const third = await startService({ ...embedded, DATA_DIR: at('first') })
    const { body } = await third.get(`${path}history/`, { token: third.tokens.editor })
    await third.close()
    const changes = (body.results as { readonly change: string }[]).map(({ change }) => change)
    expect(changes).to.deep.equal(['created', 'updated', 'deleted'])
  })

  it('keeps the catalogue identifier that an earlier version stored under another key', async () => {
    const remote = { STORE: endpoint.url }
    await shownBy('first', remote)
    const store = await openKeyValueStore(join(at('first'), 'store'))
    const id = await store.get('meta/catalogue')
    await store.write([
      { key: 'remote/catalogue', value: id },
      { key: 'meta/catalogue', value: undefined },
    ])
    await store.close()
    for (const settings of [embedded, remote]) await shownBy('first', settings)
    const after = await openKeyValueStore(join(at('first'), 'store'))
    expect(await after.get('meta/catalogue')).to.equal(id)
    expect(await after.get('remote/catalogue')).to.equal(undefined)
    await after.close()
  })
})
