// A service that is started again over its data: what is made of all records comes from the file of the last stop, and
// the service answers as before.

import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'
import { pino } from 'pino'

import { agent, holding, repository, zine } from '../examples.js'
import { type TestService, WITH_INDEX, startService } from '../service.js'
import { type TestEndpoint, startEndpoint } from '../sparql-engine.js'
import { placesOf } from '../data-directory.js'

for (const store of ['the embedded store', 'an engine']) testRestart(store)

function testRestart(store: string): void {
  describe(`a service over ${store} that is started again`, () => {
    let endpoint: TestEndpoint | undefined
    before(function () {
      if (process.env.TEST_STORE || !WITH_INDEX) this.skip()
    })
    // Each test begins with another data directory, so the engine has to be empty.
    beforeEach(async () => {
      if (store === 'an engine') endpoint = await startEndpoint()
    })
    afterEach(() => endpoint?.stop())

    type Started = { readonly service: TestService; readonly hasReadAll: () => boolean }

    /** A service, and whether it read all records for its indexes. */
    async function start(dataDir?: string): Promise<Started> {
      let read = 0
      const lines: string[] = []
      const env = {
        ...(dataDir === undefined ? {} : { DATA_DIR: dataDir }),
        ...(endpoint && { STORE: endpoint.url }),
      }
      const service = await startService(env, {
        onLoaded: (records) => (read = Math.max(read, records)),
        log: pino({}, { write: (line: string) => void lines.push(line) }),
      })
      const hasReadAll = (): boolean =>
        endpoint ? lines.some((line) => line.includes('index filled')) : read > 0
      return { service, hasReadAll }
    }

    const paths = [
      '/api/zines/?ordering=-title',
      '/api/zines/?q=raven',
      '/api/zines/?search=aven&creator=maker',
      '/api/zines/facets/',
      '/api/agents/',
      '/api/holdings/?zine_id=one',
      '/reconcile?queries=%7B%22q%22%3A%7B%22query%22%3A%22Jane%20Doe%22%7D%7D',
      '/.well-known/void',
    ]

    async function answersOf(service: TestService): Promise<readonly unknown[]> {
      const answers: unknown[] = []
      for (const path of [...paths, '/api/agents/former/', '/metrics']) {
        const { status, text } = await service.get(path, {
          headers: { accept: 'application/json' },
        })
        if (path === '/metrics') answers.push(/^quads .*$/m.exec(text)?.[0])
        else answers.push([path, status, text.replaceAll(service.url, '')])
      }
      return answers
    }

    async function fill({ post }: TestService): Promise<void> {
      const names = { display_name: 'Jane Doe', legal_name: 'Xanthippe Quirr', public: false }
      for (const [path, record] of [
        ['agents', agent('maker', names)],
        ['agents', agent('former')],
        ['repositories', repository('library')],
        ['zines', zine('one', { title: 'Raven', creator: ['maker'] })],
        ['zines', zine('two', { title: 'Ravens and salt' })],
        ['holdings', holding('h1', { zine_id: 'one', repository_id: 'library' })],
      ] as const)
        expect((await post(`/api/${path}/`, record)).status).to.equal(201)
      expect((await post('/api/agents/former/merge/', { into: 'maker' })).status).to.be.below(300)
    }

    it('answers as before without reading its records, also after further writes', async () => {
      const { service: first } = await start()
      await fill(first)
      const answers = await answersOf(first)
      await first.close()

      const { service: second, hasReadAll } = await start(first.dataDir)
      expect(await answersOf(second)).to.deep.equal(answers)
      expect(hasReadAll()).to.equal(false)
      await second.ask('PATCH', '/api/zines/two/', { body: { title: 'Noon' } })
      await second.ask('DELETE', '/api/holdings/h1/')
      const changed = await answersOf(second)
      expect(changed).not.to.deep.equal(answers)
      await second.close()

      const { service: third, hasReadAll: readThen } = await start(first.dataDir)
      expect(await answersOf(third)).to.deep.equal(changed)
      expect(readThen()).to.equal(false)
      await third.stop()
    })

    it('reads its records when the file is damaged, and has no private value in it', async () => {
      const { service: first } = await start()
      await fill(first)
      const answers = await answersOf(first)
      await first.close()
      const file = join(first.dataDir, 'indexes')
      const content = await readFile(file)
      expect(content.includes('Jane Doe')).to.equal(true)
      expect(content.includes('Xanthippe Quirr')).to.equal(false)
      expect(content.toString('latin1').toLowerCase().includes('quirr')).to.equal(false)
      content[content.length - 9] = 255 - (content.at(-9) ?? 0)
      await writeFile(file, content)

      const { service: second, hasReadAll } = await start(first.dataDir)
      expect(await answersOf(second)).to.deep.equal(answers)
      expect(hasReadAll()).to.equal(true)
      await second.stop()
    })

    it('has no redacted value in any file, also not in that of the last stop', async () => {
      const { service: first } = await start()
      await fill(first)
      await first.close()
      expect(await placesOf(first.dataDir, 'Ravens and salt')).to.include(
        join(first.dataDir, 'indexes'),
      )

      const { service: second } = await start(first.dataDir)
      const redacted = await second.post(
        '/api/zines/two/redact/',
        { field: 'title', value: ' and salt' },
        { token: second.tokens.admin },
      )
      expect(redacted.status, redacted.text).to.equal(204)
      expect(await placesOf(first.dataDir, 'Ravens and salt')).to.deep.equal([])
      await second.close()
      expect(await placesOf(first.dataDir, 'Ravens and salt')).to.deep.equal([])
      await rm(first.dataDir, { recursive: true })
    })

    if (store === 'an engine')
      it('shows a write that was settled only at the start', async () => {
        const { service: first } = await start()
        await fill(first)
        endpoint?.failWith(({ kind }, response, serve) => {
          if (kind === 'update') response.destroy()
          else serve()
        })
        const unsettled = await first.ask('PATCH', '/api/zines/two/', { body: { title: 'Noon' } })
        expect(unsettled.status).to.equal(504)
        await first.close()
        endpoint?.failWith(undefined)

        const { service: second, hasReadAll } = await start(first.dataDir)
        expect((await second.get('/api/zines/two/')).body.title).to.equal('Noon')
        expect((await second.get('/api/zines/?q=noon')).body.count).to.equal(1)
        expect(hasReadAll()).to.equal(true)
        await second.stop()
      })
  })
}
