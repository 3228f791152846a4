// Makes of the statements of an RDF document what a client would have sent as JSON
// (docs/reference/records.md, "Writing RDF"). Where the values of a field are is said by the
// declarations by which rdf-mapper.ts writes them. What is shown for readers only is passed over,
// and everything else is an error.

import { foaf, rdf, skos, wdrs, xsd } from '../../rdf/namespaces.js'
import { decodeSegment, type NamedNode } from '../../rdf/terms.js'
import type { NestedFields } from '../declarations/field-declaration.js'
import type { Iris } from '../iris.js'
import { type Field, type Resource, type Resources, unsetValue } from '../resources.js'
import { ValidationError, maxItems } from './input.js'
import { type RdfMapper, isDerived } from './rdf-mapper.js'
import type { InputStatement, StatementGraph } from './statement-graph.js'
import { type FieldValue, type RecordValues, listValue } from './values.js'
import { isPrivate, valuesIn } from './views.js'

export type StatementDocument = {
  /** In it, what readers of the present record are shown counts as read. */
  readonly graph: StatementGraph
  /** Whether the order of the statements says the order of values. */
  readonly isOrdered: boolean
  /** Members of a JSON document that say nothing in RDF. */
  readonly meaningless: ReadonlyMap<string, unknown>
}

/** The record that a document is about. */
type StatementTarget = {
  readonly resource: Resource
  /** Undefined for a new record. */
  readonly id: string | undefined
  /** The present values, with private ones; undefined for a new record. */
  readonly before: RecordValues | undefined
}

type StatementReaderDependencies = {
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
}

/** What is read of one document. */
type Reading = {
  readonly document: StatementDocument
  readonly target: StatementTarget
  readonly graph: StatementGraph
  /** The node that the record is about. */
  readonly subject: string
  readonly body: Map<string, unknown>
  readonly errors: Map<string, readonly string[]>
}

export class StatementReader {
  readonly #iris: Iris
  readonly #resources: Resources
  readonly #mapper: RdfMapper

  constructor({ iris, resources, mapper }: StatementReaderDependencies) {
    this.#iris = iris
    this.#resources = resources
    this.#mapper = mapper
  }

  /** The body that a document says. @throws ValidationError for what it says besides */
  read(document: StatementDocument, target: StatementTarget): ReadonlyMap<string, unknown> {
    const { graph } = document
    const reading: Reading = {
      document,
      target,
      graph,
      subject: this.#subjectOf(graph, target),
      body: new Map(),
      errors: new Map(),
    }
    this.#readFields(reading)
    this.#passOverShown(reading)
    this.#checkIdentifier(reading)
    checkMeaningless(reading)
    checkUnread(reading)
    if (reading.errors.size > 0) throw new ValidationError(reading.errors)
    return reading.body
  }

