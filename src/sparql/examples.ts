// The examples of queries as people are shown them, read from their description (sh:SPARQLExecutable).

import type { Quad } from '../rdf/terms.js'
import { rdfs, sh } from '../rdf/namespaces.js'

export type Example = {
  /** What it asks, in words. */
  readonly question: string
  readonly query: string
}

const forms = [sh('select'), sh('construct'), sh('ask'), sh('describe')]

/** In the order in which they are described. */
export const examplesOf = (quads: readonly Quad[]): Example[] =>
  quads
    .filter(({ predicate }) => forms.some((form) => form.equals(predicate)))
    .map(({ subject, object }) => ({
      question:
        quads.find((quad) => quad.subject.equals(subject) && quad.predicate.equals(rdfs('comment')))
          ?.object.value ?? subject.value,
      query: object.value,
    }))
