// Clears records that plainly keep their shape, in a hundredth of the time that a SHACL engine takes. It
// reads the same shapes, and only says yes: what it does not clear, or does not understand, the engine
// judges and finds the words for.

import type { Store } from 'n3'

import { rdf, sh, skos } from '../../rdf/namespaces.js'
import type { NamedNode, Quad, Term } from '../../rdf/terms.js'
import { type Resource, type Resources, readPath } from '../resources.js'
import type { Vocabulary } from '../vocabulary.js'

/**
 * Whether the engine would surely find nothing.
 * @param quads the record's own
 * @param exists which of the things that it refers to there are, by their IRI
 */
export type ConformsForSure = (
  resource: Resource,
  thing: NamedNode,
  quads: readonly Quad[],
  exists: ReadonlySet<string>,
) => boolean

export function compileShapes(shapes: Store, resources: Resources): ConformsForSure {
  const compile = createCompiler(shapes, vocabulariesOf(resources))
  const compiled = new Map(
    Object.values(resources).map(({ name, shape }) => [name, compile(shape)] as const),
  )
  return ({ name }, thing, quads, exists) => {
    const properties = compiled.get(name)
    if (!properties) return false
    const said = statementsIn(quads)
    return properties.every(({ path, least, most, checks }) => {
      const values = follow(said, thing, path)
      const fits = values.length >= least && values.length <= most
      return fits && values.every((value) => checks.every((check) => check(value, exists)))
    })
  }
}

type CompiledCheck = (value: Term, exists: ReadonlySet<string>) => boolean

/** A property shape. */
type CompiledProperty = {
  readonly path: readonly string[]
  readonly least: number
  readonly most: number
  readonly checks: readonly CompiledCheck[]
}

type ShapeStatements = ReadonlyMap<string, ReadonlyMap<string, readonly Term[]>>

/** What is said of each subject, by the property. */
function statementsIn(quads: readonly Quad[]): ShapeStatements {
  const said = new Map<string, Map<string, Term[]>>()
  for (const { subject, predicate, object } of quads) {
    const about = said.get(subject.value) ?? new Map<string, Term[]>()
    said.set(subject.value, about)
    const values = about.get(predicate.value)
    if (values) values.push(object)
    else about.set(predicate.value, [object])
  }
  return said
}

function follow(said: ShapeStatements, from: Term, path: readonly string[]): readonly Term[] {
  let values: readonly Term[] = [from]
  for (const step of path) values = values.flatMap(({ value }) => said.get(value)?.get(step) ?? [])
  return values
}

/** What a shape says that it does not ask. */
const ignoredPredicates = [
  rdf('type'),
  sh('path'),
  sh('message'),
  sh('defaultValue'),
  sh('targetClass'),
].map(({ value }) => value)

