// The program is killed while it brings data of an earlier release to this version, or moves them to
// another base URL. The next start goes on from wherever that was.

import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { entriesOf, expectAnswers, unpack, upgradeBackup } from '../data-versions/archives.js'
import { run, serve, withDirectory } from '../process.js'
import { settingsOf } from './client.js'
import { killedAtStart } from './kill-at-step.js'

/** A third of the steps; KILL_ROUNDS asks for each of them. */
const stride = process.env.KILL_ROUNDS === undefined ? 3 : 1

/**
 * Tries each step, as long as the program gets to it.
 * @param attempt runs the program with settings; the end of its log where it was killed
 * @returns what it was killed before
 */
async function killAtEachStep(
  attempt: (
    step: number,
    settings: ReturnType<typeof killedAtStart>,
  ) => Promise<string | undefined>,
): Promise<readonly string[]> {
  const steps: string[] = []
  for (let step = 1; ; step += stride) {
    const err = await attempt(step, killedAtStart(step))
    if (err === undefined) return steps
    expect(err).to.include('killed before: ')
    steps.push(err)
  }
}

describe('kill -9 before each step', () => {
  it('of the first start of a later release loses nothing, and keeps the copy of before', () =>
    withDirectory(async (root) => {
      const { dataDir: original, expected } = unpack('d4e7d38', root)
      const before = await entriesOf(join(original, 'store'))
      const steps = await killAtEachStep(async (step, settings) => {
        const dataDir = join(root, String(step))
        await cp(original, dataDir, { recursive: true })
        const killed = await serve({ ...settingsOf(dataDir), ...settings }).then(
          async (service) => service.end('SIGTERM').then(() => undefined),
          (error: unknown) => String(error),
        )
        const service = await serve(settingsOf(dataDir))
        await expectAnswers(service.url, expected)
        expect((await service.end('SIGTERM')).code).to.equal(0)
        const names = (await readdir(dataDir)).filter((name) => name.startsWith('backup-before-'))
        expect(names).to.deep.equal([upgradeBackup])
        expect(await entriesOf(join(dataDir, upgradeBackup, 'store'))).to.deep.equal(before)
        const doctor = await run(['doctor'], { DATA_DIR: dataDir })
        expect(doctor.code, doctor.out).to.equal(0)
        return killed
      })
      expect(steps.length).to.be.above(15 / stride)
      if (stride > 1) return
      for (const what of ['rename', 'a write to the store', 'close of the store'])
        expect(
          steps.some((step) => step.includes(what)),
          what,
        ).to.equal(true)
    }))
})
