// Reads request bodies: a text, the fields of a form, the members of one JSON object, or bytes.
// koa-body limits the size and decompresses. Bytes are decoded here, because koa-body would replace
// invalid UTF-8 by U+FFFD.

import { PassThrough, type Readable } from 'node:stream'

import type { Context } from 'koa'
import { koaBody } from 'koa-body'

import { message } from '../../message.js'
import { type DocumentType, documentTypes } from '../../rdf/documents/protocol.js'
import { documentLimits } from '../../rdf/documents/limits.js'
import { maxItems, pythonType } from '../../model/record/input.js'
import { JsonNumber, parseJsonInput } from '../../model/record/json-input.js'
import type { RequestContext } from '../context.js'
import { type HttpError, httpErrors } from '../errors.js'

const mebibyte = 1024 * 1024

const json = 'application/json'

/** The media types of bodies, besides JSON. */
export type TextType =
  | 'application/x-www-form-urlencoded'
  | 'application/sparql-query'
  | typeof jsonLinesType
  | DocumentType

/** JSON values, one in each line. */
export const jsonLinesType = 'application/x-ndjson'

const textTypes: readonly TextType[] = [
  'application/x-www-form-urlencoded',
  'application/sparql-query',
  jsonLinesType,
  ...documentTypes,
]

/** The most bytes of a form from a browser that is not signed in. */
const maxSignedOutBytes = 64 * 1024

/** The most bytes of a body of many lines. */
const maxLinesBytes = 16 * mebibyte

// With latin1 each byte becomes one character, so that no byte is lost.
const createParser = (maxBytes: number) =>
  koaBody({
    json: false,
    urlencoded: false,
    multipart: false,
    text: true,
    textTypes: [json, ...textTypes],
    textLimit: maxBytes,
    encoding: 'latin1',
  })

/** By the number of bytes that a body may have. */
const parsers = new Map(
  [mebibyte, maxSignedOutBytes, maxLinesBytes, documentLimits.bytes].map((maxBytes) => [
    maxBytes,
    createParser(maxBytes),
  ]),
)

/**
 * The members of the JSON object in the body; none if there is no body. They are in a Map, where
 * `__proto__` is a key like any other.
 * @throws HttpError 415, 413, 400
 */
export async function readBody(ctx: Context): Promise<ReadonlyMap<string, unknown>> {
  if (!hasBody(ctx)) return new Map()
  if (!ctx.is(json)) throw httpErrors.unsupportedMediaType(ctx.get('Content-Type'))
  const text = await readAsText(ctx, json, httpErrors.notJson)
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw httpErrors.notAnObject(
      pythonType(typeof value === 'number' ? new JsonNumber(text, value) : value),
    )
  return new Map(Object.entries(value))
}

/**
 * The body as text.
 * @throws HttpError 415, 413, 400
 */
export function readText(ctx: Context, type: TextType): Promise<string> {
  if (!ctx.is(type)) throw httpErrors.unsupportedMediaType(ctx.get('Content-Type'))
  return readAsText(ctx, type, httpErrors.badRequest)
}

/**
 * The body as the text of an RDF document, which has the records that the record names, too.
 * @throws HttpError 415, 413, 400
 */
export function readRdfText(ctx: Context, type: DocumentType): Promise<string> {
  return readAsText(ctx, type, httpErrors.badRequest, documentLimits.bytes)
}

/**
 * The body as a stream of bytes. Whoever reads it may destroy it: a request that is destroyed
 * before it is complete loses its connection.
 * @throws HttpError 415, 413
 */
export function streamBody(ctx: Context, maxBytes: number): Readable {
  if (ctx.get('Content-Encoding') !== '')
    throw httpErrors.unsupportedMediaType(
      `${ctx.get('Content-Type')}; ${ctx.get('Content-Encoding')}`,
    )
  checkContentLength(ctx, maxBytes)
  const bytes = new PassThrough()
  // A body that breaks off before anybody reads it must not end the process. Readers get the error.
  bytes.on('error', () => undefined)
  ctx.req.once('error', () => bytes.destroy(httpErrors.badRequest('The body is incomplete.')))
  bytes.once('close', () => {
    // It is not known how much more would come.
    if (!ctx.req.complete) ctx.set('Connection', 'close')
  })
  return ctx.req.pipe(bytes)
}

/** The media type of a body that is an RDF document; undefined for every other body. */
export function rdfTypeOf(ctx: Context): DocumentType | undefined {
  const type = hasBody(ctx) ? ctx.is([...documentTypes]) : false
  return documentTypes.find((documentType) => documentType === type)
}

/** A line of a body, with its number, from 1. */
export type BodyLine = { readonly number: number; readonly text: string }

/**
 * The lines of a body with JSON lines, without blank ones.
 * @throws HttpError 415, 413; 400 also for more lines than allowed
 */
