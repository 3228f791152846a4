// The page of worklists: counts the zines of each. How it looks is left to
// features/inventory/worklists-page.tsx.

import { setTimeout as sleep } from 'node:timers/promises'

import { mayWrite, mayWriteSomething } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { worklistFilters, worklistNames } from '../../model/worklists.js'
import { yieldToEventLoop } from '../../lib/scheduling.js'
import { editingRoutes } from '../../views/links.js'
import { WorklistsPage } from './worklists-page.js'
import type { Endpoint } from '../../http/endpoint.js'
import { type FormDependencies, createPageEndpoint } from '../../http/form-endpoint.js'

type WorklistsDependencies = FormDependencies & { readonly catalogue: Catalogue }

/** Duplicates are counted by reading all zines, for which nobody waits longer. */
const maxWaitMs = 1000

export const worklistsEndpoint = (dependencies: WorklistsDependencies): Endpoint =>
  createPageEndpoint(dependencies, {
    path: editingRoutes.worklists,
    name: 'Worklists',
    description: 'How many zines have something missing or likely wrong, with a list of each.',
    isAllowed: mayWriteSomething,
    async render({ context, account }) {
      const { catalogue } = dependencies
      const groups = Promise.race([
        catalogue.duplicateGroups('zines').catch(() => undefined),
        sleep(maxWaitMs, undefined),
      ])
      return (
        <WorklistsPage
          context={context}
          counts={await countWorklists(catalogue)}
          duplicates={(await groups)?.length}
          mayEdit={mayWrite(account, 'zines')}
        />
      )
    },
  })

async function countWorklists({ count }: Pick<Catalogue, 'count'>) {
  const counts = []
  for (const name of worklistNames) {
    // Counting blocks the event loop for a moment.
    await yieldToEventLoop()
    const query = { filters: new Map([worklistFilters[name]]), search: '', ordering: [] }
    counts.push({ name, count: await count('zines', query) })
  }
  return counts
}
