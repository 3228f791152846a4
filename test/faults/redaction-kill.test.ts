// The service is killed while it removes a value for good, after it removed it from the record.

import { spawnSync } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { placesOf } from '../data-directory.js'
import { agent } from '../examples.js'
import { serve, withDirectory } from '../process.js'
import { clientAt, settingsOf } from './client.js'

describe('kill -9 in the middle of a redaction', () => {
  it('leaves nothing of the value after the next start', () =>
    withDirectory(async (directory) => {
      const secret = 'Ada Lovelace'
      const service = await serve(settingsOf(directory))
      const client = await clientAt(service.url)
      await client.post('agents', agent('ada', { legal_name: secret }))
      // The search through imports waits for whoever writes into this file.
      const held = join(directory, 'imports', 'held')
      await mkdir(held, { recursive: true })
      expect(spawnSync('mkfifo', [join(held, 'rows.jsonl')]).status).to.equal(0)
      const path = '/api/agents/ada/'
      const answer = client
        .ask('POST', `${path}redact/`, { field: 'legal_name', value: secret })
        .catch(() => undefined)
      while ((await client.get(`${path}?private=true`)).body.legal_name === secret) await sleep(10)
      expect((await service.end('SIGKILL')).signal).to.equal('SIGKILL')
      expect(await answer).to.equal(undefined)
      expect(await placesOf(directory, secret)).not.to.deep.equal([])

      await rm(held, { recursive: true })
      const again = await serve(settingsOf(directory))
      while ((await placesOf(directory, secret)).length > 0) await sleep(10)
      expect((await again.end('SIGTERM')).code).to.equal(0)
      expect(await placesOf(directory, secret)).to.deep.equal([])
    }))
})
