// Work in a thread: its order, its limits, and what becomes of the requests of a thread that ends.

import { mock } from 'node:test'

import { expect } from 'chai'

import { ThreadError, WorkerThread, type WorkerThreadOptions } from '../../src/lib/worker-thread.js'
import type { TestRequest } from './worker-thread/worker.js'

type TestThread = WorkerThread<TestRequest, string>

describe('a worker thread', () => {
  let thread: TestThread

  function open(options: Partial<WorkerThreadOptions> = {}): TestThread {
    const module = new URL('./worker-thread/worker.js', import.meta.url)
    return (thread = new WorkerThread({ module, heapMb: 32, timeoutMs: 60_000, ...options }))
  }

  afterEach(() => thread.close())

  async function allAnswers(request: TestRequest): Promise<string[]> {
    const answers: string[] = []
    for await (const answer of thread.answers(request)) answers.push(answer)
    return answers
  }

  const errorOf = async (request: TestRequest): Promise<ThreadError> => {
    const error = await thread.answer(request).catch((error: unknown) => error)
    expect(error).to.be.instanceOf(ThreadError)
    return error as ThreadError
  }

  it('gives all answers to a request, and those to the next one after them', async () => {
    open()
    const answers = await Promise.all([allAnswers({ count: 3 }), allAnswers({ count: 1 })])
    expect(answers).to.deep.equal([['1.0', '1.1', '1.2'], ['2.0']])
  })

  it('begins the next request when no more answers are asked for', async () => {
    open()
    const answers = thread.answers({ count: 3 })
    expect((await answers.next()).value).to.equal('1.0')
    const next = thread.answer({ count: 1 })
    await answers.return()
    expect(await next).to.equal('2.0')
  })

  it('that throws an error gives it as the cause, and answers the next request', async () => {
    open()
    const error = await errorOf({ fail: 'It is damaged.' })
    expect(error).to.include({ code: 'failed' })
    expect(error.cause).to.be.instanceOf(Error).with.property('message', 'It is damaged.')
    expect(await thread.answer({ count: 1 })).to.equal('2.0')
  })

  const endings = { exit: 'ended', memory: 'out of memory' } as const
  for (const [request, code] of Object.entries(endings))
    it(`says "${code}" for a request that does so, and the next one is answered by another`, async () => {
      open()
      const waiting = errorOf(request as keyof typeof endings)
      expect(await thread.answer({ count: 1 })).to.equal('1.0')
      expect(await waiting).to.include({ code })
    })

  it('takes no more requests than may wait', async () => {
    open({ maxRequests: 1 })
    const first = thread.answer({ count: 1 })
    expect(await errorOf({ count: 1 })).to.include({ code: 'busy' })
    expect(await first).to.equal('1.0')
    expect(await thread.answer({ count: 1 })).to.equal('2.0')
  })

  it('that is closed fails the requests that wait and those that come', async () => {
    open()
    const waiting = [errorOf('endless'), errorOf({ count: 1 })]
    await thread.close()
    for (const error of [...(await Promise.all(waiting)), await errorOf({ count: 1 })])
      expect(error).to.include({ code: 'ended' })
  })

  describe('with a clock', () => {
    const { timers } = mock
    beforeEach(() => timers.enable({ apis: ['setTimeout'] }))
    afterEach(() => timers.reset())

    it('says "timeout" for an answer that takes too long, and the next one is answered by another', async () => {
      open({ timeoutMs: 60_000 })
      expect(await thread.answer({ count: 1 })).to.equal('1.0')
      const waiting = errorOf('endless')
      const next = thread.answer({ count: 1 })
      await new Promise(setImmediate)
      timers.tick(60_000)
      expect(await waiting).to.include({ code: 'timeout' })
      expect(await next).to.equal('1.0')
    })

    it('does not count the time that passes between answers', async () => {
      open({ timeoutMs: 60_000 })
      const answers = thread.answers({ count: 2 })
      await answers.next()
      timers.tick(60_000)
      expect((await answers.next()).value).to.equal('1.1')
      await answers.return()
    })

    it('ends when it was idle, and the next request starts another', async () => {
      open({ keepIdleMs: 60_000 })
      for (const [idleMs, answer] of [
        [0, '1.0'],
        [59_999, '2.0'],
        [60_000, '1.0'],
      ] as const) {
        timers.tick(idleMs)
        expect(await thread.answer({ count: 1 })).to.equal(answer)
      }
    })
  })
})
