// Builds the resources and their fields from three sources: the field's declaration
// (src/model/declarations), its property shape (shapes/) and the description of its property
// (ontology/). When one is missing, the service does not start (docs/explanation/architecture.md,
// "Where a field is declared").

import { Store } from 'n3'

import { ExpectedError } from '../errors.js'
import { foaf, rdf, rdfs, sh, xsd } from '../rdf/namespaces.js'
import type { NamedNode, Quad, Term } from '../rdf/terms.js'
import { type Iris, type ResourceName, forEachResource, resourceNames } from './iris.js'
import { agents } from './declarations/agents.js'
import type { FieldValue } from './record/values.js'
import { type DublinCoreElement, elementOf } from './dublin-core-elements.js'
import { holdings } from './declarations/holdings.js'
import { repositories } from './declarations/repositories.js'
import type {
  DerivedFilter,
  DerivedSpan,
  DerivedReference,
  ResourceDeclaration,
  FieldDeclaration,
  SummaryPosition,
} from './declarations/field-declaration.js'
import type { FindPlace } from './place-names.js'
import type { Places } from './places.js'
import type { Vocabulary } from './vocabulary.js'
import { zines } from './declarations/zines.js'

/**
 * What kind of value a field has. A `link` is a text that becomes an IRI in RDF when it is a web
 * address; a `code` is that of a vocabulary entry; a `reference` is the identifier of another
 * record.
 */
export type FieldKind =
  'text' | 'link' | 'url' | 'email' | 'integer' | 'boolean' | 'time' | 'code' | 'reference'

export type Field = FieldDeclaration & {
  /** The name in JSON that is read. */
  readonly outputName: string
  readonly path: readonly NamedNode[]
  readonly kind: FieldKind
  readonly repeatable: boolean
  /** It has to be sent when a record is created or replaced. */
  readonly required: boolean
  /** It needs at least one value. */
  readonly nonEmpty: boolean
  readonly maxLength: number | undefined
  readonly minimum: number | undefined
  readonly pattern: string | undefined
  readonly defaultValue: string | number | boolean | undefined
  /** The vocabulary of a code. */
  readonly vocabulary: Vocabulary | undefined
  /** The graph has the code itself, as a literal, not the IRI of its concept. */
  readonly storedAsLiteral: boolean
  /** The resource that a reference is to. */
  readonly target: ResourceName | undefined
  readonly label: string
  readonly comment: string
  /** The label and the hint in forms (`sh:name`, `sh:description`). */
  readonly formLabel: string
  readonly hint: string
  /** The Dublin Core element that it is, or is a sub-property of in one or several steps. */
  readonly element: DublinCoreElement | undefined
}

/** What the value of a term depends on. */
export type TermField = Pick<Field, 'kind'> &
  Partial<Pick<Field, 'prefix' | 'storedAsLiteral' | 'target' | 'vocabulary'>>

/** What lists are ordered by: a field, or something else that has one value for a record. */
export type SortField = TermField & Pick<Field, 'name' | 'path' | 'nonEmpty' | 'onRecordNode'>

export type Resource = Omit<ResourceDeclaration, 'fields'> & {
  readonly fields: readonly Field[]
  /** The fields that a client can write. */
  readonly inputFields: readonly Field[]
  /** The field that holds the identifier. */
  readonly id: Field
  /** The field with the title or name; holdings have none. */
  readonly title: Field | undefined
  readonly byName: ReadonlyMap<string, Field>
  /** The filters whose values the list page counts, in the order of the page. */
  readonly facets: readonly Filter[]
  readonly summary: SummaryFields
  /** The node shape that validates it. */
  readonly shape: NamedNode
}

/** The fields that the summary of a record shows, by place; see `SummaryPosition`. */
type SummaryFields = {
  /**
   * Undefined for a resource without a title of its own, which is called by its identifier then.
   */
  readonly title: Field | undefined
  readonly subtitle: Field | undefined
  /** The parts of the line, in order; the fields of one part are separated by commas. */
  readonly line: readonly (readonly Field[])[]
  readonly tags: readonly Field[]
  readonly excerpt: readonly Field[]
}

/**
 * Whether a field names records that may have been deleted since (docs/reference/records.md,
 * "Delete effects").
 */
export const mayNameDeleted = ({ target, removedWith }: Field): boolean =>
  target !== undefined && !removedWith

