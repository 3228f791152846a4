// JSON-LD: the JSON that clients know, with what makes it the same graph as the Turtle. Beside the
// known keys stand `@context`, `@id`, `@type` and what no key says: the record, the address, and what
// is derived. An unset text stays as it is, and the node's own context passes over it.

import { type Card, textOf } from '../../model/record/values.js'
import type { Field, Resource } from '../../model/resources.js'
import {
  type Cards,
  type Reference,
  type Sheet,
  type Showing,
  referencesIn,
  show,
  valuesIn,
} from '../../model/record/views.js'
import type { Shown } from '../../model/declarations/field-declaration.js'
import { prefixesUnder } from '../../rdf/namespaces.js'
import type { Quad } from '../../rdf/terms.js'
import { compactBy } from '../rdf/prefixed-names.js'
import { contextOf } from './context.js'
import { entryNode } from './vocabulary-entry.js'
import { type GraphParts, type PublicView, graphsOf } from '../rdf/record-graph.js'
import { collectionOf, pageTriples } from '../rdf/hydra-paging.js'
import { type Node, nestedNode, silencing, underContext, withKnown } from './nodes.js'
import type { Listed, Press } from '../serializer.js'

export const jsonld = { name: 'jsonld', type: 'application/ld+json' } as const

type Showings = Showing[string]

export function jsonldPress(parts: GraphParts): Press {
  const { addresses, resources } = parts
  const context = contextOf(parts)
  const graphs = graphsOf(parts)
  const compact = compactBy(prefixesUnder(addresses.base))

  function recordNode(sheet: Sheet, view: PublicView): Node {
    const { resource, card, cards } = sheet
    const showing = show(resources, sheet, view)
    return thingNode(resource, card, showing, graphs.own(sheet, view), (field) => {
      const shown = field.shows?.[view]
      return shown && namedNodes(field, card, shown, cards, showing[field.as] ?? [])
    })
  }

  /** What a field names, one or many, as nodes in place of what is shown of them. */
  function namedNodes(
    field: Field,
    card: Card,
    shown: Shown,
    cards: Cards,
    showing: Showings,
  ): unknown {
    const showings = listOf(showing) as readonly Showing[]
    const { target } = field
    const nodes = target
      ? referencesIn(field, card).map((reference, index) =>
          namedNode(resources[target], reference, shown, cards, showings[index] ?? {}),
        )
      : valuesIn(field, card).map((code, index) =>
          entryNode(showings[index] ?? {}, graphs.entry(field, code, shown), compact),
        )
    return field.many ? nodes : nodes[0]
  }

  function namedNode(
    resource: Resource,
    reference: Reference,
    shown: Shown,
    cards: Cards,
    showing: Showing,
  ): Node {
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
        ? namedNodes(field, named, key[1], cards, showing[field.as] ?? [])
        : undefined
    })
  }

  /** A showing of a thing, and those of its triples that its keys do not say. */
  function thingNode(
    resource: Resource,
    card: Card,
    showing: Showing,
    triples: readonly Quad[],
    nodes: (field: Field) => unknown,
  ): Node {
    const thing = addresses.thing(resource.name, textOf(card, resource.id.name)).value
    const spoken = resource.fields.filter((field) => field.as in showing && context.has(field))
    const isSaid = (field: Field): boolean =>
      showing[field.as] !== '' && context.says(field, listOf(card[field.name]))
    const said = new Set(spoken.filter(isSaid).map(({ path }) => path[0]?.value))
    const rest = triples.filter(
      ({ subject, predicate }) => !(subject.value === thing && said.has(predicate.value)),
    )
    const silent = spoken.filter((field) => !isSaid(field)).map((field) => field.as)
    const replaced = spoken.map((field) => [field.as, nodes(field) ?? showing[field.as]] as const)
    return {
      ...silencing(silent),
      ...withKnown(nestedNode(thing, rest, compact), {
        ...showing,
        ...Object.fromEntries(replaced),
      }),
    }
  }

  return {
    ...jsonld,
    brief: true,
    record: (sheet) => JSON.stringify(underContext(context.iri, recordNode(sheet, 'detail'))),
    open: (listed) => `${JSON.stringify(pageNode(listed)).slice(0, -1)},"results":[`,
    // A page shows what its JSON does; a whole list, which is kept as a file, whole records.
    item: (sheet, index, { links }) =>
      (index === 0 ? '' : ',') + JSON.stringify(recordNode(sheet, links ? 'list' : 'detail')),
    close: () => ']}',
  }

  /** The page object, up to its records; a list that is printed whole is no page, only its records. */
  function pageNode(listed: Listed): Node {
    const { count, links } = listed
    if (!links) {
      const own = { count: null, results: '@graph' }
      return { '@context': [context.iri, own], count, next: null, previous: null }
    }
    const { next, previous } = links
    const triples = pageTriples(listed).filter(
      ({ predicate }) => !predicate.value.endsWith('#totalItems'),
    )
    const node = nestedNode(collectionOf(links).value, triples, compact)
    return { ...underContext(context.iri, node), count, next, previous }
  }
}

const listOf = <Value>(value: Value | readonly Value[] | null | undefined): readonly Value[] => {
  if (value === null || value === undefined || value === '') return []
  return Array.isArray(value) ? (value as readonly Value[]) : [value as Value]
}
