// Says in an export or a dump which changes it certainly has, so that a client can go on with those
// after it (docs/reference/changes.md, "Changes").

import type { ChangeFeed, LogPosition } from '../../catalogue/history/change-feed.js'
import type { RequestContext } from '../context.js'

/** Has to be called before anything of the export is read. */
export async function setLogPosition(
  ctx: RequestContext,
  changes: Pick<ChangeFeed, 'position'>,
): Promise<void> {
  const position = await changes.position()
  if (position) setLogHeaders(ctx, position)
}

export function setLogHeaders(ctx: RequestContext, { name, position }: LogPosition): void {
  ctx.set('X-Log-Name', name)
  ctx.set('X-Log-Position', String(position))
}