/** Makes the checks of a node shape; undefined when it asks something that is not understood here. */
function createCompiler(shapes: Store, vocabularies: ReadonlyMap<string, Vocabulary>) {
  function propertiesOf(shape: Term): readonly CompiledProperty[] | undefined {
    const isKnown = asks(shape).every(({ predicate }) => predicate.equals(sh('property')))
    return isKnown ? all(asks(shape).map(({ object }) => propertyOf(object))) : undefined
  }

  function propertyOf(shape: Term): CompiledProperty | undefined {
    const path = readPath(shapes, shape)
    const [first] = path
    const checks = checksOf(shape)
    return first && checks && path.every(({ termType }) => termType === 'NamedNode')
      ? {
          path: path.map(({ value }) => value),
          least: numberOf(shape, sh('minCount')) ?? 0,
          most: numberOf(shape, sh('maxCount')) ?? Infinity,
          checks,
        }
      : undefined
  }

  const checksOf = (shape: Term): readonly CompiledCheck[] | undefined =>
    all(
      asks(shape).map(({ predicate, object }) => constraints.get(predicate.value)?.(object, shape)),
    )

  /** What a shape asks of each value, by the parameter of the constraint. */
  const constraints: ReadonlyMap<string, (object: Term, shape: Term) => CompiledCheck | undefined> =
    new Map(
      Object.entries<(object: Term, shape: Term) => CompiledCheck | undefined>({
        minCount: () => anything,
        maxCount: () => anything,
        flags: () => anything,
        datatype: (datatype) => (value) =>
          value.termType === 'Literal' && value.datatype.value === datatype.value,
        maxLength: (most) => {
          const length = Number(most.value)
          return ({ value }) => isWithin(value, length)
        },
        pattern: (pattern, shape) => {
          const flags = shapes.getObjects(shape, sh('flags'), null)[0]?.value
          const regex = new RegExp(pattern.value, flags)
          return ({ value }) => regex.test(value)
        },
        minInclusive: (least) => {
          const bound = Number(least.value)
          return ({ value }) => /^-?\d+$/.test(value) && Number(value) >= bound
        },
        nodeKind: (kind) => {
          const types = nodeKinds.get(kind.value)
          return types && (({ termType }) => types.includes(termType))
        },
        // Things are there as what the shape wants them to be, or they are not there.
        class:
          () =>
          ({ value }, exists) =>
            exists.has(value),
        node: (node) => {
          const checks = checksOf(node)
          return checks && ((value, exists) => checks.every((check) => check(value, exists)))
        },
        not: (node) => notIn(node),
        property: (property) => inScheme(property),
      }).map(([name, make]) => [sh(name).value, make]),
    )

  /** The one thing that is ever denied: to be one of a few texts. */
  function notIn(shape: Term): CompiledCheck | undefined {
    const [ask, ...more] = asks(shape)
    if (!ask?.predicate.equals(sh('in')) || more.length > 0) return undefined
    const denied = new Set(readList(ask.object).map(({ value }) => value))
    return ({ value }) => !denied.has(value)
  }

  /** The one thing that is asked of a value's own properties: that they make it a concept of a scheme. */
  function inScheme(shape: Term): CompiledCheck | undefined {
    const [ask, ...more] = asks(shape)
    if (!ask?.predicate.equals(sh('hasValue')) || more.length > 0) return undefined
    const vocabulary = vocabularies.get(ask.object.value)
    if (!vocabulary) return undefined
    const [first, second, ...rest] = readPath(shapes, shape)
    if (!first || rest.length > 0) return undefined
    if (first.equals(skos('inScheme')) && !second) {
      const concepts = new Set(vocabulary.entries.map(({ uri }) => uri))
      return ({ termType, value }) => termType === 'NamedNode' && concepts.has(value)
    }
    const [inverse] = shapes.getObjects(first, sh('inversePath'), null)
    if (!inverse?.equals(skos('notation')) || !second?.equals(skos('inScheme'))) return undefined
    return ({ termType, value }) => termType === 'Literal' && vocabulary.find(value) !== undefined
  }

  const asks = (shape: Term): Quad[] =>
    shapes
      .getQuads(shape, null, null, null)
      .filter(({ predicate }) => !ignoredPredicates.includes(predicate.value))

  function numberOf(shape: Term, property: NamedNode): number | undefined {
    const [object] = shapes.getObjects(shape, property, null)
    return object && Number(object.value)
  }

  function readList(node: Term): Term[] {
    const [first] = shapes.getObjects(node, rdf('first'), null)
    const [rest] = shapes.getObjects(node, rdf('rest'), null)
    return first && rest ? [first, ...readList(rest)] : []
  }

  return propertiesOf
}

/** Whether a text has no more code points: an emoji is one character (SHACL 4.5.2, decisions.md). */
export const isWithin = (value: string, length: number): boolean =>
  value.length <= length || Array.from(value).length <= length

const anything: CompiledCheck = () => true

const nodeKinds: ReadonlyMap<string, readonly Term['termType'][]> = new Map([
  [sh('IRI').value, ['NamedNode']],
  [sh('IRIOrLiteral').value, ['NamedNode', 'Literal']],
])

/** All of them, or nothing where one is missing. */
const all = <Item>(items: readonly (Item | undefined)[]): readonly Item[] | undefined =>
  items.every((item) => item !== undefined) ? items : undefined

const vocabulariesOf = (resources: Resources): ReadonlyMap<string, Vocabulary> =>
  new Map(
    Object.values(resources)
      .flatMap(({ fields }) => fields.flatMap(({ vocabulary }) => vocabulary ?? []))
      .map((vocabulary) => [vocabulary.scheme.value, vocabulary]),
  )
