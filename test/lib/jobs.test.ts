// Long pieces of work, and how far they are.

import { expect } from 'chai'

import { UnavailableError, stoppingError } from '../../src/errors.js'
import { createJobs } from '../../src/lib/jobs.js'
import { neverAborted } from '../../src/lib/scheduling.js'

describe('jobs', () => {
  const owner = { account: 'editor' }

  it('say how far they are until they are done', async () => {
    const jobs = createJobs(neverAborted)
    let finish = (): void => undefined
    const { id, result } = jobs.start(async (_, report) => {
      report({ done: 3, total: 10 })
      await new Promise<void>((resolve) => (finish = resolve))
      return 'result'
    }, owner)
    expect(jobs.status(id)).to.include({ id, done: 3, total: 10, account: 'editor' })
    finish()
    expect(await result).to.equal('result')
    await done()
    expect(jobs.status(id)).to.equal(undefined)
  })

  it('that failed say why, and tell of the error', async () => {
    const told: Error[] = []
    const jobs = createJobs(neverAborted, (error) => told.push(error))
    const broken = new Error('broken')
    const { id, result } = jobs.start(() => Promise.reject(broken), owner)
    expect(await result.catch((cause: unknown) => cause)).to.equal(broken)
    await done()
    expect(jobs.status(id)?.error).to.equal(broken)
    expect(told).to.deep.equal([broken])
  })

  it('are remembered for the last hundred that failed', async () => {
    const jobs = createJobs(neverAborted)
    const ids: string[] = []
    for (let count = 0; count < 120; count += 1) {
      const { id, result } = jobs.start(() => Promise.reject(new Error('broken')), owner)
      ids.push(id)
      await result.catch(() => undefined)
    }
    await done()
    expect(ids.filter((id) => jobs.status(id))).to.deep.equal(ids.slice(-100))
  })

  it('end before their next step when the service stops, and do nothing more', async () => {
    const stopping = new AbortController()
    const jobs = createJobs(stopping.signal)
    const steps: number[] = []
    const { result } = jobs.start(async (_, report) => {
      for (const step of [1, 2, 3]) {
        report({ done: step, total: 3 })
        steps.push(step)
        if (step === 2) stopping.abort(stoppingError())
        await done()
      }
    }, owner)
    expect(await result.catch((error: unknown) => error)).to.be.instanceOf(UnavailableError)
    expect(steps).to.deep.equal([1, 2])
  })
})

/** What a result leads to at once is done. */
const done = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
