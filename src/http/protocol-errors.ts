// Answers requests that are not valid HTTP, that Node does not pass on, or that are longer than is
// taken. Other errors are answered by middleware/error-responses.ts.

import { type IncomingMessage, type RequestListener, STATUS_CODES, type Server } from 'node:http'
import type { Socket } from 'node:net'

import { html } from '../formats/common-formats.js'
import { message } from '../message.js'
import { describePlainError, sendPlainError } from './plain-error-page.js'
import { type ErrorResponse, errorDetail, httpErrors } from './errors.js'
import type { RequestHead } from './request/content-negotiation.js'

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
      socket.write(serializeResponse(toResponse(error), headIn(error)))
    socket.destroy()
  })
}

function toResponse({ code = '', rawPacket }: ClientError): ErrorResponse {
  if (code === 'HPE_HEADER_OVERFLOW' && !hasWholeFirstLine(rawPacket)) return addressTooLong
  const [, method] = /^([!#$%&'*+.^`|~\w-]{1,30}) /.exec(rawPacket?.toString('latin1') ?? '') ?? []
  if (code === 'HPE_INVALID_METHOD' && method !== undefined)
    return httpErrors.notAllowed(method, 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS').answer
  return parserErrors.get(code) ?? errorDetail(400, 'Malformed request.')
}

/** The code of Node's error for a request that took too long. */
const timedOut = 'ERR_HTTP_REQUEST_TIMEOUT'

/** The longest address that is taken. */
export const maxAddressLength = 16 * 1024

/** The most bytes of all headers. */
const maxHeadersLength = 16 * 1024

/**
 * What Node reads of both, so that whoever sends a little too much can be answered in a format of
 * their choice.
 */
export const maxHeaderSize = 2 * (maxAddressLength + maxHeadersLength)

const addressTooLong = errorDetail(414, message('The address is too long.'))
const headersTooLarge = errorDetail(431, message('Request headers too large.'))

const parserErrors: ReadonlyMap<string, ErrorResponse> = new Map([
  ['HPE_HEADER_OVERFLOW', headersTooLarge],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', httpErrors.tooLarge().answer],
  [timedOut, errorDetail(408, 'The request took too long.')],
])

/**
 * As far as the headers are in the bytes at which the parser gave up. Where the address did not end,
 * they are not known: it is more likely a person with a long link than a program.
 */
function headIn({ code, rawPacket }: ClientError): RequestHead {
  if (code === 'HPE_HEADER_OVERFLOW' && !hasWholeFirstLine(rawPacket))
    return { method: 'GET', headers: { accept: html.type } }
  const [start = '', ...lines] = (rawPacket?.toString('latin1') ?? '').split('\r\n')
  const headers = lines.flatMap((line) => {
    const [, name = '', value = ''] = /^([\w-]+):(.*)$/.exec(line) ?? []
    return name === '' ? [] : [[name.toLowerCase(), value.trim()] as const]
  })
  return { method: start.split(' ', 1)[0] ?? '', headers: Object.fromEntries(headers) }
}

/** Only an address is so long that the bytes at which the parser gave up are all of the same line. */
const hasWholeFirstLine = (packet: Buffer | undefined): boolean => packet?.includes('\n') === true

function serializeResponse(error: ErrorResponse, request: RequestHead): string {
  const { headers, content } = describePlainError(error, request)
  const lines = Object.entries({ ...headers, Connection: 'close' })
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    '',
    content,
  ].join('\r\n')
}

/** Node drops all further header lines of a request. */
const maxHeaderLines = 1000

/**
 * Answers requests that Node takes, but that are too long, have another transfer coding, or no
 * host.
 */
export const withFramingChecks =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const error = framingError(request)
    if (!error) {
      listener(request, response)
      return
    }
    response.setHeader('Connection', 'close')
    sendPlainError(request, response, error)
  }

function framingError({ headers, httpVersion, rawHeaders, url = '' }: IncomingMessage) {
  if (url.length > maxAddressLength) return addressTooLong
  const length = rawHeaders.reduce((sum, text) => sum + text.length, 0)
  if (rawHeaders.length > 2 * maxHeaderLines || length > maxHeadersLength) return headersTooLarge
  const coding = headers['transfer-encoding'] ?? 'chunked'
  if (coding.trim().toLowerCase() !== 'chunked')
    return errorDetail(400, 'Only the transfer coding "chunked" is supported.')
  // RFC 9112, 3.2. Node itself would send an empty answer.
  const lacksHost = headers.host === undefined && httpVersion === '1.1'
  return lacksHost ? errorDetail(400, 'Bad host.') : undefined
}
