// The service is killed while it removes something for good: a value, or an identifier. After the next start no file has
// it, wherever the process ended.

import { spawnSync } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { placesOf } from '../data-directory.js'
import { agent, zine } from '../examples.js'
import { type Served, serve, withDirectory } from '../process.js'
import { image } from '../features/pictures/picture-files.js'
import { until } from '../waiting.js'
import { browse } from '../views/browser.js'
import { type Client, clientAt, settingsOf } from './client.js'
import { killedAt } from './kill-at-step.js'

const secret = 'Ada Lovelace'
const path = '/api/agents/ada-lovelace/'

/** What removes something, what is to be gone, and how it is known that it was begun. */
const removals = {
  'a value': {
    ask: (client: Client) =>
      client.ask('POST', `${path}redact/`, { field: 'legal_name', value: secret }),
    text: secret,
    isBegun: async (client: Client) =>
      (await client.get(`${path}?private=true`)).body?.legal_name !== secret,
  },
  'an identifier': {
    ask: (client: Client) => client.ask('POST', `${path}rename/`, { id: 'countess', forget: true }),
    text: 'ada-lovelace',
    isBegun: async (client: Client) => (await client.get(path)).status === 404,
  },
} as const

const rounds = Number(process.env.KILL_ROUNDS ?? 4)

describe('kill -9 in the middle of a removal', () => {
  for (const [what, { ask, text, isBegun }] of Object.entries(removals)) {
    const begin = async (directory: string): Promise<[Served, Client]> => {
      const service = await serve(settingsOf(directory))
      const client = await clientAt(service.url)
      await client.post('agents', agent('ada-lovelace', { display_name: 'A', legal_name: secret }))
      await client.post('zines', zine('notes', { creator: ['ada-lovelace'] }))
      return [service, client]
    }

    /** Starts the service again, and waits until it has removed the text. */
    async function expectGone(directory: string): Promise<void> {
      const again = await serve(settingsOf(directory))
      const client = await clientAt(again.url)
      while ((await placesOf(directory, text)).length > 0) await sleep(10)
      expect((await client.get('/readyz')).status).to.equal(200)
      expect((await again.end('SIGTERM')).code).to.equal(0)
      expect(await placesOf(directory, text)).to.deep.equal([])
    }

    it(`leaves nothing of ${what} after the next start, when it was begun`, () =>
      withDirectory(async (directory) => {
        const [service, client] = await begin(directory)
        // The search through imports waits for whoever writes into this file.
        const held = join(directory, 'imports', 'held')
        await mkdir(held, { recursive: true })
        expect(spawnSync('mkfifo', [join(held, 'rows.jsonl')]).status).to.equal(0)
        const answer = ask(client).catch(() => undefined)
        while (!(await isBegun(client))) await sleep(10)
        expect((await client.get('/readyz')).status).to.equal(200)
        expect((await service.end('SIGKILL')).signal).to.equal('SIGKILL')
        expect(await answer).to.equal(undefined)
        expect(await placesOf(directory, text)).not.to.deep.equal([])
        await rm(held, { recursive: true })
        await expectGone(directory)
      }))

    it(`leaves all or nothing of ${what}, at whichever of its steps`, () =>
      withDirectory(async (root) => {
        for (let round = 0; round < rounds; round += 1) {
          const directory = join(root, String(round))
          await mkdir(directory)
          const [service, client] = await begin(directory)
          const answer = ask(client).catch(() => undefined)
          // Each round ends it later: what matters holds wherever that is.
          for (let turn = 0; turn < round * 8; turn += 1) await client.get('/healthz')
          await service.end('SIGKILL')
          const status = (await answer)?.status
          const again = await serve(settingsOf(directory))
          const clientAgain = await clientAt(again.url)
          const wasBegun = await isBegun(clientAgain)
          if (status !== undefined) expect(wasBegun).to.equal(true)
          if (!wasBegun) expect((await ask(clientAgain)).status).to.be.below(300)
          await again.end('SIGTERM')
          await expectGone(directory)
        }
      }))
  }
})

