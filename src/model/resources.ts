// What is known of each field, joined from the three places that say it: the row (src/model), the
// property shape (shapes/) and the property's description (ontology/). Where one is missing, the
// service does not start.

import { Store } from 'n3'

import { ExpectedError } from '../errors.js'
import { foaf, rdf, rdfs, sh, xsd } from '../rdf/namespaces.js'
import type { NamedNode, Quad, Term } from '../rdf/terms.js'
import { type Iris, type ResourceName, resourceNames } from './iris.js'
import { agents } from './declarations/agents.js'
import type { FieldValue } from './record/values.js'
import { type DublinCoreElement, elementOf } from './dublin-core-elements.js'
import { holdings } from './declarations/holdings.js'
import { repositories } from './declarations/repositories.js'
import type {
  DerivedFilter,
  ResourceDeclaration,
  FieldDeclaration,
} from './declarations/field-declaration.js'
import type { Vocabulary } from './vocabulary.js'
import { zines } from './declarations/zines.js'

/**
 * What a value is in JSON and in the graph: a text; a text that becomes an IRI where it is a web
 * address; a URL or an e-mail address; a number; a truth; a time; the code of a vocabulary's entry; the
 * identifier of another record.
 */
export type FieldKind =
  'text' | 'link' | 'url' | 'email' | 'integer' | 'boolean' | 'time' | 'code' | 'reference'

export type Field = FieldDeclaration & {
  /** The name in the read shape. */
  readonly outputName: string
  readonly path: readonly NamedNode[]
  readonly kind: FieldKind
  readonly repeatable: boolean
  /** Has to be sent when a record is created or replaced. */
  readonly required: boolean
  /** Needs at least one value. */
  readonly nonEmpty: boolean
  readonly maxLength: number | undefined
  readonly minimum: number | undefined
  readonly pattern: string | undefined
  readonly defaultValue: string | number | boolean | undefined
  /** The vocabulary of a code. */
  readonly vocabulary: Vocabulary | undefined
  /** The code itself is kept, a literal, not its concept. */
  readonly storedAsLiteral: boolean
  /** The resource that a reference names. */
  readonly target: ResourceName | undefined
  readonly label: string
  readonly comment: string
  /** What the property is a kind of: `rdfs:subPropertyOf`, as the ontology says it. */
  readonly refines: readonly string[]
  /** The element of Dublin Core that it is, or is a kind of, in one step or several. */
  readonly element: DublinCoreElement | undefined
}

export type Resource = Omit<ResourceDeclaration, 'rows'> & {
  readonly fields: readonly Field[]
  /** The fields that a client writes. */
  readonly inputFields: readonly Field[]
  /** The field that holds the identifier. */
  readonly id: Field
  /** The field by which people know it; holdings have none. */
  readonly title: Field | undefined
  readonly byName: ReadonlyMap<string, Field>
  /** The node shape that judges it. */
  readonly shape: NamedNode
}

/** What a list can be narrowed by, and counted by the values of. */
export type Filter = Field | DerivedFilter

export const filtersOf = ({ fields, derivedFilters = [] }: Resource): readonly Filter[] => [
  ...fields.filter(({ filterable }) => filterable),
  ...derivedFilters,
]

export type Resources = Readonly<Record<ResourceName, Resource>>

/** The declarations contradict or miss each other; the message names the field. */
export class ModelError extends ExpectedError {}

export type Declarations = {
  readonly shapes: readonly Quad[]
  readonly ontology: readonly Quad[]
  /** By the IRI of their scheme. */
  readonly vocabularies: ReadonlyMap<string, Vocabulary>
}

/**
 * The resources, with all that is said of their fields.
 * @throws FactMissing for a row without property shape or description, and for a property shape without row
 */
