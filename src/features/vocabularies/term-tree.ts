// The entries of a vocabulary below their broader ones, as its page folds them.

import { type Vocabulary, type VocabularyEntry, broaderOf } from '../../model/vocabulary.js'

/** An entry with those below it. One that has several broader ones is below each. */
export type TermNode = {
  readonly entry: VocabularyEntry
  readonly narrower: readonly TermNode[]
}

/** @param entries all of the vocabulary, in the order that those of a level have */
export function buildTermTree(
  vocabulary: Vocabulary,
  entries: readonly VocabularyEntry[],
): readonly TermNode[] {
  const codes = new Set(entries.map(({ code }) => code))
  const below = new Map<string, VocabularyEntry[]>()
  const reached = new Set<string>()
  const tops: VocabularyEntry[] = []
  for (const entry of entries) {
    const broader = broaderOf(vocabulary, entry.code).filter((code) => codes.has(code))
    if (broader.length === 0) tops.push(entry)
    for (const code of broader) {
      const siblings = below.get(code)
      if (siblings) siblings.push(entry)
      else below.set(code, [entry])
    }
  }
  /** @param above the codes above, so that a circle in the file of an institution ends */
  const nodeOf = (entry: VocabularyEntry, above: ReadonlySet<string>): TermNode => {
    reached.add(entry.code)
    const path = new Set([...above, entry.code])
    const narrower = (below.get(entry.code) ?? []).filter(({ code }) => !path.has(code))
    return { entry, narrower: narrower.map((child) => nodeOf(child, path)) }
  }
  const nodes = tops.map((entry) => nodeOf(entry, new Set()))
  // Entries of a circle have no top above them.
  const ofCircles = entries.flatMap((entry) =>
    reached.has(entry.code) ? [] : [nodeOf(entry, new Set())],
  )
  return [...nodes, ...ofCircles]
}

/** How many entries are below a node, each counted once. */
export function countBelow({ narrower }: TermNode): number {
  const codes = new Set<string>()
  const visit = (nodes: readonly TermNode[]): void => {
    for (const { entry, narrower: next } of nodes) {
      codes.add(entry.code)
      visit(next)
    }
  }
  visit(narrower)
  return codes.size
}
