// Maps the values of a record to quads and back. Each field becomes plain triples, which SPARQL can
// query. Triples have no order and no duplicates, so a literal on the record node says the order
// and the repetitions, where they differ from the sorted, distinct values
// (docs/reference/fields.md, "Order of values").

import { foaf } from '../../rdf/namespaces.js'
import type { Literal, NamedNode, Quad } from '../../rdf/terms.js'
import {
  boolean,
  dateTime,
  decodeSegment,
  encodeSegment,
  integer,
  iri,
  isIri,
  quad,
  stringLiteral,
} from '../../rdf/terms.js'
import type { Iris } from '../iris.js'
import { type Field, type Resource, type TermField, unsetValue } from '../resources.js'
import { type FieldValue, type RecordValues, textValue } from './values.js'
import { type ViewName, isPrivate } from './views.js'

/** A triple of a record: the IRIs of subject and property, and the value of the object. */
export type Statement = { readonly s: string; readonly p: string; readonly o: string }

/** The statements of quads, whichever graphs these are in. */
export const toStatements = (quads: readonly Quad[]): Statement[] =>
  quads.map(({ subject, predicate, object }) => ({
    s: subject.value,
    p: predicate.value,
    o: object.value,
  }))

/**
 * Stands for a reference that is not told, since its record is hidden. The order of the values has
 * its place, and no triple says anything of it.
 */
export const withheld = ''

const withheldPosition = -1

/** The places of the references of a field that are not told. */
const withheldPlaces = (field: Field, values: RecordValues): readonly number[] =>
  field.target && field.repeatable
    ? listOf(values[field.name]).flatMap((value, place) => (value === withheld ? [place] : []))
    : []

/** What decides which node of a record has a field's triples. */
type FieldLocation = { readonly path: readonly NamedNode[]; readonly onRecordNode?: true }

export type RdfMapper = TermMapper &
  NodeMapper & {
    /** All quads of a record, each in the graph where it belongs. */
    toQuads(resource: Resource, values: RecordValues): Quad[]
    /** The distinct objects of a field's quads. */
    objectsOf(field: Field, values: RecordValues): readonly (NamedNode | Literal)[]
    /** The values that a record's statements say; a field without statements is unset. */
    fromStatements(resource: Resource, id: string, statements: readonly Statement[]): RecordValues
    /**
     * The values as they are read once these are stored: what `fromStatements` returns for the quads
     * of `toQuads`, those of the private graph only for the private view, without making these.
     */
    toStoredValues(resource: Resource, values: RecordValues, view: ViewName): RecordValues
    /** A time as clients read it, with six decimals: its term has no zeros at the end. */
    timeOf(time: string): string
  }

