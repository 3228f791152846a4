// The view of records in the response to a request: whether it has private fields.

import { maySeePrivate } from '../../accounts/rights.js'
import { json } from '../../formats/common-formats.js'
import type { ResourceName } from '../../model/iris.js'
import type { ViewName } from '../../model/record/views.js'
import type { RequestContext } from '../../http/context.js'
import { queryParam } from '../../http/request/url.js'

/**
 * The view of a record in the response: private fields are shown on an agent to accounts that may
 * edit agents, if they send `private=true`. Only JSON has them: files in other formats are passed
 * on more.
 */
export function requestedView(ctx: RequestContext, name: ResourceName): ViewName {
  const { account, format } = ctx.state
  const isAsked = name === 'agents' && format.name === json.name && wantsPrivate(ctx)
  return isAsked && account && maySeePrivate(account) ? 'private' : 'detail'
}

export const wantsPrivate = (ctx: RequestContext): boolean => queryParam(ctx, 'private') === 'true'
