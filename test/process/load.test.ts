import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { agent, holding, repository, zine } from '../examples.js'
import { adminSettings, run, serve, tokenAt, withDirectory } from '../process.js'

const lines = (...records: readonly unknown[]): string =>
  records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))).join('\n')

const sample = ['agents', 'repositories', 'zines', 'holdings'].map((name) => `sample/${name}.jsonl`)

describe('load', () => {
  it('reports refused lines with file, number and messages, and loads the others', () =>
    withDirectory(async (directory) => {
      const file = join(directory, 'all.jsonl')
      // Holdings before the zines that they hold, as one file has them.
      const records = lines(
        holding('copy'),
        zine('zine'),
        '{"zine_id": ',
        '',
        zine('bad', { title: '', creator: ['nobody'] }),
        { title: 'whose?' },
        repository('library'),
        agent('maker'),
      )
      await writeFile(file, records)
      const env = { DATA_DIR: join(directory, 'data') }
      const { code, out, err } = await run(['load', file], env)
      expect(code).to.equal(1)
      expect(out).to.equal('4 created, 0 unchanged, 0 different, 3 refused\n')
      expect(err).to.include(`${file}:3: not JSON`)
      expect(err).to.include(
        `${file}:5: title: This field may not be blank. | creator: Agent 'nobody' does not exist`,
      )
      expect(err).to.include(`${file}:6: no identifier`)
    }))

  it('can be run again, and replaces existing records only with --replace', () =>
    withDirectory(async (directory) => {
      const file = join(directory, 'agents.jsonl')
      const env = { DATA_DIR: join(directory, 'data') }
      await writeFile(file, lines(agent('maker')))
      expect((await run(['load', file], env)).out).to.equal(
        '1 created, 0 unchanged, 0 different, 0 refused\n',
      )
      await writeFile(file, lines(agent('maker', { display_name: 'Renamed' })))
      expect((await run(['load', file], env)).out).to.equal(
        '0 created, 0 unchanged, 1 different, 0 refused\n',
      )
      expect((await run(['load', file, '--replace'], env)).out).to.equal(
        '0 created, 1 replaced, 0 unchanged, 0 refused\n',
      )
      expect((await run(['load', file], env)).out).to.equal(
        '0 created, 1 unchanged, 0 different, 0 refused\n',
      )
    }))

  it('loads the whole sample into a running service', () =>
    withDirectory(async (directory) => {
      const service = await serve({ DATA_DIR: directory, ...adminSettings })
      const token = await tokenAt(service.url)
      const { code, out, err } = await run(
        ['load', ...sample, '--url', service.url, '--token-file', '-'],
        {},
        `${token}\n`,
      )
      expect(code, err).to.equal(0)
      expect(out).to.match(/^\d+ created, 0 unchanged, 0 different, 0 refused\n$/)
      expect(err).not.to.include('--token')
      for (const file of sample) {
        const [name = ''] = /\w+(?=\.jsonl)/.exec(file) ?? []
        const { count } = (await (await fetch(`${service.url}/api/${name}/`)).json()) as {
          count: number
        }
        expect(count, name).to.equal((await readFile(file, 'utf8')).trim().split('\n').length)
      }
      await service.end('SIGTERM')
    }))

  it('takes a token from a file, and warns of one that others can see', () =>
    withDirectory(async (directory) => {
      const service = await serve({ DATA_DIR: directory, ...adminSettings })
      const token = await tokenAt(service.url)
      const [file, records] = [join(directory, 'token'), join(directory, 'agents.jsonl')]
      await writeFile(file, `${token}\nwhat follows is not read`)
      await writeFile(records, lines(agent('maker')))
      const load = (...options: string[]) =>
        run(['load', records, '--url', service.url, ...options], {})
      const hidden = await load('--token-file', file)
      expect(hidden.code, hidden.err).to.equal(0)
      expect(hidden.err).not.to.include('--token')
      const seen = await load('--token', token)
      expect(seen.code, seen.err).to.equal(0)
      expect(seen.err).to.include('--token can be seen by other users').and.not.include(token)
      const missing = await load('--token-file', `${file}-missing`)
      expect(missing.code).to.equal(1)
      expect(missing.err).to.match(/^--token-file .*-missing: ENOENT/)
      await service.end('SIGTERM')
    }))

  it('does not open the data directory of a running service, and names --url', () =>
    withDirectory(async (directory) => {
      const service = await serve({ DATA_DIR: directory })
      const { code, err } = await run(['load', ...sample], {
        DATA_DIR: directory,
        BASE_URL: 'https://zines.example',
      })
      expect(code).to.equal(1)
      expect(err).to.include('--url')
      await service.end('SIGTERM')
    }))

  it('stops when the token is not valid', () =>
    withDirectory(async (directory) => {
      const service = await serve({ DATA_DIR: directory })
      const { code, err } = await run(
        ['load', ...sample, '--url', service.url, '--token', 'a'.repeat(40)],
        {},
      )
      expect(code).to.equal(1)
      expect(err).to.include('Invalid token.')
      await service.end('SIGTERM')
    }))
})
