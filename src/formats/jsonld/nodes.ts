// Triples as JSON-LD, without regard to what they are about: prefixed names for keys, and every value
// such that no word of the context is needed to read it.

import { rdf, xsd } from '../../rdf/namespaces.js'
import type { Quad, Term } from '../../rdf/terms.js'
import { groupBySubject } from '../../rdf/terms.js'
import { type ToPrefixedName } from '../rdf/prefixed-names.js'

export type JsonLdNode = Readonly<Record<string, unknown>>

/** A node for each subject, none within another. */
export const toFlatNodes = (triples: readonly Quad[], compact: ToPrefixedName): JsonLdNode[] =>
  [...groupBySubject(triples).values()].map((group) => nodeOf(group, compact, new Map()))

/**
 * The node of one subject, with those of the others inside it where they are referred to, each once.
 * What nothing leads to is not in it.
 */
export function toNestedNode(
  id: string,
  triples: readonly Quad[],
  compact: ToPrefixedName,
): JsonLdNode {
  const groups = groupBySubject(triples)
  const own = groups.get(id) ?? []
  groups.delete(id)
  return { '@id': id, ...nodeOf(own, compact, groups) }
}

function nodeOf(
  group: readonly Quad[],
  compact: ToPrefixedName,
  others: Map<string, Quad[]>,
): JsonLdNode {
  const [first] = group
  const types: string[] = []
  const members = new Map<string, unknown[]>()
  for (const { predicate, object } of group) {
    if (predicate.equals(rdf('type')) && object.termType === 'NamedNode')
      types.push(nameOf(object.value, compact))
    else {
      const key = nameOf(predicate.value, compact)
      members.set(key, [...(members.get(key) ?? []), valueOf(object, compact, others)])
    }
  }
  return {
    ...(first ? { '@id': idOf(first.subject) } : {}),
    ...(types.length > 0 ? { '@type': oneOrAll(types) } : {}),
    ...Object.fromEntries([...members].map(([key, values]) => [key, oneOrAll(values)])),
  }
}

const oneOrAll = (values: readonly unknown[]): unknown => (values.length === 1 ? values[0] : values)

function valueOf(object: Term, compact: ToPrefixedName, others: Map<string, Quad[]>): unknown {
  if (object.termType !== 'Literal') {
    const id = idOf(object)
    const group = others.get(id)
    if (!group) return { '@id': id }
    others.delete(id)
    return nodeOf(group, compact, others)
  }
  const { value, language, datatype } = object
  if (language !== '') return { '@value': value, '@language': language }
  if (datatype.equals(xsd('string'))) return value
  if (datatype.equals(xsd('boolean')) && ['true', 'false'].includes(value)) return value === 'true'
  if (datatype.equals(xsd('integer')) && isNumber(value)) return Number(value)
  return { '@value': value, '@type': nameOf(datatype.value, compact) }
}

// Whether a number in JSON is read back as these digits.
const isNumber = (value: string): boolean =>
  String(Number(value)) === value && Number.isSafeInteger(Number(value))

const idOf = (term: Term): string =>
  term.termType === 'BlankNode' ? `_:${term.value}` : term.value

function nameOf(iri: string, compact: ToPrefixedName): string {
  const name = compact(iri)
  return name ? (aliases.get(name.join(':')) ?? name.join(':')) : iri
}

/** Properties with a word of their own in the context. */
export const aliases: ReadonlyMap<string, string> = new Map([
  ['schema:address', 'address'],
  ['wdrs:describedby', 'record'],
  ['skos:inScheme', 'inScheme'],
  ['hydra:view', 'view'],
])

/** A node's own name and types, the keys that clients know, and then all else. */
export function mergeJson(node: JsonLdNode, known: JsonLdNode): JsonLdNode {
  const { '@id': id, '@type': type, ...rest } = node
  return {
    ...(id === undefined ? {} : { '@id': id }),
    ...(type === undefined ? {} : { '@type': type }),
    ...known,
    ...rest,
  }
}

/** A context of a node's own, in which these words say nothing. */
export const withNullTerms = (words: readonly string[]): JsonLdNode =>
  words.length === 0 ? {} : { '@context': Object.fromEntries(words.map((word) => [word, null])) }

/** The same under the context that is served. */
export function withContext(iri: string, node: JsonLdNode): JsonLdNode {
  const { '@context': own, ...rest } = node
  return { '@context': own === undefined ? iri : [iri, own], ...rest }
}
