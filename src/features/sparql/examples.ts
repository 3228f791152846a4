// Reads the example queries from their RDF description (sh:SPARQLExecutable).

import type { Quad } from '../../rdf/terms.js'
import { rdfs, sh } from '../../rdf/namespaces.js'

export type Example = {
  /** The question that the query answers, in words. */
  readonly question: string
  readonly query: string
}

const queryProperties = [sh('select'), sh('construct'), sh('ask'), sh('describe')]

/**
 * The examples that can be asked as they are, in the order of the description, with their questions
 * in a language.
 */
export const examplesOf = (quads: readonly Quad[], language: string): Example[] =>
  quads
    .filter(({ predicate }) => queryProperties.some((property) => property.equals(predicate)))
    .filter(({ subject }) => !quads.some((quad) => isParameterOf(quad, subject)))
    .map(({ subject, object }) => ({
      question: questionOf(quads, subject, language) ?? subject.value,
      query: object.value,
    }))

const isParameterOf = (quad: Quad, subject: Quad['subject']): boolean =>
  quad.predicate.equals(sh('parameter')) && quad.subject.equals(subject)

function questionOf(
  quads: readonly Quad[],
  subject: Quad['subject'],
  language: string,
): string | undefined {
  const questions = quads
    .filter((quad) => quad.subject.equals(subject) && quad.predicate.equals(rdfs('comment')))
    .map(({ object }) => object)
  const inLanguage = questions.find(
    (term) => term.termType === 'Literal' && term.language === language,
  )
  return (inLanguage ?? questions[0])?.value
}
