// The door for what clients send: bytes in, the members of one JSON object out. koa-body limits and
// inflates; decoding is left to us, since a decoder that puts U+FFFD for a bad byte loses it for good.

import type { Context } from 'koa'
import { koaBody } from 'koa-body'

import { pythonType } from '../model/write-shape.js'
import { refusals } from './refused.js'

const mebibyte = 1024 * 1024

const json = 'application/json'

// One byte of the body for one character of the string, so that no byte is lost on the way.
const readBytes = koaBody({
  json: false,
  urlencoded: false,
  multipart: false,
  text: true,
  textTypes: [json],
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
  if (!ctx.is(json)) throw refusals.unsupportedMediaType(ctx.get('Content-Type'))
  refuseAnnounced(ctx)
  const value = parse(decode(await readAll(ctx)))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refusals.notAnObject(pythonType(value))
  return new Map(Object.entries(value))
}

const hasBody = (ctx: Context): boolean =>
  ctx.get('Transfer-Encoding') !== '' || !['', '0'].includes(ctx.get('Content-Length'))

/** A body that says of itself that it is too large is not waited for. */
function refuseAnnounced(ctx: Context): void {
  const length = Number(ctx.get('Content-Length'))
  if (length <= mebibyte) return
  // What is left of a moderate one is read and forgotten, so that the connection can be used again.
  if (length > 16 * mebibyte) ctx.set('Connection', 'close')
  throw refusals.tooLarge()
}

async function readAll(ctx: Context): Promise<Buffer> {
  try {
    await readBytes(ctx, () => Promise.resolve())
  } catch (error) {
    throw refusalOf(error as Error & { status?: number }, ctx)
  }
  // Read as text, so it is text; nothing at all when the body was empty.
  return Buffer.from((ctx.request.body as string | undefined) ?? '', 'latin1')
}

function refusalOf(error: Error & { status?: number; code?: string }, ctx: Context): Error {
  if (error.status === 413) {
    // Nobody knows how much is still to come.
    ctx.set('Connection', 'close')
    return refusals.tooLarge()
  }
  if (error.status === 415)
    return refusals.unsupportedMediaType(`${json}; ${ctx.get('Content-Encoding')}`)
  // What zlib, or a client that went away, could not bring: the body is not what its headers said.
  return refusals.notJson(error.message)
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refusals.notJson('the body is not UTF-8')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw refusals.notJson((error as Error).message)
  }
}
