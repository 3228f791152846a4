// How those are slowed down who guess passwords. What is compared, and whether a name is known, is
// accounts.test.ts's business.

import { expect } from 'chai'

import {
  networkOf,
  createLoginThrottle,
  type LoginAttempt,
} from '../../src/accounts/login-throttle.js'
import { LoginThrottledError, LoginBusyError } from '../../src/accounts/errors.js'
import { failureOf } from './error-of.js'

const minute = 60_000

const ada: LoginAttempt = { name: 'ada', network: '192.0.2.1', isKnownNetwork: false }

describe('attempts to log in', () => {
  let time = 0
  let attempts = createLoginThrottle(() => time)

  beforeEach(() => {
    time = 0
    attempts = createLoginThrottle(() => time)
  })

  const fail = (visitor: LoginAttempt) =>
    attempts.run<string>(visitor, () => Promise.resolve(undefined))
  const succeed = (visitor: LoginAttempt) => attempts.run(visitor, () => Promise.resolve('welcome'))

  async function failOften(times: number, visitor: (time: number) => LoginAttempt): Promise<void> {
    for (let number = 0; number < times; number++) await fail(visitor(number))
  }

  const from = (number: number): string => `198.51.100.${number}`

  it('are answered as they answer', async () => {
    expect(await succeed(ada)).to.equal('welcome')
    expect(await fail(ada)).to.equal(undefined)
  })

  it('for one name are refused after ten failures, from wherever they came', async () => {
    await failOften(10, (number) => ({ ...ada, network: from(number) }))
    expect(await failureOf(succeed({ ...ada, network: from(99) }))).to.be.instanceOf(
      LoginThrottledError,
    )
    expect(await succeed({ ...ada, name: 'bob' })).to.equal('welcome')
  })

  it('from one network are refused after thirty failures, for whatever name', async () => {
    await failOften(30, (number) => ({ ...ada, name: `name ${number}` }))
    expect(await failureOf(succeed({ ...ada, name: 'bob' }))).to.be.instanceOf(LoginThrottledError)
    expect(await succeed({ ...ada, network: from(1) })).to.equal('welcome')
  })

  it('are refused without being made, and without counting', async () => {
    await failOften(10, () => ada)
    let made = false
    const attempt = () => Promise.resolve((made = true))
    for (let again = 0; again < 50; again++) await failureOf(attempts.run(ada, attempt))
    expect(made).to.equal(false)
    time = 15 * minute
    expect(await succeed(ada)).to.equal('welcome')
  })

  it('are told when the next will be taken', async () => {
    await fail(ada)
    time = 5 * minute
    await failOften(9, () => ada)
    time = 6 * minute
    const failure = await failureOf(succeed(ada))
    expect(failure).to.include({
      seconds: 9 * 60,
      message: 'Too many failed logins. Try again in 9 minutes.',
    })
    time += 9 * minute
    expect(await succeed(ada)).to.equal('welcome')
  })

  it('at home are not held up by what fails elsewhere', async () => {
    await failOften(10, (number) => ({ ...ada, network: from(number) }))
    await failOften(30, (number) => ({ ...ada, name: `name ${number}` }))
    expect(await succeed({ ...ada, isKnownNetwork: true })).to.equal('welcome')
  })

  it('at home are held up by their own failures, until one succeeds', async () => {
    const atHome = { ...ada, isKnownNetwork: true }
    await failOften(9, () => atHome)
    await succeed(atHome)
    await failOften(10, () => atHome)
    expect(await failureOf(succeed(atHome))).to.be.instanceOf(LoginThrottledError)
    expect(await succeed({ ...ada, network: from(1) })).to.equal('welcome')
  })

  it('that fail from a known network are refused like those of unknown names once a limit is reached', async () => {
    await failOften(30, (number) => ({ ...ada, name: `name ${number}` }))
    time = minute
    const atHome = { ...ada, isKnownNetwork: true }
    for (let again = 0; again < 12; again++) {
      const [known, unknown] = [atHome, { ...ada, name: 'nobody' }].map((login) => fail(login))
      expect(await failureOf(known ?? Promise.resolve())).to.deep.include({ seconds: 14 * 60 })
      expect(await failureOf(unknown ?? Promise.resolve())).to.deep.include({ seconds: 14 * 60 })
    }
    expect(await failureOf(succeed(atHome))).to.be.instanceOf(LoginThrottledError)
  })

  it('with the right password succeed from a known network although the network is at its limit', async () => {
    await failOften(30, (number) => ({ ...ada, name: `name ${number}` }))
    const atHome = { ...ada, isKnownNetwork: true }
    expect(await failureOf(fail(atHome))).to.be.instanceOf(LoginThrottledError)
    expect(await succeed(atHome)).to.equal('welcome')
  })

  it('elsewhere are not forgiven for one that succeeds', async () => {
    await failOften(29, (number) => ({ ...ada, name: `name ${number}` }))
    await succeed(ada)
    await fail(ada)
    expect(await failureOf(succeed(ada))).to.be.instanceOf(LoginThrottledError)
  })

  it('from this machine are never held up', async () => {
    const here = { ...ada, network: undefined }
    await failOften(50, () => here)
    expect(await succeed(here)).to.equal('welcome')
  })

  it('are twenty at a time, ten from one network, and make room when they end', async () => {
    const ends: (() => void)[] = []
    const begin = (network: string) =>
      attempts.run(
        { ...ada, network },
        () => new Promise<string>((end) => ends.push(() => end('welcome'))),
      )
    const many = (network: string) => Array.from({ length: 10 }, () => begin(network))
    const begun = many(from(1))
    expect(await failureOf(begin(from(1)))).to.be.instanceOf(LoginBusyError)
    begun.push(...many(from(2)))
    expect(await failureOf(begin(from(3)))).to.be.instanceOf(LoginBusyError)
    ends.forEach((end) => end())
    await Promise.all(begun)
    expect(await succeed(ada)).to.equal('welcome')
  })

  it('make room when they break', async () => {
    const broken = () => attempts.run(ada, () => Promise.reject(new Error('broken')))
    for (let again = 0; again < 30; again++)
      expect((await failureOf(broken())).message).to.equal('broken')
  })
})

describe('the network of an address', () => {
  // prettier-ignore
  const networks = [
    ['192.0.2.1',                               '192.0.2.1'],
    ['::ffff:192.0.2.1',                        '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6',                    '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1',                  '2001:db8:1:2::/64'],
    ['2001:db8::1',                             '2001:db8:0:0::/64'],
    ['2001:db8:1::3:4:5:6',                     '2001:db8:1:0::/64'],
    ['fe80::1%eth0',                            'fe80:0:0:0::/64'],
    ['::1',                                     '0:0:0:0::/64'],
    ['1::',                                     '1:0:0:0::/64'],
    ['64:ff9b::192.0.2.1',                      '64:ff9b:0:0::/64'],
    ['',                                        ''],
  ] as const
  for (const [address, network] of networks)
    it(`${address} is ${network}`, () => {
      expect(networkOf(address)).to.equal(network)
    })
})
