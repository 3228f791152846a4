// The door for what clients send: bytes in, a text or the members of one JSON object out. koa-body limits and
// inflates; decoding is left to us, since a decoder that puts U+FFFD for a bad byte loses it for good.

import type { Context } from 'koa'
import { koaBody } from 'koa-body'

import { pythonType } from '../../model/record/input.js'
import { httpErrors } from '../response/http-errors.js'

const mebibyte = 1024 * 1024

const json = 'application/json'

/** What bodies may be, besides JSON. */
export type TextType = 'application/x-www-form-urlencoded' | 'application/sparql-query'

const textTypes: readonly TextType[] = [
  'application/x-www-form-urlencoded',
  'application/sparql-query',
]

// One byte of the body for one character of the string, so that no byte is lost on the way.
const readBytes = koaBody({
  json: false,
  urlencoded: false,
  multipart: false,
  text: true,
  textTypes: [json, ...textTypes],
  textLimit: mebibyte,
  encoding: 'latin1',
})

/**
 * The members of the JSON object in the body; none when there is no body. A client's keys stay in a
 * Map, where `__proto__` is a key like any other.
 * @throws Refused 415, 413, 400
 */
export async function readBody(ctx: Context): Promise<ReadonlyMap<string, unknown>> {
  if (!hasBody(ctx)) return new Map()
  if (!ctx.is(json)) throw httpErrors.unsupportedMediaType(ctx.get('Content-Type'))
  const value = parse(await readWhole(ctx, json, httpErrors.notJson))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw httpErrors.notAnObject(pythonType(value))
  return new Map(Object.entries(value))
}

/**
 * The body as text.
 * @throws Refused 415, 413, 400
 */
export function readText(ctx: Context, type: TextType): Promise<string> {
  if (!ctx.is(type)) throw httpErrors.unsupportedMediaType(ctx.get('Content-Type'))
  return readWhole(ctx, type, httpErrors.badRequest)
}

/** What a body is refused with that is not what its headers say. */
type MalformedBodyError = (why: string) => Error

async function readWhole(
  ctx: Context,
  type: string,
  malformed: MalformedBodyError,
): Promise<string> {
  checkContentLength(ctx)
  return decode(await readAll(ctx, type, malformed), malformed)
}

const hasBody = (ctx: Context): boolean =>
  ctx.get('Transfer-Encoding') !== '' || !['', '0'].includes(ctx.get('Content-Length'))

/** A body that says of itself that it is too large is not waited for. */
function checkContentLength(ctx: Context): void {
  const length = Number(ctx.get('Content-Length'))
  if (length <= mebibyte) return
  // What is left of a moderate one is read and forgotten, so that the connection can be used again.
  if (length > 16 * mebibyte) ctx.set('Connection', 'close')
  throw httpErrors.tooLarge()
}

async function readAll(ctx: Context, type: string, malformed: MalformedBodyError): Promise<Buffer> {
  try {
    await readBytes(ctx, () => Promise.resolve())
  } catch (error) {
    throw refusalOf(error as BodyFailure, ctx, type, malformed)
  }
  // Read as text, so it is text; nothing at all when the body was empty.
  return Buffer.from((ctx.request.body as string | undefined) ?? '', 'latin1')
}

type BodyFailure = Error & { readonly status?: number }

function refusalOf(
  error: BodyFailure,
  ctx: Context,
  type: string,
  malformed: MalformedBodyError,
): Error {
  if (error.status === 413) {
    // Nobody knows how much is still to come.
    ctx.set('Connection', 'close')
    return httpErrors.tooLarge()
  }
  if (error.status === 415)
    return httpErrors.unsupportedMediaType(`${type}; ${ctx.get('Content-Encoding')}`)
  // What zlib, or a client that went away, could not bring: the body is not what its headers said.
  return malformed(error.message)
}

function decode(bytes: Buffer, malformed: MalformedBodyError): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw malformed('the body is not UTF-8')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw httpErrors.notJson(withoutQuotedInput((error as Error).message))
  }
}

/** What the parser says without what it quotes of the body, which may be a password. */
function withoutQuotedInput(message: string): string {
  const [said = ''] = message.split(/, (?:\.\.\.)?"|^"/)
  return said === '' ? 'this is no JSON' : said
}
