// The commands of README.md are run as they stand there, against a service with the sample.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

import { expect } from 'chai'

import { run, serve, withDirectory } from '../process.js'

describe('README.md', () => {
  it('has commands for programs that are answered without an error', () =>
    withDirectory(async (directory) => {
      const settings = { DATA_DIR: directory, SPARQL_WORKERS: '1' }
      const admin = { ADMIN_USERNAME: 'ada', ADMIN_PASSWORD: 'a long pass phrase' }
      await run(['load', '--sample'], { ...settings, BASE_URL: 'https://zines.example' })
      const service = await serve({ ...settings, ...admin })
      const { stdout } = await promisify(execFile)('bash', [
        '-euc',
        `curl() { command curl --fail-with-body "$@"; }
        until command curl -sf ${service.url}/sparql?query=ASK%7B%7D > ${directory}/ask; do sleep 0.1; done
        ${await commandsFor(service.url)}`,
      ])
      await service.end('SIGTERM')
      for (const part of [
        '"title":"Soup for One (and One for the Pot)"',
        'foaf:Document',
        '"holding_id":"toner-1-a"',
        '"number_of_pages":"16"',
        'subject,zines',
        '<collection',
        'zine_id,title',
        '"sequence":100',
      ])
        expect(stdout).to.include(part)
    }))
})

/** The blocks of commands of the section, with the address of the service. */
async function commandsFor(url: string): Promise<string> {
  const [, section = ''] = (await readFile('README.md', 'utf8')).split('\n## For programs\n')
  const [text = ''] = section.split('\n## ')
  const commands = text.split('\n').filter((line) => line.startsWith('    '))
  return commands.join('\n').replaceAll('localhost:8000', url)
}
