// Tests what other programs make of the OpenAPI document: typed clients that compile, and linters without
// errors. The programs bring some 470 packages, so they are installed apart, in test/openapi-clients.
// What the document says is tested in openapi.test.ts.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { expect } from 'chai'

import { useService } from '../../service.js'

const home = resolve('test/openapi-clients')
const programs = join(home, 'node_modules', '.bin')

describe('programs that read the OpenAPI document', function () {
  if (!existsSync(programs)) {
    it.skip('skipped: they are not installed (npm ci --prefix test/openapi-clients)')
    return
  }
  const service = useService()
  let directory: string

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'openapi-clients-'))
    await symlink(join(home, 'node_modules'), join(directory, 'node_modules'))
    await save('all.json', '?format=json')
    await save('json-only.json', '?format=json&media=json')
  })
  after(() => rm(directory, { recursive: true, force: true }))

  const save = async (file: string, query: string) =>
    writeFile(join(directory, file), (await service().get(`/api/schema/${query}`)).text)

  /** Runs a program in the directory of the documents; gives what it writes, whatever its exit code. */
  const run = async (program: string, ...args: readonly string[]): Promise<string> => {
    const options = { cwd: directory, maxBuffer: 2 ** 26, env: { ...process.env, ...quiet } }
    const { stdout, stderr } = await promisify(execFile)(program, args, options).catch(
      (error: unknown) => error as { readonly stdout: string; readonly stderr: string },
    )
    return stdout || stderr
  }

  it('generate clients that compile in strict mode: openapi-typescript, hey-api and orval', async () => {
    const input = './json-only.json'
    await run(join(programs, 'openapi-typescript'), input, '-o', 'openapi-typescript.ts')
    await run(
      join(programs, 'openapi-ts'),
      '-i',
      input,
      '-o',
      'hey-api',
      '-c',
      '@hey-api/client-fetch',
    )
    for (const client of ['fetch', 'zod'])
      await run(
        join(programs, 'orval'),
        ...['--input', input, '--output', `./orval-${client}.ts`, '--client', client],
      )
    await copyFile(join(home, 'use-clients.ts'), join(directory, 'use-clients.ts'))
    await writeFile(join(directory, 'package.json'), '{"type":"module"}')
    await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(strict))
    expect(await run(resolve('node_modules/.bin/tsc'), '-p', '.')).to.equal('')
  })

  it('find no error but slashes at the end of paths: redocly', async () => {
    const output = await run(join(programs, 'redocly'), 'lint', 'all.json', '--format=json')
    const problems: any[] = JSON.parse(output).problems
    const errors = problems.filter(({ severity }) => severity === 'error')
    expect(new Set(errors.map(({ ruleId }) => ruleId))).to.deep.equal(
      new Set(['no-path-trailing-slash']),
    )
  })

  it('find no error and no warning but slashes and the contact: spectral', async () => {
    await writeFile(join(directory, 'rules.yaml'), 'extends: ["spectral:oas"]\n')
    const args = ['lint', 'all.json', '--ruleset', 'rules.yaml', '-f', 'json', '-q']
    const problems: any[] = JSON.parse(await run(join(programs, 'spectral'), ...args))
    expect(new Set(problems.map(({ code }) => code))).to.deep.equal(
      new Set(['path-keys-no-trailing-slash', 'info-contact']),
    )
  })
})

/** No telemetry and no notice of new versions. */
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

const strict = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    module: 'NodeNext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  },
  include: ['*.ts', 'hey-api'],
}
