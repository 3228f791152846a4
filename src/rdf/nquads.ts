// N-Quads by the line, as `writeNQuads` writes them: which graph a line belongs to.

import type { NamedNode, Quad } from '@rdfjs/types'
import { Parser } from 'n3'

// The whole grammar of a line, so that nothing that a literal holds is taken for a graph.
const quad =
  /(?:<[^<>\s]*>|_:\S+) <[^<>\s]*> (?:<[^<>\s]*>|_:\S+|"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*"(?:@[\w-]+|\^\^<[^<>\s]*>)?)(?: <([^<>\s]*)>)? \.\n/y

/**
 * The lines whose quads are in one of the graphs, as they are.
 * @throws Error for what is not N-Quads as `writeNQuads` writes them
 */
export function linesIn(nquads: string, graphs: readonly NamedNode[]): string {
  const wanted = new Set(graphs.map(({ value }) => value))
  let lines = ''
  quad.lastIndex = 0
  while (quad.lastIndex < nquads.length) {
    const start = quad.lastIndex
    const match = quad.exec(nquads)
    if (!match) throw new Error(`not a line of N-Quads: ${nquads.slice(start, start + 200)}`)
    const [line, graph] = match
    if (graph !== undefined && wanted.has(graph)) lines += line
  }
  return lines
}

/** The quads that lines of N-Quads say. */
export const readNQuads = (nquads: string): Quad[] =>
  new Parser({ format: 'N-Quads' }).parse(nquads)
