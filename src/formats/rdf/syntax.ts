// What a syntax for triples is: a head, statements that can come in pieces, and an end.

import type { Prefixes } from '../../rdf/namespaces.js'
import type { Quad } from '../../rdf/terms.js'
import { usedPrefixes } from './prefixed-names.js'
import type { Format } from '../serializer.js'

export type RdfSyntax = Format & {
  open(prefixes: Prefixes): string
  /** Whole statements; the prefixes are those that were opened with. */
  statements(triples: readonly Quad[], prefixes: Prefixes): string
  close(): string
}

/** Triples that are in the hand, as a document with the prefixes that it needs and no others. */
export function serializeTriples(
  syntax: RdfSyntax,
  triples: readonly Quad[],
  prefixes: Prefixes,
): string {
  const used = usedPrefixes(triples, prefixes)
  return syntax.open(used) + syntax.statements(triples, used) + syntax.close()
}
