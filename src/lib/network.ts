// The unit in which clients without an account are counted: by logins, the throttle and SPARQL.

import { isIPv6 } from 'node:net'

/**
 * The network of an IP address: the address itself, or its /64 for IPv6, since one client has all
 * of it.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  // `::` stands for as many zero groups as are missing from eight.
  const [head = '', tail] = address.replace(/%.*$/s, '').split('::')
  const before = head.split(':').filter(Boolean)
  const after = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
