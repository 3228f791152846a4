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
import { type Client, clientAt, settingsOf } from './client.js'

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
