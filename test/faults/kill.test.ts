// The service is killed while many write, again and again, over the same data.

import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { type Served, serve, withDirectory } from '../process.js'
import { clientAt, settingsOf } from './client.js'
import { openAccount } from './writers.js'

const writers = 16

/** KILL_ROUNDS asks for more. */
const rounds = Number(process.env.KILL_ROUNDS ?? 3)

describe('kill -9 in the middle of writes', function () {
  this.timeout(60_000 + rounds * 60_000)

  it(`loses no acknowledged write and leaves none half done, cascades included (${rounds} times)`, function () {
    return withDirectory(async (directory) => {
      const env = settingsOf(directory)
      const account = openAccount()
      for (let round = 0; round <= rounds; round += 1) {
        const service = await serve(env)
        const client = await clientAt(service.url)
        if (round === 0) await client.prepare()
        else await account.check(client).catch((error: unknown) => explain(error, service))
        if (round === rounds) {
          expect((await service.end('SIGTERM')).code).to.equal(0)
          continue
        }
        const before = account.acknowledged()
        const load = Promise.allSettled(
          Array.from({ length: writers }, (_, writer) =>
            account.run(client, `w${round}-${writer}`),
          ),
        )
        // In the midst of it, and a moment more or less.
        while (account.acknowledged() < before + 10 * writers) await sleep(10)
        await sleep(Math.random() * 200)
        expect((await service.end('SIGKILL')).signal).to.equal('SIGKILL')
        for (const outcome of await load)
          if (outcome.status === 'rejected' && !(outcome.reason instanceof TypeError))
            throw outcome.reason
      }
      const { test } = this
      if (test) test.title += `: ${account.acknowledged()} acknowledged writes`
    })
  })
})

/** Adds to the error of a request that had no answer whether the service ended by itself. */
async function explain(error: unknown, service: Served): Promise<never> {
  if (!(error instanceof TypeError)) throw error
  const end = await Promise.race([service.ended, sleep(5000)])
  const what = end
    ? `the service ended by itself (${String(end.signal ?? end.code)}): ${end.err}`
    : 'a request had no answer from a service that runs'
  throw new Error(what, { cause: error })
}
