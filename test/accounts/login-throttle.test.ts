// The throttle of logins: what is counted, and when a login is refused. Passwords and names:
// accounts.test.ts.

import { expect } from 'chai'

import { LoginThrottle, type LoginAttempt } from '../../src/accounts/login-throttle.js'
import { LoginThrottledError, LoginBusyError } from '../../src/accounts/errors.js'
import { networkOf } from '../../src/lib/network.js'
import { failureOf } from '../error-of.js'

const minute = 60_000

const ada: LoginAttempt = { name: 'ada', network: '192.0.2.1', isKnownNetwork: false }

describe('the login throttle', () => {
  let time = 0
  let throttle = new LoginThrottle(() => time)

  beforeEach(() => {
    time = 0
    throttle = new LoginThrottle(() => time)
  })

  const fail = (login: LoginAttempt) =>
    throttle.run<string>(login, () => Promise.resolve(undefined))
  const succeed = (login: LoginAttempt) => throttle.run(login, () => Promise.resolve('welcome'))

  async function failOften(
    times: number,
    loginOf: (number: number) => LoginAttempt,
  ): Promise<void> {
    for (let number = 0; number < times; number++) await fail(loginOf(number))
  }

  const from = (number: number): string => `198.51.100.${number}`

  it('returns the result of the login', async () => {
    expect(await succeed(ada)).to.equal('welcome')
    expect(await fail(ada)).to.equal(undefined)
  })

  it('refuses logins for a name after ten failures from any network', async () => {
    await failOften(10, (number) => ({ ...ada, network: from(number) }))
    expect(await failureOf(succeed({ ...ada, network: from(99) }))).to.be.instanceOf(
      LoginThrottledError,
    )
    expect(await succeed({ ...ada, name: 'bob' })).to.equal('welcome')
  })

  it('refuses logins from a network after thirty failures for any name', async () => {
    await failOften(30, (number) => ({ ...ada, name: `name ${number}` }))
    expect(await failureOf(succeed({ ...ada, name: 'bob' }))).to.be.instanceOf(LoginThrottledError)
    expect(await succeed({ ...ada, network: from(1) })).to.equal('welcome')
  })

  it('neither runs nor counts a refused login', async () => {
    await failOften(10, () => ada)
    let made = false
    const attempt = () => Promise.resolve((made = true))
    for (let again = 0; again < 50; again++) await failureOf(throttle.run(ada, attempt))
    expect(made).to.equal(false)
    time = 15 * minute
    expect(await succeed(ada)).to.equal('welcome')
  })

  it('says when the next login is allowed', async () => {
    await fail(ada)
    time = 5 * minute
    await failOften(9, () => ada)
    time = 6 * minute
    const failure = await failureOf(succeed(ada))
    expect(failure).to.include({
      seconds: 9 * 60,
      message: 'Request was throttled. Expected available in 540 seconds.',
    })
    time += 9 * minute
    expect(await succeed(ada)).to.equal('welcome')
  })

  it('ignores failures from other networks for logins from a known network', async () => {
    await failOften(10, (number) => ({ ...ada, network: from(number) }))
    await failOften(30, (number) => ({ ...ada, name: `name ${number}` }))
    expect(await succeed({ ...ada, isKnownNetwork: true })).to.equal('welcome')
  })

  it('refuses logins from a known network after ten failures from there, until one succeeds', async () => {
    const known = { ...ada, isKnownNetwork: true }
    await failOften(9, () => known)
    await succeed(known)
    await failOften(10, () => known)
    expect(await failureOf(succeed(known))).to.be.instanceOf(LoginThrottledError)
    expect(await succeed({ ...ada, network: from(1) })).to.equal('welcome')
  })

  it('refuses failures from a known network like those of unknown names once a limit is reached', async () => {
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

  it('accepts the right password from a known network although the network is at its limit', async () => {
    await failOften(30, (number) => ({ ...ada, name: `name ${number}` }))
    const atHome = { ...ada, isKnownNetwork: true }
    expect(await failureOf(fail(atHome))).to.be.instanceOf(LoginThrottledError)
    expect(await succeed(atHome)).to.equal('welcome')
  })

  it('keeps counting failures of a network after a login from there succeeds', async () => {
    await failOften(29, (number) => ({ ...ada, name: `name ${number}` }))
    await succeed(ada)
    await fail(ada)
    expect(await failureOf(succeed(ada))).to.be.instanceOf(LoginThrottledError)
  })

  it('never refuses a login without a network', async () => {
    const here = { ...ada, network: undefined }
    await failOften(50, () => here)
    expect(await succeed(here)).to.equal('welcome')
  })

  it('runs twenty logins at once, ten of them from one network, and others when those end', async () => {
    const ends: (() => void)[] = []
    const begin = (network: string) =>
      throttle.run(
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

  it('runs other logins after logins that threw an error', async () => {
    const failing = () => throttle.run(ada, () => Promise.reject(new Error('broken')))
    for (let again = 0; again < 30; again++)
      expect((await failureOf(failing())).message).to.equal('broken')
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
    it(`${address || 'that is empty'} is ${network || 'empty'}`, () => {
      expect(networkOf(address)).to.equal(network)
    })
})
