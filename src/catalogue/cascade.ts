// What is removed along with a record (specification: Delete effects).

import type { ResourceName } from '../model/iris.js'

/**
 * 1 and 2: a holding goes with its zine and with its repository. 3: nothing goes with a holding.
 * 4: nothing goes with an agent; zines go on naming an identifier that no longer exists.
 */
export const cascades: Readonly<
  Record<ResourceName, readonly { readonly resource: ResourceName; readonly field: string }[]>
> = {
  zines: [{ resource: 'holdings', field: 'zine_id' }],
  repositories: [{ resource: 'holdings', field: 'repository_id' }],
  holdings: [],
  agents: [],
}
