// The endpoints of batches: many writes at once, the batches that were made, and undoing one
// (docs/reference/history.md, "Batches").

import { Readable } from 'node:stream'

import { mayWrite } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import type {
  BatchMode,
  BatchOperation,
  BatchRequest,
  BatchResult,
  LineResult,
} from '../../catalogue/writes/batches.js'
import { json } from '../../formats/common-formats.js'
import type { JobStatus, Jobs } from '../../lib/jobs.js'
import type { Resources } from '../../model/resources.js'
import { createYielder } from '../../lib/scheduling.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { type ErrorResponse, httpErrors } from '../../http/errors.js'
import { inQuery, pageOperation } from '../../http/operation.js'
import { jsonLinesType, readBody } from '../../http/request/body.js'
import { pageOfAll } from '../../http/request/pagination.js'
import { queryParam } from '../../http/request/url.js'
import { requireAccount } from '../../http/request/required-account.js'
import { contentType, sendJson } from '../../http/response/conditional.js'
import { toErrorResponse } from '../../http/response/http-errors.js'
import * as schema from '../../http/schemas.js'
import {
  batchEditSchema,
  batchLineSchema,
  kindSchema,
  readBatchLines,
  readEditRequest,
} from './batch-requests.js'

const modeSchema = schema.choice(['all', 'each'])

const batchSchema = schema.component('Batch', 'A batch that was written.', {
  id: schema.uuid(),
  at: schema.time(),
  account: schema.nullable(schema.text()),
  how: schema.text('How its changes came, such as `batch` or `undo`.'),
  mode: modeSchema,
  count: schema.positive('How many records it changed.'),
  kinds: schema.mapOf(
    schema.mapOf(schema.positive()),
    'How many records of each kind were created, updated and deleted.',
  ),
  undoes: schema.nullable(schema.uuid('The batch that it undid.')),
  undone_by: schema.nullable(schema.uuid('The batch that undid it.')),
})

const progressSchema = schema.component('BatchProgress', 'A batch that is being written.', {
  id: schema.uuid(),
  at: schema.time('When it began.'),
  account: schema.nullable(schema.text()),
  progress: schema.object(
    {
      done: schema.count('How many lines are checked.'),
      total: schema.count('How many there are; 0 until it begins.'),
    },
    'How far it is.',
  ),
})

const resultSchema = schema.component(
  'BatchResult',
  'The results of the lines of a batch, in their order.',
  {
    id: schema.nullable(schema.uuid('null if nothing was written.')),
    mode: modeSchema,
    dry_run: schema.boolean(),
    results: schema.listOf(
      schema.object(
        {
          line: schema.positive(),
          kind: kindSchema,
          id: schema.text(),
          status: schema.integer(),
          body: schema.nullable(
            schema.anyObject(
              'The record, the body of the error, or null for a record that was removed.',
            ),
          ),
        },
        'What the single request would be answered.',
      ),
    ),
  },
)

const undoSchema = schema.component(
  'BatchUndo',
  'How a batch is undone.',
  schema.partial({
    private: schema.boolean(
      'Whether private fields, and which agents are public, are taken back too.',
    ),
  }),
)

const parameters = [
  inQuery(
    'mode',
    'With `all`, one bad line keeps the batch from being written; with `each`, the good lines are written.',
    schema.choice(['all', 'each'], { default: 'all' }),
  ),
  inQuery(
    'dry_run',
    'With `true`, nothing is written; the results are those that there would be.',
    schema.boolean({ default: false }),
  ),
  inQuery(
    'id',
    'The identifier that the batch is to have: a UUID that the client chose. While the batch is being written, its address says how far it is.',
    schema.uuid(),
  ),
]

type BatchEndpointsDependencies = {
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly jobs: Jobs
}

type Batch = Awaited<ReturnType<Catalogue['batch']>>

export const batchEndpoints = (dependencies: BatchEndpointsDependencies): Endpoint[] => [
  batchesEndpoint(dependencies),
  batchEndpoint(dependencies),
  undoEndpoint(dependencies),
]

