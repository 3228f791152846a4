// RDF/JS terms and quads: creating, comparing, grouping and serializing them.

import toNT from '@rdfjs/to-ntriples'
import type { Literal, NamedNode, Quad, Term } from '@rdfjs/types'
import { DataFactory } from 'n3'
import { namedNode as oxigraphIri } from 'oxigraph'

import { createQuad, literal, namedNode, ownTextOf } from './data-factory.js'
import { xsd } from './namespaces.js'

export type { Literal, NamedNode, Quad, Term } from '@rdfjs/types'

export const iri = (value: string): NamedNode => namedNode(value)

/** A plain string, without datatype or language. */
export const stringLiteral = (value: string): Literal => literal(value)

export const typedLiteral = (value: string, datatype: NamedNode): Literal =>
  literal(value, datatype)

export const integer = (value: number): Literal => typedLiteral(String(value), xsd('integer'))

export const boolean = (value: boolean): Literal => typedLiteral(String(value), xsd('boolean'))

/**
 * A time in UTC, in the canonical form: without zeros at the end of the fraction. SPARQL engines
 * answer with that form, whichever was stored.
 */
export function dateTime(time: string): Literal {
  const [seconds = '', fraction = ''] = time.replace('Z', '').split('.')
  const digits = fraction.replace(/0+$/, '')
  return typedLiteral(`${seconds}${digits && `.${digits}`}Z`, xsd('dateTime'))
}

export const quad = (
  subject: NamedNode,
  predicate: NamedNode,
  object: NamedNode | Literal,
  graph: NamedNode,
): Quad => createQuad(subject, predicate, object, graph)

/** A triple in the default graph. */
export const triple = (subject: Quad['subject'], predicate: NamedNode, object: Quad['object']) =>
  DataFactory.quad(subject, predicate, object)

/** The same triple in another graph. */
export const quadInGraph = ({ subject, predicate, object }: Quad, graph: NamedNode): Quad =>
  DataFactory.quad(subject, predicate, object, graph)

/**
 * Whether a string is an absolute IRI (RFC 3987). It uses the store's parser, so the store accepts
 * it.
 */
export function isIri(value: string): boolean {
  try {
    oxigraphIri(value)
    return true
  } catch {
    return false
  }
}

/**
 * Encodes a string as one path segment of an IRI or URL. Every UTF-8 byte outside RFC 3986's
 * unreserved characters is percent-encoded, so each string has one form.
 * @throws URIError for a lone surrogate
 */
export function encodeSegment(value: string): string {
  if (unreserved.test(value)) return value
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Texts without a character that is encoded. */
const unreserved = /^[\w.~-]*$/

/** Reverses `encodeSegment`. */
export const decodeSegment = (segment: string): string =>
  segment.includes('%') ? decodeURIComponent(segment) : segment

/**
 * Compares texts by code point, as SPARQL does. By code units, surrogate pairs, which stand for
 * characters beyond U+FFFF, would come before U+E000 to U+FFFF.
 */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (left !== right) return aboveSurrogates(left) - aboveSurrogates(right)
  }
  return a.length - b.length
}

const aboveSurrogates = (unit: number): number =>
  unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800

/** Removes duplicates; the first of each stays. */
export function distinctTriples(triples: readonly Quad[]): Quad[] {
  const seen = new Map<string, Quad>()
  for (const statement of triples) {
    const key = toNT(statement)
    if (!seen.has(key)) seen.set(key, statement)
  }
  return [...seen.values()]
}

/** Groups triples by subject. Groups and triples keep their order. */
export function groupBySubject(triples: readonly Quad[]): Map<string, Quad[]> {
  const groups = new Map<string, Quad[]>()
  for (const statement of triples) {
    const key =
      statement.subject.termType === 'BlankNode'
        ? `_:${statement.subject.value}`
        : statement.subject.value
    const group = groups.get(key)
    if (group) group.push(statement)
    else groups.set(key, [statement])
  }
  return groups
}

/** Serializes quads as N-Quads, one line each, with a line end. */
export function writeNQuads(quads: readonly Quad[]): string {
  let lines = ''
  for (const { subject, predicate, object, graph } of quads) {
    const end = graph.termType === 'DefaultGraph' ? '' : `${writeTerm(graph)} `
    lines += `${writeTerm(subject)} ${writeTerm(predicate)} ${writeTerm(object)} ${end}.\n`
  }
  return lines
}

/** A term as `writeNQuads` writes it. */
export const writeTerm = (term: Term): string => ownTextOf(term) ?? toNT(term)
