// The entry of an identifier whose record was merged into another one: a single quad, which says in
// the public graph what the thing is replaced by (docs/reference/data-model.md, "Merged records").

import { dcterms } from '../../rdf/namespaces.js'
import { readNQuads } from '../../rdf/nquads.js'
import { type Quad, quad } from '../../rdf/terms.js'
import type { Iris } from '../iris.js'
import { type Statement, toStatements } from './rdf-mapper.js'
import type { Reference } from './views.js'

export const isReplacedBy = dcterms('isReplacedBy')

/** The quads of an identifier that leads to another record of its resource. */
export const redirectQuads = (iris: Iris, { target, id }: Reference, into: string): Quad[] => [
  quad(iris.thing(target, id), isReplacedBy, iris.thing(target, into), iris.graphs.public),
]

/**
 * The identifier that an entry with these statements leads to; undefined for the entry of a record.
 */
export function redirectOf(iris: Iris, statements: readonly Statement[]): string | undefined {
  // A record has several statements.
  const [only] = statements
  return statements.length === 1 && only?.p === isReplacedBy.value
    ? iris.idFromIri(only.o)
    : undefined
}

/** The same for an entry as N-Quads. */
export function redirectOfEntry(iris: Iris, nquads: string): string | undefined {
  const hasOneLine = nquads.indexOf('\n') === nquads.length - 1
  return hasOneLine && nquads.includes(`<${isReplacedBy.value}>`)
    ? redirectOf(iris, toStatements(readNQuads(nquads)))
    : undefined
}