/** A filter of lists, whose values can be counted. */
export type Filter = Field | DerivedFilter

export const filtersOf = ({
  fields,
  derivedFilters = [],
}: Pick<Resource, 'fields' | 'derivedFilters'>): readonly Filter[] => [
  ...fields.filter(({ filterable }) => filterable),
  ...derivedFilters,
]

/** What is counted, and filtered under its own name or another one. */
export type CountedValue = Filter | DerivedReference

/** What an index knows the values of. */
export type IndexedValue = CountedValue | DerivedSpan

/** The filters, and behind them what is counted under other names. */
export const countedValuesOf = (
  resource: Pick<Resource, 'fields' | 'derivedFilters' | 'derivedReferences'>,
): readonly CountedValue[] => [
  ...filtersAndFieldsOf(resource),
  ...(resource.derivedReferences ?? []),
]

/** The same with what only ranges are compared with. */
export const indexedValuesOf = (resource: Resource): readonly IndexedValue[] => [
  ...countedValuesOf(resource),
  ...(resource.derivedSpans ?? []),
]

/** Without what is derived and referred to. */
export const filtersAndFieldsOf = (
  resource: Pick<Resource, 'fields' | 'derivedFilters'>,
): readonly Filter[] => [
  ...filtersOf(resource),
  ...resource.fields.filter(({ countable }) => countable),
]

/** What clients order lists by. */
export const ordersOf = ({
  fields,
  derivedOrders = [],
}: Pick<Resource, 'fields' | 'derivedOrders'>): readonly SortField[] => [
  ...fields.filter(({ sortable }) => sortable),
  ...derivedOrders,
]

export type Resources = Readonly<Record<ResourceName, Resource>>

/**
 * How many steps of references begin at the records of each resource: 0 for one that refers to no
 * other.
 */
export function referenceDepths(resources: Resources): Readonly<Record<ResourceName, number>> {
  const depthOf = (name: ResourceName, above: readonly ResourceName[]): number => {
    const targets = resources[name].inputFields.flatMap(({ target }) =>
      target && target !== name && !above.includes(target) ? [target] : [],
    )
    return Math.max(0, ...targets.map((target) => depthOf(target, [...above, name]) + 1))
  }
  return forEachResource((name) => depthOf(name, []))
}

export type Declarations = {
  readonly shapes: readonly Quad[]
  readonly ontology: readonly Quad[]
  /** By the IRI of their scheme. */
  readonly vocabularies: ReadonlyMap<string, Vocabulary>
  readonly places: Places
  readonly findPlace: FindPlace
}

/**
 * The resources, with everything that is known of their fields.
 * @throws ExpectedError for a declaration without property shape or description, and for a property
 * shape
 *   without declaration
 */
export function buildResources(iris: Iris, declarations: Declarations): Resources {
  const sources = {
    dublinCoreElement: iris.term('dublinCoreElement'),
    shapes: new Store([...declarations.shapes]),
    ontology: new Store([...declarations.ontology]),
    vocabularies: declarations.vocabularies,
  }
  const declared = [
    zines(iris, declarations),
    ...[agents, repositories, holdings].map((declare) => declare(iris.term)),
  ]
  const classes = new Map(declared.map((resource) => [resource.class.value, resource.name]))
  const built = declared.map((resource) => buildResource(resource, sources, classes))
  return Object.fromEntries(
    resourceNames.map((name) => [name, built.find((resource) => resource.name === name)]),
  ) as Resources
}

type ModelSources = {
  readonly dublinCoreElement: NamedNode
  readonly shapes: Store
  readonly ontology: Store
  readonly vocabularies: ReadonlyMap<string, Vocabulary>
}

// The files that errors name, as they lie in the repository and in an installation.
const ontologyFile = 'ontology/zine-catalogue.ttl'
const commonShapesFile = 'shapes/common.ttl'
const shapesFile = ({ noun }: ResourceDeclaration): string => `shapes/${noun.toLowerCase()}.ttl`
const declarationFile = ({ name }: ResourceDeclaration): string =>
  `src/model/declarations/${name}.ts`

