// IRIs as prefixed names, and which prefixes a text needs.

import type { Prefixes } from '../../rdf/namespaces.js'
import type { Quad, Term } from '../../rdf/terms.js'

/** A namespace's prefix and what follows it; undefined when the IRI is in none of the namespaces. */
export type ToPrefixedName = (iri: string) => readonly [prefix: string, local: string] | undefined

/** What may follow a prefix in Turtle, in XML and in JSON-LD without being escaped. */
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

/** The prefixes, in their order, that the triples have a use for. */
export function usedPrefixes(triples: readonly Quad[], prefixes: Prefixes): Prefixes {
  const compact = createPrefixer(prefixes)
  const used = new Set(
    triples.flatMap(termsOf).flatMap((iri) => {
      const name = compact(iri)
      return name ? [name[0]] : []
    }),
  )
  return Object.fromEntries(Object.entries(prefixes).filter(([prefix]) => used.has(prefix)))
}

const termsOf = ({ subject, predicate, object }: Quad): string[] =>
  [subject, predicate, object].flatMap(iriIn)

// The datatypes that Turtle has a short form for need no prefix.
function iriIn(term: Term): string[] {
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
