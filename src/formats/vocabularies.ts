// Vocabularies and their entries: JSON as clients know it, and SKOS in every RDF format.

import type { VocabularyEntry, Vocabulary } from '../model/vocabulary.js'
import type { Quad } from '../rdf/terms.js'
import { createPrefixer } from './rdf/prefixed-names.js'
import { contextIri } from './jsonld/context.js'
import { vocabularyEntryNode } from './jsonld/vocabulary-entry.js'
import { jsonld } from './jsonld/jsonld.js'
import { withContext } from './jsonld/nodes.js'
import type { Format } from './serializer.js'
import { type RdfContext, serializeRdf } from './rdf/documents.js'

/** Some entries, with the scheme that they are in. */
export function serializeEntries(
  format: Format,
  vocabulary: Vocabulary,
  entries: readonly VocabularyEntry[],
  context: RdfContext,
): string {
  if (format.name === 'json') return JSON.stringify(entries)
  if (format.name !== jsonld.name)
    return serializeRdf(format, schemeTriples(vocabulary, entries), context)
  // An array, as in JSON; so the scheme stands inside the first entry.
  const nodes = entries.map((entry, index) =>
    nodeOf(
      entry,
      index === 0 ? schemeTriples(vocabulary, [entry]) : vocabulary.statements(entry.code),
      context,
    ),
  )
  return JSON.stringify(nodes)
}

export function serializeEntry(
  format: Format,
  vocabulary: Vocabulary,
  entry: VocabularyEntry,
  context: RdfContext,
): string {
  if (format.name === 'json') return JSON.stringify(entry)
  const statements = vocabulary.statements(entry.code)
  return format.name === jsonld.name
    ? JSON.stringify(nodeOf(entry, statements, context))
    : serializeRdf(format, statements, context)
}

/** The whole vocabulary, or as much of it; nothing of the scheme where none of its entries is asked for. */
export const schemeTriples = (
  vocabulary: Vocabulary,
  entries: readonly VocabularyEntry[],
): Quad[] =>
  entries.length === 0
    ? []
    : [
        ...vocabulary.statementsOfScheme,
        ...entries.flatMap(({ code }) => vocabulary.statements(code)),
      ]

const nodeOf = (entry: VocabularyEntry, triples: readonly Quad[], { base, prefixes }: RdfContext) =>
  withContext(contextIri(base), vocabularyEntryNode(entry, triples, createPrefixer(prefixes)))
