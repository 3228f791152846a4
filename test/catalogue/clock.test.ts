import { expect } from 'chai'

import { ExpectedError } from '../../src/errors.js'
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
    ['2026-11-21T00:00:00.123456Z', '2026-11-21T00:00:00.123457Z'],
    ['2026-11-21T00:00:00.1Z', '2026-11-21T00:00:00.100001Z'],
    ['2026-11-21T00:00:00Z', '2026-11-21T00:00:00.000001Z'],
  ] as const)
    it(`goes on after ${last} when the machine’s clock has been set back`, () => {
      expect(createMonotonicClock(last, at('2026-11-20T09:15:02Z'))()).to.equal(next)
    })

  it('follows the machine’s clock again when stored times are more than a year ahead of it', () => {
    const now = createMonotonicClock('2038-01-19T03:14:08Z', at('2026-11-20T09:15:02Z'))
    expect(now()).to.equal('2026-11-20T09:15:02.000000Z')
    expect(now()).to.equal('2026-11-20T09:15:02.000001Z')
  })

  it('follows it again when it is corrected while the service runs', () => {
    let machine = '2038-01-19T03:14:08Z'
    const now = createMonotonicClock(undefined, () => Date.parse(machine))
    now()
    machine = '2026-11-20T09:15:02Z'
    expect(now()).to.equal('2026-11-20T09:15:02.000000Z')
  })

  it('goes on from stored times when the machine’s clock was reset to 1970', () => {
    const now = createMonotonicClock('2026-11-21T00:00:00Z', at('1970-01-01T00:00:10Z'))
    expect(now()).to.equal('2026-11-21T00:00:00.000001Z')
  })

  it('gives a time later than the last change of the same record, however far that is ahead', () => {
    const now = createMonotonicClock(undefined, at('2026-11-20T09:15:02Z'))
    expect(now('2038-01-19T03:14:08Z')).to.equal('2038-01-19T03:14:08.000001Z')
    expect(now()).to.equal('2026-11-20T09:15:02.000001Z')
  })

  it('is refused when the machine’s clock shows a time before 1970', () => {
    expect(() => createMonotonicClock(undefined, at('1969-12-31T23:59:59Z'))).to.throw(
      ExpectedError,
      'before 1970',
    )
  })
})
