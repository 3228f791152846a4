// The unit for systemd, and the lines of the documentation by which a backup is restored.

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect } from 'chai'

import { agent } from '../examples.js'
import { adminSettings, run, serve, tokenAt } from '../process.js'

const runProgram = promisify(execFile)

describe('the unit for systemd', () => {
  it('has only what systemd knows, and starts the file that the package has', async function () {
    const unit = await readFile('deploy/zine-catalogue.service', 'utf8')
    const { bin } = JSON.parse(await readFile('package.json', 'utf8')) as {
      bin: Readonly<Record<string, string>>
    }
    const file = bin['zine-catalogue']?.replace(/^\.\//, '')
    expect(unit).to.include(`ExecStart=/usr/bin/node node_modules/zine-catalogue/${file}\n`)
    const hasProgram = await runProgram('systemd-analyze', ['--version']).then(
      () => true,
      () => false,
    )
    if (!hasProgram) {
      console.log('      skipped: systemd-analyze is not installed')
      this.skip()
    }
    const directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    try {
      const copy = join(directory, 'zine-catalogue.service')
      // It asks for the program and for the file that it documents, which are not here.
      await writeFile(
        copy,
        unit
          .replace('/usr/bin/node', process.execPath)
          .replace(/^Documentation=.*\n/m, '')
          .replace('/opt/zine-catalogue\n', `${directory}\n`),
      )
      const { stderr } = await runProgram('systemd-analyze', ['verify', '--man=no', copy])
      // Other units of the machine may have faults of their own.
      expect(stderr.split('\n').filter((line) => line.includes(copy))).to.deep.equal([])
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  })
})

describe('the lines that restore a backup', () => {
  it('do so as they are in the documentation', async () => {
    const text = await readFile('docs/how-to/operate.md', 'utf8')
    const [, lines = ''] = /To restore a backup[^\n]*\n\n((?: {4}[^\n]+\n)+)/.exec(text) ?? []
    const [move = '', restore = '', start = '', ...more] = lines.trim().split(/\n {4}/)
    expect(more).to.deep.equal([])
    const [, file = ''] = /^npx zine-catalogue restore (\S+)$/.exec(restore) ?? []
    const [, baseUrl = ''] = /^BASE_URL=(\S+) npx zine-catalogue$/.exec(start) ?? []
    const directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    const data = { DATA_DIR: join(directory, 'data') }
    try {
      const settings = { ...data, ...adminSettings, BASE_URL: baseUrl, SPARQL_WORKERS: '0' }
      const first = await serve(settings)
      const token = await tokenAt(first.url)
      await fetch(`${first.url}/api/agents/`, {
        method: 'POST',
        headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(agent('maker')),
      })
      expect((await run(['backup', join(directory, file)], data)).code).to.equal(0)
      await first.end('SIGTERM')
      await runProgram('sh', ['-c', move], { cwd: directory })
      expect((await run(['restore', join(directory, file)], data)).out).to.include(
        `start it with BASE_URL=${baseUrl}`,
      )
      const second = await serve({ ...data, BASE_URL: baseUrl, SPARQL_WORKERS: '0' })
      expect((await fetch(`${second.url}/api/agents/maker/`)).status).to.equal(200)
      await second.end('SIGTERM')
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  })
})
