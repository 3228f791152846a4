// The reference that the service is compared with: a bare Koa and router that respond with constant strings
// of some sizes, in turn. For writes they parse the body and commit it to a key-value store.

import { createServer } from 'node:http'
import { join } from 'node:path'

import Router from '@koa/router'
import Koa from 'koa'
import { koaBody } from 'koa-body'

import { openKeyValueStore } from '../src/lib/key-value/key-value-store.js'

const { PORT = '', DATA_DIR = '', RESPONSE_SIZES = '' } = process.env

const bodies = RESPONSE_SIZES.split(',').map((size) => 'x'.repeat(Number(size)))
let sent = 0
const nextBody = (): string => bodies[(sent += 1) % bodies.length] ?? ''

const store = await openKeyValueStore(join(DATA_DIR, 'reference'))
const koa = new Koa()
const router = new Router()

router.get('/api/zines/:id/', (ctx) => {
  ctx.type = 'application/json'
  ctx.body = nextBody()
})

router.get('/healthz', (ctx) => {
  ctx.body = 'ok'
})

let written = 0
router.post('/api/zines/', koaBody(), async (ctx) => {
  await store.write([{ key: `zines/${(written += 1)}`, value: JSON.stringify(ctx.request.body) }])
  ctx.type = 'application/json'
  ctx.status = 201
  ctx.body = nextBody()
})

koa.use(router.routes())
const handleRequest = koa.callback()
const server = createServer((request, response) => void handleRequest(request, response))
server.listen(Number(PORT), '127.0.0.1')

process.once('SIGTERM', () => {
  server.closeAllConnections()
  server.close(() => void store.close().then(() => process.exit(0)))
})
