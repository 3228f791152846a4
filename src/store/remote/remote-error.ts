// The error of a request to a remote store.

/**
 * How a request failed: it did not reach the engine; the engine rejected it, or returned only some
 * of the rows; no complete response came, so whether the engine executed the request, or still
 * will, is unknown; the response is longer than the caller allows, or no result of SPARQL.
 */
type RemoteFailure =
  'unreachable' | 'rejected' | 'partial' | 'no response' | 'too large' | 'no result'

type RemoteErrorOptions = ErrorOptions & {
  /** The body of the response, where the engine rejected the request. */
  readonly responseText?: string
}

export class RemoteError extends Error {
  readonly responseText: string

  constructor(
    readonly failure: RemoteFailure,
    message: string,
    { responseText = '', cause }: RemoteErrorOptions = {},
  ) {
    super(message, { cause })
    this.responseText = responseText
  }

  /** Whether the engine rejected the request, or some of its result. */
  get isRejected(): boolean {
    return this.failure === 'rejected' || this.failure === 'partial'
  }
}