export function createRdfMapper(iris: Iris): RdfMapper {
  const terms = createTermMapper(iris)
  const nodes = createNodeMapper(iris)
  const orderProperty = iris.term('order')

  function toQuads(resource: Resource, values: RecordValues): Quad[] {
    const id = textValue(values, resource.id.name)
    const thing = iris.thing(resource.name, id)
    const record = iris.record(resource.name, id)
    const { public: publicGraph, private: privateGraph, order: orderGraph } = iris.graphs
    const quads: Quad[] = []
    const orders: Record<string, readonly number[]> = {}
    const linkedParts = new Set<string>()
    for (const field of resource.fields) {
      const objects = termsOf(field, values)
      const [first, last] = [field.path[0], field.path.at(-1)]
      const isWithheld = withheldPlaces(field, values).length > 0
      if ((objects.length === 0 && !isWithheld) || !first || !last) continue
      const subject = nodes.subjectOf(field, thing, record)
      if (first !== last && !linkedParts.has(subject.value)) {
        quads.push(quad(thing, first, subject, publicGraph))
        linkedParts.add(subject.value)
      }
      const graph = isPrivate(field, values) ? privateGraph : publicGraph
      const { sorted, positions } = sortDistinct(objects, withheldPlaces(field, values))
      for (const object of sorted) quads.push(quad(subject, last, object, graph))
      if (positions) orders[field.name] = positions
    }
    for (const { subject, predicate, object } of resource.derive(values, thing, iris))
      quads.push(quad(subject ?? thing, predicate as NamedNode, object as NamedNode, publicGraph))
    quads.push(quad(record, foaf('primaryTopic'), thing, publicGraph))
    if (Object.keys(orders).length > 0)
      quads.push(quad(record, orderProperty, stringLiteral(JSON.stringify(orders)), orderGraph))
    return quads
  }

  /** The terms of a field's values, in their order, with repetitions, without what is withheld. */
  const termsOf = (field: Field, values: RecordValues): readonly (NamedNode | Literal)[] =>
    listOf(values[field.name])
      .filter((value) => value !== withheld)
      .map((value) => terms.termOf(field, value))

  function toStoredValues(resource: Resource, values: RecordValues, view: ViewName): RecordValues {
    const read: Record<string, FieldValue> = {}
    for (const field of resource.fields) {
      if (field.path.length === 0) continue
      const isRead = view === 'private' || !isPrivate(field, values)
      const all = isRead ? listOf(values[field.name]) : []
      const ownValues = field.derivedPrefixes
        ? all.filter((value) => !isDerived(field, terms.termOf(field, value).value))
        : all
      const [first] = ownValues
      if (first === undefined) read[field.name] = unsetValue(field)
      else if (field.repeatable) read[field.name] = ownValues.map(String)
      else
        read[field.name] =
          field.kind === 'time' ? withSixDecimals(dateTime(String(first)).value) : first
    }
    return read
  }

  function fromStatements(
    resource: Resource,
    id: string,
    statements: readonly Statement[],
  ): RecordValues {
    const record = iris.record(resource.name, id).value
    const { byProperty, parts } = propertiesOf(resource)
    const thing = iris.thing(resource.name, id)
    const subjects = [record, thing.value, ...parts.map((part) => iris.part(thing, part).value)]
    const objects: (string[] | undefined)[] = []
    let order: string | undefined
    for (const { s, p, o } of statements) {
      if (p === orderProperty.value && s === record) order = o
      for (const { index, node } of byProperty.get(p) ?? []) {
        if (subjects[node] !== s) continue
        const fieldObjects = objects[index]
        if (fieldObjects) fieldObjects.push(o)
        else objects[index] = [o]
      }
    }
    const orders = parseOrders(order)

    const values: Record<string, FieldValue> = {}
    resource.fields.forEach((field, index) => {
      if (field.path.length === 0) return
      const all = objects[index] ?? []
      const ownObjects = field.derivedPrefixes
        ? all.filter((object) => !isDerived(field, object))
        : all
      const order = orders?.get(field.name)
      if (ownObjects.length === 0 && !order) values[field.name] = unsetValue(field)
      else if (field.repeatable) {
        const ordered = inOrder(ownObjects.sort(byCodeUnit), order)
        values[field.name] = ordered.map((object) =>
          object === withheld ? withheld : String(terms.valueOf(field, object)),
        )
      } else values[field.name] = terms.valueOf(field, ownObjects[0] ?? '')
    })
    return values
  }

  /** Of each resource, which fields have a property, and on which nodes. */
  const propertiesOfResources = new WeakMap<Resource, ResourceProperties>()

  function propertiesOf(resource: Resource): ResourceProperties {
    const known = propertiesOfResources.get(resource)
    if (known) return known
    const properties = listProperties(resource)
    propertiesOfResources.set(resource, properties)
    return properties
  }

  return {
    ...terms,
    ...nodes,
    timeOf: withSixDecimals,
    toQuads,
    objectsOf: (field, values) => sortDistinct(termsOf(field, values)).sorted,
    fromStatements,
    toStoredValues,
  }
}

/** Whether an object of the field's property is derived, and no value of the field. */
export const isDerived = ({ derivedPrefixes = [] }: Field, object: string): boolean =>
  derivedPrefixes.some((prefix) => object.startsWith(prefix))

type TermMapper = {
  /**
   * The term of one value, which has passed the checks of input.ts: a number for a number, and so
   * on.
   */
  termOf(field: TermField, value: string | number | boolean): NamedNode | Literal
  /** The value that a term stands for, as a client wrote it. */
  valueOf(field: TermField, term: string): string | number | boolean
}

function createTermMapper(iris: Iris): TermMapper {
  return {
    termOf(field, value) {
      if (typeof value === 'number') return integer(value)
      if (typeof value === 'boolean') return boolean(value)
      switch (field.kind) {
        case 'code':
          return field.storedAsLiteral || !field.vocabulary
            ? stringLiteral(value)
            : field.vocabulary.concept(value)
        case 'reference':
          return field.target ? iris.thing(field.target, value) : stringLiteral(value)
        case 'url':
        case 'link':
          if (field.prefix) return iri(field.prefix + encodeSegment(value))
          return isWebIri(value) ? iri(value) : stringLiteral(value)
        case 'time':
          return dateTime(value)
        default:
          return stringLiteral(value)
      }
    },
    valueOf(field, term) {
      switch (field.kind) {
        case 'integer':
          return Number(term)
        // Virtuoso returns 1 and 0.
        case 'boolean':
          return term === 'true' || term === '1'
        case 'code':
          return field.storedAsLiteral || !field.vocabulary ? term : field.vocabulary.codeOf(term)
        case 'reference':
          return iris.idFromIri(term)
        case 'time':
          return withSixDecimals(term)
        default:
          return field.prefix ? decodeSegment(term.slice(field.prefix.length)) : term
      }
    },
  }
}