const batchesEndpoint = ({ catalogue, resources, jobs }: BatchEndpointsDependencies): Endpoint => ({
  path: '/api/batches/',
  name: 'Batches',
  description:
    'Many writes at once: each line creates, replaces, changes or removes a record, or one edit is made to many records.',
  formats: [json],
  readsNeedRights: true,
  consumes: [jsonLinesType, json.type],
  methods: {
    async GET(ctx) {
      const page = pageOfAll(ctx, await catalogue.batches(), toJson)
      ctx.set('Cache-Control', 'no-store')
      sendJson(ctx, page)
    },
    async POST(ctx) {
      const request = parseBatchRequest(ctx)
      await checkNewId({ catalogue, jobs }, request)
      const run = (work: (job: BatchRequest) => Promise<BatchResult>) =>
        runAsJob(jobs, request, work)
      if (ctx.is(json.type)) {
        const { selection, edits } = await readEditRequest(ctx, resources)
        const result = await run((job) => catalogue.editRecords(selection, edits, job))
        await sendResult(ctx, request, result)
        return
      }
      const lines = await readBatchLines(ctx, resources)
      const written = lines.map(({ line }) => line)
      const result = await run((job) => catalogue.writeBatch(written, job))
      await sendResult(
        ctx,
        request,
        result,
        lines.map(({ number }) => number),
      )
    },
  },
  operations: {
    GET: pageOperation(schema.page('PaginatedBatchList', batchSchema)),
    POST: {
      request: batchEditSchema,
      lines: batchLineSchema,
      response: resultSchema,
      refusal: resultSchema,
      parameters,
    },
  },
})

const batchEndpoint = ({ catalogue, jobs }: BatchEndpointsDependencies): Endpoint => ({
  path: '/api/batches/:batch/',
  name: 'Batch',
  description:
    'A batch that was written: who wrote it, how many records, and whether it was undone. While one is being written: how far it is.',
  formats: [json],
  readsNeedRights: true,
  methods: {
    async GET(ctx) {
      ctx.set('Cache-Control', 'no-store')
      const id = ctx.params.batch ?? ''
      const job = jobs.status(id)
      sendJson(ctx, job && !job.error ? progressJson(job) : toJson(await catalogue.batch(id)))
    },
  },
  operations: { GET: { response: { anyOf: [batchSchema, progressSchema] } } },
})

const undoEndpoint = ({ catalogue }: BatchEndpointsDependencies): Endpoint => ({
  path: '/api/batches/:batch/undo/',
  name: 'Undo of a Batch',
  description:
    'Takes back all changes of a batch, or none where a record was changed since. This is a batch too, which is the answer.',
  formats: [json],
  readsNeedRights: true,
  methods: {
    async POST(ctx) {
      const withPrivate = (await readBody(ctx)).get('private') === true
      const account = requireAccount(ctx)
      const undone = await catalogue.undoBatch(ctx.params.batch ?? '', {
        account: account.name,
        mayWrite: (name) => mayWrite(account, name),
        withPrivate,
      })
      sendJson(ctx, toJson(undone))
    },
  },
  operations: { POST: { request: undoSchema, response: batchSchema, errors: [409] } },
})

/** @throws HttpError 400 for parameters with other values than these */
function parseBatchRequest(ctx: RequestContext): BatchRequest {
  const account = requireAccount(ctx)
  const mode = modes.get(queryParam(ctx, 'mode'))
  const isDryRun = flags.get(queryParam(ctx, 'dry_run'))
  if (!mode) throw httpErrors.badRequest('mode is neither all nor each.')
  if (isDryRun === undefined) throw httpErrors.badRequest('dry_run is neither true nor false.')
  return {
    mode,
    isDryRun,
    withJson: true,
    account: account.name,
    mayWrite: (name) => mayWrite(account, name),
    id: parseBatchId(ctx),
  }
}

/** The identifier that the client chose, to ask how far the batch is. @throws HttpError 400 */
function parseBatchId(ctx: RequestContext): string | undefined {
  const id = queryParam(ctx, 'id')
  if (id !== '' && !uuidPattern.test(id)) throw httpErrors.badRequest('id is no UUID.')
  return id === '' ? undefined : id.toLowerCase()
}

const uuidPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** @throws HttpError 400 for the identifier of another batch */
async function checkNewId(
  { catalogue, jobs }: Pick<BatchEndpointsDependencies, 'catalogue' | 'jobs'>,
  { id }: BatchRequest,
): Promise<void> {
  if (id === undefined) return
  const isUsed = jobs.status(id)?.error === undefined && jobs.status(id) !== undefined
  const isWritten = (await catalogue.batches()).some((batch) => batch.id === id)
  if (isUsed || isWritten) throw httpErrors.badRequest('There is a batch with this id.')
}

/** Runs a batch so that others can ask how far it is. */
const runAsJob = (
  jobs: Jobs,
  request: BatchRequest,
  work: (request: BatchRequest) => Promise<BatchResult>,
): Promise<BatchResult> =>
  jobs.start((id, onProgress) => work({ ...request, id, onProgress }), request).result

const modes: ReadonlyMap<string, BatchMode> = new Map([
  ['', 'all'],
  ['all', 'all'],
  ['each', 'each'],
])

const flags: ReadonlyMap<string, boolean> = new Map([
  ['', false],
  ['false', false],
  ['true', true],
])

/** What is answered of a batch that is being written. */
const progressJson = ({
  id,
  at,
  account,
  done,
  total,
}: JobStatus): schema.ValueOf<typeof progressSchema> => ({
  id,
  at,
  account: account ?? null,
  progress: { done, total },
})

/** What is answered of a batch. */
const toJson = ({ undoneBy, ...batch }: Batch): schema.ValueOf<typeof batchSchema> => ({
  id: batch.id,
  at: batch.at,
  account: batch.account ?? null,
  how: batch.how,
  mode: batch.mode,
  count: batch.count,
  kinds: batch.kinds,
  undoes: batch.undoes ?? null,
  undone_by: undoneBy ?? null,
})

/**
 * Sends the results.
 * @param numbers those of the lines in the body, unless they are simply counted
 */
async function sendResult(
  ctx: RequestContext,
  { mode, isDryRun }: BatchRequest,
  { batch, hasFailed, lines }: BatchResult,
  numbers?: readonly number[],
): Promise<void> {
  const isRefused = hasFailed && mode === 'all'
  const head = JSON.stringify({ id: batch?.id ?? null, mode, dry_run: isDryRun })
  const chunks: string[] = []
  let chunk = `${head.slice(0, -1)},"results":[`
  const maybeYield = createYielder()
  for (const [index, line] of lines.entries()) {
    const { status, body } = resultOf(line, isRefused)
    const { target, id } = line.reference
    const start = JSON.stringify({ line: numbers?.[index] ?? index + 1, kind: target, id, status })
    chunk += `${index > 0 ? ',' : ''}${start.slice(0, -1)},"body":${body}}`
    if (chunk.length > maxChunkLength) {
      chunks.push(chunk)
      chunk = ''
    }
    await maybeYield()
  }
  chunk += ']}'
  ctx.status = isRefused ? 400 : 200
  ctx.set('Content-Type', contentType(json))
  ctx.set('Cache-Control', 'no-store')
  ctx.body = chunks.length > 0 ? Readable.from([...chunks, chunk]) : chunk
}

/** How many characters are sent at a time; sending megabytes at once would block others. */
const maxChunkLength = 64 * 1024

const statuses: Readonly<Record<BatchOperation, number>> = {
  create: 201,
  replace: 200,
  change: 200,
  remove: 204,
}

/** The status that the single request would have, and its body as JSON. */
function resultOf(line: LineResult, isRefused: boolean): { status: number; body: string } {
  if ('error' in line) return ofError(toErrorResponse(line.error), line.error)
  if (isRefused) return ofError(httpErrors.failedDependency().answer)
  return { status: statuses[line.op], body: line.json ?? 'null' }
}

/** @throws an unexpected error */
function ofError(response: ErrorResponse | undefined, error?: Error) {
  if (!response) throw error ?? new Error('there is no response')
  return { status: response.status, body: JSON.stringify(response.body) }
}
