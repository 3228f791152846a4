// Compiles the SHACL shapes to checks that accept most records in a hundredth of the time that a
// SHACL engine takes. They only accept: a record that they do not accept, or a shape that they do
// not understand, is left to the engine in validator.ts, which also finds the messages.

import type { Store } from 'n3'

import { rdf, sh, skos } from '../../rdf/namespaces.js'
import type { NamedNode, Quad, Term } from '../../rdf/terms.js'
import { type Resource, type Resources, pathKey, readPath } from '../resources.js'
import type { Vocabulary } from '../vocabulary.js'

/**
 * Whether the SHACL engine would surely find no error.
 * @param objectsOf the distinct objects at the paths of the record's fields
 * @param existingThings the IRIs of those things that the record refers to and that exist
 * @param only the names of the fields that are judged; all of them, unless given
 */
export type ConformsForSure = (
  resource: Resource,
  objectsOf: ObjectsOf,
  existingThings: ReadonlySet<string>,
  only?: ReadonlySet<string>,
) => boolean

/** The objects that a record has at the path of a field, each once. */
export type ObjectsOf = (field: string, path: readonly string[]) => readonly Term[]

/** The objects of a thing in these quads. */
export function objectsIn(quads: readonly Quad[], thing: NamedNode): ObjectsOf {
  const statements = groupStatements(quads)
  return (_, path) => valuesAt(statements, thing, path)
}

export function compileShapes(shapes: Store, resources: Resources): ConformsForSure {
  const reader = createShapeReader(shapes)
  const compileValueShape = createValueShapeCompiler(reader, vocabulariesOf(resources))
  const compiled = new Map(
    Object.values(resources).map(
      (resource) => [resource.name, compileNodeShape(reader, compileValueShape, resource)] as const,
    ),
  )
  return ({ name }, objectsOf, existingThings, only) => {
    const properties = compiled.get(name)
    if (!properties) return false
    return properties.every(({ field, path, minCount, maxCount, qualified, checks }) => {
      if (only && !only.has(field)) return true
      const values = objectsOf(field, path)
      const fits = values.length >= minCount && values.length <= maxCount
      const isQualified = (value: Term): boolean =>
        qualified.checks.every((check) => check(value, existingThings))
      if (
        values.length > qualified.maxCount &&
        values.filter(isQualified).length > qualified.maxCount
      )
        return false
      return fits && values.every((value) => checks.every((check) => check(value, existingThings)))
    })
  }
}

type CompiledCheck = (value: Term, existingThings: ReadonlySet<string>) => boolean

/** A property shape. */
type CompiledProperty = {
  /** The name of the field that it is about. */
  readonly field: string
  readonly path: readonly string[]
  readonly minCount: number
  readonly maxCount: number
  /** At most so many of the values pass these checks. */
  readonly qualified: { readonly maxCount: number; readonly checks: readonly CompiledCheck[] }
  readonly checks: readonly CompiledCheck[]
}

/** Objects by subject and property. */
type StatementIndex = ReadonlyMap<string, ReadonlyMap<string, readonly Term[]>>

function groupStatements(quads: readonly Quad[]): StatementIndex {
  const index = new Map<string, Map<string, Term[]>>()
  for (const { subject, predicate, object } of quads) {
    const ofSubject = index.get(subject.value) ?? new Map<string, Term[]>()
    index.set(subject.value, ofSubject)
    const values = ofSubject.get(predicate.value)
    if (values) values.push(object)
    else ofSubject.set(predicate.value, [object])
  }
  return index
}

function valuesAt(statements: StatementIndex, from: Term, path: readonly string[]) {
  let values: readonly Term[] = [from]
  for (const step of path)
    values = values.flatMap(({ value }) => statements.get(value)?.get(step) ?? [])
  return values
}

/** The predicates of a shape that constrain nothing. */
const ignoredPredicates = [
  rdf('type'),
  sh('path'),
  sh('message'),
  sh('name'),
  sh('description'),
  sh('defaultValue'),
  sh('targetClass'),
].map(({ value }) => value)

type ShapeReader = ReturnType<typeof createShapeReader>

/** Reads shapes from their graph. */
const createShapeReader = (shapes: Store) => ({
  constraintsOf: (shape: Term): Quad[] =>
    shapes
      .getQuads(shape, null, null, null)
      .filter(({ predicate }) => !ignoredPredicates.includes(predicate.value)),
  pathOf: (shape: Term): Term[] => readPath(shapes, shape),
  value(shape: Term, property: NamedNode): Term | undefined {
    return shapes.getObjects(shape, property, null)[0]
  },
  list(node: Term): Term[] {
    const first = this.value(node, rdf('first'))
    const rest = this.value(node, rdf('rest'))
    return first && rest ? [first, ...this.list(rest)] : []
  },
})

/**
 * The checks of a shape for single values; undefined when it has a constraint that is not
 * understood.
 */
type CompileValueShape = (shape: Term) => readonly CompiledCheck[] | undefined

