// Reads the example queries from their RDF description (sh:SPARQLExecutable).

import type { Quad } from '../../rdf/terms.js'
import { rdfs, sh } from '../../rdf/namespaces.js'

export type Example = {
  /** The question that the query answers, in words. */
  readonly question: string
  readonly query: string
}

const queryProperties = [sh('select'), sh('construct'), sh('ask'), sh('describe')]

/** The examples, in the order of the description. */
export const examplesOf = (quads: readonly Quad[]): Example[] =>
  quads
    .filter(({ predicate }) => queryProperties.some((property) => property.equals(predicate)))
    .map(({ subject, object }) => ({
      question:
        quads.find((quad) => quad.subject.equals(subject) && quad.predicate.equals(rdfs('comment')))
          ?.object.value ?? subject.value,
      query: object.value,
    }))