type NodeMapper = {
  /** The node that has a field's triples: the thing, its record, or a part such as its address. */
  subjectOf(field: FieldLocation, thing: NamedNode, record: NamedNode): NamedNode
}

const createNodeMapper = (iris: Iris): NodeMapper => ({
  subjectOf(field, thing, record) {
    if (field.onRecordNode) return record
    const part = partOf(field)
    return part ? iris.part(thing, part) : thing
  },
})

/**
 * The name of the part between the thing and the value, from the first property of a two-step path.
 */
export function partOf({ path }: FieldLocation): string | undefined {
  const [first, second] = path
  return first && second ? first.value.slice(first.value.lastIndexOf('/') + 1) : undefined
}

function listOf(value: FieldValue | undefined): readonly (string | number | boolean)[] {
  if (value === undefined || value === null || value === '') return []
  return typeof value === 'object' ? value : [value]
}

// Only what is an IRI can become one; every other text stays a literal.
export const isWebIri = (value: string): boolean =>
  /^(?:https?|ftps?):\/\//.test(value) && isIri(value)

/**
 * The distinct terms in the order of their code units, and the position in it of each term given;
 * undefined where they are in that order.
 * @param withheldPlaces the places of what is not told, between the terms
 */
function sortDistinct(
  terms: readonly (NamedNode | Literal)[],
  withheldPlaces: readonly number[] = [],
) {
  const isSorted = terms.every(
    ({ value }, index) => index === 0 || (terms[index - 1]?.value ?? '') < value,
  )
  if (isSorted && withheldPlaces.length === 0) return { sorted: terms }
  const distinct = new Map(terms.map((term) => [term.value, term]))
  const sorted = [...distinct.values()].sort((a, b) => byCodeUnit(a.value, b.value))
  const places = new Map(sorted.map((term, place) => [term.value, place]))
  const positions = terms.map((term) => places.get(term.value) ?? 0)
  for (const place of withheldPlaces) positions.splice(place, 0, withheldPosition)
  return { sorted, positions }
}

/** A field by its index, and its node: the record, the thing, or the parts after them. */
type FieldAtNode = { readonly index: number; readonly node: number }

type ResourceProperties = {
  readonly byProperty: ReadonlyMap<string, readonly FieldAtNode[]>
  /** The names of the parts that have fields. */
  readonly parts: readonly string[]
}

function listProperties(resource: Resource): ResourceProperties {
  const parts = [...new Set(resource.fields.flatMap((field) => partOf(field) ?? []))]
  const byProperty = new Map<string, FieldAtNode[]>()
  resource.fields.forEach((field, index) => {
    const property = field.path.at(-1)?.value
    if (property === undefined) return
    const part = partOf(field)
    const ofThing = part === undefined ? 1 : 2 + parts.indexOf(part)
    const fieldAtNode = { index, node: field.onRecordNode ? 0 : ofThing }
    byProperty.set(property, [...(byProperty.get(property) ?? []), fieldAtNode])
  })
  return { byProperty, parts }
}

/**
 * The values in their stored order; sorted where the triples were changed without changing the
 * order.
 */
function inOrder(sorted: readonly string[], positions: readonly number[] | undefined) {
  if (!positions) return sorted
  const ordered = positions.flatMap((position) =>
    position === withheldPosition ? withheld : (sorted[position] ?? []),
  )
  const used = new Set(positions.filter((position) => position !== withheldPosition))
  return ordered.length === positions.length && used.size === sorted.length ? ordered : sorted
}

const parseOrders = (
  literal: string | undefined,
): ReadonlyMap<string, readonly number[]> | undefined =>
  literal === undefined
    ? undefined
    : new Map(Object.entries(JSON.parse(literal) as Record<string, readonly number[]>))

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function withSixDecimals(time: string): string {
  const [whole = '', fraction = ''] = time.replace('Z', '').split('.')
  return `${whole}.${fraction.padEnd(6, '0')}Z`
}
