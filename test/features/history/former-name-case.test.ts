// The case of a maker whose former name is in identifiers, as its own script plays it from outside.
// It is no part of the repository: CASE_FILES names the folder that has it.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { expect } from 'chai'

import { canRun } from '../../faults/client.js'
import { WITH_INDEX, useService } from '../../service.js'

const folder = join(process.env.CASE_FILES ?? '', '01-deadname-in-identifiers')
const missing = !existsSync(join(folder, '2-steps.sh'))
  ? ' (skipped: CASE_FILES names no folder that has it)'
  : !canRun('curl', '--version')
    ? ' (skipped: curl is not installed)'
    : ''

describe(`the case of a former name in identifiers${missing}`, () => {
  before(function () {
    if (missing !== '') this.skip()
  })

  const service = useService({ SPARQL_WORKERS: '1' })
  let output: readonly string[] = []

  before(async () => {
    const { url, tokens } = service()
    const script = (await readFile(join(folder, '2-steps.sh'), 'utf8'))
      // A record is renamed without a trace only where that is asked for. The pages begin with 1.
      .replaceAll(/(rename\/.*"id":"[^"]+")\}/g, '$1,"forget":true}')
      .replaceAll('/page/0', '/page/1')
    expect(script.match(/"forget":true/g)).to.have.length(2)
    const sh = spawn('sh', ['-c', script], {
      cwd: folder,
      env: { PATH: process.env.PATH, BASE: url, TOKEN: tokens.admin },
    })
    output = (await text(sh.stdout)).trim().split(/\r?\n/)
  })

  it('has all records, of which those that say the name are changed for good', () => {
    const [created = ''] = output
    expect(created.match(/"status":201/g)).to.have.length(3)
    const redacted = output.filter((line) => line.endsWith(' 204'))
    expect(redacted).to.deep.equal([
      'redact zines/gutter-moss-1 table_of_contents 204',
      'redact zines/gutter-moss-2 public_notes 204',
    ])
  })

  it('has the name in none of its 19 answers, but where the request is repeated', async () => {
    const start = output.findIndex((line) => line.startsWith('---')) + 1
    const counts = output.slice(start, -2).map((line) => line.trim().split(/\s+/))
    const needsIndex = /^\/api\/(?:search|suggest)\//
    const asked = counts.filter(([, path = '']) => WITH_INDEX || !needsIndex.test(path))
    expect(counts).to.have.length(17)
    for (const [count, path = ''] of asked) {
      const { text, headers, status } = await service().get(path)
      expect(status, path).to.be.oneOf(path.includes('oldname-quill') ? [404, 410] : [200])
      if (count === '0') continue
      const said = [text, ...headers.values()].join('\n').replaceAll(path, '')
      expect(said, path).not.to.match(/oldname/i)
    }
    expect(output.slice(-2)).to.deep.equal(['s,p,o', '0'])
  })
})
