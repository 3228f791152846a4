// The program is killed while it brings data of an earlier release to this version, or moves them to
// another base URL. The next start goes on from wherever that was.

import { cp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { baseUrlKey, moveKey } from '../../src/store/key-value/keys.js'
import { entriesOf, expectAnswers, unpack, upgradeBackup } from '../data-versions/archives.js'
import { agent } from '../examples.js'
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

  it('of a move to another base URL is finished by the next start, which says so', () =>
    withDirectory(async (root) => {
      const original = join(root, 'original')
      const from = 'https://zines.example'
      // So that an IRI which was moved looks like one that was not.
      const to = `${from}/id`
      const agents = Array.from({ length: 300 }, (_, index) =>
        agent(`maker-${index}`, { biography: 'long '.repeat(2500) }),
      )
      const file = join(root, 'agents.jsonl')
      await writeFile(file, agents.map((values) => `${JSON.stringify(values)}\n`).join(''))
      const loaded = await run(['load', file], { DATA_DIR: original, BASE_URL: from })
      expect(loaded.out).to.include('300 created')
      let interrupted = 0
      const steps = await killAtEachStep(async (step, settings) => {
        const dataDir = join(root, String(step))
        await cp(original, dataDir, { recursive: true })
        const { code, err } = await run(['rebase', to], { DATA_DIR: dataDir, ...settings })
        const entries = await entriesOf(join(dataDir, 'store'))
        const isMoved = entries.get(baseUrlKey) === to
        if (entries.has(moveKey)) interrupted += 1
        // Nothing of it was begun.
        if (!isMoved && !entries.has(moveKey)) return err
        const service = await serve({ ...settingsOf(dataDir), BASE_URL: to })
        const nquads = await (
          await fetch(`${service.url}/api/export/agents/?format=ntriples`)
        ).text()
        expect(nquads.split(`<${to}/id/agents/maker-`).length).to.be.above(300)
        expect(nquads).not.to.include(`<${from}/id/agents/`).and.not.to.include(`${to}/id/id/`)
        const { out } = await service.end('SIGTERM')
        expect(out.includes('was interrupted')).to.equal(entries.has(moveKey))
        const refused = await run([], { ...settingsOf(dataDir), BASE_URL: from })
        expect(refused.err).to.include(`the data belong to ${to}`)
        const doctor = await run(['doctor'], { DATA_DIR: dataDir })
        expect(doctor.out).to.include('300 records checked: 0 errors')
        await rm(dataDir, { recursive: true })
        return code === 0 ? undefined : err
      })
      expect(steps).not.to.be.empty
      expect(interrupted).to.be.above(0)
    }))
})
