// Reads N-Quads line by line, in the form that `writeNQuads` of terms.ts writes. That is faster
// than parsing.

import type { NamedNode, Quad } from '@rdfjs/types'
import { Parser } from 'n3'

// The whole grammar of a line, so that no part of a literal is taken for a graph.
const quadPattern =
  /(?:<[^<>\s]*>|_:\S+) <[^<>\s]*> (?:<[^<>\s]*>|_:\S+|"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*"(?:@[\w-]+|\^\^<[^<>\s]*>)?)(?: <([^<>\s]*)>)? \.\n/y

/**
 * The unchanged lines whose quads are in one of the graphs.
 * @throws Error for lines that `writeNQuads` does not write
 */
export function filterByGraph(nquads: string, graphs: readonly NamedNode[]): string {
  let wantedLines = ''
  /** Where lines that are wanted begin; the line that is read, where it is not. */
  let wantedFrom = 0
  for (let start = 0; start < nquads.length;) {
    const end = nquads.indexOf('\n', start)
    const graphStart = findGraph(nquads, start, end)
    const isWanted =
      graphStart >= 0 &&
      graphs.some(
        ({ value }) =>
          graphStart + value.length + 4 === end && nquads.startsWith(value, graphStart + 1),
      )
    if (!isWanted) {
      wantedLines += nquads.slice(wantedFrom, start)
      wantedFrom = end + 1
    }
    start = end + 1
  }
  return wantedLines + nquads.slice(wantedFrom)
}

/**
 * Where the graph of a line begins; -1 where it has none. What comes after the last space but one
 * is the graph, unless it is the object or its datatype: no IRI has a `<`, a `>` or a space in it,
 * and no literal a line end.
 * @param end where the line ends
 * @throws Error for a line that `writeNQuads` does not write
 */
function findGraph(nquads: string, start: number, end: number): number {
  const predicateStart = nquads.indexOf(' <', start) + 1
  const objectStart = nquads.indexOf('> ', predicateStart) + 2
  const isComplete = predicateStart > start && objectStart > predicateStart && objectStart < end - 2
  if (!isComplete || !nquads.startsWith(' .', end - 2))
    throw new Error(`not a line of N-Quads: ${nquads.slice(start, start + 200)}`)
  if (nquads.charCodeAt(end - 3) !== greaterThan) return -1
  const last = nquads.lastIndexOf('<', end)
  return last > objectStart && nquads.charCodeAt(last - 1) === space ? last : -1
}

// The IRIs of a line are groups, in their order; what stands between them is not looked at.
const iriPattern =
  /<([^<>\s]*)> <([^<>\s]*)> (?:<([^<>\s]*)>|("[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*"(?:@[\w-]+|\^\^<[^<>\s]*>)?))(?: <([^<>\s]*)>)? \.\n/y

/**
 * The same quads with other IRIs. Datatypes stay.
 * @param replace gets each IRI
 * @param isKept whether the object of a quad stays, by its predicate
 * @throws Error for lines that `writeNQuads` does not write
 */
export function replaceIris(
  nquads: string,
  replace: (iri: string) => string,
  isKept: (predicate: string) => boolean,
): string {
  let lines = ''
  iriPattern.lastIndex = 0
  while (iriPattern.lastIndex < nquads.length) {
    const start = iriPattern.lastIndex
    const match = iriPattern.exec(nquads)
    if (!match) throw new Error(`not a line of N-Quads: ${nquads.slice(start, start + 200)}`)
    const [, subject = '', predicate = '', iri, literal, graph] = match
    const object = iri === undefined ? literal : `<${isKept(predicate) ? iri : replace(iri)}>`
    const end = graph === undefined ? '' : ` <${replace(graph)}>`
    lines += `<${replace(subject)}> <${replace(predicate)}> ${object}${end} .\n`
  }
  return lines
}

/**
 * A SPARQL update that deletes these quads. A term is written in SPARQL as in N-Quads; blank nodes,
 * which nothing here has, are not allowed.
 * @throws Error for lines that `writeNQuads` does not write
 */
export function toDeleteData(nquads: string): string {
  let groups = ''
  quadPattern.lastIndex = 0
  while (quadPattern.lastIndex < nquads.length) {
    const start = quadPattern.lastIndex
    const match = quadPattern.exec(nquads)
    if (!match) throw new Error(`not a line of N-Quads: ${nquads.slice(start, start + 200)}`)
    const [line, graph] = match
    const triple = line.slice(0, graph === undefined ? -2 : -(graph.length + 5))
    groups += graph === undefined ? `${triple}.\n` : `GRAPH <${graph}> { ${triple}}\n`
  }
  return `DELETE DATA {\n${groups}}`
}

