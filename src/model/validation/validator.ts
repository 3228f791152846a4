// Judges a record by its SHACL shape, and says what is wrong in the specification's words.

import { DataFactory, Store } from 'n3'
import { type Result, type Validation, Validator as ShaclEngine } from 'shacl-engine'

import { rdf, sh, skos } from '../../rdf/namespaces.js'
import { type Quad, type Term, iri, quad, stringLiteral } from '../../rdf/terms.js'
import type { Iris } from '../iris.js'
import { type RecordValues, textValue, listValue } from '../record/values.js'
import { compileShapes, isWithin } from './compiled-shapes.js'
import { type Field, type Resource, type Resources, pathKey, readPath } from '../resources.js'
import type { RdfMapper } from '../record/rdf-mapper.js'

export type Validator = {
  /**
   * The messages of every field that its shape refuses.
   * @param exists which of the things that the card refers to there are, by their IRI
   */
  validate(
    resource: Resource,
    card: RecordValues,
    exists: ReadonlySet<string>,
  ): Promise<Map<string, string[]>>
}

type ValidatorDependencies = { iris: Iris; resources: Resources; mapper: RdfMapper }

/**
 * The validator that the service uses. Compiled shapes accept most records in a hundredth of the time
 * that the SHACL engine takes; the engine validates the others, and finds the messages for them.
 * @param shapes the shapes graph, as the files in `shapes/` have it
 */
export function createValidator(
  shapes: readonly Quad[],
  dependencies: ValidatorDependencies,
  engine: Validator = createShaclValidator(shapes, dependencies),
): Validator {
  const { iris, resources, mapper } = dependencies
  const conformsForSure = compileShapes(new Store([...shapes]), resources)
  return {
    async validate(resource, values, existing) {
      const thing = iris.thing(resource.name, textValue(values, resource.id.name))
      return conformsForSure(resource, thing, mapper.toQuads(resource, values), existing)
        ? new Map()
        : engine.validate(resource, values, existing)
    },
  }
}

/** The judge that asks the SHACL engine in every case. */
export function createShaclValidator(
  shapes: readonly Quad[],
  { iris, resources, mapper }: ValidatorDependencies,
): Validator {
  const dataset = new Store([...shapes])
  const validator = new ShaclEngine(dataset, {
    factory: DataFactory,
    validations: [
      [sh('maxLength'), maxLengthInCodePoints],
      [sh('datatype'), datatypeAlone],
    ],
  })
  const fields = fieldsByShape(dataset, resources)
  const wording = new Map(
    dataset.getQuads(null, sh('message'), null, null).map((q) => [q.subject.value, q.object.value]),
  )

  /** The record as it would be, and what the shapes ask of those it refers to. */
  function datasetOf(resource: Resource, card: RecordValues, exists: ReadonlySet<string>): Store {
    return new Store([
      ...mapper.toQuads(resource, card),
      ...resource.inputFields.flatMap((field) => neighbours(field, card, exists)),
    ])
  }

  function neighbours(field: Field, card: RecordValues, exists: ReadonlySet<string>): Quad[] {
    const { vocabulary, target } = field
    const graph = iris.graphs.public
    const values = field.repeatable ? listValue(card, field.name) : [textValue(card, field.name)]
    if (target)
      return values
        .map((id) => iris.thing(target, id))
        .filter((thing) => exists.has(thing.value))
        .map((thing) => quad(thing, rdf('type'), resources[target].class, graph))
    if (!vocabulary) return []
    return values
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

  return {
    async validate(resource, card, exists) {
      const thing = iris.thing(resource.name, textValue(card, resource.id.name))
      const report = await validator.validate(
        { dataset: datasetOf(resource, card, exists), terms: [thing] },
        [{ terms: [resource.shape] }],
      )
      return messages(card, report.results)
    },
  }

  function messages(card: RecordValues, results: readonly Result[]): Map<string, string[]> {
    const failures = new Map<string, string[]>()
    for (const group of byShape(results)) {
      const [{ shape, constraintComponent, args }] = group
      const field = fields.get(shape.ptr.term.value)
      if (!field) throw new Error(`the shape ${shape.ptr.term.value} failed and has no field`)
      const template = fill(shape.message[0]?.value ?? wording.get(constraintComponent.value), args)
      const told = [...(failures.get(field.name) ?? []), ...tell(field, card, template, group)]
      failures.set(field.name, told)
    }
    return failures
  }

  /** One message for each value that fails, or for all of them, as the wording asks; in the order they were sent. */
  function tell(
    field: Field,
    card: RecordValues,
    template: string,
    group: FailedConstraint,
  ): string[] {
    const bad = new Set(
      group.flatMap(({ value }) => (value ? String(mapper.valueOf(field, value.value)) : [])),
    )
    const sent = field.repeatable ? listValue(card, field.name) : [...bad]
    const failed = sent.filter((value) => bad.has(value))
    if (template.includes('{?values}'))
      return [template.replace('{?values}', () => failed.join(', '))]
    if (template.includes('{?value}'))
      return failed.map((value) => template.replace('{?value}', () => value))
    if (!field.repeatable || bad.size === 0) return [template]
    return sent.flatMap((value, index) =>
      bad.has(value) ? [`Item ${index + 1}: ${template}`] : [],
    )
  }
}

/** Results of one constraint of one shape. */
type FailedConstraint = readonly [Result, ...Result[]]

function byShape(results: readonly Result[]): Iterable<FailedConstraint> {
  const groups = new Map<string, [Result, ...Result[]]>()
  for (const result of results) {
    const key = `${result.shape.ptr.term.value} ${result.constraintComponent.value}`
    const group = groups.get(key)
    if (group) group.push(result)
    else groups.set(key, [result])
  }
  return groups.values()
}

/** The field that each property shape speaks of, by the shape's name. */
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

/** Puts a constraint's own values in their places, like `{$maxLength}`. */
const fill = (template = '', args: Result['args']): string =>
  template.replace(/\{\$(\w+)\}/g, (place, name: string) => {
    const value = args[name] as Term | number | undefined
    return typeof value === 'object' ? value.value : String(value ?? place)
  })

// shacl-engine counts UTF-16 units. SHACL means SPARQL's STRLEN.
const maxLengthInCodePoints: Validation = (shape) => {
  const maxLength = Number(shape.ptr.out([sh('maxLength')]).value)
  return {
    generic: (context) => {
      const { valueOrNode } = context
      const { value } = valueOrNode
      context.test(isWithin(value, maxLength), sh('MaxLengthConstraintComponent'), {
        args: { maxLength },
        value: valueOrNode,
      })
    },
  }
}

// The engine's own check of xsd:string refuses every character beyond U+FFFF, half of which its pattern
// takes for a surrogate. The lens writes the lexical forms, so the datatype is all there is to judge.
const datatypeAlone: Validation = (shape) => {
  const datatype = shape.ptr.out([sh('datatype')]).term
  return {
    generic: (context) => {
      const { term } = context.valueOrNode
      const is = term.termType === 'Literal' && term.datatype.equals(datatype)
      context.test(is, sh('DatatypeConstraintComponent'), { args: {}, value: context.valueOrNode })
    },
  }
}
