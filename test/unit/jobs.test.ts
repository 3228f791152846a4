// Long pieces of work, and how far they are.

import { expect } from 'chai'

import { JobRefusedError, createJobs } from '../../src/jobs.js'

describe('jobs', () => {
  const owner = { account: 'editor' }

  it('say how far they are until they are done', async () => {
    const jobs = createJobs()
    let finish = (): void => undefined
    const { id, result } = jobs.start(async (_, report) => {
      report({ done: 3, total: 10 })
      await new Promise<void>((resolve) => (finish = resolve))
      return 'result'
    }, owner)
    expect(jobs.status(id)).to.include({ id, done: 3, total: 10, account: 'editor' })
    finish()
    expect(await result).to.equal('result')
    await jobs.close()
    expect(jobs.status(id)).to.equal(undefined)
  })

  it('that failed say why, and tell of errors that are no refusal', async () => {
    const told: Error[] = []
    const jobs = createJobs((error) => told.push(error))
    const [broken, refused] = [new Error('broken'), new JobRefusedError()]
    for (const error of [broken, refused]) {
      const { id, result } = jobs.start(() => Promise.reject(error), owner)
      expect(await result.catch((cause: unknown) => cause)).to.equal(error)
      await jobs.close()
      expect(jobs.status(id)?.error).to.equal(error)
    }
    expect(told).to.deep.equal([broken])
  })

  it('are remembered for the last hundred that failed', async () => {
    const jobs = createJobs()
    const ids: string[] = []
    for (let count = 0; count < 120; count += 1) {
      const { id, result } = jobs.start(() => Promise.reject(new JobRefusedError()), owner)
      ids.push(id)
      await result.catch(() => undefined)
    }
    await jobs.close()
    expect(ids.filter((id) => jobs.status(id))).to.deep.equal(ids.slice(-100))
  })

  it('are all ended when the closing is over', async () => {
    const jobs = createJobs()
    let isDone = false
    jobs.start(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      isDone = true
    }, owner)
    await jobs.close()
    expect(isDone).to.equal(true)
  })
})
