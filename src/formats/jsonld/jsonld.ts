// Serializes records as JSON-LD: the JSON of the API, completed so that it is the same graph as the
// Turtle (docs/reference/rdf-formats.md, "JSON-LD and Turtle"). Beside the JSON's keys are
// `@context`, `@id`, `@type` and the triples that no key expresses. A key whose value expresses
// nothing, such as an empty text, is set to null in the node's own context.

import { textValue } from '../../model/record/values.js'
import type { Field } from '../../model/resources.js'
import {
  type PublicView,
  type Reference,
  type ResolvedRecord,
  type RecordView,
  referencesOfField,
  toView,
  valuesIn,
} from '../../model/record/views.js'
import type { NestedFields } from '../../model/declarations/field-declaration.js'
import { isDerived, withheld } from '../../model/record/rdf-mapper.js'
import { prefixesUnder } from '../../rdf/namespaces.js'
import type { Quad } from '../../rdf/terms.js'
import { createPrefixer } from '../rdf/prefixed-names.js'
import { createJsonLdContext } from './context.js'
import { vocabularyEntryNode } from './vocabulary-entry.js'
import { type GraphBuilderDependencies, GraphBuilder } from '../rdf/record-graph.js'
import { collectionOf, pageTriples } from '../rdf/hydra-paging.js'
import { type JsonLdNode, toNestedNode, withNullTerms, withContext, mergeJson } from './nodes.js'
import type { Format, ListInfo, RecordSerializer } from '../serializer.js'

export const jsonld: Format = { name: 'jsonld', title: 'JSON-LD', type: 'application/ld+json' }

type FieldView = RecordView[string]

/** A field that refers to records or codes, and what is told of them. */
type ReferringField = Pick<ResolvedRecord, 'values' | 'lookup'> & {
  readonly field: Field
  readonly nested: NestedFields
}

/** A thing, and what its JSON is. */
type ThingView = Pick<ResolvedRecord, 'resource' | 'values'> & { readonly json: RecordView }

export function jsonldSerializer(dependencies: GraphBuilderDependencies): RecordSerializer {
  const { iris, resources } = dependencies
  const context = createJsonLdContext(dependencies)
  const graphs = new GraphBuilder(dependencies)
  const toPrefixedName = createPrefixer(prefixesUnder(iris.base))

  function recordNode(record: ResolvedRecord, view: PublicView): JsonLdNode {
    const { resource, values, lookup } = record
    const json = toView(resources, record, view)
    const triples = graphs.describeRecord(record, view)
    return thingNode({ resource, values, json }, triples, (field) => {
      const nested = field.nested?.[view]
      return nested && referencedNodes({ field, values, nested, lookup }, json[field.outputName])
    })
  }

  /** The nodes of what a field refers to, in place of their JSON. */
  function referencedNodes(
    { field, values, nested, lookup }: ReferringField,
    json: FieldView = [],
  ): unknown {
    const views = listOf(json) as readonly RecordView[]
    const nodes = field.target
      ? referencesOfField(field, values).map((reference, index) =>
          referencedNode(reference, views[index] ?? {}, { nested, lookup }),
        )
      : valuesIn(field, values).map((code, index) =>
          vocabularyEntryNode(
            views[index] ?? {},
            graphs.describeConcept(field, code, nested),
            toPrefixedName,
          ),
        )
    return field.repeatable ? nodes : nodes[0]
  }

  function referencedNode(
    reference: Reference,
    json: RecordView,
    { nested, lookup }: Pick<ReferringField, 'nested' | 'lookup'>,
  ): JsonLdNode {
    const { target, id } = reference
    const resource = resources[target]
    // Nothing is said of a hidden record, and not even that there is one: JSON-LD drops a null.
    if (id === withheld) return { ...withNullTerms(Object.keys(json)), '@value': null, ...json }
    const values = lookup(reference)
    if (!values) {
      const identifierOnly = { resource, values: { [resource.id.name]: id }, json }
      return thingNode(identifierOnly, graphs.describeDeleted(resource, id), () => undefined)
    }
    const triples = graphs.describeReference(resource, values, nested)
    return thingNode({ resource, values, json }, triples, (field) => {
      const key = nested.find(
        (candidate) => typeof candidate !== 'string' && candidate[0] === field.name,
      )
      return key && typeof key !== 'string'
        ? referencedNodes({ field, values, nested: key[1], lookup }, json[field.outputName])
        : undefined
    })
  }

  /** The node of a thing: its JSON, and the triples that none of its keys expresses. */
  function thingNode(
    { resource, values, json }: ThingView,
    triples: readonly Quad[],
    nodes: (field: Field) => unknown,
  ): JsonLdNode {
    const thing = iris.thing(resource.name, textValue(values, resource.id.name)).value
    const fieldsWithTerm = resource.fields.filter(
      (field) => field.outputName in json && context.hasTerm(field),
    )
    const isExpressed = (field: Field): boolean =>
      json[field.outputName] !== '' && context.expresses(field, listOf(values[field.name]))
    const expressed = new Map(
      fieldsWithTerm.filter(isExpressed).map((field) => [field.path[0]?.value, field]),
    )
    const remaining = triples.filter(({ subject, predicate, object }) => {
      const field = subject.value === thing ? expressed.get(predicate.value) : undefined
      return !field || isDerived(field, object.value)
    })
    const unexpressed = fieldsWithTerm
      .filter((field) => !isExpressed(field))
      .map((field) => field.outputName)
    const replacements = fieldsWithTerm.map(
      (field) => [field.outputName, nodes(field) ?? json[field.outputName]] as const,
    )
    return {
      ...withNullTerms(unexpressed),
      ...mergeJson(toNestedNode(thing, remaining, toPrefixedName), {
        ...json,
        ...Object.fromEntries(replacements),
      }),
    }
  }

  return {
    ...jsonld,
    listsUseListView: true,
    record: (record) => JSON.stringify(withContext(context.iri, recordNode(record, 'detail'))),
    listStart: (listInfo) => `${JSON.stringify(pageNode(listInfo)).slice(0, -1)},"results":[`,
    // A page shows what its JSON shows; an exported list shows whole records.
    listItem: (record, index, { links }) =>
      (index === 0 ? '' : ',') + JSON.stringify(recordNode(record, links ? 'list' : 'detail')),
    listEnd: () => ']}',
  }

  /** The page object without its records; an exported list is not a page and has records alone. */
  function pageNode(listInfo: ListInfo): JsonLdNode {
    const { count, links } = listInfo
    if (!links) {
      const listTerms = { count: null, results: '@graph' }
      return { '@context': [context.iri, listTerms], count, next: null, previous: null }
    }
    const { next, previous } = links
    const triples = pageTriples(listInfo).filter(
      ({ predicate }) => !predicate.value.endsWith('#totalItems'),
    )
    const node = toNestedNode(collectionOf(links).value, triples, toPrefixedName)
    return { ...withContext(context.iri, node), count, next, previous }
  }
}

const listOf = <Value>(value: Value | readonly Value[] | null | undefined): readonly Value[] => {
  if (value === null || value === undefined || value === '') return []
  return Array.isArray(value) ? (value as readonly Value[]) : [value as Value]
}
