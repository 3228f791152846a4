// Generates the SPARQL that reads records: all statements of their subjects, never a chain of
// OPTIONALs, which would multiply the rows of every repeated field.

import { dcterms, foaf } from '../rdf/namespaces.js'
import { type Sparql, lines, sparql } from '../rdf/sparql-template.js'
import type { NamedNode } from '../rdf/terms.js'

/** All triples with these subjects in these graphs, as `?s ?p ?o`. */
export function selectStatements(
  subjects: readonly NamedNode[],
  graphs: readonly NamedNode[],
): Sparql {
  const patterns = graphs.map((graph) => sparql`{ GRAPH ${graph} { ?s ?p ?o } }`)
  return lines(
    sparql`SELECT ?s ?p ?o WHERE {`,
    sparql`  VALUES ?s { ${subjects} }`,
    ...patterns.map((pattern, index) => (index === 0 ? pattern : sparql`UNION ${pattern}`)),
    sparql`}`,
  )
}

/**
 * The values that these subjects have of a property, as `?s` and `?o`. One query for each property
 * is faster than one for several, for which Oxigraph looks through the whole graph.
 */
export const selectValues = (
  subjects: readonly NamedNode[],
  property: NamedNode,
  graph: NamedNode,
): Sparql =>
  lines(
    sparql`SELECT ?s ?o WHERE {`,
    sparql`  VALUES ?s { ${subjects} }`,
    sparql`  GRAPH ${graph} { ?s ${property} ?o }`,
    sparql`}`,
  )

/** The thing that a record describes, as `?thing`; no row when the record does not exist. */
export const selectTopic = (record: NamedNode, graph: NamedNode): Sparql =>
  sparql`SELECT ?thing WHERE { GRAPH ${graph} { ${record} ${foaf('primaryTopic')} ?thing } }`

/** The things that refer to this one with a property, as `?s`. */
export const selectReferrers = (thing: NamedNode, property: NamedNode, graph: NamedNode): Sparql =>
  sparql`SELECT ?s WHERE { GRAPH ${graph} { ?s ${property} ${thing} } } ORDER BY ?s`

/** All that have a property, as `?s`, with its values, as `?o`. */
export const selectObjects = (property: NamedNode, graph: NamedNode): Sparql =>
  sparql`SELECT ?s ?o WHERE { GRAPH ${graph} { ?s ${property} ?o } } ORDER BY ?s ?o`

/** When the first record was created, as `?first`, and the last one changed, as `?last`. */
export const selectFirstAndLastChange = (graph: NamedNode): Sparql =>
  lines(
    sparql`SELECT (MIN(?made) AS ?first) (MAX(?time) AS ?last) WHERE {`,
    sparql`  GRAPH ${graph} { ?record ${dcterms('created')} ?made ; ${dcterms('modified')} ?time }`,
    sparql`}`,
  )
