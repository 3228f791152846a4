// What the service is measured against: a bare Koa and router that answer one constant string, and, for
// writes, that parse the body and commit it to the durable home alone.

import { createServer } from 'node:http'
import { join } from 'node:path'

import Router from '@koa/router'
import Koa from 'koa'
import { koaBody } from 'koa-body'

import { openKeyValueStore } from '../src/store/key-value/key-value-store.js'

const { PORT = '', DATA_DIR = '', ANSWER = '' } = process.env

const home = await openKeyValueStore(join(DATA_DIR, 'reference'))
const koa = new Koa()
const router = new Router()

router.get('/api/zines/:id/', (ctx) => {
  ctx.type = 'application/json'
  ctx.body = ANSWER
})

router.get('/healthz', (ctx) => {
  ctx.body = 'ok'
})

let written = 0
router.post('/api/zines/', koaBody(), async (ctx) => {
  await home.write([{ key: `zines/${(written += 1)}`, value: JSON.stringify(ctx.request.body) }])
  ctx.type = 'application/json'
  ctx.status = 201
  ctx.body = ANSWER
})

koa.use(router.routes())
const answer = koa.callback()
const server = createServer((request, response) => void answer(request, response))
server.listen(Number(PORT), '127.0.0.1')

process.once('SIGTERM', () => {
  server.closeAllConnections()
  server.close(() => void home.close().then(() => process.exit(0)))
})
