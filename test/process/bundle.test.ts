// What `npm start` does before the service starts: it bundles the program, where something changed.

import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { expect } from 'chai'

const run = promisify(execFile)

describe('the program of a checkout', () => {
  let copy: string

  before(async () => {
    copy = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    for (const part of ['packaging', 'src', 'package.json', 'package-lock.json', 'tsconfig.json'])
      await cp(part, join(copy, part), { recursive: true })
    await symlink(resolve('node_modules'), join(copy, 'node_modules'))
  })
  after(() => rm(copy, { recursive: true, force: true }))

  const bundle = async (): Promise<string> =>
    (await run('npm', ['run', '--silent', 'bundle'], { cwd: copy })).stderr

  const expectExecutable = async (): Promise<void> => {
    const { mode } = await stat(join(copy, 'dist/main.js'))
    expect(mode & 0o111).to.equal(0o111)
  }

  it('is bundled once, and that is said', async () => {
    expect(await bundle()).to.match(/^Building the program/)
    await expectExecutable()
    expect(await bundle()).to.equal('')
  })

  it('is bundled again when a file was added, changed or removed', async () => {
    const file = join(copy, 'src/added.ts')
    for (const change of [
      () => writeFile(file, 'export const added = 1\n'),
      () => writeFile(file, 'export const added = 2\n'),
      () => rm(file),
    ]) {
      await change()
      expect(await bundle()).to.match(/^Building the program/)
      await expectExecutable()
    }
  })
})