// Lines of simple terms: URLs of plain characters, and literals without a language.
const validLinePattern =
  /(?:(?:<https?:\/\/[\w.-]+(?::\d{1,5})?(?:\/(?:[\w.~:/@!$&'()*+,;=-]|%[\dA-Fa-f]{2})*)?(?:#[\w.~-]*)?>|"[^"\\\n\r]*(?:\\["\\nrtbf][^"\\\n\r]*)*")(?:\^\^| )){4,5}\.\n/y

/** Whether these quads are valid for every engine. It may return false for valid ones. */
export function isCertainlyValid(nquads: string): boolean {
  validLinePattern.lastIndex = 0
  for (let end = 0; end < nquads.length; end = validLinePattern.lastIndex)
    if (!validLinePattern.test(nquads)) return false
  return true
}

/** The lines of N-Quads, each with its line end. No literal contains a line end. */
export const splitLines = (nquads: string): ReadonlySet<string> =>
  new Set(
    nquads
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `${line}\n`),
  )

/**
 * The lines that are in only one of two texts: those of the first are removed, those of the second
 * added.
 */
export function differenceOf(
  before: string,
  after: string,
): { readonly removed: string; readonly added: string } {
  // Of a change of one field, most lines are the same, in the same order.
  const [start, end] = commonLines(before, after)
  const [old, current] = [before, after].map((text) =>
    splitLines(text.slice(start, text.length - end)),
  ) as [ReadonlySet<string>, ReadonlySet<string>]
  if (old.size + current.size <= maxSearched)
    return {
      removed: linesOf(old, isMissingIn(after)),
      added: linesOf(current, isMissingIn(before)),
    }
  const [allOld, allCurrent] = [splitLines(before), splitLines(after)]
  return {
    removed: linesOf(allOld, (line) => !allCurrent.has(line)),
    added: linesOf(allCurrent, (line) => !allOld.has(line)),
  }
}

/** So many lines are looked for in the texts; for more, all lines are put into sets. */
const maxSearched = 20

const linesOf = (lines: ReadonlySet<string>, isWanted: (line: string) => boolean): string =>
  [...lines].filter(isWanted).join('')

const isMissingIn =
  (nquads: string) =>
  (line: string): boolean =>
    !nquads.startsWith(line) && !nquads.includes(`\n${line}`)

/** The lengths of the lines that both texts begin and end with. */
function commonLines(text: string, other: string): readonly [start: number, end: number] {
  const shorter = Math.min(text.length, other.length)
  let start = 0
  while (start < shorter && text.charCodeAt(start) === other.charCodeAt(start)) start += 1
  start = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1
  let end = 0
  const [last, otherLast] = [text.length - 1, other.length - 1]
  while (end < shorter - start && text.charCodeAt(last - end) === other.charCodeAt(otherLast - end))
    end += 1
  // What follows the first line end in it are whole lines.
  const firstEnd = text.indexOf('\n', text.length - end)
  return [start, firstEnd < 0 ? 0 : text.length - firstEnd - 1]
}

/** The number of quads. No literal contains a line end, so each line is one. */
export function countQuads(nquads: string): number {
  let count = 0
  for (let end = nquads.indexOf('\n'); end >= 0; end = nquads.indexOf('\n', end + 1)) count += 1
  return count
}

/** The number of quads of a graph. */
export function countInGraph(nquads: string, graph: NamedNode): number {
  // No literal contains a line end, so only the end of a line can be this.
  const end = ` <${graph.value}> .\n`
  let count = 0
  for (let at = nquads.indexOf(end); at >= 0; at = nquads.indexOf(end, at + end.length)) count += 1
  return count
}

/**
 * Calls a function with the terms of each quad, as they are written, and with the place of its
 * line. It reads what `writeNQuads` has written, each quad in a named graph and without blank
 * nodes.
 * @throws Error for a line that is no such quad
 */
export function forEachQuad(
  nquads: string,
  use: (quad: WrittenQuad, start: number, end: number) => void,
): void {
  for (let start = 0; start < nquads.length;) {
    const end = nquads.indexOf('\n', start)
    const subjectEnd = nquads.indexOf(' ', start)
    const predicateEnd = nquads.indexOf(' ', subjectEnd + 1)
    const graphStart = findGraph(nquads, start, end)
    if (graphStart < 0)
      throw new Error(`a quad without a graph: ${nquads.slice(start, start + 200)}`)
    use(
      {
        subject: nquads.slice(start, subjectEnd),
        predicate: nquads.slice(subjectEnd + 1, predicateEnd),
        object: nquads.slice(predicateEnd + 1, graphStart - 1),
        graph: nquads.slice(graphStart, end - 2),
      },
      start,
      end + 1,
    )
    start = end + 1
  }
}

/** The terms of a quad as N-Quads has them. */
export type WrittenQuad = {
  readonly subject: string
  readonly predicate: string
  readonly object: string
  readonly graph: string
}

/** Parses N-Quads. */
export const readNQuads = (nquads: string): Quad[] =>
  new Parser({ format: 'N-Quads' }).parse(nquads)

/** A quad of strings whose object is an IRI; the graph is undefined for the default graph. */
export type TextLink = TextTriple & { readonly g: string | undefined }

/** A triple of strings; the object is an IRI or the value of a literal. */
export type TextTriple = { readonly s: string; readonly p: string; readonly o: string }

/**
 * The triples of some graphs, in their order. It reads what `writeNQuads` has written and no blank
 * nodes, and checks nothing: then it takes a third of the time of a pattern.
 */
export function readTriples(nquads: string, graphs: readonly NamedNode[]): TextTriple[] {
  const graphIris = new Set(graphs.map(({ value }) => value))
  const triples: TextTriple[] = []
  for (let start = 0; start < nquads.length;) {
    const end = nquads.indexOf('\n', start)
    if (end < 0) break
    // `<s> <p> <o> <g> .` or `<s> <p> "o"^^<d> <g> .`: no IRI has a `<`, a `>` or a space in it.
    const graphStart = nquads.lastIndexOf('<', end)
    if (graphIris.has(nquads.slice(graphStart + 1, end - 3))) {
      const subjectEnd = nquads.indexOf('>', start)
      const predicateEnd = nquads.indexOf('>', subjectEnd + 1)
      const objectStart = predicateEnd + 2
      const isIri = nquads.charCodeAt(objectStart) === lessThan
      triples.push({
        s: nquads.slice(start + 1, subjectEnd),
        p: nquads.slice(subjectEnd + 3, predicateEnd),
        o: isIri
          ? nquads.slice(objectStart + 1, graphStart - 2)
          : unescape(nquads.slice(objectStart + 1, nquads.lastIndexOf('"', graphStart))),
      })
    }
    start = end + 1
  }
  return triples
}

const [lessThan, greaterThan, space] = [0x3c, 0x3e, 0x20]

const linePattern =
  /<([^<>\s]*)> <([^<>\s]*)> (?:<([^<>\s]*)>|"([^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*)"(?:@[\w-]+|\^\^<[^<>\s]*>)?)(?: <([^<>\s]*)>)? \.\n/y

/** The triples of a graph with these properties. There must be no blank nodes. */
export const selectTriples = (
  nquads: string,
  graph: NamedNode,
  properties: ReadonlySet<string>,
): TextTriple[] =>
  findTriples(nquads, (property, inGraph) => inGraph === graph.value && properties.has(property))

function findTriples(
  nquads: string,
  isWanted: (property: string, graph: string | undefined) => boolean,
): TextTriple[] {
  const triples: TextTriple[] = []
  linePattern.lastIndex = 0
  while (linePattern.lastIndex < nquads.length) {
    const start = linePattern.lastIndex
    const match = linePattern.exec(nquads)
    if (!match) throw new Error(`not a line of N-Quads: ${nquads.slice(start, start + 200)}`)
    const [, s = '', p = '', object, literal = '', inGraph] = match
    if (isWanted(p, inGraph)) triples.push({ s, p, o: object ?? unescape(literal) })
  }
  return triples
}

/**
 * Creates a function that finds the quads whose object is an IRI in one of the namespaces. It looks
 * for the namespaces first, and reads only lines that have one.
 */
export function createLinkFinder(namespaces: readonly string[]) {
  const escaped = namespaces.map((namespace) => namespace.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const candidate = new RegExp(`> <(?:${escaped.join('|')})`, 'g')
  return function* findLinks(nquads: string): Generator<TextLink> {
    candidate.lastIndex = 0
    for (let hit = candidate.exec(nquads); hit; hit = candidate.exec(nquads)) {
      linePattern.lastIndex = nquads.lastIndexOf('\n', hit.index) + 1
      const match = linePattern.exec(nquads)
      if (!match) continue
      candidate.lastIndex = linePattern.lastIndex
      const [, s = '', p = '', o, , g] = match
      if (o !== undefined && namespaces.some((namespace) => o.startsWith(namespace)))
        yield { s, p, o, g }
    }
  }
}

const unescape = (literal: string): string =>
  literal.includes('\\') ? literal.replace(escapes, unescapeOne) : literal

const escapes = /\\(?:u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|.)/g

const characters: Readonly<Record<string, string>> = {
  t: '\t',
  b: '\b',
  n: '\n',
  r: '\r',
  f: '\f',
}

const unescapeOne = (escape: string): string =>
  escape.length > 2
    ? String.fromCodePoint(parseInt(escape.slice(2), 16))
    : (characters[escape.slice(1)] ?? escape.slice(1))
