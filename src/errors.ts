// Errors that several folders have in common: those that the person who runs the service can put
// right, and those that say why a request is refused. Which status each kind of refusal is answered
// with: http/response/http-errors.ts.

import { type Message, message } from './message.js'

/**
 * Its message alone says what is wrong and with which file or setting, so main.ts prints no stack.
 */
export class ExpectedError extends Error {
  /** @param text the message as pages can translate it */
  constructor(
    readonly text: Message,
    options?: ErrorOptions,
  ) {
    super(String(text), options)
  }
}

/** Why a request is refused. */
export type Refusal =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'notAcceptable'
  | 'conflict'
  | 'gone'
  | 'outdated'
  | 'tooLarge'
  | 'tooMany'
  | 'unprocessable'
  | 'unsupported'
  | 'unavailable'

type RequestErrorOptions = ErrorOptions & {
  /** After how many seconds the request may be made again. */
  readonly retryAfter?: number | undefined
  /** What the body of the answer has besides the message. */
  readonly members?: object | undefined
}

/** A request that cannot be done. Whoever made it is told why. */
export class RequestError extends ExpectedError {
  readonly retryAfter: number | undefined
  readonly #members: object | undefined

  constructor(
    readonly refusal: Refusal,
    text: Message,
    { retryAfter, members, cause }: RequestErrorOptions = {},
  ) {
    super(text, { cause })
    this.retryAfter = retryAfter
    this.#members = members
  }

  /** The body of the answer. */
  get body(): object {
    return { detail: this.text, ...this.#members }
  }
}

/** What was sent is wrong. */
export class InvalidError extends RequestError {
  readonly #field: string | undefined

  /** @param options.field what is wrong in a form or a body; none for the request as a whole */
  constructor(text: Message, { field, cause }: ErrorOptions & { readonly field?: string } = {}) {
    super('invalid', text, { cause })
    this.#field = field
  }

  override get body(): object {
    return this.#field === undefined ? super.body : { [this.#field]: [this.text] }
  }
}

/** The client makes too many requests. */
export class ThrottledError extends RequestError {
  /**
   * @param seconds after how many it may go on
   * @param policy the name of the limit, where it is one of all requests
   */
  constructor(
    readonly seconds: number,
    readonly policy?: string,
  ) {
    super(
      'tooMany',
      message('Request was throttled. Expected available in {seconds} seconds.', { seconds }),
      { retryAfter: seconds },
    )
  }
}

export class NotFoundError extends RequestError {
  constructor(text: Message = message('Not found.')) {
    super('notFound', text)
  }
}

/** Whoever asks may not do it. */
export class ForbiddenError extends RequestError {
  constructor(text: Message = message('You do not have permission to perform this action.')) {
    super('forbidden', text)
  }
}

/** What is asked for does not agree with how things are now. */
export class ConflictError extends RequestError {
  constructor(text: Message, members?: object) {
    super('conflict', text, { members })
  }
}

/** What was sent has more than is taken. */
export class TooLargeError extends RequestError {
  constructor(text: Message) {
    super('tooLarge', text)
  }
}

/** It cannot be done now; the same request may be made again later. */
export class UnavailableError extends RequestError {
  /** @param retryAfter in seconds */
  constructor(text: Message, retryAfter: number, options?: ErrorOptions) {
    super('unavailable', text, { ...options, retryAfter })
  }
}

/** The service stops: long work ends before its next step, and nothing more is written. */
export const stoppingError = (): UnavailableError =>
  new UnavailableError(message('The service is stopping. Nothing was written.'), 5)
