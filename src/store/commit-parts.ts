// The quads that a commit changed, in parts that each take some milliseconds to apply.

import { filterByGraph } from '../rdf/nquads.js'
import type { NamedNode } from '../rdf/terms.js'
import { createYielder } from '../lib/scheduling.js'
import type { Commit, QuadChange } from './commit-listeners.js'

/** How many characters of N-Quads are in a part. */
const maxPartLength = 50_000

/** What a commit changed in these graphs. */
export async function partsInGraphs(
  { records, transient = [] }: Commit,
  graphs: readonly NamedNode[],
): Promise<readonly QuadChange[]> {
  const maybeYield = createYielder()
  const filtered: QuadChange[] = []
  for (const change of [...records.map((record) => record.change), ...transient]) {
    if (!change) continue
    const { removed, added } = change
    filtered.push({ removed: filterByGraph(removed, graphs), added: filterByGraph(added, graphs) })
    await maybeYield()
  }
  return partsOf(filtered)
}

/**
 * The parts of a commit that is made of these: first all that is removed, then all that is added,
 * since a quad may be removed by one and added by another. What fits into one part is one.
 */
export async function partsOf(commits: readonly QuadChange[]): Promise<readonly QuadChange[]> {
  const removed = await joinTexts(commits.map((commit) => commit.removed))
  const added = await joinTexts(commits.map((commit) => commit.added))
  const [onlyRemoved = '', onlyAdded = ''] = [removed[0], added[0]]
  if (removed.length <= 1 && added.length <= 1) return [{ removed: onlyRemoved, added: onlyAdded }]
  return [
    ...removed.map((text) => ({ removed: text, added: '' })),
    ...added.map((text) => ({ removed: '', added: text })),
  ]
}

/** The texts in few longer ones: loading many quads takes hardly longer than a few. */
async function joinTexts(texts: readonly string[]): Promise<readonly string[]> {
  const joined: string[] = []
  let waiting: string[] = []
  let length = 0
  const maybeYield = createYielder()
  for (const text of texts) {
    if (length > 0 && length + text.length > maxPartLength) {
      joined.push(waiting.join(''))
      waiting = []
      length = 0
      await maybeYield()
    }
    waiting.push(text)
    length += text.length
  }
  if (length > 0) joined.push(waiting.join(''))
  return joined
}
