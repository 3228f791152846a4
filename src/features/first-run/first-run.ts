// The link that makes the first administrator in a browser, while there is no account. It is printed
// at the start. Its key is kept in memory alone, so another start makes another one. The page that it
// leads to: first-run-form.tsx.

import { randomBytes, timingSafeEqual } from 'node:crypto'

import { message } from '../../message.js'
import { NotFoundError, RequestError } from '../../errors.js'
import { type Account, type Accounts, validateNewPassword } from '../../accounts/accounts.js'
import { LoginThrottle } from '../../accounts/login-throttle.js'
import { hashToken } from '../../accounts/token.js'
import { networkOf } from '../../lib/network.js'
import { limitConcurrency } from '../../lib/scheduling.js'

/** How long the link works. */
export const linkValidMs = 3_600_000

/**
 * A client on the same machine needs the key like any other: behind a proxy there, every request
 * comes from the machine itself.
 */
export class FirstRun {
  /** The key of the link. */
  readonly key = randomBytes(32).toString('base64url')
  readonly #accounts: Pick<Accounts, 'add' | 'list'>
  readonly #now: () => number
  readonly #expires: number
  /** The browsers that opened the link, each by the CSRF token of its forms. */
  readonly #browsers = new Set<string>()
  readonly #throttle = new LoginThrottle(() => performance.now())
  readonly #runAlone = limitConcurrency(1)

  /** @param now the time in milliseconds */
  constructor(accounts: Pick<Accounts, 'add' | 'list'>, now: () => number = Date.now) {
    this.#accounts = accounts
    this.#now = now
    this.#expires = now() + linkValidMs
  }

  /** Whether nobody has made an account yet. */
  isNeeded(): boolean {
    return this.#accounts.list().length === 0
  }

  /**
   * Lets a browser that has opened the link use the form. So the key is in the address of one
   * request only, and in no page. Wrong keys are counted for the client's address.
   * @throws RequestError, LoginThrottledError
   */
  async admit(browser: string, key: string, address: string): Promise<void> {
    if (!this.isNeeded()) throw notFound()
    const network = networkOf(address)
    const attempt = { name: `first run ${network}`, network, isKnownNetwork: false }
    const isRight = await this.#throttle.run(attempt, () =>
      Promise.resolve(isSame(key, this.key) || undefined),
    )
    if (!isRight) throw notFound()
    this.#requireTime()
    this.#browsers.add(browser)
  }

  /** @throws RequestError unless the browser may make the first account */
  requireAdmitted(browser: string): void {
    if (!this.isNeeded() || !this.#browsers.has(browser)) throw notFound()
    this.#requireTime()
  }

  /**
   * Adds the first account. Of several requests at the same time, one adds it.
   * @throws RequestError, InvalidError
   */
  addAdministrator(browser: string, name: string, password: string): Promise<Account> {
    return this.#runAlone(() => {
      this.requireAdmitted(browser)
      validateNewPassword(password)
      return this.#accounts.add({ name, password, role: 'admin', restrictedTo: [] })
    })
  }

  /** @throws RequestError */
  #requireTime(): void {
    if (this.#now() >= this.#expires)
      throw new RequestError(
        'gone',
        message('This link has expired. Restart the service: it prints another one.'),
      )
  }
}

/** Takes the same time wherever the texts differ. */
const isSame = (text: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hashToken(text)), Buffer.from(hashToken(other)))

const notFound = (): NotFoundError =>
  new NotFoundError(
    message('This page needs the complete link that the service printed when it started.'),
  )
