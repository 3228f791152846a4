// The page of worklists: counts the zines of each. How it looks is left to views/pages/worklists.tsx.

import { setTimeout as sleep } from 'node:timers/promises'

import { mayWrite, mayWriteSomething } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { yieldToEventLoop } from '../../scheduling.js'
import { editingRoutes } from '../../views/links.js'
import { type Worklist, WorklistsPage } from '../../views/pages/worklists.js'
import type { Endpoint } from '../endpoint.js'
import { firstPageQuery } from '../request/list-query.js'
import { type FormDependencies, createPageEndpoint } from './form-endpoint.js'

type WorklistsDependencies = FormDependencies & { readonly catalogue: Catalogue }

type FilteredWorklist = Omit<Worklist, 'count'> & {
  readonly filters: NonNullable<Worklist['filters']>
}

// prettier-ignore
const filteredWorklists: readonly FilteredWorklist[] = [
  { title: 'No copy', explanation: 'No library has it.', filters: { has_holding: 'false' } },
  { title: 'Undated', explanation: 'None of its dates names a year.', filters: { undated: 'true' } },
  { title: 'Unknown maker', explanation: 'A maker has a name that stands for nobody, such as “Unknown maker” or “Anonymous”.', filters: { unknown_maker: 'true' } },
  { title: 'No subject but the general one', explanation: 'It has only the subject “Zines and zine culture”, which is for zines that no narrower one fits.', filters: { only_general_subject: 'true' } },
  { title: 'Broken reference', explanation: 'It names a maker, contributor or publisher that was deleted.', filters: { broken_reference: 'true' } },
]

const duplicates: Omit<Worklist, 'count'> = {
  title: 'Likely duplicates',
  explanation: 'Groups of zines with the same title and issue, or with the same identifier.',
  filters: undefined,
}

/** Duplicates are counted by reading all zines, for which nobody waits longer. */
const maxWaitMs = 1000

export const worklistsEndpoint = (dependencies: WorklistsDependencies): Endpoint =>
  createPageEndpoint(dependencies, {
    path: editingRoutes.worklists,
    name: 'Worklists',
    description: 'How many zines have something missing or likely wrong, with a list of each.',
    isAllowed: mayWriteSomething,
    render: async ({ context, account }) => (
      <WorklistsPage
        context={context}
        worklists={await countWorklists(dependencies)}
        mayEdit={mayWrite(account, 'zines')}
      />
    ),
  })

async function countWorklists({ catalogue }: WorklistsDependencies): Promise<readonly Worklist[]> {
  const groups = Promise.race([
    catalogue.duplicateGroups('zines').catch(() => undefined),
    sleep(maxWaitMs, undefined),
  ])
  const counted: Worklist[] = []
  for (const worklist of filteredWorklists) {
    // Counting blocks the event loop for a moment.
    await yieldToEventLoop()
    const { count } = await catalogue.list('zines', firstPageQuery(1, worklist))
    counted.push({ ...worklist, count })
  }
  return [...counted, { ...duplicates, count: (await groups)?.length }]
}
