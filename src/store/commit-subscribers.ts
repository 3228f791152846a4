// The subscribers to a store's commits. Each gets only the quads in its graphs.

import { filterByGraph } from '../rdf/nquads.js'
import type { NamedNode } from '../rdf/terms.js'
import { createYielder } from '../scheduling.js'
import type { StoreCommit } from './store.js'

export type CommitSubscribers = {
  readonly subscribe: (
    graphs: readonly NamedNode[],
    onCommit: (commit: StoreCommit) => void,
  ) => () => void
  /** Tells all subscribers of a commit, which may be in several parts; they get it in one. */
  readonly notify: (parts: readonly StoreCommit[]) => Promise<void>
}

export function createCommitSubscribers(): CommitSubscribers {
  const subscribers = new Set<(parts: readonly StoreCommit[]) => Promise<void>>()
  return {
    subscribe(graphs, onCommit) {
      const subscriber = async (parts: readonly StoreCommit[]): Promise<void> =>
        onCommit(await filterParts(parts, graphs))
      subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    },
    async notify(parts) {
      for (const subscriber of subscribers) await subscriber(parts)
    },
  }
}

async function filterParts(
  parts: readonly StoreCommit[],
  graphs: readonly NamedNode[],
): Promise<StoreCommit> {
  const maybeYield = createYielder()
  let [removed, added] = ['', '']
  for (const part of parts) {
    removed += filterByGraph(part.removed, graphs)
    added += filterByGraph(part.added, graphs)
    await maybeYield()
  }
  return { removed, added }
}
