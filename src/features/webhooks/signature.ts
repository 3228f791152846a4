// How deliveries are signed, so that a receiver knows who sent them and when
// (docs/reference/changes.md, "Webhooks").

import { createHmac } from 'node:crypto'

/**
 * The secret of a webhook: 64 hexadecimal characters. It is not stored; it is the same as long as
 * the server key is.
 */
export const secretOf = (signingKey: Uint8Array, id: string): string =>
  createHmac('sha256', signingKey).update(id).digest('hex')

/**
 * The value of the header `X-Signature-256`.
 * @param timestamp in seconds since 1970, as in the header `X-Webhook-Timestamp`
 */
export const signatureOf = (secret: string, timestamp: number, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
