// Validates a record against its SHACL shape, and finds the messages of what fails. Parsing of the
// input is left to src/model/record/input.ts (docs/explanation/architecture.md, "Validation").

import { DataFactory, Store } from 'n3'
import { type Result, type Validation, Validator as ShaclEngine } from 'shacl-engine'

import { type Message, type MessageValues, FilledMessage } from '../../message.js'
import { rdf, sh, skos } from '../../rdf/namespaces.js'
import { type Quad, type Term, iri, quad, stringLiteral } from '../../rdf/terms.js'
import { createYielder, yieldToEventLoop } from '../../lib/scheduling.js'
import type { Iris } from '../iris.js'
import type { FieldMessage } from '../record/input.js'
import { type RecordValues, textValue, listValue } from '../record/values.js'
import { type ObjectsOf, compileShapes, isWithin, objectsIn } from './compiled-shapes.js'
import { type Field, type Resource, type Resources, pathKey, readPath } from '../resources.js'
import type { RdfMapper } from '../record/rdf-mapper.js'

export type Validator = {
  /**
   * The messages of every field that does not conform to the shape, by name.
   * @param existingThings the IRIs of those things that the record refers to and that exist
   * @param only the names of the fields that are judged, where others need not be; messages of
   * others may come with theirs
   */
  validate(
    resource: Resource,
    values: RecordValues,
    existingThings: ReadonlySet<string>,
    only?: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, readonly FieldMessage[]>>
}

type ValidatorDependencies = { iris: Iris; resources: Resources; mapper: RdfMapper }

/**
 * The validator that the service uses. Compiled shapes accept most records in a hundredth of the
 * time that the SHACL engine takes; the engine validates the others, and finds the messages for
 * them.
 * @param shapes the shapes graph, as the files in `shapes/` have it
 */
export function createValidator(
  shapes: readonly Quad[],
  dependencies: ValidatorDependencies,
  engine: Validator = createShaclValidator(shapes, dependencies),
): Validator {
  const { iris, resources, mapper } = dependencies
  const conformsForSure = compileShapes(new Store([...shapes]), resources)

  const objectsOfAll = (resource: Resource, values: RecordValues): ObjectsOf =>
    objectsIn(
      mapper.toQuads(resource, values),
      iris.thing(resource.name, textValue(values, resource.id.name)),
    )

  // No two fields have the same path, so no quads are needed.
  const ofFields =
    ({ byName }: Resource, values: RecordValues): ObjectsOf =>
    (name) => {
      const field = byName.get(name)
      return field ? mapper.objectsOf(field, values) : []
    }

  return {
    async validate(resource, values, existingThings, only) {
      // Values of one property may be derived from another field; then all of them are judged.
      const areSomeDerived = resource.fields.some(
        ({ name, derivedPrefixes }) => derivedPrefixes && (only?.has(name) ?? true),
      )
      const objectsOf = areSomeDerived ? objectsOfAll(resource, values) : ofFields(resource, values)
      return conformsForSure(resource, objectsOf, existingThings, only)
        ? new Map()
        : engine.validate(resource, values, existingThings)
    },
  }
}

/** The validator that uses the SHACL engine for every record. */
export function createShaclValidator(
  shapes: readonly Quad[],
  { iris, resources, mapper }: ValidatorDependencies,
): Validator {
  const shapesGraph = new Store([...shapes])
  const engine = new ShaclEngine(shapesGraph, {
    factory: DataFactory,
    validations: [
      [sh('maxLength'), maxLengthInCodePoints],
      [sh('datatype'), datatypeAlone],
      [sh('path'), pauseBetweenValues],
    ],
  })
  const fields = fieldsByShape(shapesGraph, resources)
  const defaultMessages = new Map(
    shapesGraph
      .getQuads(null, sh('message'), null, null)
      .map(({ subject, object }) => [subject.value, object.value]),
  )

  return {
    async validate(resource, values, existingThings) {
      const thing = iris.thing(resource.name, textValue(values, resource.id.name))
      await yieldToEventLoop()
      // The record as it would be, and what the shapes ask of the things that it refers to.
      const dataset = await storeInSteps([
        ...mapper.toQuads(resource, values),
        ...resource.inputFields.flatMap((field) =>
          referencedTriples(field, values, existingThings),
        ),
      ])
      const report = await engine.validate({ dataset, terms: [thing] }, [
        { terms: [resource.shape] },
      ])
      return messagesByField(values, report.results)
    },
  }

  /** The triples about what a field refers to: the class of records, the scheme of concepts. */
  function referencedTriples(
    field: Field,
    values: RecordValues,
    existingThings: ReadonlySet<string>,
  ): Quad[] {
    const { vocabulary, target } = field
    const graph = iris.graphs.public
    const fieldValues = field.repeatable
      ? listValue(values, field.name)
      : [textValue(values, field.name)]
    if (target)
      return fieldValues
        .map((id) => iris.thing(target, id))
        .filter((thing) => existingThings.has(thing.value))
        .map((thing) => quad(thing, rdf('type'), resources[target].class, graph))
    if (!vocabulary) return []
    return fieldValues
      .flatMap((code) => vocabulary.find(code) ?? [])
      .flatMap(({ code, uri }) => {
        const concept = iri(uri)
        return [
          quad(concept, skos('inScheme'), vocabulary.scheme, graph),
          ...(field.storedAsLiteral
            ? [quad(concept, skos('notation'), stringLiteral(code), graph)]
            : []),
        ]
      })
  }

  function messagesByField(
    values: RecordValues,
    results: readonly Result[],
  ): ReadonlyMap<string, readonly FieldMessage[]> {
    const messages = new Map<string, readonly FieldMessage[]>()
    for (const group of groupByConstraint(results)) {
      const [{ shape, constraintComponent, args }] = group
      const field = fields.get(shape.ptr.term.value)
      if (!field) throw new Error(`the shape ${shape.ptr.term.value} belongs to no field`)
      if (constraintComponent.equals(maxLengthComponent) && isShortEnough(field, values)) continue
      const message = shape.message[0]?.value ?? defaultMessages.get(constraintComponent.value)
      const template = templateOf(message, { ...args, maxLength: field.maxLength })
      const before = messages.get(field.name) ?? []
      messages.set(field.name, [...before, ...messagesFor(field, values, template, group)])
    }
    return messages
  }

  /**
   * The messages of one constraint: one for all values where the template has `{?values}`, one for
   * each value where it has `{?value}` or the field is a list.
   */
  function messagesFor(
    field: Field,
    values: RecordValues,
    template: Template,
    group: FailedConstraint,
  ): readonly FieldMessage[] {
    const invalid = new Set(
      group.flatMap(({ value }) => (value ? String(mapper.valueOf(field, value.value)) : [])),
    )
    if (!field.repeatable) {
      const [value] = invalid
      return [{ text: filled(template, value) }]
    }
    const items = listValue(values, field.name).flatMap((value, item) =>
      invalid.has(value) ? [{ value, item }] : [],
    )
    const [first] = items
    if (!first) return [{ text: filled(template) }]
    if (template.pattern.includes('{values}'))
      return [
        { text: filled(template, items.map(({ value }) => value).join(', ')), item: first.item },
      ]
    if (template.pattern.includes('{value}'))
      return items.map(({ value, item }) => ({ text: filled(template, value), item }))
    return items.map(({ item }) => ({ text: filled(template), item, isNumbered: true }))
  }
}

/** A store of these quads. Other requests run while it is filled. */
async function storeInSteps(quads: readonly Quad[]): Promise<Store> {
  const store = new Store()
  const maybeYield = createYielder()
  for (const statement of quads) {
    store.addQuad(statement)
    await maybeYield()
  }
  return store
}

const maxLengthComponent = sh('MaxLengthConstraintComponent')

// The shape measures the IRI, in which percent-encoding may make a short value long.
const isShortEnough = (
  { name, prefix, maxLength = Infinity }: Field,
  values: RecordValues,
): boolean => prefix !== undefined && isWithin(textValue(values, name), maxLength)

/** A message that may lack the value, or the values, that do not conform. */
type Template = { readonly pattern: string; readonly parameters: MessageValues }

/** The message with the value, or the values. */
function filled({ pattern, parameters }: Template, value?: string): Message {
  const values = value === undefined ? parameters : { ...parameters, value, values: value }
  return pattern.includes('{') ? new FilledMessage(pattern, values) : pattern
}

/** Results of one constraint of one shape. */
type FailedConstraint = readonly [Result, ...Result[]]

function groupByConstraint(results: readonly Result[]): Iterable<FailedConstraint> {
  const groups = new Map<string, [Result, ...Result[]]>()
  for (const result of results) {
    const key = `${result.shape.ptr.term.value} ${result.constraintComponent.value}`
    const group = groups.get(key)
    if (group) group.push(result)
    else groups.set(key, [result])
  }
  return groups.values()
}

/** The field of each property shape, by the shape's IRI or blank node. */
function fieldsByShape(shapes: Store, resources: Resources): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>()
  for (const resource of Object.values(resources)) {
    const byPath = new Map(resource.fields.map((field) => [pathKey(field.path), field]))
    for (const shape of shapes.getObjects(resource.shape, sh('property'), null)) {
      const field = byPath.get(pathKey(readPath(shapes, shape)))
      if (field) fields.set(shape.value, field)
    }
  }
  return fields
}

