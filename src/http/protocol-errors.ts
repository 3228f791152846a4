// Answers requests that are not valid HTTP, or that Node does not pass on, with an error in JSON. Errors
// of valid requests are answered by middleware/error-responses.ts.

import { type IncomingMessage, type RequestListener, STATUS_CODES, type Server } from 'node:http'
import type { Socket } from 'node:net'

import { type ErrorResponse, errorDetail, httpErrors } from './errors.js'

type ClientError = Error & { readonly code?: string; readonly rawPacket?: Buffer }

/**
 * Answers what Node's HTTP parser rejects, and closes the connection.
 * @param isUploading whether a connection sends a file, which has another time limit
 */
export function answerParserErrors(server: Server, isUploading: (socket: Socket) => boolean): void {
  server.on('clientError', (error: ClientError, socket: Socket) => {
    if (error.code === timedOut && isUploading(socket)) return
    const { _httpMessage: current } = socket as { _httpMessage?: { readonly headersSent: boolean } }
    // In the middle of a response, another one would be taken for a part of it.
    if (socket.writable && error.code !== 'ECONNRESET' && current?.headersSent !== true)
      socket.write(serializeResponse(toResponse(error)))
    socket.destroy()
  })
}

function toResponse({ code = '', rawPacket }: ClientError): ErrorResponse {
  const [, method] = /^([!#$%&'*+.^`|~\w-]{1,30}) /.exec(rawPacket?.toString('latin1') ?? '') ?? []
  if (code === 'HPE_INVALID_METHOD' && method !== undefined)
    return httpErrors.notAllowed(method, 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS').answer
  return parserErrors.get(code) ?? errorDetail(400, 'Malformed request.')
}

/** The code of Node's error for a request that took too long. */
const timedOut = 'ERR_HTTP_REQUEST_TIMEOUT'

const headersTooLarge = errorDetail(431, 'Request headers too large.')

const parserErrors: ReadonlyMap<string, ErrorResponse> = new Map([
  ['HPE_HEADER_OVERFLOW', headersTooLarge],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', errorDetail(413, 'Request body too large.')],
  [timedOut, errorDetail(408, 'The request took too long.')],
])

function serializeResponse({ status, body, headers = {} }: ErrorResponse): string {
  const content = JSON.stringify(body)
  const lines = Object.entries({
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(content),
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', content].join('\r\n')
}

/** Node drops all further header lines of a request. */
const maxHeaderLines = 1000

/** Answers requests with an error that Node takes, but that have too many headers, another transfer coding, or no host. */
export const withFramingChecks =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const error = framingError(request)
    if (!error) {
      listener(request, response)
      return
    }
    response.writeHead(error.status, {
      'Content-Type': 'application/json',
      'X-Content-Type-Options': 'nosniff',
      Connection: 'close',
    })
    response.end(JSON.stringify(error.body))
  }

function framingError({ headers, httpVersion, rawHeaders }: IncomingMessage) {
  if (rawHeaders.length > 2 * maxHeaderLines) return headersTooLarge
  const coding = headers['transfer-encoding'] ?? 'chunked'
  if (coding.trim().toLowerCase() !== 'chunked')
    return errorDetail(400, 'Only the transfer coding "chunked" is supported.')
  // RFC 9112, 3.2. Node itself would send an empty answer.
  const lacksHost = headers.host === undefined && httpVersion === '1.1'
  return lacksHost ? errorDetail(400, 'Bad host.') : undefined
}