/** A zine whose former name is in texts, in its picture, in an import and in what a visitor asked for. */
async function createZine(client: Client, id: string, name: string): Promise<void> {
  const { url, token } = client
  const authorization = `Token ${token}`
  expect((await client.post('agents', agent(`maker-of-${id.slice(-3)}`))).status).to.equal(201)
  const values = {
    creator: [`maker-of-${id.slice(-3)}`],
    public_notes: [`Signed by ${name}.`],
    title: 'Notes',
  }
  expect((await client.post('zines', zine(id, values))).status).to.equal(201)
  const picture = new FormData()
  picture.append('alt', `Portrait of ${name}`)
  picture.append('file', new Blob([new Uint8Array(await image().png().toBuffer())]), 'cover')
  const pictures = `${url}/api/zines/${id}/pictures/`
  const sent = await fetch(pictures, { method: 'POST', body: picture, headers: { authorization } })
  expect(sent.status).to.equal(201)
  const table = await fetch(`${url}/api/imports/?filename=zines.csv`, {
    method: 'POST',
    body: `zine_id,title,public_notes\n${id},Notes,Signed by ${name}.\n`,
    headers: { authorization, 'content-type': 'text/csv' },
  })
  expect(table.status).to.be.oneOf([201, 202])
  const path = `/api/imports/${((await table.json()) as { id: string }).id}/`
  await until(async () => (await client.get(path)).body.progress === null)
  const asked = await browse(url).send(`/requests/new?kind=zines&id=${id}`, {
    topic: 'correct',
    text: `Please remove ${name} from /zines/${id}/.`,
    answer: 'rowan@example.org',
  })
  expect(asked.status).to.equal(303)
}

/** What is removed of a zine, and how. */
const removalsOfZine = {
  'a value': {
    textOf: (_: string, name: string) => name,
    ask: (client: Client, id: string, name: string) =>
      client.ask('POST', `/api/zines/${id}/redact/`, { field: 'public_notes', value: name }),
  },
  'an identifier': {
    textOf: (id: string) => id,
    ask: (client: Client, id: string) =>
      client.ask('POST', `/api/zines/${id}/rename/`, {
        id: `zine-${id.split('-').at(-1)}`,
        forget: true,
      }),
  },
} as const

/** A third of the steps; KILL_ROUNDS asks for each of them. */
const stride = process.env.KILL_ROUNDS === undefined ? 3 : 1

describe('kill -9 before each step of a removal', () => {
  for (const [what, { textOf, ask }] of Object.entries(removalsOfZine))
    it(`leaves nothing of ${what} after the next start`, () =>
      withDirectory(async (directory) => {
        const steps: string[] = []
        let begun: string | undefined
        // Step 1 is the commit that begins it: killed there, nothing was begun.
        for (let step = 2, isKilled = true; isKilled; step += stride) {
          const number = String(step).padStart(3, '0')
          const [id, name] = [`oldname-${number}`, `Oldname ${number}`]
          const service = await serve({
            ...settingsOf(directory),
            ...killedAt(step, `zines/${id}`),
          })
          const client = await clientAt(service.url)
          if (begun !== undefined) {
            const left = begun
            await until(async () => (await placesOf(directory, left)).length === 0)
            expect(await proofOf(client, left)).to.include({ gone: true })
          }
          begun = textOf(id, name)
          await createZine(client, id, name)
          expect(await proofOf(client, begun)).to.include({ gone: false })
          const answer = await ask(client, id, name).catch(() => undefined)
          isKilled = answer === undefined
          if (!isKilled) expect(await proofOf(client, begun)).to.include({ gone: true })
          const { signal, err } = await service.end('SIGTERM')
          if (isKilled) expect(signal).to.equal('SIGKILL')
          if (isKilled) steps.push(/killed before: (.*)/.exec(err)?.[1] ?? err)
        }
        expect(steps).not.to.be.empty
        // Of a third of the steps, it depends on their order which these are.
        if (stride > 1) return
        expect(steps.join('\n')).to.include('a write to the store').and.include('compactRange')
      }))
})

const proofOf = async (client: Client, text: string) =>
  (await client.ask('POST', '/api/removal-proof/', { text })).body
