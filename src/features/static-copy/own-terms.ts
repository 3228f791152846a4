// The terms that an institution added to a vocabulary, or calls otherwise than the service does, as
// Turtle for `vocabularies/` of a data directory. The IRIs are relative, so that the file fits under
// another base URL too.

import type { Vocabulary } from '../../model/vocabulary.js'
import { prefixes, rdf, skos } from '../../rdf/namespaces.js'
import { type NamedNode, type Quad, iri, triple } from '../../rdf/terms.js'
import { writeTurtle } from '../../rdf/turtle-writer.js'

/**
 * Undefined for a vocabulary that is as the package has it.
 * @param shipped the vocabulary as the package has it
 */
export function ownTerms(vocabulary: Vocabulary, shipped: Vocabulary): string | undefined {
  const statements = vocabulary.entries.flatMap(({ code }) => {
    const known = shipped.statements(code)
    const all = vocabulary.statements(code).filter((statement) => !isDerived(statement))
    const isOwn = (statement: Quad): boolean => !known.some((other) => other.equals(statement))
    // Each term has its code, so that it can be read where a later package has it no more.
    return all.some(isOwn) ? all.filter((statement) => isOwn(statement) || isNaming(statement)) : []
  })
  if (statements.length === 0) return undefined
  return writeTurtle(
    statements.map((statement) => withRelativeIris(statement, vocabulary.scheme.value)),
    prefixes,
  )
}

/** What a vocabulary says of its terms by itself. */
const isDerived = ({ predicate }: Quad): boolean =>
  predicate.equals(skos('inScheme')) || predicate.equals(skos('topConceptOf'))

const isNaming = ({ predicate }: Quad): boolean =>
  predicate.equals(skos('notation')) || predicate.equals(rdf('type'))

function withRelativeIris({ subject, predicate, object }: Quad, scheme: string): Quad {
  const relative = <Kind extends Quad['subject'] | Quad['object']>(term: Kind): Kind | NamedNode =>
    term.termType === 'NamedNode' && term.value.startsWith(`${scheme}#`)
      ? iri(term.value.slice(scheme.length))
      : term
  // The cast: a vocabulary has no variables as predicates.
  return triple(relative(subject), predicate as NamedNode, relative(object))
}