  /** `<>` in the body of a POST. */
  #listIri({ name }: Resource): string {
    return `${this.#iris.base}/api/${name}/`
  }

  #idOfThing({ name }: Resource, node: string): string | undefined {
    return idAfter(this.#iris.thing(name, '').value, node)
  }

  /** The IRI of the record's thing; for a new record also that of the list, or a blank node. */
  #subjectOf(graph: StatementGraph, { resource, id }: StatementTarget): string {
    if (id !== undefined) return this.#iris.thing(resource.name, id).value
    const list = this.#listIri(resource)
    if (graph.hasSubject(list)) return list
    const subjects = graph.subjects().filter((subject) => !graph.isObject(subject))
    const isThing = (node: string): boolean => this.#idOfThing(resource, node) !== undefined
    return graph.subjects().find(isThing) ?? subjects.find(isBlank) ?? list
  }

  #readFields(reading: Reading): void {
    const { target, body } = reading
    const { before } = target
    for (const field of target.resource.inputFields)
      if (field.private === 'always' || (field.private && !saysPublic(reading))) {
        keepPrivate(reading, field)
        if (before) body.set(field.name, before[field.name] ?? unsetValue(field))
      } else {
        const value = this.#readField(reading, field)
        if (value !== undefined) body.set(field.name, value)
      }
  }

  /** The value of a field as JSON has it; undefined where it is not sent. */
  #readField(reading: Reading, field: Field): FieldValue | undefined {
    const { graph, target, document, errors } = reading
    const said = statementsOf(reading, field)
    const { statements, hasList } = field.repeatable
      ? graph.expandLists(said)
      : { statements: said, hasList: false }
    if (statements.length > maxItems) {
      // It is too long in any case, so what it says is not looked at.
      graph.markRead(statements)
      return statements.map(({ o }) => o)
    }
    const values: string[] = []
    for (const statement of statements) {
      const value = this.#valueOf(field, statement)
      if (value === undefined) continue
      graph.markRead([statement])
      values.push(value)
    }
    if (!field.repeatable) {
      const [value, ...others] = new Set(values)
      if (others.length > 0)
        errors.set(field.name, [`This field has one value, not ${others.length + 1}.`])
      return value ?? valueIfUnsaid(field, target.before)
    }
    // What is missing is cleared, and where a value is needed, that is said.
    if (values.length === 0 && field.nonEmpty) return undefined
    if (hasList) return values
    return inOrder(
      values,
      target.before ? listValue(target.before, field.name) : [],
      document.isOrdered,
    )
  }

  /** The value that a term stands for, as JSON has it; undefined for a term that no value has. */
  #valueOf(field: Field, { o, literal }: InputStatement): string | undefined {
    const isIri = literal === undefined && !isBlank(o)
    const isText = literal === xsd('string').value
    switch (field.kind) {
      case 'integer':
        return literal === undefined || literal.startsWith('@') ? undefined : o
      case 'boolean':
        return literal !== undefined && booleans.has(o)
          ? String(['true', '1'].includes(o))
          : undefined
      case 'reference':
        return isIri && field.target ? this.#idOfThing(this.#resources[field.target], o) : undefined
      case 'code':
        if (field.storedAsLiteral) return isText ? o : undefined
        return isIri ? codeOf(field, o) : undefined
      case 'url':
      case 'link':
        if (isIri) return (field.prefix && idAfter(field.prefix, o)) ?? o
        return isText || literal === xsd('anyURI').value ? o : undefined
      default:
        // JSON takes a number for a text too, but none with a zero or a sign before it.
        return isText || (literal === xsd('integer').value && /^-?(?:0|[1-9]\d*)$/.test(o))
          ? o
          : undefined
    }
  }

  /** Passes over what is shown for readers only, changed or not. */
  #passOverShown({ graph, subject, target }: Reading): void {
    const { resource, id, before } = target
    const derived = [...resource.derivedProperties, rdf('type'), wdrs('describedby')]
    const record = this.#iris.record(
      resource.name,
      id ?? this.#idOfThing(resource, subject) ?? '',
    ).value
    const recordFields = resource.fields.filter((field) => field.onRecordNode)
    graph.markAllRead(
      [record, ...graph.nodesAt(subject, wdrs('describedby'))],
      [rdf('type'), foaf('primaryTopic'), ...recordFields.flatMap(({ path }) => path)],
    )
    graph.markListsRead(
      derived.flatMap((property) => graph.of(subject, property).map(({ o }) => o)),
    )
    graph.markAllRead([subject], derived)
    graph.markAllRead(
      graph.subjects().filter((node) => node.startsWith(`${subject}#`)),
      [rdf('type'), rdf('first'), rdf('rest')],
    )
    for (const field of resource.inputFields) {
      const [property] = field.path
      if (property && field.derivedPrefixes)
        graph.markRead(graph.of(subject, property).filter(({ o }) => isDerived(field, o)))
      const nested = field.nested?.detail
      if (!nested || !property) continue
      const present = before ? valuesIn(field, before) : []
      const nodes = [
        ...graph.nodesAt(subject, property),
        ...present.map((value) => this.#mapper.termOf(field, value).value),
      ]
      if (nodes.length <= 2 * maxItems) this.#passOverNested(graph, field, nested, nodes)
    }
  }

  /** The same of the records and concepts that a field refers to. */
  #passOverNested(
    graph: StatementGraph,
    field: Field,
    nested: NestedFields,
    nodes: readonly string[],
  ): void {
    if (!field.target) {
      graph.markAllRead(nodes, conceptProperties)
      return
    }
    const { byName, id } = this.#resources[field.target]
    graph.markAllRead(nodes, [rdf('type'), ...id.path])
    for (const key of nested) {
      const [name, inner] = typeof key === 'string' ? [key] : key
      const innerField = byName.get(name)
      const [first, second] = innerField?.path ?? []
      if (!innerField || !first) continue
      graph.markAllRead(nodes, [first])
      if (second)
        graph.markAllRead(
          nodes.flatMap((node) => partsOf(graph, node, first)),
          [second],
        )
      if (inner) {
        const further = nodes.flatMap((node) => graph.nodesAt(node, first))
        this.#passOverNested(graph, innerField, inner, further)
      }
    }
  }

  /** The identifier in the IRI of a new record is the one that the document says. */
  #checkIdentifier({ target, subject, body, errors }: Reading): void {
    const { resource, id } = target
    const inSubject = this.#idOfThing(resource, subject)
    const said = body.get(resource.id.name)
    if (id === undefined && inSubject !== undefined && said !== undefined && said !== inSubject)
      errors.set(resource.id.name, [`The document is about ${shorten(`<${subject}>`)}.`])
  }
}

/** The statements whose objects are the values of a field. */
function statementsOf(
  { graph, subject }: Pick<Reading, 'graph' | 'subject'>,
  field: Field,
): readonly InputStatement[] {
  const [first, second] = field.path
  if (!first) return []
  if (!second) return graph.of(subject, first).filter(({ o }) => !isDerived(field, o))
  const links = graph.of(subject, first).filter(({ literal }) => literal === undefined)
  graph.markRead(links)
  return partsOf(graph, subject, first).flatMap((part) => graph.of(part, second))
}