export async function readLines(ctx: Context, maxLines: number): Promise<readonly BodyLine[]> {
  if (!ctx.is(jsonLinesType)) throw httpErrors.unsupportedMediaType(ctx.get('Content-Type'))
  const text = await readAsText(ctx, jsonLinesType, httpErrors.badRequest, maxLinesBytes)
  const lines = text
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line }))
    .filter((line) => line.text.trim() !== '')
  if (lines.length > maxLines)
    throw httpErrors.badRequest(`A batch may have ${maxLines} lines at most.`)
  return lines
}

/**
 * The fields of an HTML form.
 * @throws HttpError 415, 413; 400 also for more fields, or more values of one field, than allowed
 */
export async function readForm(ctx: RequestContext): Promise<URLSearchParams> {
  const [maxBytes, maxPairs] = ctx.state.session
    ? [mebibyte, maxFormPairs]
    : [maxSignedOutBytes, maxSignedOutPairs]
  if (!ctx.is(formType)) throw httpErrors.unsupportedMediaType(ctx.get('Content-Type'))
  const text = await readAsText(ctx, formType, httpErrors.badRequest, maxBytes)
  // Counted before the text is parsed, which takes longer.
  if ((text.match(/&/g)?.length ?? 0) >= maxPairs)
    throw httpErrors.badRequest(
      message('A form may have {count} values at most.', { count: maxPairs }),
    )
  const form = new URLSearchParams(text)
  for (const name of new Set(form.keys()))
    if (form.getAll(name).length > maxItems)
      throw httpErrors.badRequest(
        message('A field of a form may have {count} values at most.', { count: maxItems }),
      )
  return form
}

export const formType = 'application/x-www-form-urlencoded'

/** The most values of a form, of all fields together. */
const maxFormPairs = 5000
const maxSignedOutPairs = 1000

/** Creates the error for a body that cannot be read. */
type CreateBodyError = (why: string) => HttpError

async function readAsText(
  ctx: Context,
  type: string,
  toError: CreateBodyError,
  maxBytes = mebibyte,
): Promise<string> {
  checkCharset(ctx)
  checkContentLength(ctx, maxBytes)
  return decode(await readBytes(ctx, type, toError, maxBytes), toError)
}

/** @throws HttpError 415 for another encoding than UTF-8, of which ASCII is a part */
function checkCharset(ctx: Context): void {
  const [, charset = 'utf-8'] =
    /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(ctx.get('Content-Type')) ?? []
  if (!['utf-8', 'utf8', 'us-ascii'].includes(charset.toLowerCase()))
    throw httpErrors.unsupportedMediaType(ctx.get('Content-Type'))
}

const hasBody = (ctx: Context): boolean =>
  ctx.get('Transfer-Encoding') !== '' || !['', '0'].includes(ctx.get('Content-Length'))

/** Rejects a body that announces that it is too large before it is read. */
function checkContentLength(ctx: Context, maxBytes: number): void {
  const length = Number(ctx.get('Content-Length'))
  if (length <= maxBytes) return
  // The rest of a smaller body is read and dropped, so that the connection can be used again.
  if (length > 16 * mebibyte) ctx.set('Connection', 'close')
  throw httpErrors.tooLarge()
}

async function readBytes(
  ctx: Context,
  type: string,
  toError: CreateBodyError,
  maxBytes: number,
): Promise<Buffer> {
  try {
    await parsers.get(maxBytes)?.(ctx, () => Promise.resolve())
  } catch (error) {
    throw toHttpError(error as KoaBodyError, ctx, type, toError)
  }
  // koa-body was told to read text; the body is undefined if it was empty.
  return Buffer.from((ctx.request.body as string | undefined) ?? '', 'latin1')
}

type KoaBodyError = Error & { readonly status?: number }

function toHttpError(
  error: KoaBodyError,
  ctx: Context,
  type: string,
  toError: CreateBodyError,
): HttpError {
  if (error.status === 413) {
    // It is not known how much more would come.
    ctx.set('Connection', 'close')
    return httpErrors.tooLarge()
  }
  if (error.status === 415)
    return httpErrors.unsupportedMediaType(`${type}; ${ctx.get('Content-Encoding')}`)
  // An error of zlib, or a client that disconnected: the body is not what its headers announce.
  return toError(error.message)
}

function decode(bytes: Buffer, toError: CreateBodyError): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw toError('the body is not UTF-8')
  }
}

function parseJson(text: string): unknown {
  try {
    return parseJsonInput(text)
  } catch (error) {
    throw httpErrors.notJson(jsonErrorMessage(error))
  }
}

/** What is wrong with JSON, by the error of the parser. */
export const jsonErrorMessage = (error: unknown): string =>
  withoutQuotedInput((error as Error).message)

/**
 * The message of the JSON parser without the part of the body that it quotes, which may be a
 * password.
 */
function withoutQuotedInput(message: string): string {
  const [text = ''] = message.split(/, (?:\.\.\.)?"|^"/)
  return text === '' ? 'this is no JSON' : text
}
