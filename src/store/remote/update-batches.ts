// Builds updates that every SPARQL engine accepts: INSERT DATA and DELETE DATA of one graph, small
// enough for Virtuoso to compile as one statement. Repeating one changes nothing.
// commit-protocol.ts sends them.

import type { NamedNode } from '@rdfjs/types'
import toNT from '@rdfjs/to-ntriples'

import { filterByGraph } from '../../rdf/nquads.js'

/** With more than 1,000, Virtuoso fails because the SQL that it generates is too long. */
const maxTriples = 500

/** In characters. A longer triple is sent alone. */
const maxLength = 200_000

/** The operations for those of these N-Quads that are in the graph. */
export function buildUpdates(
  verb: 'INSERT DATA' | 'DELETE DATA',
  nquads: string,
  graph: NamedNode,
): string[] {
  const name = toNT(graph)
  const lineEnd = ` ${name} .`
  const updates: string[] = []
  let batch: string[] = []
  let length = 0
  const endBatch = (): void => {
    if (batch.length > 0) updates.push(`${verb} { GRAPH ${name} {\n${batch.join('\n')}\n} }`)
    batch = []
    length = 0
  }
  for (const line of filterByGraph(nquads, [graph]).split('\n')) {
    if (line === '') continue
    if (batch.length === maxTriples || length + line.length > maxLength) endBatch()
    // The graph is named once, around all triples.
    batch.push(`${line.slice(0, -lineEnd.length)} .`)
    length += line.length
  }
  endBatch()
  return updates
}

/** The lines that are in the first and not in the second. */
export function linesNotIn(nquads: string, others: string): string {
  const excluded = new Set(others.split('\n'))
  return nquads
    .split('\n')
    .filter((line) => line !== '' && !excluded.has(line))
    .map((line) => `${line}\n`)
    .join('')
}
