// Resumption tokens: all that is needed for the next page of a list, signed, so that nothing is
// kept for a harvest and it may go on after a restart. They are good for a day.

import { createHmac, timingSafeEqual } from 'node:crypto'

import { OaiError } from './errors.js'

export type TokenContent = {
  readonly verb: string
  readonly prefix: string
  readonly set: string | undefined
  /** The range of dates that was asked for, in microseconds; Infinity is the end of all. */
  readonly from: number
  readonly before: number
  /** The end of the list when the harvest began: dates are less than this. */
  readonly end: number
  /** The last item that was sent, or the last set. */
  readonly date: number
  readonly key: string
  /** How many were sent. */
  readonly cursor: number
  /** How many there were when the harvest began. */
  readonly size: number
}

export type ResumptionToken = { readonly text: string; readonly expires: number }

export type ResumptionTokens = ReturnType<typeof createResumptionTokens>

const lifetimeMs = 86_400_000

export function createResumptionTokens(key: Uint8Array, now: () => number = Date.now) {
  const sign = (content: string): Buffer =>
    createHmac('sha256', key).update(content).digest().subarray(0, 16)

  return {
    write(content: TokenContent): ResumptionToken {
      const { verb, prefix, set, from, before, end, date, cursor, size } = content
      // In whole seconds, as it is told.
      const expires = Math.floor((now() + lifetimeMs) / 1000) * 1000
      const text = JSON.stringify([
        verb,
        prefix,
        set ?? null,
        from,
        Number.isFinite(before) ? before : null,
        end,
        date,
        content.key,
        cursor,
        size,
        expires,
      ])
      const encoded = Buffer.from(text).toString('base64url')
      return { text: `${encoded}.${sign(encoded).toString('base64url')}`, expires }
    },
    /**
     * @throws OaiError badResumptionToken for one that is too old, was changed, or is for another
     * verb
     */
    read(token: string, verb: string): TokenContent {
      const [encoded = '', signature = '', ...more] = token.split('.')
      const digest = Buffer.from(signature, 'base64url')
      const expected = sign(encoded)
      const isOurs =
        more.length === 0 && digest.length === expected.length && timingSafeEqual(digest, expected)
      if (!isOurs) throw badToken('This resumptionToken is not from here, or was changed.')
      const content = parseContent(Buffer.from(encoded, 'base64url').toString())
      if (content.expires <= now())
        throw badToken('The resumptionToken is too old. Begin the list again.')
      if (content.verb !== verb) throw badToken(`The resumptionToken is one of ${content.verb}.`)
      return content
    },
  }
}

function parseContent(text: string): TokenContent & { readonly expires: number } {
  // The cast: its signature was checked, so `write` made it.
  const [verb, prefix, set, from, before, end, date, key, cursor, size, expires] = JSON.parse(
    text,
  ) as [
    string,
    string,
    string | null,
    number,
    number | null,
    number,
    number,
    string,
    number,
    number,
    number,
  ]
  return {
    verb,
    prefix,
    set: set ?? undefined,
    from,
    before: before ?? Infinity,
    end,
    date,
    key,
    cursor,
    size,
    expires,
  }
}

const badToken = (message: string): OaiError => new OaiError('badResumptionToken', message)
