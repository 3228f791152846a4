// The endpoints that merge two records and that rename one (docs/reference/history.md, "Merge and
// rename"), and where the paths of merged records lead. What a merge does is left to
// catalogue/writes.

import { ForbiddenError, NotFoundError } from '../../errors.js'
import { message } from '../../message.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { RecordMergedError } from '../../catalogue/errors.js'
import type { MergeOptions, MergeResult } from '../../catalogue/writes/merges.js'
import { json } from '../../formats/common-formats.js'
import type { ResourceName } from '../../model/iris.js'
import { ValidationError, pythonType } from '../../model/record/input.js'
import type { Resource, Resources } from '../../model/resources.js'
import { encodeSegment } from '../../rdf/terms.js'
import type { Handler, RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import {
  type OperationDescription,
  recordSchema,
  sharedParameter,
  withArticle,
} from '../../http/operation.js'
import { requestOrigin } from '../../http/origin.js'
import { readBody } from '../../http/request/body.js'
import { sourceOfRequest } from '../../http/request/change-source.js'
import { recordIdParam } from '../../http/request/list-query.js'
import { parsePrecondition, sendText } from '../../http/response/conditional.js'
import { redirectPermanently } from '../../http/response/redirect.js'
import * as schema from '../../http/schemas.js'
import { existsFor, seesHidden } from '../../http/request/record-rights.js'
import type { Reference } from '../../model/record/views.js'
import { requestedView } from '../records/requested-view.js'

type MergeEndpointsDependencies = {
  readonly catalogue: Catalogue
  readonly resources: Resources
}

export const mergeEndpoints = ({ catalogue, resources }: MergeEndpointsDependencies): Endpoint[] =>
  Object.values(resources).flatMap((resource) => [
    mergeEndpoint(catalogue, resource),
    renameEndpoint(catalogue, resource),
  ])

const mergeEndpoint = (catalogue: Catalogue, { name, noun }: Resource): Endpoint => ({
  path: `/api/${name}/:id/merge/`,
  name: `${noun} Merge`,
  description:
    'Merges a record into another one of its kind. All that refers to it refers to the other one afterwards, and its paths lead there.',
  formats: [json],
  resource: name,
  methods: {
    async POST(ctx) {
      const id = await existingId(ctx, catalogue, name)
      const body = await readBody(ctx)
      const request = { into: body.get('into'), fields: parseFields(body.get('fields')) }
      const options = await optionsOf(ctx, catalogue, { target: name, id }, body)
      sendResult(ctx, await catalogue.merge(name, id, request, options))
    },
  },
  operations: {
    POST: {
      ...resultOf({ noun }),
      action: `Merge ${withArticle(noun)} into another one`,
      request: schema.object({
        into: schema.text('The identifier of the record that stays.'),
        ...schema.partial({ fields: recordSchema(`Patched${noun}Write`), ...forgetMember }),
      }),
    },
  },
})

const renameEndpoint = (catalogue: Catalogue, { name, noun }: Resource): Endpoint => ({
  path: `/api/${name}/:id/rename/`,
  name: `${noun} Rename`,
  description:
    'Gives a record another identifier, as if it were merged into a new record with the same values.',
  formats: [json],
  resource: name,
  methods: {
    async POST(ctx) {
      const id = await existingId(ctx, catalogue, name)
      const body = await readBody(ctx)
      const options = await optionsOf(ctx, catalogue, { target: name, id }, body)
      sendResult(ctx, await catalogue.rename(name, id, body.get('id'), options))
    },
  },
  operations: {
    POST: {
      ...resultOf({ noun }),
      action: `Rename ${withArticle(noun)}`,
      request: schema.object({
        id: schema.text('The new identifier.'),
        ...schema.partial(forgetMember),
      }),
    },
  },
})

const forgetMember = {
  forget: schema.boolean({
    default: false,
    description:
      'Whether the identifier that goes is forgotten for good, with the history that the record has under it, in place of leading to the record that stays. Only administrators may do this. It cannot be undone.',
  }),
}

const resultOf = ({ noun }: Pick<Resource, 'noun'>): OperationDescription => ({
  response: schema.object({
    record: recordSchema(`${noun}Detail`),
    batch: schema.nullable(
      schema.text(
        'The identifier of the batch of all changes; null where the identifier is forgotten.',
      ),
    ),
  }),
  parameters: [sharedParameter('Private')],
  errors: [412],
})

/** 404 for a missing record comes before 400 for an invalid body. */
async function existingId(
  ctx: RequestContext,
  catalogue: Catalogue,
  name: ResourceName,
): Promise<string> {
  const id = recordIdParam(ctx)
  const reference = { target: name, id }
  if (!(await existsFor(catalogue, ctx.state.account, reference))) throw new NotFoundError()
  return id
}

const optionsOf = async (
  ctx: RequestContext,
  catalogue: Catalogue,
  reference: Reference,
  body: ReadonlyMap<string, unknown>,
): Promise<MergeOptions> => ({
  view: await requestedView(ctx, catalogue, reference),
  precondition: parsePrecondition(ctx),
  mayName: seesHidden(ctx.state.account),
  source: sourceOfRequest(ctx, 'merge'),
  forgets: parseForget(ctx, body.get('forget')),
})

/** @throws ValidationError for what is no boolean, ForbiddenError unless an administrator asks */
function parseForget({ state }: RequestContext, sent: unknown = false): boolean {
  if (typeof sent !== 'boolean')
    throw new ValidationError(new Map([['forget', [message('Must be a valid boolean.')]]]))
  if (sent && state.account?.role !== 'admin') throw new ForbiddenError()
  return sent
}

/** @throws ValidationError */
function parseFields(sent: unknown): ReadonlyMap<string, unknown> {
  if (sent === undefined) return new Map()
  if (typeof sent === 'object' && sent !== null && pythonType(sent) === 'dict')
    return new Map(Object.entries(sent))
  const message = `Expected a dictionary of items but got type "${pythonType(sent)}".`
  throw new ValidationError(new Map([['fields', [message]]]))
}

function sendResult(ctx: RequestContext, { record, batch }: MergeResult): void {
  ctx.set('Cache-Control', 'private, no-store')
  sendText(ctx, `{"record":${record.json},"batch":${JSON.stringify(batch)}}`)
}

/**
 * Answers reads of a merged record with the address of the record that stayed.
 * @param part what follows the address of a record, for reads of a part of it
 */
export const followMerges =
  (handler: Handler, part = ''): Handler =>
  async (ctx) => {
    try {
      await handler(ctx)
    } catch (error) {
      if (!(error instanceof RecordMergedError)) throw error
      const { target, id } = error.into
      const record = `${requestOrigin(ctx)}/api/${target}/${encodeSegment(id)}/${part}`
      redirectPermanently(ctx, new URL(record + ctx.search).href)
    }
  }
