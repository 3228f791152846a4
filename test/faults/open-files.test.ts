// Tests that a service without free file descriptors goes on, and recovers when there are some again.

import { spawnSync } from 'node:child_process'

import { expect } from 'chai'

import { zine } from '../examples.js'
import { type Served, serve, withDirectory } from '../process.js'
import { canRun, clientAt, settingsOf } from './client.js'

const hasPrlimit = canRun('prlimit', '--nofile')

function limitFiles({ pid }: Served, files: number): void {
  const { status } = spawnSync('prlimit', ['--pid', String(pid), `--nofile=${files}:`])
  expect(status).to.equal(0)
}

describe(`a service without file descriptors${hasPrlimit ? '' : ' (needs prlimit)'}`, () => {
  before(function () {
    if (!hasPrlimit) this.skip()
  })

  it('rejects writes with 503 instead of stopping, and loses none of the others', () =>
    withDirectory(async (directory) => {
      const service = await serve(settingsOf(directory))
      const client = await clientAt(service.url)
      await client.prepare()
      const written: string[] = []
      /** Writes a record of 900 KB; after four of them LevelDB opens another file. */
      const write = async (id: string): Promise<number> => {
        const record = zine(id, { abstract: `${id} ${'x'.repeat(900_000)}` })
        const { status, headers, body } = await client.post('zines', record)
        if (status === 201) written.push(id)
        else expect([status, body.detail, headers.get('retry-after')]).to.deep.equal(tooMany)
        return status
      }
      limitFiles(service, 4)
      const statuses: number[] = []
      while (!statuses.includes(503) && statuses.length < 20)
        statuses.push(await write(`limited-${statuses.length}`))
      expect(statuses).to.include(503)
      expect(await write('again')).to.equal(503)
      expect((await client.get('/api/agents/maker/')).status).to.equal(200)

      limitFiles(service, 1024)
      for (let number = 0; number < 6; number += 1)
        expect(await write(`later-${number}`)).to.equal(201)
      await service.end('SIGKILL')

      const next = await serve(settingsOf(directory))
      const { get } = await clientAt(next.url)
      for (const id of written) expect((await get(`/api/zines/${id}/`)).status, id).to.equal(200)
      expect((await get('/api/zines/')).body.count).to.equal(written.length)
      expect((await next.end('SIGTERM')).code).to.equal(0)
    }))
})

const tooMany = [503, 'Too many files are open; nothing was written.', '5']
