// What requests for versions have in common, of records and of lists: the number in the path, the
// body of those that take something back, and answers that only some accounts may see.

import type { RestoreRequest } from '../../catalogue/writes/restores.js'
import { NotFoundError } from '../../errors.js'
import type { RequestContext } from '../../http/context.js'
import { readBody } from '../../http/request/body.js'
import { sourceOfRequest } from '../../http/request/change-source.js'
import { sendJson } from '../../http/response/conditional.js'
import * as schema from '../../http/schemas.js'

/** The number in the path. @throws NotFoundError if it is none */
export function versionParam(ctx: RequestContext): number {
  const text = ctx.params.version ?? ''
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new NotFoundError()
  return Number(text)
}

export const restoreSchema = schema.component(
  'RestoreRequest',
  'What is taken back besides public fields.',
  schema.partial({
    private: schema.boolean({
      default: false,
      description:
        'Whether private fields, and whether the record or list is public, are taken back too.',
    }),
  }),
)

/** @throws ValidationError for another value of `private` than true and false */
export async function readRestoreRequest(
  ctx: RequestContext,
  how: RestoreRequest['source']['how'],
): Promise<RestoreRequest> {
  const body = schema.withoutNulls(await readBody(ctx))
  const { private: withPrivate = false } = schema.parseMembers(restoreSchema, body)
  return { withPrivate, source: sourceOfRequest(ctx, how) }
}

/** Sends what only some accounts may see. */
export function sendPrivately(ctx: RequestContext, value: unknown): void {
  ctx.set('Cache-Control', privately)
  sendJson(ctx, value)
}

export const privately = 'private, no-store'
