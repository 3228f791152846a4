// Which records are removed together with a record (docs/api.md, "Delete effects").

import type { ResourceName } from '../../model/iris.js'

/**
 * Holdings are removed with their zine and with their repository. Zines keep the identifier of a
 * removed agent, which then leads nowhere.
 */
export const cascades: Readonly<
  Record<ResourceName, readonly { readonly resource: ResourceName; readonly field: string }[]>
> = {
  zines: [{ resource: 'holdings', field: 'zine_id' }],
  repositories: [{ resource: 'holdings', field: 'repository_id' }],
  holdings: [],
  agents: [],
}
