// Reads how the holdings of zines are written into MARC records: `items`, and for Koha `branch` and
// `item_type` (docs/reference/marc.md, "Holdings in bibliographic records").

import { type ItemOptions, itemFieldTags } from '../../formats/serializer.js'
import type { RequestContext } from '../context.js'
import { httpErrors } from '../errors.js'
import { queryParam } from './url.js'

/** What Koha takes as the code of a library or of an item type. */
export const kohaCode = /^[A-Za-z0-9_-]{1,10}$/

export const defaultItemType = 'ZINE'

/**
 * The options of a read; undefined without `items`. The answer to a write never has holdings.
 * @throws HttpError 400 for a value that cannot be used
 */
export function parseItemOptions(ctx: RequestContext): ItemOptions | undefined {
  const items = queryParam(ctx, 'items')
  if (items === '' || !['GET', 'HEAD'].includes(ctx.method)) return undefined
  const field = itemFieldTags.find((tag) => tag === items)
  if (!field) throw httpErrors.badRequest(`items has to be ${itemFieldTags.join(' or ')}.`)
  return {
    field,
    branch: codeParam(ctx, 'branch'),
    itemType: codeParam(ctx, 'item_type') ?? defaultItemType,
  }
}

function codeParam(ctx: RequestContext, name: string): string | undefined {
  const code = queryParam(ctx, name)
  if (code === '') return undefined
  if (!kohaCode.test(code))
    throw httpErrors.badRequest(
      `${name} has to be a code of at most 10 letters, digits, hyphens and underscores.`,
    )
  return code
}