/** Whether the record is to be public, or is one that always is. */
function saysPublic({ target, graph, subject }: Reading): boolean {
  const field = target.resource.byName.get('public')
  const [property] = field?.path ?? []
  return !property || graph.of(subject, property).some(({ o }) => ['true', '1'].includes(o))
}

/**
 * Passes over a private field that says what it said while it was public; it stays as it is. What
 * was never public is not compared, since the answer would tell whether it was guessed.
 */
function keepPrivate(reading: Reading, field: Field): void {
  const { before } = reading.target
  if (!before || isPrivate(field, before)) return
  const present = valuesIn(field, before)
  reading.graph.markRead(statementsOf(reading, field).filter(({ o }) => present.includes(o)))
}

/** Names the keys that look like fields and whose values no statement says. */
function checkMeaningless({ document, target, body, errors }: Reading): void {
  const { inputFields } = target.resource
  for (const [name, value] of document.meaningless) {
    const field = inputFields.find(
      (candidate) => candidate.name === name || candidate.outputName === name,
    )
    if (!field) continue
    const sent = new Set(textsOf(value))
    const said = new Set(textsOf(body.get(field.name)))
    if (sent.size === 0 || (sent.size === said.size && [...sent].every((text) => said.has(text))))
      continue
    errors.set(field.name, [
      'The context of the document gives this key no meaning, so its value is not read.',
    ])
  }
}

/** Names the statements that nothing was read from. */
function checkUnread({ graph, subject, target, errors }: Reading): void {
  const unread = graph.unread()
  if (unread.length === 0) return
  const noun = target.resource.noun.toLowerCase()
  const messages = unread.slice(0, maxNamed).map((statement) => {
    const why =
      statement.s === subject
        ? `No field of this ${noun} says this`
        : `The document is about <${subject}>, and this is about something else`
    return `${why}: ${writeStatement(statement)}`
  })
  errors.set('non_field_errors', messages)
}

const textsOf = (value: unknown): string[] =>
  [value]
    .flat()
    .filter((item) => item !== undefined && item !== null && item !== '')
    .map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))

/** The nodes that belong to a thing by a property: its own IRI, and those that it leads to. */
function partsOf(graph: StatementGraph, thing: string, property: NamedNode): readonly string[] {
  const name = property.value.slice(property.value.lastIndexOf('/') + 1)
  return [...new Set([`${thing}#${name}`, ...graph.nodesAt(thing, property)])]
}

/** The code of a concept; the IRI itself where no concept of the vocabulary can have it. */
function codeOf({ vocabulary }: Field, concept: string): string {
  if (!vocabulary) return concept
  if (vocabulary.has(concept)) return vocabulary.codeOf(concept)
  return idAfter(`${vocabulary.scheme.value}#`, concept) ?? concept
}

/**
 * Values as they are stored: those that the record has already stay in their order, with repeats;
 * others are in the order of the document, or sorted where it has none.
 */
function inOrder(
  values: readonly string[],
  present: readonly string[],
  isOrdered: boolean,
): readonly string[] {
  const distinct = [...new Set(values)]
  const before = new Set(present)
  if (before.size === distinct.length && distinct.every((value) => before.has(value)))
    return present
  return isOrdered ? distinct : distinct.sort()
}

/** What is sent for a field that the document does not say; undefined where nothing is. */
const valueIfUnsaid = (field: Field, before: RecordValues | undefined): FieldValue | undefined => {
  if (field.defaultValue === undefined || !before) return undefined
  // A field with a default that was unset stays unset.
  const unset = unsetValue(field)
  return before[field.name] === unset ? unset : undefined
}

/** The decoded rest of an IRI that begins so and is one segment longer. */
function idAfter(prefix: string, node: string): string | undefined {
  if (!node.startsWith(prefix)) return undefined
  const segment = node.slice(prefix.length)
  if (segment === '' || /[/?#]/.test(segment)) return undefined
  try {
    return decodeSegment(segment)
  } catch {
    return undefined
  }
}

const booleans: ReadonlySet<string> = new Set(['true', 'false', '1', '0'])

const conceptProperties = [
  rdf('type'),
  skos('notation'),
  skos('prefLabel'),
  skos('definition'),
  skos('inScheme'),
]

const isBlank = (node: string): boolean => node.startsWith('_:')

/** How many statements an error names, and how many characters of each. */
const maxNamed = 10
const maxLength = 300

function writeStatement({ s, p, o, literal }: InputStatement): string {
  const object = literal === undefined ? writeNode(o) : writeLiteral(shorten(o), literal)
  return shorten(`${writeNode(s)} <${p}> ${object}`)
}

/** @param type the datatype, or the language as `@en` */
function writeLiteral(text: string, type: string): string {
  const quoted = JSON.stringify(text)
  if (type === xsd('string').value) return quoted
  return type.startsWith('@') ? quoted + type : `${quoted}^^<${type}>`
}

const writeNode = (node: string): string => (isBlank(node) ? node : `<${node}>`)

const shorten = (text: string): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`