function buildResource(
  declaration: ResourceDeclaration,
  sources: ModelSources,
  classes: ReadonlyMap<string, ResourceName>,
): Resource {
  const file = shapesFile(declaration)
  const shape = nodeShapeOf(sources.shapes, declaration.class, file)
  const ownShapes = propertyShapes(sources.shapes, shape)
  const recordShapes = propertyShapes(
    sources.shapes,
    nodeShapeOf(sources.shapes, foaf('Document'), commonShapesFile),
  )

  const fields = declaration.fields.map((field): Field => {
    const shapes = (field.onRecordNode ? recordShapes : ownShapes).get(pathKey(pathOf(field)))
    const shapeFile = field.onRecordNode ? commonShapesFile : file
    if (!shapes)
      throw new ExpectedError(
        `${shapeFile}: ${field.name} (${nameOf(field)}) has no property shape`,
      )
    return buildField(field, { shapes, shapeFile, sources, classes })
  })
  checkDeclaredPaths(declaration, ownShapes)

  const [id] = fields
  if (!id) throw new ExpectedError(`${declarationFile(declaration)}: there are no fields`)
  return {
    ...declaration,
    fields,
    inputFields: fields.filter((field) => !field.onRecordNode),
    id,
    title: fields.find(({ element }) => element === 'title'),
    byName: new Map(fields.map((field) => [field.name, field])),
    facets: sortFacets({ fields, derivedFilters: declaration.derivedFilters ?? [] }),
    summary: buildSummary(fields),
    shape,
  }
}

/**
 * @throws ExpectedError for a shape that no declaration mentions, and for two fields with one property
 */
function checkDeclaredPaths(
  declaration: ResourceDeclaration,
  shapes: ReadonlyMap<string, unknown>,
): void {
  const file = declarationFile(declaration)
  const declared = new Set(declaration.fields.map((field) => pathKey(pathOf(field))))
  for (const path of shapes.keys())
    if (!declared.has(path))
      throw new ExpectedError(
        `${file}: no field has the property <${path}>, which ${shapesFile(declaration)} has a shape for`,
      )
  if (declared.size < declaration.fields.length)
    throw new ExpectedError(`${file}: two fields have the same property`)
}

type FieldSources = {
  /** The property shapes of the field, and the file that they stand in. */
  readonly shapes: readonly Term[]
  readonly shapeFile: string
  readonly sources: ModelSources
  readonly classes: ReadonlyMap<string, ResourceName>
}

function buildField(declaration: FieldDeclaration, fieldSources: FieldSources): Field {
  const { shapes, sources, classes } = fieldSources
  const path = pathOf(declaration)
  const property = path.at(-1)
  const get = (predicate: NamedNode): Term | undefined =>
    shapes.flatMap((shape) => sources.shapes.getObjects(shape, predicate, null))[0]
  const getNumber = (predicate: NamedNode): number | undefined => {
    const value = get(predicate)?.value
    return value === undefined ? undefined : Number(value)
  }

  const vocabulary = findVocabulary(get(sh('node')), declaration, fieldSources)
  const target = classes.get(get(sh('class'))?.value ?? '')
  const minCount = getNumber(sh('minCount'))
  const maxLength = getNumber(sh('maxLength'))
  const described = describe(declaration, sources.ontology)
  return {
    ...declaration,
    outputName: declaration.outputName ?? declaration.name,
    path,
    kind: kindOf({ vocabulary, target, get }),
    repeatable: (getNumber(sh('maxCount')) ?? getNumber(sh('qualifiedMaxCount'))) !== 1,
    required: minCount !== undefined,
    nonEmpty: (minCount ?? 0) > 0,
    maxLength: maxLength === undefined ? undefined : maxLength - (declaration.prefix?.length ?? 0),
    minimum: getNumber(sh('minInclusive')),
    pattern: get(sh('pattern'))?.value,
    defaultValue: parseDefault(get(sh('defaultValue'))),
    vocabulary,
    storedAsLiteral: get(sh('datatype')) !== undefined,
    target,
    ...described,
    formLabel: get(sh('name'))?.value ?? described.label,
    // The ontology's comment begins with what the property means; the reasons for it come after
    // that.
    hint: get(sh('description'))?.value ?? /^.*?[.!?](?=\s|$)/s.exec(described.comment)?.[0] ?? '',
    element: property && elementOf(property, sources.ontology, sources.dublinCoreElement),
  }
}

