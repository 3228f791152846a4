// Slows down those who guess passwords: failed logins are counted for each name and for each address,
// and those under way for each address. Whether a name is known makes no difference here.

import { isIPv6 } from 'node:net'

import { LoginThrottledError, LoginBusyError } from './errors.js'

/** Who tries to log in. */
export type LoginAttempt = {
  readonly name: string
  /** The network of the client; undefined for who is on this machine already. */
  readonly network: string | undefined
  /** Whether this account has logged in from there before. */
  readonly isAtHome: boolean
}

export type LoginThrottle = {
  /**
   * Makes the attempt and answers as it does; undefined means that it failed.
   * @throws TooManyFailures, TooManyLogins before it is made
   */
  run<Result>(
    visitor: LoginAttempt,
    attempt: () => Promise<Result | undefined>,
  ): Promise<Result | undefined>
}

/** @param now the time in milliseconds */
export function createLoginThrottle(now: () => number): LoginThrottle {
  /** When attempts failed, oldest first, by what they are counted for; the last to fail stand last. */
  const failures = new Map<string, readonly number[]>()
  /** How many attempts are under way from each network. */
  const underWay = new Map<string, number>()
  let logins = 0

  function refuseAfterFailures({ key, most }: Count): void {
    const window = failures.get(key)?.filter((time) => time > now() - span) ?? []
    // As many as this one and those after it are too many; when it is forgotten, they are not.
    const first = window.at(-most)
    if (first !== undefined) throw new LoginThrottledError(Math.ceil((first + span - now()) / 1000))
  }

  function countFailure({ key }: Count): void {
    const window = failures.get(key) ?? []
    failures.delete(key)
    failures.set(key, [...window.filter((time) => time > now() - span), now()])
  }

  function forgetOld(): void {
    for (const [key, window] of failures) {
      if (failures.size <= maxCounted && (window.at(-1) ?? 0) > now() - span) return
      failures.delete(key)
    }
  }

  function begin(network: string | undefined): void {
    const from = underWay.get(network ?? '') ?? 0
    if (logins >= maxConcurrentLogins || (network !== undefined && from >= maxPerNetwork))
      throw new LoginBusyError()
    logins += 1
    underWay.set(network ?? '', from + 1)
  }

  function end(network: string | undefined): void {
    const from = underWay.get(network ?? '') ?? 0
    logins -= 1
    if (from > 1) underWay.set(network ?? '', from - 1)
    else underWay.delete(network ?? '')
  }

  return {
    async run(visitor, attempt) {
      const { limiting, counting } = countsOf(visitor)
      limiting.forEach(refuseAfterFailures)
      begin(visitor.network)
      const result = await attempt().finally(() => end(visitor.network))
      if (result === undefined) counting.forEach(countFailure)
      else if (visitor.isAtHome) limiting.forEach(({ key }) => failures.delete(key))
      forgetOld()
      return result
    },
  }
}

/** What an address is counted as: itself, or for IPv6 the /64, since one client has all of that. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  // What stands after `::` ends an address, so the first half has zeros in its place.
  const [head = '', tail] = address.replace(/%.*$/s, '').split('::')
  const groups = head.split(':').filter(Boolean)
  const after = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...after]
  return `${all
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** Something that failures are counted for, and how many of them are too many. */
type Count = { readonly key: string; readonly most: number }

/**
 * Where an account is at home, only what failed for it from there holds it up: else a stranger who
 * fails often enough could keep a librarian out. What fails there counts for the address all the same.
 */
function countsOf({
  name,
  network,
  isAtHome,
}: LoginAttempt): Record<'limiting' | 'counting', Count[]> {
  if (network === undefined) return { limiting: [], counting: [] }
  const byName = { key: `name ${name}`, most: maxFailuresPerName }
  const byNetwork = { key: `network ${network}`, most: maxFailuresPerNetwork }
  const atHome = { key: `home ${network} ${name}`, most: maxFailuresPerName }
  return isAtHome
    ? { limiting: [atHome], counting: [atHome, byNetwork] }
    : { limiting: [byName, byNetwork], counting: [byName, byNetwork] }
}

/** How long a failure counts, in milliseconds. */
const span = 15 * 60_000

const maxFailuresPerName = 10
const maxFailuresPerNetwork = 30

/** How many names and networks are held at most. Passwords take so long to compare that few come near. */
const maxCounted = 20_000

/** How many logins are taken at a time, two at work and the others waiting: some four seconds. */
const maxConcurrentLogins = 20
/** How many of them may come from one network, so that there are places for others. */
const maxPerNetwork = 10
