// The Authorization header for a server's challenge: Basic (RFC 7617) or Digest (RFC 7616).

import { createHash, randomBytes } from 'node:crypto'

export type Credentials = { readonly user: string; readonly password: string }

/** Builds the value of the Authorization header for one request. */
export type Authorization = (method: string, path: string) => string

/**
 * The authorization for a challenge: the last supported Digest in it, which is the strongest of
 * those that servers offer in practice; else Basic; undefined for any other scheme.
 */
export function authorizationFor(
  challenge: string,
  { user, password }: Credentials,
): Authorization | undefined {
  const digests = challenge.split(/(?=\bDigest\s)/i).map(parseParameters)
  const supported = digests.findLast(
    ({ nonce, algorithm = 'MD5', qop = 'auth' }) =>
      nonce !== undefined && hashes.has(algorithm.toUpperCase()) && /\bauth\b/.test(qop),
  )
  if (supported) return createDigest(supported, { user, password })
  if (!/\bBasic\b/i.test(challenge)) return undefined
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  return () => basic
}

const hashes: ReadonlyMap<string, string> = new Map([
  ['MD5', 'md5'],
  ['SHA-256', 'sha256'],
])

type Challenge = Readonly<Record<string, string | undefined>>

function parseParameters(challenge: string): Challenge {
  const pairs = challenge.matchAll(/(?<!\w)(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g)
  return Object.fromEntries(
    [...pairs].map(([, name = '', quoted, plain]) => [
      name.toLowerCase(),
      quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1'),
    ]),
  )
}

function createDigest(
  { realm = '', nonce = '', opaque, algorithm, qop }: Challenge,
  { user, password }: Credentials,
): Authorization {
  const hash = (text: string): string =>
    createHash(hashes.get((algorithm ?? 'MD5').toUpperCase()) ?? 'md5')
      .update(text)
      .digest('hex')
  const secret = hash(`${user}:${realm}:${password}`)
  let count = 0
  return (method, path) => {
    const nc = (count += 1).toString(16).padStart(8, '0')
    const cnonce = randomBytes(8).toString('hex')
    const request = hash(`${method}:${path}`)
    // Without qop it is the Digest of RFC 2069, which has no request counter.
    const response = hash(
      qop ? `${secret}:${nonce}:${nc}:${cnonce}:auth:${request}` : `${secret}:${nonce}:${request}`,
    )
    const quoted = { username: user, realm, nonce, uri: path, response, ...(opaque && { opaque }) }
    return [
      `Digest ${Object.entries(quoted)
        .map(([name, value]) => `${name}="${value.replace(/["\\]/g, '\\$&')}"`)
        .join(', ')}`,
      ...(algorithm ? [`algorithm=${algorithm}`] : []),
      ...(qop ? [`qop=auth, nc=${nc}, cnonce="${cnonce}"`] : []),
    ].join(', ')
  }
}
