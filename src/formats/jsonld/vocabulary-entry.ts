// Builds the JSON-LD node of a vocabulary's entry: the JSON of the API, with the concept's triples.

import type { RecordView } from '../../model/record/views.js'
import { type VocabularyEntry, literalOf } from '../../model/vocabulary.js'
import { skos } from '../../rdf/namespaces.js'
import type { Quad } from '../../rdf/terms.js'
import type { ToPrefixedName } from '../rdf/prefixed-names.js'
import { type JsonLdNode, toNestedNode, withNullTerms, mergeJson } from './nodes.js'

// The keys of an entry, each with its property and with its language in the context.
const keys = [
  ['code', skos('notation'), ''],
  ['label', skos('prefLabel'), 'en'],
  ['definition', skos('definition'), 'en'],
] as const

/** @param triples of the concept, and of whatever is to be nested in it */
export function vocabularyEntryNode(
  entry: VocabularyEntry | RecordView,
  triples: readonly Quad[],
  toPrefixedName: ToPrefixedName,
): JsonLdNode {
  const json: Readonly<Record<string, unknown>> = entry
  const uri = String(json.uri)
  const conceptTriples = triples.filter(({ subject }) => subject.value === uri)
  const present = keys.filter(([key]) => key in json)
  // A text in another language, or a typed code, is not what the key means; it is written in full.
  const isExpressed = ([, property, language]: (typeof keys)[number]): boolean => {
    const literal = literalOf(conceptTriples, property)
    return literal?.language === language && /#(?:string|langString)$/.test(literal.datatype.value)
  }
  const expressed = new Map(
    present.filter(isExpressed).map(([, property, language]) => [property.value, language]),
  )
  const remaining = triples.filter(
    ({ subject, predicate, object }) =>
      subject.value !== uri ||
      object.termType !== 'Literal' ||
      expressed.get(predicate.value) !== object.language,
  )
  const nullTerms = present.filter((key) => !isExpressed(key)).map(([key]) => key)
  // The context makes `uri` the `@id`, and a node has only one.
  const node = { ...toNestedNode(uri, remaining, toPrefixedName), '@id': undefined }
  return { ...withNullTerms(nullTerms), ...mergeJson(node, json) }
}
