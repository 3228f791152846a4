// The interface of an RDF syntax: an opening, statements that may come in parts, and an end.

import type { Prefixes } from '../../rdf/namespaces.js'
import type { Quad } from '../../rdf/terms.js'
import { usedPrefixes } from './prefixed-names.js'
import type { Format } from '../serializer.js'

export type RdfSyntax = Format & {
  open(prefixes: Prefixes): string
  /** Whole statements, with the prefixes that `open` was given. */
  statements(triples: readonly Quad[], prefixes: Prefixes): string
  close(): string
}

/** Serializes triples as a document that declares only the prefixes it needs. */
export function serializeTriples(
  syntax: RdfSyntax,
  triples: readonly Quad[],
  prefixes: Prefixes,
): string {
  const used = usedPrefixes(triples, prefixes)
  return syntax.open(used) + syntax.statements(triples, used) + syntax.close()
}
