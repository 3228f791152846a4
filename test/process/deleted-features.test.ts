// A feature can be left out: without its folder and its line in src/app/features.ts, the rest
// compiles, starts and answers. Tried in a copy, with three of them.

import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { expect } from 'chai'

const run = promisify(execFile)

/** Features that no other one imports. */
const deleted = ['inventory', 'makers', 'series']

/** What the records and searches answer without them. */
const tests = [
  'features/records/zines',
  'features/records/holdings',
  'features/search/text-search',
  'features/records/record-form',
]

describe('a copy without three features', () => {
  let copy: string

  before(async function () {
    // A second compilation takes a minute of a processor.
    if (!process.env.KILL_ROUNDS) this.skip()
    copy = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    for (const part of [
      ...['citation-styles', 'ontology', 'sample', 'shapes', 'src', 'standards', 'test'],
      ...['vocabularies', 'package.json', 'tsconfig.json'],
    ])
      await cp(part, join(copy, part), {
        recursive: true,
        filter: (source) => !source.includes('node_modules'),
      })
    await symlink(resolve('node_modules'), join(copy, 'node_modules'))
    await cp('build/client', join(copy, 'build/client'), { recursive: true })
  })
  after(() => (copy ? rm(copy, { recursive: true, force: true }) : undefined))

  it('compiles, starts, and passes the tests of others', async function () {
    this.timeout(600_000)
    const list = join(copy, 'src/app/features.ts')
    const lines = (await readFile(list, 'utf8')).split('\n')
    const kept = lines.filter((line) => !deleted.some((name) => line.includes(`${name}Feature`)))
    expect(kept).to.have.length(lines.length - 2 * deleted.length)
    await writeFile(list, kept.join('\n'))
    for (const name of deleted) await rm(join(copy, 'src/features', name), { recursive: true })
    await writeFile(
      join(copy, 'tsconfig.rest.json'),
      JSON.stringify({
        extends: './tsconfig.json',
        include: ['src', ...tests.map((name) => `test/${name}.test.ts`)],
      }),
    )
    const node = (...args: string[]) =>
      run(process.execPath, args, { cwd: copy }).catch((error: unknown) => {
        // The cast: it is what `execFile` says of a command that failed.
        throw new Error((error as { stdout: string }).stdout, { cause: error })
      })
    await node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.rest.json')
    await node(
      'node_modules/mocha/bin/mocha.js',
      ...['--no-config', '--timeout', '60000'],
      ...tests.map((name) => `build/test/${name}.test.js`),
    )
  })
})
