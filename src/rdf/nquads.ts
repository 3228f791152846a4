// N-Quads by the line, as `writeNQuads` writes them: which graph a line belongs to, and what it says.

import type { NamedNode, Quad } from '@rdfjs/types'
import { Parser } from 'n3'

// The whole grammar of a line, so that nothing that a literal holds is taken for a graph.
const quad =
  /(?:<[^<>\s]*>|_:\S+) <[^<>\s]*> (?:<[^<>\s]*>|_:\S+|"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*"(?:@[\w-]+|\^\^<[^<>\s]*>)?)(?: <([^<>\s]*)>)? \.\n/y

/**
 * The lines whose quads are in one of the graphs, as they are.
 * @throws Error for what is not N-Quads as `writeNQuads` writes them
 */
export function filterByGraph(nquads: string, graphs: readonly NamedNode[]): string {
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

// Terms that need no second look: web addresses of plain characters, and texts without a language.
const validLinePattern =
  /(?:(?:<https?:\/\/[\w.-]+(?::\d{1,5})?(?:\/(?:[\w.~:/@!$&'()*+,;=-]|%[\dA-Fa-f]{2})*)?(?:#[\w.~-]*)?>|"[^"\\\n\r]*(?:\\["\\nrtbf][^"\\\n\r]*)*")(?:\^\^| )){4,5}\.\n/y

/** Whether every engine would surely take these quads, as `writeNQuads` writes them; it may say no without need. */
export function isCertainlyValid(nquads: string): boolean {
  validLinePattern.lastIndex = 0
  for (let end = 0; end < nquads.length; end = validLinePattern.lastIndex)
    if (!validLinePattern.test(nquads)) return false
  return true
}

/** How many quads N-Quads say, as `writeNQuads` writes them: no literal holds the end of a line. */
export function countQuads(nquads: string): number {
  let count = 0
  for (let end = nquads.indexOf('\n'); end >= 0; end = nquads.indexOf('\n', end + 1)) count += 1
  return count
}

/** The quads that lines of N-Quads say. */
export const readNQuads = (nquads: string): Quad[] =>
  new Parser({ format: 'N-Quads' }).parse(nquads)
/** A triple, its object as a value. */
export type TextTriple = { readonly s: string; readonly p: string; readonly o: string }

const linePattern =
  /<([^<>\s]*)> <([^<>\s]*)> (?:<([^<>\s]*)>|"([^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*)"(?:@[\w-]+|\^\^<[^<>\s]*>)?)(?: <([^<>\s]*)>)? \.\n/y

/** What the lines of a graph say with these properties. There must be no blank nodes. */
export function selectTriples(
  nquads: string,
  graph: NamedNode,
  properties: ReadonlySet<string>,
): TextTriple[] {
  const triples: TextTriple[] = []
  linePattern.lastIndex = 0
  while (linePattern.lastIndex < nquads.length) {
    const start = linePattern.lastIndex
    const match = linePattern.exec(nquads)
    if (!match) throw new Error(`not a line of N-Quads: ${nquads.slice(start, start + 200)}`)
    const [, s = '', p = '', object, literal = '', inGraph] = match
    if (inGraph === graph.value && properties.has(p))
      triples.push({ s, p, o: object ?? unescape(literal) })
  }
  return triples
}

const unescape = (literal: string): string =>
  literal.includes('\\') ? literal.replace(escapes, characterOf) : literal

const escapes = /\\(?:u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|.)/g

const characters: Readonly<Record<string, string>> = {
  t: '\t',
  b: '\b',
  n: '\n',
  r: '\r',
  f: '\f',
}

const characterOf = (escape: string): string =>
  escape.length > 2
    ? String.fromCodePoint(parseInt(escape.slice(2), 16))
    : (characters[escape.slice(1)] ?? escape.slice(1))
