// What was redacted is gone: from the disk, whoever reads meanwhile, and from wherever else it is kept.

import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { type Socket, connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { placesOf } from '../../data-directory.js'
import { minimal } from '../../examples.js'
import { type Answer, startService } from '../../service.js'
import { browse } from '../../views/browser.js'
import { recordPath, unique, useCatalogue } from '../../http/catalogue.js'

describe('what was redacted', () => {
  const { service, given } = useCatalogue()

  const redact = (path: string, value: string): Promise<Answer> =>
    service().post(`${path}redact/`, { field: 'legal_name', value })

  const historyOf = async (path: string): Promise<string> =>
    (await service().get(`${path}history/`, { token: service().tokens.editor })).text

  /** An agent whose legal name has an accent. */
  async function newAgent() {
    const name = `Zoë ${unique('Lovelace')}`
    const { agent_id } = await given.agent({ legal_name: name })
    return { name, id: agent_id, path: recordPath('agents', agent_id) }
  }

  async function expectGone(path: string, name: string): Promise<void> {
    const { status, text } = await redact(path, name)
    expect(status, text).to.equal(204)
    expect(await placesOf(service().dataDir, name)).to.deep.equal([])
  }

  describe('is not in the history of an identifier', () => {
    const moved = async (path: string, part: string, body: object): Promise<string> => {
      const answer = await service().post(`${path}${part}/`, body)
      expect(answer.status, answer.text).to.equal(200)
      return answer.body.batch
    }

    async function renamed() {
      const agent = await newAgent()
      const id = unique('renamed')
      await service().patch(agent.path, { biography: 'Drew.' })
      const batch = await moved(agent.path, 'rename', { id })
      const path = recordPath('agents', id)
      return { ...agent, batch, former: agent.path, path }
    }

    it('that the record had before it was renamed, and renaming cannot be undone', async () => {
      const { path, former, name, batch } = await renamed()
      expect(await historyOf(former)).to.include(name)
      await expectGone(path, name)
      expect(await historyOf(former)).not.to.include(name)
      const undo = await service().post(`/api/batches/${batch}/undo/`, {})
      expect(undo.status, undo.text).to.equal(409)
      expect((await service().get(former)).status).to.equal(301)
    })

    it('that the record had before it was renamed twice', async () => {
      const { path, former, name } = await renamed()
      const id = unique('again')
      await moved(path, 'rename', { id })
      await expectGone(recordPath('agents', id), name)
      for (const one of [former, path]) expect(await historyOf(one)).not.to.include(name)
    })

    it('that was merged into the record', async () => {
      const { path, name } = await newAgent()
      const other = await given.agent()
      await moved(path, 'merge', { into: other.agent_id })
      await expectGone(recordPath('agents', other.agent_id), name)
      expect(await historyOf(path)).not.to.include(name)
    })

    it('that another record has since', async () => {
      const { path, former, name, id } = await renamed()
      await service().delete(path)
      await given.agent({ agent_id: id, legal_name: 'Another' })
      await expectGone(path, name)
      const history = await historyOf(former)
      expect(history).not.to.include(name)
      const versions = JSON.parse(history).results.map(({ changes }: any) => changes.legal_name)
      expect(versions.at(-1)).to.deep.equal({ before: null, after: 'Another' })
    })

    it('that led to the record when it was deleted', async () => {
      const { path, former, name } = await renamed()
      await service().delete(path)
      await expectGone(path, name)
      expect(await historyOf(former)).not.to.include(name)
    })

    it('that the record had until the renaming was undone', async () => {
      const { path, name, id } = await newAgent()
      const between = unique('between')
      const batch = await moved(path, 'rename', { id: between })
      const undo = await service().post(`/api/batches/${batch}/undo/`, {})
      expect(undo.status, undo.text).to.equal(200)
      expect((await service().get(path)).body.agent_id).to.equal(id)
      await expectGone(path, name)
      expect(await historyOf(recordPath('agents', between))).not.to.include(name)
    })

    it('that the record had, where its whole past is removed', async () => {
      const { path, former, name } = await renamed()
      await service().patch(path, { legal_name: 'Other' })
      expect((await service().post(`${path}redact/`, { past: true })).status).to.equal(204)
      expect(await placesOf(service().dataDir, name)).to.deep.equal([])
      expect(await historyOf(former)).not.to.include(name)
    })

    it('of another record that was deleted after a merge was undone', async () => {
      const { path, name } = await newAgent()
      const other = await given.agent({ legal_name: name })
      const otherPath = recordPath('agents', other.agent_id)
      const batch = await moved(path, 'merge', { into: other.agent_id })
      expect((await service().post(`/api/batches/${batch}/undo/`, {})).status).to.equal(200)
      await service().delete(otherPath)
      expect((await redact(path, name)).status).to.equal(204)
      expect(await historyOf(otherPath)).to.include(name)
    })
  })

  it('is not in what visitors asked for, however they spelled it', async () => {
    const { path, name, id } = await newAgent()
    const sent = await browse(service().url).send(`/requests/new?kind=agents&id=${id}`, {
      topic: 'remove',
      text: `I was ${name.normalize('NFD').replace(' ', '\n')}.\nPlease remove that.`,
      answer: 'zoe@example.org',
    })
    expect(sent.status, sent.text).to.equal(303)
    expect(await placesOf(service().dataDir, unaccented(name))).not.to.deep.equal([])
    await expectGone(path, name)
    const editor = browse(service().url)
    await editor.signIn('editor')
    const number = new URL(sent.headers.get('location') ?? '', 'http://x').searchParams.get('sent')
    const page = await editor.get(`/manage/requests/${number}`)
    expect(page.text).to.include('Please remove that.')
    expect(page.text).not.to.include(unaccented(name))
  })

  describe('is not in the files of an import', () => {
    const importsDirectory = (): string => join(service().dataDir, 'imports')

    /** @returns the path of the import */
    async function send(content: string | Uint8Array, query = 'filename=zines.csv') {
      const answer = await service().ask('POST', `/api/imports/?${query}`, {
        raw: content,
        headers: { 'content-type': 'text/csv' },
      })
      expect(answer.status, answer.text).to.equal(201)
      const path = `/api/imports/${answer.body.id}/`
      const get = async () => (await service().get(path, { token: service().tokens.admin })).body
      let one = answer.body
      while (one.progress !== null) one = await get()
      return { id: String(one.id), state: String(one.state), get }
    }

    const spellings: Readonly<Record<string, (table: string) => string | Uint8Array>> = {
      'as it is': (table) => table,
      decomposed: (table) => table.normalize('NFD'),
      'in UTF-16': (table) => Buffer.from(`\ufeff${table}`, 'utf16le'),
      'in Latin-1': (table) => Buffer.from(table, 'latin1'),
      'on two lines': (table) => table.replace(/"Zoë /, '"Zoë\n '),
    }
    for (const [how, spell] of Object.entries(spellings))
      it(`whose source has it ${how}`, async () => {
        const { path, name } = await newAgent()
        await send(spell(`Title,Author\nOne,"${name}"\n`))
        expect(await placesOf(importsDirectory(), unaccented(name))).not.to.deep.equal([])
        await expectGone(path, name)
        expect(await placesOf(importsDirectory(), unaccented(name))).to.deep.equal([])
      })

    it('that has it in its name and in its decisions', async () => {
      const { path, name } = await newAgent()
      const query = new URLSearchParams({ filename: `${name}.csv` }).toString()
      const { id, get } = await send('Title,Author\nOne,Two\n', query)
      const decided = await service().patch(`/api/imports/${id}/`, {
        names: { Two: { create: { display_name: name, kind: 'person' } } },
      })
      expect(decided.status, decided.text).to.equal(200)
      await expectGone(path, name)
      expect(JSON.stringify(await get())).not.to.include(unaccented(name))
    })

    it('that has it as a value for all of its records', async () => {
      const { path, name } = await newAgent()
      const { id } = await send('Title,Author\nOne,Two\n')
      const decided = await service().patch(`/api/imports/${id}/`, {
        defaults: { zines: { publisher: name }, holdings: {} },
      })
      expect(decided.status, decided.text).to.equal(200)
      await expectGone(path, name)
    })

    it('whose rows nobody could read, and other imports stay', async () => {
      const { path, name } = await newAgent()
      const other = await send('Title,Author\nOne,Two\n')
      const { id } = await send('Title,Author\nOne,Three\n')
      const rows = join(importsDirectory(), id, 'rows.jsonl')
      await rename(rows, `${rows}.unfinished`)
      await expectGone(path, name)
      expect(await readdir(importsDirectory()))
        .to.include(other.id)
        .and.not.to.include(id)
    })

    it('that cannot be read, and it is not answered before it is', async () => {
      const { path, name } = await newAgent()
      const { id } = await send(`Title,Author\nOne,"${name}"\n`)
      const directory = join(importsDirectory(), id)
      const rows = join(directory, 'rows.jsonl')
      for (const file of [rows, join(directory, 'source')]) await rm(file)
      await mkdir(rows)
      expect((await redact(path, name)).status).to.equal(500)
      await rmdir(rows)
      await writeFile(rows, '')
      await expectGone(path, name)
    })
  })

  it('is gone when it is asked for again, while the first request waits', async () => {
    const { path, name } = await newAgent()
    const held = await holdImports(service().dataDir)
    const first = redact(path, name)
    const ask = { token: service().tokens.editor }
    while ((await service().get(`${path}?private=true`, ask)).body.legal_name === name)
      await sleep(5)
    const second = redact(path, name)
    await held.release()
    expect([(await first).status, (await second).status]).to.deep.equal([204, 204])
    expect(await placesOf(service().dataDir, name)).to.deep.equal([])
    expect((await redact(path, name)).status).to.equal(400)
  })

  it('is removed by the next start, if the service ended before it was', async () => {
    const before = await startService()
    const { id, name } = { id: unique('z'), name: `Zoë ${unique('Lovelace')}` }
    await before.post('/api/agents/', minimal.agents(id, { display_name: 'A', legal_name: name }))
    const rows = join(before.dataDir, 'imports', 'broken', 'rows.jsonl')
    await mkdir(rows, { recursive: true })
    const path = recordPath('agents', id)
    const redaction = { field: 'legal_name', value: name }
    expect((await before.post(`${path}redact/`, redaction)).status).to.equal(500)
    await before.close()
    expect(await placesOf(before.dataDir, name)).not.to.deep.equal([])

    await rm(rows, { recursive: true })
    const after = await startService({ DATA_DIR: before.dataDir })
    while ((await placesOf(after.dataDir, name)).length > 0) await sleep(10)
    await after.stop()
  })

  it('is not kept by the download of a dump that is read slowly, which is complete', async () => {
    const slow = await startService()
    // Large ones, which fit into no buffers on the way; then others, which are not read before these are sent.
    await slow.post('/api/agents/', minimal.agents('maker'))
    for (let number = 100; number < 240; number += 1) {
      const abstract = randomBytes(number < 140 ? 150_000 : 10).toString('hex')
      const zine = minimal.zines(`z-${number}`, { abstract, creator: ['maker'] })
      const answer = await slow.post('/api/zines/', zine)
      expect(answer.status, answer.text).to.equal(201)
    }
    const name = `Zoë ${unique('Lovelace')}`
    await slow.post('/api/agents/', minimal.agents('zoe', { display_name: name, public: true }))
    const download = await beginDownload(slow.url, '/dumps/catalogue.nt.gz')
    const redaction = { field: 'display_name', value: ` ${name.split(' ')[1]}` }
    const path = recordPath('agents', 'zoe')
    expect((await slow.post(`${path}redact/`, redaction)).status).to.equal(204)
    expect(await placesOf(slow.dataDir, name)).to.deep.equal([])
    expect(await download()).to.equal(true)
    await slow.stop()
  })
})

/** The part of a name that is written the same way in every form and encoding. */
const unaccented = (name: string): string => name.split(' ')[1] ?? ''

/** Keeps a redaction waiting, which reads the rows of all imports. */
async function holdImports(dataDir: string) {
  const directory = join(dataDir, 'imports', unique('held'))
  await mkdir(directory, { recursive: true })
  const rows = join(directory, 'rows.jsonl')
  expect(spawnSync('mkfifo', [rows]).status).to.equal(0)
  return {
    /** Whoever reads it gets an empty file. */
    async release(): Promise<void> {
      await writeFile(rows, '')
      await rm(directory, { recursive: true })
    },
  }
}

/** Reads the beginning of a file, which is long. @returns reads the rest, and says whether the response ended as it should */
async function beginDownload(url: string, path: string): Promise<() => Promise<boolean>> {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect(Number(port), hostname)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  for (let length = 0; length < 2_000_000;) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    if (length === 0) expect(chunk.toString('latin1')).to.match(/^HTTP\/1\.1 200 /)
    length += chunk.length
  }
  socket.pause()
  return async () => {
    let end = ''
    socket.on('data', (chunk: Buffer) => (end = (end + chunk.toString('latin1')).slice(-5)))
    socket.resume()
    await once(socket, 'close')
    return end === '0\r\n\r\n'
  }
}