/** A message of the shapes with the parameters of its constraint, like `{$maxLength}`. */
function templateOf(text = '', args: Result['args']): Template {
  const parameters: Record<string, string | number> = {}
  for (const [, name = ''] of text.matchAll(/\{\$(\w+)\}/g)) {
    const value = args[name] as Term | number | undefined
    parameters[name] = typeof value === 'object' ? value.value : (value ?? `{$${name}}`)
  }
  return { pattern: text.replace(/\{[$?](\w+)\}/g, '{$1}'), parameters }
}

// shacl-engine counts UTF-16 code units. SHACL counts as SPARQL's STRLEN does.
const maxLengthInCodePoints: Validation = (shape) => {
  const maxLength = Number(shape.ptr.out([sh('maxLength')]).value)
  return {
    generic: (context) => {
      const { valueOrNode } = context
      const { value } = valueOrNode
      context.test(isWithin(value, maxLength), maxLengthComponent, {
        args: { maxLength },
        value: valueOrNode,
      })
    },
  }
}

// The engine's own check of xsd:string rejects every character beyond U+FFFF, since its pattern
// takes half of it for a surrogate. The RDF mapper writes the lexical forms, so only the datatype
// is checked.
const datatypeAlone: Validation = (shape) => {
  const datatype = shape.ptr.out([sh('datatype')]).term
  return {
    generic: (context) => {
      const { term } = context.valueOrNode
      const isOfDatatype = term.termType === 'Literal' && term.datatype.equals(datatype)
      context.test(isOfDatatype, sh('DatatypeConstraintComponent'), {
        args: {},
        value: context.valueOrNode,
      })
    },
  }
}

// A thousand unknown codes in each of several lists take long. Every property shape has a path, so
// that the engine calls this for every value, and waits for it.
const pauseBetweenValues: Validation = () => ({ generic: createYielder() })