export function buildResources(iris: Iris, declarations: Declarations): Resources {
  const said = {
    shapes: new Store([...declarations.shapes]),
    ontology: new Store([...declarations.ontology]),
    vocabularies: declarations.vocabularies,
  }
  const rows = [zines, agents, repositories, holdings].map((resource) => resource(iris.term))
  const classes = new Map(rows.map((resource) => [resource.class.value, resource.name]))
  const joined = rows.map((resource) => buildResource(resource, said, classes))
  return Object.fromEntries(
    resourceNames.map((name) => [name, joined.find((resource) => resource.name === name)]),
  ) as Resources
}

type ModelSources = {
  readonly shapes: Store
  readonly ontology: Store
  readonly vocabularies: ReadonlyMap<string, Vocabulary>
}

function buildResource(
  rows: ResourceDeclaration,
  said: ModelSources,
  classes: ReadonlyMap<string, ResourceName>,
): Resource {
  const shape = nodeShapeOf(said.shapes, rows.class, rows.noun)
  const shapeFile = `${rows.noun.toLowerCase()}.ttl`
  const own = propertyShapes(said.shapes, shape)
  const record = propertyShapes(said.shapes, nodeShapeOf(said.shapes, foaf('Document'), 'record'))

  const fields = rows.rows.map((row): Field => {
    const shapes = (row.onRecordNode ? record : own).get(pathKey(pathOf(row)))
    const where = `${rows.noun.toLowerCase()}.${row.name}`
    if (!shapes)
      throw new ModelError(
        `${where}: ${nameOf(row)} has no property shape in shapes/${row.onRecordNode ? 'common.ttl' : shapeFile}`,
      )
    return buildField(row, shapes, said, classes, where)
  })

  const known = new Set(rows.rows.map((row) => pathKey(pathOf(row))))
  for (const path of own.keys())
    if (!known.has(path))
      throw new ModelError(
        `${rows.noun.toLowerCase()}: ${path} has no row for its shape in shapes/${shapeFile}`,
      )
  if (known.size < fields.length)
    throw new ModelError(`${rows.noun.toLowerCase()}: two rows share a property`)

  const [id] = fields
  if (!id) throw new ModelError(`${rows.noun.toLowerCase()} has no rows`)
  return {
    ...rows,
    fields,
    inputFields: fields.filter((field) => !field.onRecordNode),
    id,
    title: fields.find(({ element }) => element === 'title'),
    byName: new Map(fields.map((field) => [field.name, field])),
    shape,
  }
}

function buildField(
  row: FieldDeclaration,
  shapes: readonly Term[],
  said: ModelSources,
  classes: ReadonlyMap<string, ResourceName>,
  where: string,
): Field {
  const path = pathOf(row)
  const property = path.at(-1)
  const say = (predicate: NamedNode): Term | undefined =>
    shapes.flatMap((shape) => said.shapes.getObjects(shape, predicate, null))[0]
  const number = (predicate: NamedNode): number | undefined => {
    const value = say(predicate)?.value
    return value === undefined ? undefined : Number(value)
  }
  const describe = (predicate: NamedNode): string => {
    const value = said.ontology.getObjects(property ?? null, predicate, null)[0]?.value
    if (value === undefined)
      throw new ModelError(
        `${where}: ${nameOf(row)} has no rdfs:${localName(predicate)} in ontology/zine-catalogue.ttl`,
      )
    return value
  }

  const vocabulary = vocabularyOf(said, say(sh('node')), where)
  const target = classes.get(say(sh('class'))?.value ?? '')
  const minCount = number(sh('minCount'))
  const maxLength = number(sh('maxLength'))
  return {
    ...row,
    outputName: row.outputName ?? row.name,
    path,
    kind: kindOf({ vocabulary, target, say }),
    repeatable: number(sh('maxCount')) !== 1,
    required: minCount !== undefined,
    nonEmpty: (minCount ?? 0) > 0,
    maxLength: maxLength === undefined ? undefined : maxLength - (row.prefix?.length ?? 0),
    minimum: number(sh('minInclusive')),
    pattern: say(sh('pattern'))?.value,
    defaultValue: defaultOf(say(sh('defaultValue'))),
    vocabulary,
    storedAsLiteral: say(sh('datatype')) !== undefined,
    target,
    label: describe(rdfs('label')),
    comment: describe(rdfs('comment')),
    refines: said.ontology
      .getObjects(property ?? null, rdfs('subPropertyOf'), null)
      .map((object) => object.value),
    element: property && elementOf(property, said.ontology),
  }
}

