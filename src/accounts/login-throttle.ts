// Slows down the guessing of passwords: counts failed logins for each name and each network, and
// limits the logins that run at once. Known and unknown names are treated alike. Whether a password
// is right: login-verification.ts.

import { LoginBusyError, LoginThrottledError } from './errors.js'

export type LoginAttempt = {
  readonly name: string
  /** The client's network; undefined for a login that did not come over the network. */
  readonly network: string | undefined
  /** Whether this account has logged in from there before. */
  readonly isKnownNetwork: boolean
}

export class LoginThrottle {
  readonly #now: () => number
  /** The times of failures, oldest first, by counter key. The key that failed last is the last. */
  readonly #failures = new Map<string, readonly number[]>()
  /** The number of running logins, by network. */
  readonly #runningFrom = new Map<string, number>()
  #running = 0

  /** @param now the time in milliseconds */
  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Runs the attempt and returns its result; undefined means that the login failed.
   * @throws LoginThrottledError, LoginBusyError before it runs
   */
  async run<Result>(
    login: LoginAttempt,
    attempt: () => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    const { limitedBy, enforced, countedFor, whileLimited } = countersOf(login)
    const error = this.#firstLimitError(limitedBy)
    if (error && this.#firstLimitError([...enforced, ...whileLimited])) throw error
    this.#begin(login.network)
    const result = await attempt().finally(() => this.#end(login.network))
    if (result === undefined)
      (error ? whileLimited : countedFor).forEach((counter) => this.#countFailure(counter))
    else if (login.isKnownNetwork)
      [...enforced, ...whileLimited].forEach(({ key }) => this.#failures.delete(key))
    this.#forgetOldFailures()
    if (result === undefined && error) throw error
    return result
  }

  /** The error for a counter at its limit; undefined below it. */
  #limitError({ key, maxFailures }: FailureCounter): LoginThrottledError | undefined {
    const recent = this.#failures.get(key)?.filter((time) => time > this.#now() - windowMs) ?? []
    // From this failure on there are too many; when it is forgotten, there are not.
    const first = recent.at(-maxFailures)
    return first === undefined
      ? undefined
      : new LoginThrottledError(Math.ceil((first + windowMs - this.#now()) / 1000))
  }

  #firstLimitError(counters: readonly FailureCounter[]): LoginThrottledError | undefined {
    return counters.map((counter) => this.#limitError(counter)).find((error) => error !== undefined)
  }

  #countFailure({ key }: FailureCounter): void {
    const times = this.#failures.get(key) ?? []
    this.#failures.delete(key)
    this.#failures.set(key, [...times.filter((time) => time > this.#now() - windowMs), this.#now()])
  }

  #forgetOldFailures(): void {
    for (const [key, times] of this.#failures) {
      if (this.#failures.size <= maxCounters && (times.at(-1) ?? 0) > this.#now() - windowMs) return
      this.#failures.delete(key)
    }
  }

  #begin(network: string | undefined): void {
    const fromHere = this.#runningFrom.get(network ?? '') ?? 0
    if (
      this.#running >= maxConcurrentLogins ||
      (network !== undefined && fromHere >= maxPerNetwork)
    )
      throw new LoginBusyError()
    this.#running += 1
    this.#runningFrom.set(network ?? '', fromHere + 1)
  }

  #end(network: string | undefined): void {
    const fromHere = this.#runningFrom.get(network ?? '') ?? 0
    this.#running -= 1
    if (fromHere > 1) this.#runningFrom.set(network ?? '', fromHere - 1)
    else this.#runningFrom.delete(network ?? '')
  }
}

/** What failures are counted for. */
type FailureCounter = { readonly key: string; readonly maxFailures: number }

type LoginCounters = {
  /** The limits that a failed login is answered by, the first that is reached. */
  readonly limitedBy: readonly FailureCounter[]
  /** Those of them that also stop a login with the right password. */
  readonly enforced: readonly FailureCounter[]
  /** The counters that a failure is added to. */
  readonly countedFor: readonly FailureCounter[]
  /**
   * The counters for failures, and the limits for attempts, while a limit is reached but not
   * enforced.
   */
  readonly whileLimited: readonly FailureCounter[]
}

/**
 * From a network that the account has logged in from before, only failures for this account from
 * there stop a login: otherwise a stranger who fails often enough could keep an editor out. Such a
 * login that fails is answered like that of any other name, so that the answers do not tell which
 * names exist.
 */
function countersOf({ name, network, isKnownNetwork }: LoginAttempt): LoginCounters {
  if (network === undefined)
    return { limitedBy: [], enforced: [], countedFor: [], whileLimited: [] }
  const byName = { key: `name ${name}`, maxFailures: maxFailuresPerName }
  const byNetwork = { key: `network ${network}`, maxFailures: maxFailuresPerNetwork }
  if (!isKnownNetwork) {
    const counters = [byName, byNetwork]
    return { limitedBy: counters, enforced: counters, countedFor: counters, whileLimited: [] }
  }
  const byBoth = { key: `known ${network} ${name}`, maxFailures: maxFailuresPerName }
  // Not the same counter: a failure that is answered 429 must not change when the next 429 ends.
  const whileLimited = { key: `limited ${network} ${name}`, maxFailures: maxFailuresPerName }
  return {
    limitedBy: [byName, byBoth, byNetwork],
    enforced: [byBoth],
    countedFor: [byBoth, byNetwork],
    whileLimited: [whileLimited],
  }
}

/** How long a failure counts. */
const windowMs = 15 * 60_000

const maxFailuresPerName = 10
const maxFailuresPerNetwork = 30

/** Verifying a password takes so long that this number is hardly ever reached. */
const maxCounters = 20_000

/** Two logins are verified at a time and the others wait, some four seconds at most. */
const maxConcurrentLogins = 20
/** Fewer than all, so that clients of other networks can log in too. */
const maxPerNetwork = 10
