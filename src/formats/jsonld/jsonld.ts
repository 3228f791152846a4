// JSON-LD: the JSON that clients know, with what makes it the same graph as the Turtle. Beside the
// known keys stand `@context`, `@id`, `@type` and what no key says: the record, the address, and what
// is derived. An unset text stays as it is, and the node's own context passes over it.

import { type RecordValues, textValue } from '../../model/record/values.js'
import type { Field, Resource } from '../../model/resources.js'
import {
  type RecordLookup,
  type Reference,
  type ResolvedRecord,
  type RecordView,
  referencesOfField,
  toView,
  valuesIn,
} from '../../model/record/views.js'
import type { NestedFields } from '../../model/declarations/field-declaration.js'
import { prefixesUnder } from '../../rdf/namespaces.js'
import type { Quad } from '../../rdf/terms.js'
import { createPrefixer } from '../rdf/prefixed-names.js'
import { createJsonLdContext } from './context.js'
import { vocabularyEntryNode } from './vocabulary-entry.js'
import {
  type GraphBuilderDependencies,
  type PublicView,
  createGraphBuilder,
} from '../rdf/record-graph.js'
import { collectionOf, pageTriples } from '../rdf/hydra-paging.js'
import { type JsonLdNode, toNestedNode, withNullTerms, withContext, mergeJson } from './nodes.js'
import type { Format, ListInfo, RecordSerializer } from '../serializer.js'

export const jsonld: Format = { name: 'jsonld', title: 'JSON-LD', type: 'application/ld+json' }

type Showings = RecordView[string]

export function jsonldSerializer(parts: GraphBuilderDependencies): RecordSerializer {
  const { iris, resources } = parts
  const context = createJsonLdContext(parts)
  const graphs = createGraphBuilder(parts)
  const compact = createPrefixer(prefixesUnder(iris.base))

  function recordNode(record: ResolvedRecord, view: PublicView): JsonLdNode {
    const { resource, values, lookup } = record
    const showing = toView(resources, record, view)
    return thingNode(resource, values, showing, graphs.own(record, view), (field) => {
      const shown = field.nested?.[view]
      return shown && namedNodes(field, values, shown, lookup, showing[field.outputName] ?? [])
    })
  }

  /** What a field names, one or many, as nodes in place of what is shown of them. */
  function namedNodes(
    field: Field,
    card: RecordValues,
    shown: NestedFields,
    cards: RecordLookup,
    showing: Showings,
  ): unknown {
    const showings = listOf(showing) as readonly RecordView[]
    const { target } = field
    const nodes = target
      ? referencesOfField(field, card).map((reference, index) =>
          namedNode(resources[target], reference, shown, cards, showings[index] ?? {}),
        )
      : valuesIn(field, card).map((code, index) =>
          vocabularyEntryNode(showings[index] ?? {}, graphs.entry(field, code, shown), compact),
        )
    return field.repeatable ? nodes : nodes[0]
  }

  function namedNode(
    resource: Resource,
    reference: Reference,
    shown: NestedFields,
    cards: RecordLookup,
    showing: RecordView,
  ): JsonLdNode {
    const named = cards(reference)
    if (!named) {
      const left = { [resource.id.name]: reference.id }
      return thingNode(
        resource,
        left,
        showing,
        graphs.missing(resource, reference.id),
        () => undefined,
      )
    }
    return thingNode(resource, named, showing, graphs.mention(resource, named, shown), (field) => {
      const key = shown.find((one) => typeof one !== 'string' && one[0] === field.name)
      return key && typeof key !== 'string'
        ? namedNodes(field, named, key[1], cards, showing[field.outputName] ?? [])
        : undefined
    })
  }

  /** A showing of a thing, and those of its triples that its keys do not say. */
  function thingNode(
    resource: Resource,
    card: RecordValues,
    showing: RecordView,
    triples: readonly Quad[],
    nodes: (field: Field) => unknown,
  ): JsonLdNode {
    const thing = iris.thing(resource.name, textValue(card, resource.id.name)).value
    const spoken = resource.fields.filter(
      (field) => field.outputName in showing && context.hasTerm(field),
    )
    const isSaid = (field: Field): boolean =>
      showing[field.outputName] !== '' && context.expresses(field, listOf(card[field.name]))
    const said = new Set(spoken.filter(isSaid).map(({ path }) => path[0]?.value))
    const rest = triples.filter(
      ({ subject, predicate }) => !(subject.value === thing && said.has(predicate.value)),
    )
    const silent = spoken.filter((field) => !isSaid(field)).map((field) => field.outputName)
    const replaced = spoken.map(
      (field) => [field.outputName, nodes(field) ?? showing[field.outputName]] as const,
    )
    return {
      ...withNullTerms(silent),
      ...mergeJson(toNestedNode(thing, rest, compact), {
        ...showing,
        ...Object.fromEntries(replaced),
      }),
    }
  }

  return {
    ...jsonld,
    listsUseListView: true,
    record: (record) => JSON.stringify(withContext(context.iri, recordNode(record, 'detail'))),
    listStart: (listed) => `${JSON.stringify(pageNode(listed)).slice(0, -1)},"results":[`,
    // A page shows what its JSON does; a whole list, which is kept as a file, whole records.
    listItem: (record, index, { links }) =>
      (index === 0 ? '' : ',') + JSON.stringify(recordNode(record, links ? 'list' : 'detail')),
    listEnd: () => ']}',
  }

  /** The page object, up to its records; a list that is printed whole is no page, only its records. */
  function pageNode(listed: ListInfo): JsonLdNode {
    const { count, links } = listed
    if (!links) {
      const own = { count: null, results: '@graph' }
      return { '@context': [context.iri, own], count, next: null, previous: null }
    }
    const { next, previous } = links
    const triples = pageTriples(listed).filter(
      ({ predicate }) => !predicate.value.endsWith('#totalItems'),
    )
    const node = toNestedNode(collectionOf(links).value, triples, compact)
    return { ...withContext(context.iri, node), count, next, previous }
  }
}

const listOf = <Value>(value: Value | readonly Value[] | null | undefined): readonly Value[] => {
  if (value === null || value === undefined || value === '') return []
  return Array.isArray(value) ? (value as readonly Value[]) : [value as Value]
}
