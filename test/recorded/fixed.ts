// Loaded before the service (`node --import`), also in its threads: a clock that only moves when the recorder says so, and
// random bytes that follow from the request. The recorder says both in a header (client.ts).

import crypto from 'node:crypto'
import { type IncomingMessage, Server } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { type NetConnectOpts, Socket } from 'node:net'

/** Connections to this port lead to the service itself. */
const harvestPort = 1

const firstTime = Date.UTC(2026, 0, 15, 12)

let seconds = 0
/** What random bytes are made from. */
let seed = 'start'
let drawn = 0

const now = (): number => firstTime + seconds * 1000

globalThis.Date = new Proxy(Date, {
  apply: (target) => new target(now()).toString(),
  construct: (target, args, newTarget) =>
    // The cast: a constructor makes an object.
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
  get: (target, name, receiver) =>
    name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown),
})
performance.now = () => seconds * 1000

function bytes(count: number): Buffer {
  const parts: Buffer[] = []
  for (let length = 0; length < count; length += 64)
    parts.push(crypto.createHash('sha512').update(`${seed} ${drawn++}`).digest())
  return Buffer.concat(parts).subarray(0, count)
}

function randomBytes(count: number, done?: (error: null, bytes: Buffer) => void): Buffer {
  const drawnBytes = bytes(count)
  if (done) setImmediate(done, null, drawnBytes)
  return drawnBytes
}

const randomUUID = (): string =>
  bytes(16)
    .toString('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-4$3-8$4-$5')

/** Passwords are hashed at a low price. */
const { scrypt: hashPassword } = crypto
const scrypt = (
  password: string,
  salt: Buffer,
  length: number,
  _: object,
  done: (error: Error | null, key: Buffer) => void,
): void => hashPassword(password, salt, length, { N: 2 }, done)

Math.random = () => bytes(4).readUInt32LE() / 2 ** 32
Object.assign(crypto, { randomBytes, randomUUID, scrypt })
Object.assign(crypto.webcrypto, {
  randomUUID,
  getRandomValues<View extends NodeJS.TypedArray>(view: View): View {
    new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(bytes(view.byteLength))
    return view
  },
})
syncBuiltinESMExports()

let ownPort = 0

// The casts: the methods are called with the server or the socket as `this`.
const emit = Reflect.get(Server.prototype, 'emit') as (this: Server, ...args: unknown[]) => boolean
const connect = Reflect.get(Socket.prototype, 'connect') as (
  this: Socket,
  ...args: unknown[]
) => Socket

Server.prototype.emit = function (this: Server, name: string | symbol, ...args: unknown[]) {
  const address = this.address()
  if (name === 'listening' && address && typeof address === 'object') ownPort = address.port
  if (name === 'request') {
    // The cast: it is the first argument of this event.
    const { headers } = args[0] as IncomingMessage
    const [, at, key] = /^(\d+) (.*)$/.exec(String(headers['x-recorded'])) ?? []
    delete headers['x-recorded']
    if (at !== undefined && key !== undefined) [seconds, seed, drawn] = [Number(at), key, 0]
  }
  return emit.call(this, name, ...args)
}

// The service harvests itself at an address that is the same in every run.
Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
  const [options] = [args[0]].flat() as [NetConnectOpts]
  if ('port' in options && options.port === harvestPort) options.port = ownPort
  return connect.call(this, ...args)
}
