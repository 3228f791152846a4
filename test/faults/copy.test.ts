// A copy of the catalogue that follows the changes, while the service is killed under many writes, and the
// copy too: it goes on from what it saved last.

import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { type Copy, beginCopy, expectComplete, followChanges, followToEnd } from '../http/copy.js'
import { type Served, serve, withDirectory } from '../process.js'
import { clientAt, settingsOf } from './client.js'
import { openAccount } from './writers.js'

const writers = 16

/** How often the service is killed, and how many writes there are at least; COPY_WRITES asks for more. */
const rounds = 3
const writes = Number(process.env.COPY_WRITES ?? 600)

describe('a copy of the catalogue', function () {
  this.timeout(120_000 + 100 * writes)

  it(`has exactly the records after ${writes} writes and ${rounds} kills of it and the service`, () =>
    withDirectory(async (directory) => {
      const env = settingsOf(directory)
      const account = openAccount()
      let copy: Copy | undefined
      for (let round = 0; round < rounds; round += 1) {
        const service = await serve(env)
        const client = await clientAt(service.url)
        if (round === 0) await client.prepare()
        else await account.check(client)
        const load = Promise.allSettled(
          Array.from({ length: writers }, (_, writer) =>
            account.run(client, `w${round}-${writer}`),
          ),
        )
        const copying = followUntilKilled(service, copy)
        while (account.acknowledged() < ((round + 1) * writes) / rounds) await sleep(10)
        await sleep(Math.random() * 200)
        expect((await service.end('SIGKILL')).signal).to.equal('SIGKILL')
        copy = await copying
        for (const outcome of await load)
          if (outcome.status === 'rejected' && !(outcome.reason instanceof TypeError))
            throw outcome.reason
      }
      const service = await serve(env)
      if (!copy) throw new Error('the copy was begun')
      await expectComplete(service.url, await followToEnd(service.url, copy))
      expect((await service.end('SIGTERM')).code).to.equal(0)
    }))
})

/** Follows the changes, and gives the copy as it was saved last: after some of the pages. */
async function followUntilKilled({ url }: Served, from: Copy | undefined): Promise<Copy> {
  let saved = from ?? (await beginCopy(url))
  let copy = saved
  try {
    for (;;) {
      copy = await followChanges(url, copy)
      if (Math.random() < 0.3) saved = copy
    }
  } catch (error) {
    // What fetch throws where there is no answer.
    if (!(error instanceof TypeError)) throw error
    return saved
  }
}
