// The errors of webhooks. Which HTTP status each of them gets: http/response/http-errors.ts.

import { ExpectedError } from '../../errors.js'

/** A webhook cannot be added or changed; the message says why, in one sentence. */
export class WebhookError extends ExpectedError {
  /** @param field the field of the request that is wrong */
  constructor(
    readonly field: 'url' | 'kind' | 'since' | 'account' | 'state',
    message: string,
  ) {
    super(message)
  }
}

/** There is no webhook with this identifier, or none that may be seen. */
export class WebhookNotFoundError extends ExpectedError {
  constructor() {
    super('There is no such webhook.')
  }
}
