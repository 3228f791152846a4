// Generates the SPARQL about all records besides that of lists: what refers to a record, and when the
// first and the last one was written.

import { dcterms } from '../rdf/namespaces.js'
import { type Sparql, lines, sparql } from '../rdf/sparql-template.js'
import type { NamedNode } from '../rdf/terms.js'

/** The things that refer to any of these with a property, as `?s`. */
export const selectReferrers = (
  things: readonly NamedNode[],
  property: NamedNode,
  graph: NamedNode,
): Sparql =>
  lines(
    sparql`SELECT DISTINCT ?s WHERE {`,
    sparql`  VALUES ?thing { ${things} }`,
    sparql`  GRAPH ${graph} { ?s ${property} ?thing }`,
    sparql`} ORDER BY ?s`,
  )

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
