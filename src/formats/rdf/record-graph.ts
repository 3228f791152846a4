// What a shown record says, as triples: its own, as far as the view shows them, and those of what it
// names. Turtle, N-Triples, RDF/XML and JSON-LD all print this graph and no other.

import type { Iris } from '../../model/iris.js'
import { type RecordValues, textValue } from '../../model/record/values.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import type { RdfMapper } from '../../model/record/rdf-mapper.js'
import {
  type RecordLookup,
  type ResolvedRecord,
  type ViewName,
  referencesOfField,
  valuesIn,
} from '../../model/record/views.js'
import type { NestedFields } from '../../model/declarations/field-declaration.js'
import { literalOf } from '../../model/vocabulary.js'
import { foaf, rdf, skos, wdrs } from '../../rdf/namespaces.js'
import { type Quad, distinctTriples, stringLiteral, triple } from '../../rdf/terms.js'

export type GraphBuilderDependencies = {
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
}

/** A list shows less of a record than its own page does. Nobody's private fields are in a graph. */
export type PublicView = Exclude<ViewName, 'private'>

export function createGraphBuilder({ iris, resources, mapper }: GraphBuilderDependencies) {
  /** A record and what it names. */
  function graphOf(record: ResolvedRecord, view: PublicView): Quad[] {
    const { resource, values, lookup } = record
    const named = fieldsOf(resource, view).flatMap((field) => {
      const shown = field.nested?.[view]
      return shown ? namedBy(field, values, shown, lookup) : []
    })
    return distinctTriples([...own(record, view), ...named])
  }

  /** What is said of the thing, its parts and its record. */
  function own({ resource, values }: ResolvedRecord, view: PublicView): Quad[] {
    const shown = pick(values, fieldsOf(resource, view))
    const id = textValue(values, resource.id.name)
    const record = iris.record(resource.name, id)
    return [
      ...publicQuads(resource, shown),
      triple(iris.thing(resource.name, id), wdrs('describedby'), record),
      triple(record, rdf('type'), foaf('Document')),
    ]
  }

  function namedBy(
    field: Field,
    card: RecordValues,
    shown: NestedFields,
    cards: RecordLookup,
  ): Quad[] {
    const { target } = field
    if (!target) return valuesIn(field, card).flatMap((code) => entry(field, code, shown))
    const resource = resources[target]
    return referencesOfField(field, card).flatMap((reference) => {
      const named = cards(reference)
      if (!named) return missing(resource, reference.id)
      const further = shown.flatMap((key) => {
        const inner = typeof key === 'string' ? undefined : resource.byName.get(key[0])
        return inner ? namedBy(inner, named, shownIn(key), cards) : []
      })
      return [...mention(resource, named, shown), ...further]
    })
  }

  /** What is said of a thing where another record names it: what is shown of it, and its types. */
  function mention(resource: Resource, card: RecordValues, shown: NestedFields): Quad[] {
    const names = new Set(shown.map((key) => (typeof key === 'string' ? key : key[0])))
    const fields = resource.fields.filter(({ name }) => names.has(name))
    // Its types are those of the whole record, shown or not.
    const typesAlone: Resource['derive'] = (_shown, thing) =>
      resource.derive(card, thing, iris).filter(({ predicate }) => predicate.equals(rdf('type')))
    return withoutRecord(resource, { ...resource, derive: typesAlone }, pick(card, fields))
  }

  /** Of a record that was deleted since, the identifier is left. */
  const missing = (resource: Resource, id: string): Quad[] =>
    withoutRecord(resource, { ...resource, derive: () => [] }, { [resource.id.name]: id })

  function withoutRecord({ name, id }: Resource, said: Resource, card: RecordValues): Quad[] {
    const record = iris.record(name, textValue(card, id.name))
    return publicQuads(said, card).filter(({ subject }) => !subject.equals(record))
  }

  /** Never what lies in the private graph, and not the order of arrays, which is nobody's but ours. */
  const publicQuads = (resource: Resource, card: RecordValues): Quad[] =>
    mapper
      .toQuads(resource, card)
      .filter(({ graph }) => graph.equals(iris.graphs.public))
      .filter(({ predicate }) => !predicate.equals(iris.term('order')))
      .map(({ subject, predicate, object }) =>
        // Predicates are never variables here.
        triple(subject, predicate as ReturnType<Iris['term']>, object),
      )

  /** What is said of an entry where a record names it. */
  function entry({ vocabulary }: Field, code: string, shown: NestedFields): Quad[] {
    if (!vocabulary) return []
    const concept = vocabulary.concept(code)
    const statements = vocabulary.statements(code)
    const label = literalOf(statements, skos('prefLabel'))
    const definition = shown.includes('definition')
      ? literalOf(statements, skos('definition'))
      : undefined
    const notation = triple(concept, skos('notation'), stringLiteral(code))
    // Of one that the vocabulary no longer has, the code is left.
    if (!label) return [notation]
    return [
      triple(concept, rdf('type'), skos('Concept')),
      notation,
      triple(concept, skos('prefLabel'), label),
      ...(definition ? [triple(concept, skos('definition'), definition)] : []),
      triple(concept, skos('inScheme'), vocabulary.scheme),
    ]
  }

  return { graphOf, own, mention, missing, entry }
}

const fieldsOf = ({ fields }: Resource, view: PublicView): readonly Field[] =>
  fields.filter((field) => view !== 'list' || field.inLists)

const shownIn = (key: NestedFields[number]): NestedFields => (typeof key === 'string' ? [] : key[1])

/** A card with these fields alone, and without the private ones of a record that is not public. */
function pick(card: RecordValues, fields: readonly Field[]): RecordValues {
  const open = fields.filter((field) => !(field.private && card.public === false))
  return Object.fromEntries(open.map(({ name }) => [name, card[name] ?? '']))
}
