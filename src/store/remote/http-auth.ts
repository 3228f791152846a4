// Credentials for a server that asks for them: Basic (RFC 7617) or Digest (RFC 7616), as it asks.

import { createHash, randomBytes } from 'node:crypto'

export type Credentials = { readonly user: string; readonly password: string }

/** Gives the value of the Authorization header for a request, each time anew. */
export type Authorization = (method: string, path: string) => string

/**
 * What a challenge asks for: the last digest in it that is understood, for it is the strongest of
 * those that servers offer in practice, else Basic; undefined for any other scheme.
 */
export function authorizationFor(
  challenge: string,
  { user, password }: Credentials,
): Authorization | undefined {
  const digests = challenge.split(/(?=\bDigest\s)/i).map(parametersOf)
  const known = digests.findLast(
    ({ nonce, algorithm = 'MD5', qop = 'auth' }) =>
      nonce !== undefined && hashes.has(algorithm.toUpperCase()) && /\bauth\b/.test(qop),
  )
  if (known) return digestOf(known, { user, password })
  if (!/\bBasic\b/i.test(challenge)) return undefined
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  return () => basic
}

const hashes: ReadonlyMap<string, string> = new Map([
  ['MD5', 'md5'],
  ['SHA-256', 'sha256'],
])

type Challenge = Readonly<Record<string, string | undefined>>

function parametersOf(challenge: string): Challenge {
  const pairs = challenge.matchAll(/(?<!\w)(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g)
  return Object.fromEntries(
    [...pairs].map(([, name = '', quoted, plain]) => [
      name.toLowerCase(),
      quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1'),
    ]),
  )
}

function digestOf(
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
    const asked = hash(`${method}:${path}`)
    // Without qop it is the Digest of RFC 2069, which has no count.
    const response = hash(
      qop ? `${secret}:${nonce}:${nc}:${cnonce}:auth:${asked}` : `${secret}:${nonce}:${asked}`,
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
