// Which addresses of the network are public. The service asks addresses that people type; they must
// not lead to the machine itself or to the network that it is in.

import { BlockList, isIP, isIPv6 } from 'node:net'

/** By the registries of special-purpose addresses of IANA. */
const reserved: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, and what is kept for later.
  ['224.0.0.0', 3],
]

/**
 * Addresses that contain an IPv4 address, whose network decides: 6to4, NAT64, and Teredo as a
 * whole.
 */
const reservedV6: readonly (readonly [string, number])[] = [
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]

const blocked = new BlockList()
for (const [network, prefix] of reserved) blocked.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of reservedV6) blocked.addSubnet(network, prefix, 'ipv6')

/** @param address an IP address, without brackets */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/s, '')
  if (isIP(plain) === 0) return false
  // An IPv4 address that is written as IPv6 is checked by the list as what it is.
  return !blocked.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}
