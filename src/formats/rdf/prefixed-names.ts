// Shortens IRIs to prefixed names, and finds the prefixes that a document needs.

import type { Prefixes } from '../../rdf/namespaces.js'
import type { Quad, Term } from '../../rdf/terms.js'

/**
 * The prefix of the IRI's namespace and the rest of the IRI; undefined when no namespace matches.
 */
export type ToPrefixedName = (iri: string) => readonly [prefix: string, local: string] | undefined

/** The local names that need no escaping in Turtle, XML and JSON-LD. */
const local = /^[A-Za-z_][\w-]*$/

export function createPrefixer(prefixes: Prefixes): ToPrefixedName {
  const byNamespace = new Map(Object.entries(prefixes).map(([prefix, iri]) => [iri, prefix]))
  return (iri) => {
    const end = Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1
    const prefix = byNamespace.get(iri.slice(0, end))
    const name = iri.slice(end)
    return prefix !== undefined && local.test(name) ? [prefix, name] : undefined
  }
}

/** The prefixes that the triples need, in their order. */
export function usedPrefixes(triples: readonly Quad[], prefixes: Prefixes): Prefixes {
  const toPrefixedName = createPrefixer(prefixes)
  const used = new Set(
    triples.flatMap(irisOf).flatMap((iri) => {
      const name = toPrefixedName(iri)
      return name ? [name[0]] : []
    }),
  )
  return Object.fromEntries(Object.entries(prefixes).filter(([prefix]) => used.has(prefix)))
}

const irisOf = ({ subject, predicate, object }: Quad): string[] =>
  [subject, predicate, object].flatMap(irisIn)

// A datatype for which Turtle has a short form needs no prefix.
function irisIn(term: Term): string[] {
  if (term.termType === 'NamedNode') return [term.value]
  if (term.termType !== 'Literal' || term.language !== '') return []
  return hasTurtleShorthand(term.datatype.value, term.value) ? [] : [term.datatype.value]
}

const xsd = 'http://www.w3.org/2001/XMLSchema#'

const shortForms = new Map([
  [`${xsd}string`, /^/],
  [`${xsd}integer`, /^[+-]?\d+$/],
  [`${xsd}boolean`, /^(?:true|false)$/],
  [`${xsd}double`, /^[+-]?\d+\.\d+E[+-]?\d+$/],
])

/** Whether Turtle can write a literal of the datatype without naming it. */
export const hasTurtleShorthand = (datatype: string, value: string): boolean =>
  shortForms.get(datatype)?.test(value) ?? false
