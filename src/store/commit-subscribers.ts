// The subscribers to a store's commits. Each gets only the quads in its graphs.

import { filterByGraph } from '../rdf/nquads.js'
import type { NamedNode } from '../rdf/terms.js'
import type { StoreCommit } from './store.js'

export type CommitSubscribers = {
  readonly subscribe: (
    graphs: readonly NamedNode[],
    onCommit: (commit: StoreCommit) => void,
  ) => () => void
  readonly notify: (commit: StoreCommit) => void
}

export function createCommitSubscribers(): CommitSubscribers {
  const subscribers = new Set<(commit: StoreCommit) => void>()
  return {
    subscribe(graphs, onCommit) {
      const subscriber = ({ removed, added }: StoreCommit): void =>
        onCommit({ removed: filterByGraph(removed, graphs), added: filterByGraph(added, graphs) })
      subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    },
    notify(commit) {
      for (const subscriber of subscribers) subscriber(commit)
    },
  }
}
