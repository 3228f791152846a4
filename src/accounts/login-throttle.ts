// Slows down the guessing of passwords: counts failed logins for each name and each network, and limits
// the logins that run at once. Known and unknown names are treated alike. Whether a password is right:
// login-verification.ts.

import { LoginBusyError, LoginThrottledError } from './errors.js'

export type LoginAttempt = {
  readonly name: string
  /** The client's network; undefined for a login that did not come over the network. */
  readonly network: string | undefined
  /** Whether this account has logged in from there before. */
  readonly isKnownNetwork: boolean
}

export type LoginThrottle = {
  /**
   * Runs the attempt and returns its result; undefined means that the login failed.
   * @throws LoginThrottledError, LoginBusyError before it runs
   */
  run<Result>(
    login: LoginAttempt,
    attempt: () => Promise<Result | undefined>,
  ): Promise<Result | undefined>
}

/** @param now the time in milliseconds */
export function createLoginThrottle(now: () => number): LoginThrottle {
  /** The times of failures, oldest first, by counter key. The key that failed last is the last. */
  const failures = new Map<string, readonly number[]>()
  /** The number of running logins, by network. */
  const runningFrom = new Map<string, number>()
  let running = 0

  function checkFailures({ key, maxFailures }: FailureCounter): void {
    const recent = failures.get(key)?.filter((time) => time > now() - windowMs) ?? []
    // From this failure on there are too many; when it is forgotten, there are not.
    const first = recent.at(-maxFailures)
    if (first !== undefined)
      throw new LoginThrottledError(Math.ceil((first + windowMs - now()) / 1000))
  }

  function countFailure({ key }: FailureCounter): void {
    const times = failures.get(key) ?? []
    failures.delete(key)
    failures.set(key, [...times.filter((time) => time > now() - windowMs), now()])
  }

  function forgetOldFailures(): void {
    for (const [key, times] of failures) {
      if (failures.size <= maxCounters && (times.at(-1) ?? 0) > now() - windowMs) return
      failures.delete(key)
    }
  }

  function begin(network: string | undefined): void {
    const fromHere = runningFrom.get(network ?? '') ?? 0
    if (running >= maxConcurrentLogins || (network !== undefined && fromHere >= maxPerNetwork))
      throw new LoginBusyError()
    running += 1
    runningFrom.set(network ?? '', fromHere + 1)
  }

  function end(network: string | undefined): void {
    const fromHere = runningFrom.get(network ?? '') ?? 0
    running -= 1
    if (fromHere > 1) runningFrom.set(network ?? '', fromHere - 1)
    else runningFrom.delete(network ?? '')
  }

  return {
    async run(login, attempt) {
      const { limitedBy, countedFor } = countersOf(login)
      limitedBy.forEach(checkFailures)
      begin(login.network)
      const result = await attempt().finally(() => end(login.network))
      if (result === undefined) countedFor.forEach(countFailure)
      else if (login.isKnownNetwork) limitedBy.forEach(({ key }) => failures.delete(key))
      forgetOldFailures()
      return result
    },
  }
}

/** What failures are counted for. */
type FailureCounter = { readonly key: string; readonly maxFailures: number }

/**
 * The counters that can refuse the login, and those that its failure is added to. From a network that
 * the account has logged in from before, only failures for this account from there refuse a login:
 * otherwise a stranger who fails often enough could keep an editor out. Such failures still count for
 * the network.
 */
function countersOf({
  name,
  network,
  isKnownNetwork,
}: LoginAttempt): Record<'limitedBy' | 'countedFor', FailureCounter[]> {
  if (network === undefined) return { limitedBy: [], countedFor: [] }
  const byName = { key: `name ${name}`, maxFailures: maxFailuresPerName }
  const byNetwork = { key: `network ${network}`, maxFailures: maxFailuresPerNetwork }
  const byBoth = { key: `known ${network} ${name}`, maxFailures: maxFailuresPerName }
  return isKnownNetwork
    ? { limitedBy: [byBoth], countedFor: [byBoth, byNetwork] }
    : { limitedBy: [byName, byNetwork], countedFor: [byName, byNetwork] }
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
