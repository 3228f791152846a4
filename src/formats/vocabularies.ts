// Serializes vocabularies and their entries: JSON as the API defines it, and SKOS in every RDF
// format.

import type { VocabularyEntry, Vocabulary } from '../model/vocabulary.js'
import type { Quad } from '../rdf/terms.js'
import { createPrefixer } from './rdf/prefixed-names.js'
import { contextIri } from './jsonld/context.js'
import { vocabularyEntryNode } from './jsonld/vocabulary-entry.js'
import { jsonld } from './jsonld/jsonld.js'
import { withContext } from './jsonld/nodes.js'
import type { Format } from './serializer.js'
import { type RdfContext, serializeRdf } from './rdf/documents.js'

/** Some entries of a vocabulary, in RDF with the triples of their concept scheme. */
export function serializeEntries(
  format: Format,
  vocabulary: Vocabulary,
  entries: readonly VocabularyEntry[],
  context: RdfContext,
): string {
  if (format.name === 'json') return JSON.stringify(entries)
  if (format.name !== jsonld.name)
    return serializeRdf(format, schemeTriples(vocabulary, entries), context)
  // An array, as in JSON, so the triples of the scheme are inside the first entry.
  const nodes = entries.map((entry, index) =>
    entryNode(
      entry,
      index === 0 ? schemeTriples(vocabulary, [entry]) : vocabulary.statements(entry.code),
      context,
    ),
  )
  return JSON.stringify(nodes)
}

/** One entry. */
export function serializeEntry(
  format: Format,
  vocabulary: Vocabulary,
  entry: VocabularyEntry,
  context: RdfContext,
): string {
  if (format.name === 'json') return JSON.stringify(entry)
  const statements = vocabulary.statements(entry.code)
  return format.name === jsonld.name
    ? JSON.stringify(entryNode(entry, statements, context))
    : serializeRdf(format, statements, context)
}

/** The triples of the scheme and of these entries; none at all where there are no entries. */
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

const entryNode = (
  entry: VocabularyEntry,
  triples: readonly Quad[],
  { base, prefixes }: RdfContext,
) => withContext(contextIri(base), vocabularyEntryNode(entry, triples, createPrefixer(prefixes)))