function kindOf({
  vocabulary,
  target,
  say,
}: {
  vocabulary: Vocabulary | undefined
  target: ResourceName | undefined
  say: (predicate: NamedNode) => Term | undefined
}): FieldKind {
  if (vocabulary) return 'code'
  if (target) return 'reference'
  const values = say(sh('node'))?.value
  if (values?.endsWith('#url')) return 'url'
  if (values?.endsWith('#email')) return 'email'
  const datatype = say(sh('datatype'))
  if (datatype?.equals(xsd('integer'))) return 'integer'
  if (datatype?.equals(xsd('boolean'))) return 'boolean'
  if (datatype?.equals(xsd('dateTime'))) return 'time'
  return say(sh('nodeKind')) ? 'link' : 'text'
}

// The shape of a code says, at the end of its one path, which scheme the concept has to be in.
function vocabularyOf(
  said: ModelSources,
  shape: Term | undefined,
  where: string,
): Vocabulary | undefined {
  if (!shape) return undefined
  const [property] = said.shapes.getObjects(shape, sh('property'), null)
  const [scheme] = property ? said.shapes.getObjects(property, sh('hasValue'), null) : []
  if (!scheme) return undefined
  const vocabulary = said.vocabularies.get(scheme.value)
  if (!vocabulary) throw new ModelError(`${where}: there is no vocabulary <${scheme.value}>`)
  return vocabulary
}

function defaultOf(term: Term | undefined): string | number | boolean | undefined {
  if (term?.termType !== 'Literal') return undefined
  if (term.datatype.equals(xsd('integer'))) return Number(term.value)
  return term.datatype.equals(xsd('boolean')) ? term.value === 'true' : term.value
}

function nodeShapeOf(shapes: Store, target: NamedNode, noun: string): NamedNode {
  const [shape] = shapes.getSubjects(sh('targetClass'), target, null)
  if (shape?.termType !== 'NamedNode')
    throw new ModelError(`${noun}: <${target.value}> has no node shape in shapes/`)
  return shape
}

/** The property shapes of a node shape, by their path. */
function propertyShapes(shapes: Store, nodeShape: NamedNode): Map<string, Term[]> {
  const byPath = new Map<string, Term[]>()
  for (const shape of shapes.getObjects(nodeShape, sh('property'), null)) {
    const key = pathKey(readPath(shapes, shape))
    byPath.set(key, [...(byPath.get(key) ?? []), shape])
  }
  return byPath
}

/** What an unset field reads as (specification: Conventions). */
export const unsetValue = (field: Field): FieldValue => {
  if (field.repeatable) return []
  return field.kind === 'integer' ? null : ''
}

/** The properties of a property shape's path, one or a sequence. */
export function readPath(shapes: Store, shape: Term): Term[] {
  const [path] = shapes.getObjects(shape, sh('path'), null)
  if (!path) return []
  const steps: Term[] = []
  let [rest] = [path]
  while (shapes.countQuads(rest, rdf('first'), null, null) > 0) {
    steps.push(...shapes.getObjects(rest, rdf('first'), null))
    const [next] = shapes.getObjects(rest, rdf('rest'), null)
    if (!next) break
    rest = next
  }
  return steps.length > 0 ? steps : [path]
}

export const pathKey = (path: readonly Term[]): string => path.map((step) => step.value).join(' ')

const pathOf = ({ property }: FieldDeclaration): readonly NamedNode[] =>
  'termType' in property ? [property] : property

const nameOf = (row: FieldDeclaration): string => `<${pathKey(pathOf(row))}>`

const localName = (term: NamedNode): string => term.value.slice(term.value.indexOf('#') + 1)