/** The texts that the ontology has for the property. @throws ExpectedError when one is missing */
function describe(declaration: FieldDeclaration, ontology: Store) {
  const property = pathOf(declaration).at(-1)
  const text = (predicate: NamedNode): string => {
    const value = ontology.getObjects(property ?? null, predicate, null)[0]?.value
    if (value === undefined)
      throw new ExpectedError(
        `${ontologyFile}: ${declaration.name} (${nameOf(declaration)}) has no rdfs:${localName(predicate)}`,
      )
    return value
  }
  return { label: declaration.label ?? text(rdfs('label')), comment: text(rdfs('comment')) }
}

function sortFacets(resource: Pick<Resource, 'fields' | 'derivedFilters'>): readonly Filter[] {
  const facets = filtersOf(resource).flatMap((filter) =>
    filter.facet === undefined ? [] : [{ filter, position: filter.facet }],
  )
  return facets.sort((a, b) => a.position - b.position).map(({ filter }) => filter)
}

function buildSummary(fields: readonly Field[]): SummaryFields {
  const at = (place: SummaryPosition): Field[] => fields.filter(({ summary }) => summary === place)
  const inLine = fields
    .flatMap((field) => {
      const { summary } = field
      if (typeof summary === 'number') return [{ field, part: summary, position: 0 }]
      if (typeof summary !== 'object') return []
      const [part, position] = summary
      return [{ field, part, position }]
    })
    .sort((a, b) => a.part - b.part || a.position - b.position)
  const parts = [...new Set(inLine.map(({ part }) => part))]
  return {
    title: at('title')[0],
    subtitle: at('subtitle')[0],
    line: parts.map((part) =>
      inLine.filter((entry) => entry.part === part).map(({ field }) => field),
    ),
    tags: at('tags'),
    excerpt: at('excerpt'),
  }
}

function kindOf({
  vocabulary,
  target,
  get,
}: {
  vocabulary: Vocabulary | undefined
  target: ResourceName | undefined
  get: (predicate: NamedNode) => Term | undefined
}): FieldKind {
  if (vocabulary) return 'code'
  if (target) return 'reference'
  const valueShape = get(sh('node'))?.value
  if (valueShape?.endsWith('#url')) return 'url'
  if (valueShape?.endsWith('#email')) return 'email'
  const datatype = get(sh('datatype'))
  if (datatype?.equals(xsd('integer'))) return 'integer'
  if (datatype?.equals(xsd('boolean'))) return 'boolean'
  if (datatype?.equals(xsd('dateTime'))) return 'time'
  return get(sh('nodeKind')) ? 'link' : 'text'
}

/**
 * The vocabulary of a field whose values have this shape: the shape of a code names, at the end of
 * its path, the scheme that the concept has to be in.
 * @throws ExpectedError when there is no such vocabulary
 */
function findVocabulary(
  shape: Term | undefined,
  { name }: FieldDeclaration,
  { sources: { shapes, vocabularies }, shapeFile }: FieldSources,
): Vocabulary | undefined {
  if (!shape) return undefined
  const [property] = shapes.getObjects(shape, sh('property'), null)
  const [scheme] = property ? shapes.getObjects(property, sh('hasValue'), null) : []
  if (!scheme) return undefined
  const vocabulary = vocabularies.get(scheme.value)
  if (!vocabulary)
    throw new ExpectedError(
      `${shapeFile}: ${name} takes codes of <${scheme.value}>, which is not listed in src/model/declarations/read-files.ts`,
    )
  return vocabulary
}

function parseDefault(term: Term | undefined): string | number | boolean | undefined {
  if (term?.termType !== 'Literal') return undefined
  if (term.datatype.equals(xsd('integer'))) return Number(term.value)
  return term.datatype.equals(xsd('boolean')) ? term.value === 'true' : term.value
}

/** @throws ExpectedError that names the file in which the shape has to be */
function nodeShapeOf(shapes: Store, target: NamedNode, file: string): NamedNode {
  const [shape] = shapes.getSubjects(sh('targetClass'), target, null)
  if (shape?.termType !== 'NamedNode')
    throw new ExpectedError(`${file}: <${target.value}> has no node shape`)
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

/** The value of an unset field (docs/reference/records.md, "Field values"). */
export const unsetValue = (field: Field): FieldValue => {
  if (field.repeatable) return []
  return field.kind === 'integer' ? null : ''
}

/** The properties of a property shape's path: one, or those of a sequence. */
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

const nameOf = (field: FieldDeclaration): string => `<${pathKey(pathOf(field))}>`

const localName = (term: NamedNode): string => term.value.slice(term.value.indexOf('#') + 1)
