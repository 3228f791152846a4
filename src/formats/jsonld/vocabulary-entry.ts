// The entry of a vocabulary in JSON-LD: the JSON that clients know, with its concept's statements.

import type { RecordView } from '../../model/record/views.js'
import { type VocabularyEntry, literalOf } from '../../model/vocabulary.js'
import { skos } from '../../rdf/namespaces.js'
import type { Quad } from '../../rdf/terms.js'
import type { ToPrefixedName } from '../rdf/prefixed-names.js'
import { type JsonLdNode, toNestedNode, withNullTerms, mergeJson } from './nodes.js'

// The keys of an entry, with the language that the context says of each.
const words = [
  ['code', skos('notation'), ''],
  ['label', skos('prefLabel'), 'en'],
  ['definition', skos('definition'), 'en'],
] as const

/** @param triples what is said of the concept, and of what is to be told inside it */
export function vocabularyEntryNode(
  entry: VocabularyEntry | RecordView,
  triples: readonly Quad[],
  compact: ToPrefixedName,
): JsonLdNode {
  const known: Readonly<Record<string, unknown>> = entry
  const uri = String(known.uri)
  const own = triples.filter(({ subject }) => subject.value === uri)
  const shown = words.filter(([word]) => word in known)
  // A vocabulary in another language, or one whose codes are typed, says so in full.
  const isSaid = ([, property, language]: (typeof words)[number]): boolean => {
    const literal = literalOf(own, property)
    return literal?.language === language && /#(?:string|langString)$/.test(literal.datatype.value)
  }
  const said = new Set(shown.filter(isSaid).map(([, property]) => property.value))
  const rest = triples.filter(
    ({ subject, predicate }) => !(subject.value === uri && said.has(predicate.value)),
  )
  const silent = shown.filter((word) => !isSaid(word)).map(([word]) => word)
  // Its `uri` is its `@id`, as the context says, and a node has one.
  const node = { ...toNestedNode(uri, rest, compact), '@id': undefined }
  return { ...withNullTerms(silent), ...mergeJson(node, known) }
}
