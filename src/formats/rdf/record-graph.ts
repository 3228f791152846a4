// Builds the triples of a record as a view shows it: those of the thing, its parts and its record,
// and those of what it refers to. Turtle, N-Triples, RDF/XML and JSON-LD all serialize this graph.

import type { Iris } from '../../model/iris.js'
import { type RecordValues, textValue } from '../../model/record/values.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import type { RdfMapper } from '../../model/record/rdf-mapper.js'
import {
  type RecordLookup,
  type Reference,
  type ResolvedRecord,
  type PublicView,
  referencesOfField,
  valuesIn,
  isVisible,
} from '../../model/record/views.js'
import type { NestedFields } from '../../model/declarations/field-declaration.js'
import { literalOf } from '../../model/vocabulary.js'
import { foaf, rdf, skos, wdrs } from '../../rdf/namespaces.js'
import { type Quad, distinctTriples, stringLiteral, triple } from '../../rdf/terms.js'

export type GraphBuilderDependencies = {
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
  /** What belongs to a record besides its fields, such as its pictures. */
  readonly imageTriples?: (reference: Reference) => readonly Quad[]
}

export class GraphBuilder {
  readonly #iris: Iris
  readonly #resources: Resources
  readonly #mapper: RdfMapper
  readonly #imageTriples: (reference: Reference) => readonly Quad[]

  constructor({ iris, resources, mapper, imageTriples = () => [] }: GraphBuilderDependencies) {
    this.#iris = iris
    this.#resources = resources
    this.#mapper = mapper
    this.#imageTriples = imageTriples
  }

  /** The triples of a record and of what it refers to. */
  buildGraph(record: ResolvedRecord, view: PublicView): Quad[] {
    const { resource, values, lookup } = record
    const referenced = fieldsOf(resource, view).flatMap((field) => {
      const nested = field.nested?.[view]
      return nested ? this.#describeReferenced(field, values, nested, lookup) : []
    })
    return distinctTriples([...this.describeRecord(record, view), ...referenced])
  }

  /** The triples of the thing, its parts and its record. */
  describeRecord({ resource, values }: ResolvedRecord, view: PublicView): Quad[] {
    const shownValues = publicValues(values, fieldsOf(resource, view))
    const id = textValue(values, resource.id.name)
    const record = this.#iris.record(resource.name, id)
    return [
      ...this.#publicQuads(resource, shownValues),
      triple(this.#iris.thing(resource.name, id), wdrs('describedby'), record),
      triple(record, rdf('type'), foaf('Document')),
      // Pages of lists say what their JSON says.
      ...(view === 'detail' ? this.#imageTriples({ target: resource.name, id }) : []),
    ]
  }

  /** The triples of a thing that another record refers to: its types and its nested fields. */
  describeReference(resource: Resource, values: RecordValues, nested: NestedFields): Quad[] {
    const names = new Set(nested.map((key) => (typeof key === 'string' ? key : key[0])))
    const fields = resource.fields.filter(({ name }) => names.has(name))
    // The types follow from the whole record, whichever of its fields are shown.
    const typesOnly: Resource['derive'] = (_values, thing) =>
      resource
        .derive(values, thing, this.#iris)
        .filter(({ predicate }) => predicate.equals(rdf('type')))
    return this.#withoutRecord(
      resource,
      { ...resource, derive: typesOnly },
      publicValues(values, fields),
    )
  }

  /** The triples of a record that was deleted: its identifier alone. */
  describeDeleted(resource: Resource, id: string): Quad[] {
    return this.#withoutRecord(
      resource,
      { ...resource, derive: () => [] },
      { [resource.id.name]: id },
    )
  }

  /** The triples of a vocabulary's entry that a record refers to. */
  describeConcept({ vocabulary }: Field, code: string, nested: NestedFields): Quad[] {
    if (!vocabulary) return []
    const concept = vocabulary.concept(code)
    const statements = vocabulary.statements(code)
    const label = literalOf(statements, skos('prefLabel'))
    const definition = nested.includes('definition')
      ? literalOf(statements, skos('definition'))
      : undefined
    const notation = triple(concept, skos('notation'), stringLiteral(code))
    // A code that the vocabulary no longer has is given as a notation alone.
    if (!label) return [notation]
    return [
      triple(concept, rdf('type'), skos('Concept')),
      notation,
      triple(concept, skos('prefLabel'), label),
      ...(definition ? [triple(concept, skos('definition'), definition)] : []),
      triple(concept, skos('inScheme'), vocabulary.scheme),
    ]
  }

  #describeReferenced(
    field: Field,
    values: RecordValues,
    nested: NestedFields,
    lookup: RecordLookup,
  ): Quad[] {
    const { target } = field
    if (!target)
      return valuesIn(field, values).flatMap((code) => this.describeConcept(field, code, nested))
    const resource = this.#resources[target]
    return referencesOfField(field, values).flatMap((reference) => {
      const referenced = lookup(reference)
      if (!referenced) return this.describeDeleted(resource, reference.id)
      const nestedTriples = nested.flatMap((key) => {
        const inner = typeof key === 'string' ? undefined : resource.byName.get(key[0])
        return inner ? this.#describeReferenced(inner, referenced, nestedIn(key), lookup) : []
      })
      return [...this.describeReference(resource, referenced, nested), ...nestedTriples]
    })
  }

  #withoutRecord({ name, id }: Resource, described: Resource, values: RecordValues): Quad[] {
    const record = this.#iris.record(name, textValue(values, id.name))
    return this.#publicQuads(described, values).filter(({ subject }) => !subject.equals(record))
  }

  /** Without the private graph, and without the order of arrays, which only this service needs. */
  #publicQuads(resource: Resource, values: RecordValues): Quad[] {
    return this.#mapper
      .toQuads(resource, values)
      .filter(({ graph }) => graph.equals(this.#iris.graphs.public))
      .map(({ subject, predicate, object }) =>
        // Predicates are never variables here.
        triple(subject, predicate as ReturnType<Iris['term']>, object),
      )
  }
}

const fieldsOf = ({ fields }: Resource, view: PublicView): readonly Field[] =>
  fields.filter((field) => view !== 'list' || field.inLists)

const nestedIn = (key: NestedFields[number]): NestedFields =>
  typeof key === 'string' ? [] : key[1]

/** The values of these fields, without the private ones of a record that is not public. */
function publicValues(values: RecordValues, fields: readonly Field[]): RecordValues {
  const visible = fields.filter((field) => isVisible(field, values, 'detail'))
  return Object.fromEntries(visible.map(({ name }) => [name, values[name] ?? '']))
}
