// Counts the triples of a graph, and those of them that link to other datasets. The count is kept
// with every write, so that nothing has to be read for it.

import type { LinkCount, TripleCounts } from '../model/dataset-description.js'
import type { LinkTarget } from '../model/link-targets.js'
import { countInGraph, createLinkFinder } from '../rdf/nquads.js'
import type { NamedNode } from '../rdf/terms.js'
import { createYielder } from '../lib/scheduling.js'
import type { QuadChange } from '../store/commit-listeners.js'

/**
 * @param base the IRIs of the catalogue, whose links are counted, begin with it
 * @param targets the datasets that are linked to
 */
export type TripleCounter = ReturnType<typeof createTripleCounter>

export function createTripleCounter(
  graph: NamedNode,
  base: string,
  targets: readonly LinkTarget[],
) {
  let triples = 0
  const links = new Map<string, LinkCount>()
  const findLinks = createLinkFinder(targets.flatMap(({ namespaces }) => namespaces))

  function change(nquads: string, by: 1 | -1): void {
    triples += by * countInGraph(nquads, graph)
    for (const { s, p, o, g } of findLinks(nquads)) {
      if (g !== graph.value || !s.startsWith(`${base}/`)) continue
      const target = targetOf(targets, o)
      if (!target) continue
      const key = `${target.name} ${p}`
      const count = links.get(key) ?? { target, property: p, triples: 0 }
      links.set(key, { ...count, triples: count.triples + by })
    }
  }

  return {
    /** Counts quads that were not there before; those of other graphs do not count. */
    add: (nquads: string): void => change(nquads, 1),
    async onCommit(parts: readonly QuadChange[]): Promise<void> {
      const maybeYield = createYielder()
      for (const { removed, added } of parts) {
        change(removed, -1)
        change(added, 1)
        await maybeYield()
      }
    },
    save: (): SavedTripleCounts => ({
      triples,
      links: Array.from(links, ([key, { target, ...link }]) => [
        key,
        { ...link, target: target.name },
      ]),
    }),
    /** Takes what was counted before, in place of `add`. */
    restore(counts: SavedTripleCounts): void {
      triples += counts.triples
      for (const [key, link] of counts.links) {
        const target = targets.find(({ name }) => name === link.target)
        if (target) links.set(key, { ...link, target })
      }
    },
    counts: (): TripleCounts => ({
      triples,
      links: [...links.values()].filter((link) => link.triples > 0),
    }),
  }
}

export type SavedTripleCounts = {
  readonly triples: number
  /** Each with the name of the dataset that it leads to. */
  readonly links: readonly (readonly [
    key: string,
    link: {
      readonly property: LinkCount['property']
      readonly triples: number
      readonly target: string
    },
  ])[]
}

const targetOf = (targets: readonly LinkTarget[], object: string): LinkTarget | undefined =>
  targets.find(({ namespaces }) => namespaces.some((namespace) => object.startsWith(namespace)))
