// Cards to quads and back. Each field is plain triples, to be asked for; the order of the values and
// the values given more than once, which triples do not have, are one literal on the record, written
// only where they differ from the sorted, distinct values.

import { foaf, xsd } from '../../rdf/namespaces.js'
import type { Literal, NamedNode, Quad } from '../../rdf/terms.js'
import {
  boolean,
  decodeSegment,
  encodeSegment,
  integer,
  iri,
  isIri,
  quad,
  stringLiteral,
  typedLiteral,
} from '../../rdf/terms.js'
import type { Iris } from '../iris.js'
import { type RecordValues, type FieldValue, textValue } from './values.js'
import { type Field, type Resource, unsetValue } from '../resources.js'

/** One triple of a record as a store tells it: the subject and property as IRIs, the object as a value. */
export type Statement = { readonly s: string; readonly p: string; readonly o: string }

/** What of a field tells which node says it. */
type FieldLocation = { readonly path: readonly NamedNode[]; readonly onRecordNode?: true }

export type RdfMapper = ReturnType<typeof createRdfMapper>

export function createRdfMapper(iris: Iris) {
  const order = iris.term('order')

  /** The term of one value. The value has passed the write shape: a number for a number, and so on. */
  function termOf(field: Field, value: string | number | boolean): NamedNode | Literal {
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
        return isWebAddress(value) ? iri(value) : stringLiteral(value)
      case 'time':
        return typedLiteral(value, xsd('dateTime'))
      default:
        return stringLiteral(value)
    }
  }

  /** The value that a term stands for, as a client wrote it. */
  function valueOf(field: Field, term: string): string | number | boolean {
    switch (field.kind) {
      case 'integer':
        return Number(term)
      // Virtuoso says 1 and 0.
      case 'boolean':
        return term === 'true' || term === '1'
      case 'code':
        return field.storedAsLiteral || !field.vocabulary ? term : field.vocabulary.codeOf(term)
      case 'reference':
        return iris.idFromIri(term)
      case 'time':
        return sixDecimals(term)
      default:
        return field.prefix ? decodeSegment(term.slice(field.prefix.length)) : term
    }
  }

  /** The subjects of a record's triples, but for the lists of people, which nobody reads back. */
  function subjectsOf(resource: Resource, id: string): NamedNode[] {
    const thing = iris.thing(resource.name, id)
    const parts = new Set(resource.fields.flatMap((field) => partOf(field) ?? []))
    return [
      thing,
      iris.record(resource.name, id),
      ...[...parts].map((name) => iris.part(thing, name)),
    ]
  }

  /** Which node of a record says a field. */
  function subjectOf(field: FieldLocation, thing: NamedNode, record: NamedNode): NamedNode {
    if (field.onRecordNode) return record
    const part = partOf(field)
    return part ? iris.part(thing, part) : thing
  }

  /** All quads of a record, in the graphs where they belong. */
  function toQuads(resource: Resource, card: RecordValues): Quad[] {
    const id = textValue(card, resource.id.name)
    const thing = iris.thing(resource.name, id)
    const record = iris.record(resource.name, id)
    const graphs = iris.graphs
    const quads: Quad[] = []
    const orders: Record<string, readonly number[]> = {}
    const linked = new Set<string>()

    for (const field of resource.fields) {
      const terms = listOf(card[field.name]).map((value) => termOf(field, value))
      if (terms.length === 0) continue
      const graph = field.private && card.public === false ? graphs.private : graphs.public
      const subject = subjectOf(field, thing, record)
      const [first, last] = [field.path[0], field.path.at(-1)]
      if (!first || !last) continue
      if (first !== last && !linked.has(subject.value)) {
        quads.push(quad(thing, first, subject, graphs.public))
        linked.add(subject.value)
      }
      const sorted = [...new Map(terms.map((term) => [term.value, term])).values()].sort(byValue)
      for (const term of sorted) quads.push(quad(subject, last, term, graph))
      const places = new Map(sorted.map((term, place) => [term.value, place]))
      const positions = terms.map((term) => places.get(term.value) ?? 0)
      if (positions.some((position, index) => position !== index)) orders[field.name] = positions
    }

    for (const { subject, predicate, object } of resource.derive(card, thing, iris))
      quads.push(quad(subject ?? thing, predicate as NamedNode, object as NamedNode, graphs.public))
    quads.push(quad(record, foaf('primaryTopic'), thing, graphs.public))
    if (Object.keys(orders).length > 0)
      quads.push(quad(record, order, stringLiteral(JSON.stringify(orders)), graphs.public))
    return quads
  }

  /** The card that a record's statements make; a field without statements is unset. */
  function fromStatements(
    resource: Resource,
    id: string,
    statements: readonly Statement[],
  ): RecordValues {
    const thing = iris.thing(resource.name, id)
    const record = iris.record(resource.name, id)
    const said = new Map<string, string[]>()
    for (const { s, p, o } of statements) {
      const key = `${s} ${p}`
      const values = said.get(key)
      if (values) values.push(o)
      else said.set(key, [o])
    }
    const orders = ordersOf(said.get(`${record.value} ${order.value}`)?.[0])

    const card: Record<string, FieldValue> = {}
    for (const field of resource.fields) {
      const subject = subjectOf(field, thing, record).value
      const property = field.path.at(-1)?.value ?? ''
      const terms = said.get(`${subject} ${property}`) ?? []
      if (field.repeatable) {
        const sorted = terms.sort(byCodeUnit)
        card[field.name] = inOrder(sorted, orders.get(field.name)).map((term) =>
          String(valueOf(field, term)),
        )
      } else {
        const [term] = terms
        card[field.name] = term === undefined ? unsetValue(field) : valueOf(field, term)
      }
    }
    return card
  }

  return { termOf, valueOf, timeOf: sixDecimals, subjectOf, subjectsOf, toQuads, fromStatements }
}

/** The first property of a two-step path, by its last part: the name of the node between. */
function partOf({ path }: FieldLocation): string | undefined {
  const [first, second] = path
  return first && second ? first.value.slice(first.value.lastIndexOf('/') + 1) : undefined
}

function listOf(value: FieldValue | undefined): readonly (string | number | boolean)[] {
  if (value === undefined || value === null || value === '') return []
  return typeof value === 'object' ? value : [value]
}

// A web address becomes an IRI where it is one; every other text stays a literal.
const isWebAddress = (value: string): boolean =>
  /^(?:https?|ftps?):\/\//.test(value) && isIri(value)

/** The positions that were kept, or the sorted values where the triples were changed behind them. */
function inOrder(sorted: readonly string[], positions: readonly number[] | undefined) {
  if (!positions) return sorted
  const ordered = positions.flatMap((position) => sorted[position] ?? [])
  return ordered.length === positions.length && new Set(positions).size === sorted.length
    ? ordered
    : sorted
}

function ordersOf(literal: string | undefined): ReadonlyMap<string, readonly number[]> {
  return new Map(Object.entries(JSON.parse(literal ?? '{}') as Record<string, readonly number[]>))
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const byValue = (a: NamedNode | Literal, b: NamedNode | Literal): number =>
  byCodeUnit(a.value, b.value)

/** Engines drop the zeros at the end of a second's fraction; clients are promised six decimals. */
function sixDecimals(time: string): string {
  const [whole = '', fraction = ''] = time.replace('Z', '').split('.')
  return `${whole}.${fraction.padEnd(6, '0')}Z`
}
