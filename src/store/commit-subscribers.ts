// The subscribers to a store's commits. Each gets only the quads in its graphs.

import { filterByGraph } from '../rdf/nquads.js'
import type { NamedNode } from '../rdf/terms.js'
import { createYielder } from '../lib/scheduling.js'
import { partsOf } from './commit-parts.js'
import type { CommitListener, StoreCommit } from './store.js'

export type CommitSubscribers = {
  readonly subscribe: (graphs: readonly NamedNode[], onCommit: CommitListener) => () => void
  /** Tells all subscribers of a commit, which is made of these. */
  readonly notify: (commits: readonly StoreCommit[]) => Promise<void>
}

export function createCommitSubscribers(): CommitSubscribers {
  const subscribers = new Set<CommitSubscribers['notify']>()
  return {
    subscribe(graphs, onCommit) {
      const subscriber = async (commits: readonly StoreCommit[]): Promise<void> =>
        onCommit(await partsOf(await filterAll(commits, graphs)))
      subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    },
    async notify(commits) {
      for (const subscriber of subscribers) await subscriber(commits)
    },
  }
}

async function filterAll(
  commits: readonly StoreCommit[],
  graphs: readonly NamedNode[],
): Promise<readonly StoreCommit[]> {
  const maybeYield = createYielder()
  const filtered: StoreCommit[] = []
  for (const { removed, added } of commits) {
    filtered.push({ removed: filterByGraph(removed, graphs), added: filterByGraph(added, graphs) })
    await maybeYield()
  }
  return filtered
}