/** The properties of a node shape; undefined when it has a constraint that is not understood. */
function compileNodeShape(
  reader: ShapeReader,
  compileValueShape: CompileValueShape,
  { shape, fields }: Resource,
): readonly CompiledProperty[] | undefined {
  const names = new Map(fields.map(({ path, name }) => [pathKey(path), name]))

  function compileProperty(property: Term): CompiledProperty | undefined {
    const path = reader.pathOf(property)
    const checks = compileValueShape(property)
    const qualifiedShape = reader.value(property, sh('qualifiedValueShape'))
    const qualifiedChecks = qualifiedShape ? compileValueShape(qualifiedShape) : []
    const field = names.get(pathKey(path))
    if (!checks || !qualifiedChecks || field === undefined) return undefined
    if (path.some(({ termType }) => termType !== 'NamedNode')) return undefined
    const count = (name: NamedNode): number | undefined => {
      const value = reader.value(property, name)
      return value && Number(value.value)
    }
    return {
      field,
      path: path.map(({ value }) => value),
      minCount: count(sh('minCount')) ?? 0,
      maxCount: count(sh('maxCount')) ?? Infinity,
      qualified: { maxCount: count(sh('qualifiedMaxCount')) ?? Infinity, checks: qualifiedChecks },
      checks,
    }
  }

  const constraints = reader.constraintsOf(shape)
  const isKnown = constraints.every(({ predicate }) => predicate.equals(sh('property')))
  return isKnown ? all(constraints.map(({ object }) => compileProperty(object))) : undefined
}

/** Makes the check of one constraint from its parameter; undefined when it is not understood. */
type CompileConstraint = (parameter: Term, shape: Term) => CompiledCheck | undefined

function createValueShapeCompiler(
  reader: ShapeReader,
  vocabularies: ReadonlyMap<string, Vocabulary>,
): CompileValueShape {
  const compileValueShape: CompileValueShape = (shape) =>
    all(
      reader
        .constraintsOf(shape)
        .map(({ predicate, object }) => constraints.get(predicate.value)?.(object, shape)),
    )

  const constraints = byPredicate({
    ...literalConstraints(reader),
    // A reference leads to a record of one resource, so what exists has the class that the shape
    // asks for.
    class:
      () =>
      ({ value }, existingThings) =>
        existingThings.has(value),
    node: (node) => {
      const checks = compileValueShape(node)
      return (
        checks && ((value, existingThings) => checks.every((check) => check(value, existingThings)))
      )
    },
    not: (shape) => compileNotIn(reader, shape),
    property: (property) => compileInScheme(reader, vocabularies, property),
  })
  return compileValueShape
}

/** The constraints that look at nothing but the value itself. */
const literalConstraints = (reader: ShapeReader): Readonly<Record<string, CompileConstraint>> => ({
  // These are parts of other checks.
  minCount: () => () => true,
  maxCount: () => () => true,
  qualifiedMaxCount: () => () => true,
  qualifiedValueShape: () => () => true,
  flags: () => () => true,
  datatype: (datatype) => (value) =>
    value.termType === 'Literal' && value.datatype.value === datatype.value,
  maxLength: (parameter) => {
    const maxLength = Number(parameter.value)
    return ({ value }) => isWithin(value, maxLength)
  },
  pattern: (pattern, shape) => {
    const regex = new RegExp(pattern.value, reader.value(shape, sh('flags'))?.value)
    return ({ value }) => regex.test(value)
  },
  minInclusive: (parameter) => {
    const minimum = Number(parameter.value)
    return ({ value }) => /^-?\d+$/.test(value) && Number(value) >= minimum
  },
  nodeKind: (kind) => {
    const types = nodeKinds.get(kind.value)
    return types && (({ termType }) => types.includes(termType))
  },
})

const byPredicate = (
  constraints: Readonly<Record<string, CompileConstraint>>,
): ReadonlyMap<string, CompileConstraint> =>
  new Map(Object.entries(constraints).map(([name, compile]) => [sh(name).value, compile]))

/** `sh:not` is only understood around `sh:in`: the value must not be one of a few texts. */
function compileNotIn(reader: ShapeReader, shape: Term): CompiledCheck | undefined {
  const [constraint, ...more] = reader.constraintsOf(shape)
  if (!constraint?.predicate.equals(sh('in')) || more.length > 0) return undefined
  const denied = new Set(reader.list(constraint.object).map(({ value }) => value))
  return ({ value }) => !denied.has(value)
}

/**
 * `sh:property` is only understood where it asks that the value is, or names, a concept of a
 * scheme.
 */
function compileInScheme(
  reader: ShapeReader,
  vocabularies: ReadonlyMap<string, Vocabulary>,
  property: Term,
): CompiledCheck | undefined {
  const [constraint, ...more] = reader.constraintsOf(property)
  if (!constraint?.predicate.equals(sh('hasValue')) || more.length > 0) return undefined
  const vocabulary = vocabularies.get(constraint.object.value)
  const [first, second, ...rest] = reader.pathOf(property)
  if (!vocabulary || !first || rest.length > 0) return undefined
  if (first.equals(skos('inScheme')) && !second)
    return ({ termType, value }) => termType === 'NamedNode' && vocabulary.has(value)
  const inverse = reader.value(first, sh('inversePath'))
  if (!inverse?.equals(skos('notation')) || !second?.equals(skos('inScheme'))) return undefined
  return ({ termType, value }) => termType === 'Literal' && vocabulary.find(value) !== undefined
}

/** Whether a text has no more code points: an emoji is one character (SHACL 4.5.2). */
export const isWithin = (value: string, length: number): boolean =>
  value.length <= length || Array.from(value).length <= length

const nodeKinds: ReadonlyMap<string, readonly Term['termType'][]> = new Map([
  [sh('IRI').value, ['NamedNode']],
  [sh('IRIOrLiteral').value, ['NamedNode', 'Literal']],
])

/** All items, or undefined when one is undefined. */
const all = <Item>(items: readonly (Item | undefined)[]): readonly Item[] | undefined =>
  items.every((item) => item !== undefined) ? items : undefined

const vocabulariesOf = (resources: Resources): ReadonlyMap<string, Vocabulary> =>
  new Map(
    Object.values(resources)
      .flatMap(({ fields }) => fields.flatMap(({ vocabulary }) => vocabulary ?? []))
      .map((vocabulary) => [vocabulary.scheme.value, vocabulary]),
  )
