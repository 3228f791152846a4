// The view of records in the response to a request: whether it has private fields.

import { mayWrite } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { json } from '../../formats/common-formats.js'
import type { ResourceName } from '../../model/iris.js'
import type { Reference, ViewName } from '../../model/record/views.js'
import type { RequestContext } from '../../http/context.js'
import { viewFor } from '../../http/request/record-rights.js'
import { wantsPrivate } from '../../http/request/list-query.js'

/**
 * The view of a record in the response: private fields are shown to accounts that may edit the
 * record, if they send `private=true`. Legal names and the like are in JSON alone: files in other
 * formats are passed on more.
 */
export const requestedView = async (
  ctx: RequestContext,
  catalogue: Pick<Catalogue, 'mayWriteRecord'>,
  reference: Reference,
): Promise<ViewName> => (isAsked(ctx) ? viewFor(catalogue, ctx.state.account, reference) : 'detail')

/** The same of a record that is to be created. Whose holdings an account may write is checked then. */
export const requestedViewOfNew = (ctx: RequestContext, name: ResourceName): ViewName => {
  const { account } = ctx.state
  return isAsked(ctx) && account && mayWrite(account, name) ? 'private' : 'detail'
}

const isAsked = (ctx: RequestContext): boolean =>
  ctx.state.format.name === json.name && wantsPrivate(ctx)
