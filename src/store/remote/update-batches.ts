// Updates that every engine takes: INSERT DATA and DELETE DATA of one graph, of no more triples than
// Virtuoso compiles into one statement. Doing one again changes nothing.

import type { NamedNode } from '@rdfjs/types'
import toNT from '@rdfjs/to-ntriples'

import { filterByGraph } from '../../rdf/nquads.js'

/** Beyond a thousand, Virtuoso says that the SQL which it generates is too long. */
const triples = 500

/** In characters; a triple that is longer goes by itself. */
const size = 200_000

/** The operations that do this with the quads of a graph that are among these lines of N-Quads. */
export function buildUpdates(
  verb: 'INSERT DATA' | 'DELETE DATA',
  nquads: string,
  graph: NamedNode,
): string[] {
  const name = toNT(graph)
  const end = ` ${name} .`
  const chunks: string[] = []
  let chunk: string[] = []
  let length = 0
  const close = (): void => {
    if (chunk.length > 0) chunks.push(`${verb} { GRAPH ${name} {\n${chunk.join('\n')}\n} }`)
    chunk = []
    length = 0
  }
  for (const line of filterByGraph(nquads, [graph]).split('\n')) {
    if (line === '') continue
    if (chunk.length === triples || length + line.length > size) close()
    // The graph is said once, around all of them.
    chunk.push(`${line.slice(0, -end.length)} .`)
    length += line.length
  }
  close()
  return chunks
}

/** The lines that are in the first and not in the second. */
export function linesNotIn(nquads: string, others: string): string {
  const gone = new Set(others.split('\n'))
  return nquads
    .split('\n')
    .filter((line) => line !== '' && !gone.has(line))
    .map((line) => `${line}\n`)
    .join('')
}
