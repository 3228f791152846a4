import { expect } from 'chai'

import { createMonotonicClock } from '../../src/catalogue/clock.js'

const at = (time: string) => () => Date.parse(time)

describe('the clock of writes', () => {
  it('gives the machine’s time in UTC, to the microsecond', () => {
    expect(createMonotonicClock(undefined, at('2026-11-20T09:15:02.123Z'))()).to.equal(
      '2026-11-20T09:15:02.123000Z',
    )
  })

  it('never gives the same time twice', () => {
    const now = createMonotonicClock(undefined, at('2026-11-20T09:15:02.999Z'))
    now()
    expect(now()).to.equal('2026-11-20T09:15:02.999001Z')
  })

  // A store gives times back without the zeros at their end: the clock of a service that was
  // started again once took such a time for none at all, and no write succeeded.
  for (const [last, next] of [
    ['2030-01-01T00:00:00.123456Z', '2030-01-01T00:00:00.123457Z'],
    ['2030-01-01T00:00:00.1Z', '2030-01-01T00:00:00.100001Z'],
    ['2030-01-01T00:00:00Z', '2030-01-01T00:00:00.000001Z'],
  ] as const)
    it(`goes on after ${last} when the machine’s clock has been set back`, () => {
      expect(createMonotonicClock(last, at('2026-11-20T09:15:02Z'))()).to.equal(next)
    })
})
