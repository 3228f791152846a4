// Converts triples to JSON-LD nodes, whatever they describe: keys are prefixed names, and values
// are written so that no term of the context is needed to read them.

import { rdf, xsd } from '../../rdf/namespaces.js'
import type { Quad, Term } from '../../rdf/terms.js'
import { groupBySubject } from '../../rdf/terms.js'
import type { ToPrefixedName } from '../rdf/prefixed-names.js'

export type JsonLdNode = Readonly<Record<string, unknown>>

/** A node for each subject, none nested in another. */
export const toFlatNodes = (
  triples: readonly Quad[],
  toPrefixedName: ToPrefixedName,
): JsonLdNode[] =>
  [...groupBySubject(triples).values()].map((group) => nodeOf(group, toPrefixedName, new Map()))

/**
 * The node of one subject, with the nodes of other subjects nested where they are first referred
 * to. Subjects to which no reference leads are left out.
 */
export function toNestedNode(
  id: string,
  triples: readonly Quad[],
  toPrefixedName: ToPrefixedName,
): JsonLdNode {
  const groups = groupBySubject(triples)
  const subjectTriples = groups.get(id) ?? []
  groups.delete(id)
  return { '@id': id, ...nodeOf(subjectTriples, toPrefixedName, groups) }
}

const nodeOf = (
  group: readonly Quad[],
  toPrefixedName: ToPrefixedName,
  others: Map<string, Quad[]>,
): JsonLdNode =>
  writeNode(group, {
    nameOf: (iri) => nameOf(iri, toPrefixedName),
    valueOf: (object) => valueOf(object, toPrefixedName, others),
  })

/** How a node is written: the keys and types for IRIs, and the values for objects. */
type NodeTerms = {
  readonly nameOf: (iri: string) => string
  readonly valueOf: (object: Quad['object']) => unknown
}

/** @param group the triples of one subject */
export function writeNode(group: readonly Quad[], { nameOf, valueOf }: NodeTerms): JsonLdNode {
  const [first] = group
  const types: string[] = []
  const members = new Map<string, unknown[]>()
  for (const { predicate, object } of group) {
    if (predicate.equals(rdf('type')) && object.termType === 'NamedNode')
      types.push(nameOf(object.value))
    else {
      const key = nameOf(predicate.value)
      members.set(key, [...(members.get(key) ?? []), valueOf(object)])
    }
  }
  return {
    ...(first ? { '@id': idOf(first.subject) } : {}),
    ...(types.length > 0 ? { '@type': oneOrAll(types) } : {}),
    ...Object.fromEntries([...members].map(([key, values]) => [key, oneOrAll(values)])),
  }
}

const oneOrAll = (values: readonly unknown[]): unknown => (values.length === 1 ? values[0] : values)

function valueOf(
  object: Term,
  toPrefixedName: ToPrefixedName,
  others: Map<string, Quad[]>,
): unknown {
  if (object.termType !== 'Literal') {
    const id = idOf(object)
    const group = others.get(id)
    if (!group) return { '@id': id }
    others.delete(id)
    return nodeOf(group, toPrefixedName, others)
  }
  const { value, language, datatype } = object
  if (language !== '') return { '@value': value, '@language': language }
  if (datatype.equals(xsd('string'))) return value
  if (datatype.equals(xsd('boolean')) && ['true', 'false'].includes(value)) return value === 'true'
  if (datatype.equals(xsd('integer')) && isNumber(value)) return Number(value)
  return { '@value': value, '@type': nameOf(datatype.value, toPrefixedName) }
}

// Whether a JSON number is read back as the same digits.
const isNumber = (value: string): boolean =>
  String(Number(value)) === value && Number.isSafeInteger(Number(value))

const idOf = (term: Term): string =>
  term.termType === 'BlankNode' ? `_:${term.value}` : term.value

function nameOf(iri: string, toPrefixedName: ToPrefixedName): string {
  const name = toPrefixedName(iri)
  return name ? (aliases.get(name.join(':')) ?? name.join(':')) : iri
}

/** Properties with a term of their own in the context, by their prefixed names. */
export const aliases: ReadonlyMap<string, string> = new Map([
  ['schema:address', 'address'],
  ['wdrs:describedby', 'record'],
  ['skos:inScheme', 'inScheme'],
  ['hydra:view', 'view'],
])

/**
 * The node with the keys of the JSON after its `@id` and `@type`, and before its other properties.
 */
export function mergeJson(node: JsonLdNode, json: JsonLdNode): JsonLdNode {
  const { '@id': id, '@type': type, ...remaining } = node
  return {
    ...(id === undefined ? {} : { '@id': id }),
    ...(type === undefined ? {} : { '@type': type }),
    ...json,
    ...remaining,
  }
}

/** A context for one node that sets these terms to null, so that their keys express nothing. */
export const withNullTerms = (terms: readonly string[]): JsonLdNode =>
  terms.length === 0 ? {} : { '@context': Object.fromEntries(terms.map((term) => [term, null])) }

/** The node with a reference to the served context before its own. */
export function withContext(iri: string, node: JsonLdNode): JsonLdNode {
  const { '@context': ownContext, ...remaining } = node
  return { '@context': ownContext === undefined ? iri : [iri, ownContext], ...remaining }
}
