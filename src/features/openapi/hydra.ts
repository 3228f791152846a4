// The description of the API for clients of Hydra (http://www.w3.org/ns/hydra/core): the classes of
// the resources with their properties and operations, and the entry point that leads to their
// lists. It says what the OpenAPI document says, and is made from the same endpoints and fields
// (docs/reference/formats.md, "Hydra").

import { rdfFormats, serializeRdf } from '../../formats/rdf/documents.js'
import type { Iris } from '../../model/iris.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import { hydra, prefixes, prefixesUnder, rdf, rdfs } from '../../rdf/namespaces.js'
import {
  type NamedNode,
  type Quad,
  boolean,
  integer,
  iri,
  stringLiteral,
  triple,
} from '../../rdf/terms.js'
import type { Endpoint } from '../../http/endpoint.js'
import { sendText } from '../../http/response/conditional.js'
import type { Operation } from './document.js'
import { describedErrors } from './error-responses.js'
import { pathsOf, templateOf } from './operations.js'
import { listParameters } from './parameters.js'

export const documentationPath = '/api/documentation/'

/** The relation of the header that leads to the description. */
export const documentationRelation = hydra('apiDocumentation').value

type HydraDependencies = {
  readonly iris: Iris
  readonly resources: Resources
  readonly about: { readonly description: string }
  /** The endpoints of the records, among others. */
  readonly endpoints: readonly Endpoint[]
}

export function hydraEndpoint(dependencies: HydraDependencies): Endpoint {
  const { base } = dependencies.iris
  const quads = describeApi(dependencies)
  return {
    path: documentationPath,
    name: 'Api Documentation',
    description: 'This description of the service for clients of Hydra.',
    formats: rdfFormats,
    methods: {
      GET: (ctx) =>
        sendText(
          ctx,
          serializeRdf(ctx.state.format, quads, { base, prefixes: prefixesUnder(base) }),
        ),
    },
  }
}

/** Names the nodes of the description, which are its fragments. */
const createNames = ({ base }: Iris) => {
  const document = `${base}${documentationPath}`
  const part = (name: string): NamedNode => iri(`${document}#${name}`)
  return {
    document: iri(document),
    entryPoint: iri(`${base}/api/`),
    entryPointClass: part('EntryPoint'),
    /** The property of the entry point that leads to a list. */
    listProperty: ({ name }: Resource): NamedNode => part(name),
    collectionClass: ({ noun }: Resource): NamedNode => part(`${noun}Collection`),
    list: ({ name }: Resource): NamedNode => iri(`${base}/api/${name}/`),
    part,
  }
}

type Names = ReturnType<typeof createNames>

/** What `/api/` is in RDF: the entry point, with its lists and how each is searched. */
export function entryPointTriples(iris: Iris, resources: Resources): readonly Quad[] {
  const names = createNames(iris)
  return [
    triple(names.entryPoint, rdf('type'), names.entryPointClass),
    ...Object.values(resources).flatMap((resource) => [
      triple(names.entryPoint, names.listProperty(resource), names.list(resource)),
      triple(names.list(resource), rdf('type'), hydra('Collection')),
      ...searchTriples(names, resource),
    ]),
  ]
}

/** What the parameters that are no filters by a field stand for. */
const searchProperties: Readonly<Record<string, NamedNode>> = {
  q: hydra('freetextQuery'),
  page: hydra('pageIndex'),
  page_size: hydra('limit'),
}

/** The names of the query parameters of a list, as the OpenAPI document has them. */
const parametersOf = (resource: Resource): readonly string[] =>
  listParameters(resource).map((parameter) =>
    'name' in parameter
      ? parameter.name
      : (parameter.$ref.split('/').at(-1) ?? '').replace(/(?<!^)(?=[A-Z])/g, '_').toLowerCase(),
  )

/** The filters that have a property, and the words and pages of a search. */
function searchTriples({ list, part }: Names, resource: Resource): readonly Quad[] {
  const template = part(`${resource.name}-search`)
  const variables = parametersOf(resource).flatMap((name) => {
    const property = searchProperties[name] ?? resource.byName.get(name)?.path.at(-1)
    return property ? [{ name, property }] : []
  })
  const text = `${list(resource).value}{?${variables.map(({ name }) => name).join(',')}}`
  return [
    triple(list(resource), hydra('search'), template),
    triple(template, rdf('type'), hydra('IriTemplate')),
    triple(template, hydra('template'), stringLiteral(text)),
    ...variables.flatMap(({ name, property }) => {
      const mapping = part(`${resource.name}-search-${name}`)
      return [
        triple(template, hydra('mapping'), mapping),
        triple(mapping, rdf('type'), hydra('IriTemplateMapping')),
        triple(mapping, hydra('variable'), stringLiteral(name)),
        triple(mapping, hydra('property'), property),
        triple(mapping, hydra('required'), boolean(false)),
      ]
    }),
  ]
}

function describeApi({ iris, resources, about, endpoints }: HydraDependencies): readonly Quad[] {
  const names = createNames(iris)
  const { document, entryPoint, entryPointClass } = names
  const paths = pathsOf(endpoints, resources)
  const operationsAt = (path: string): Operations => {
    const endpoint = endpoints.find((candidate) => candidate.path === path)
    return endpoint ? (paths[templateOf(endpoint, resources)] ?? {}) : {}
  }
  const all = Object.values(resources)
  return [
    triple(document, rdf('type'), hydra('ApiDocumentation')),
    triple(document, hydra('title'), stringLiteral('Zine Catalogue')),
    triple(document, hydra('description'), stringLiteral(`${about.description}.`)),
    triple(document, hydra('entrypoint'), entryPoint),
    triple(document, rdfs('seeAlso'), iri(`${iris.base}/api/schema/`)),
    triple(document, hydra('supportedClass'), entryPointClass),
    ...all.flatMap((resource) => [
      triple(document, hydra('supportedClass'), resource.class),
      triple(document, hydra('supportedClass'), names.collectionClass(resource)),
    ]),
    ...entryPointClassTriples(names, all),
    ...all.flatMap((resource) => [
      ...resourceClassTriples(names, resource, operationsAt(`/api/${resource.name}/:id/`)),
      ...collectionClassTriples(names, resource, operationsAt(`/api/${resource.name}/`)),
    ]),
    ...statusTriples(names),
  ]
}

type Operations = Readonly<Record<string, Operation>>

const entryPointClassTriples = (names: Names, resources: readonly Resource[]): readonly Quad[] => [
  triple(names.entryPointClass, rdf('type'), hydra('Class')),
  triple(names.entryPointClass, hydra('title'), stringLiteral('Entry point')),
  ...resources.flatMap((resource) => {
    const property = names.listProperty(resource)
    const supported = names.part(`entry-point-${resource.name}`)
    return [
      triple(property, rdf('type'), hydra('Link')),
      triple(property, rdfs('label'), stringLiteral(resource.name)),
      triple(property, rdfs('domain'), names.entryPointClass),
      triple(property, rdfs('range'), names.collectionClass(resource)),
      triple(names.entryPointClass, hydra('supportedProperty'), supported),
      triple(supported, rdf('type'), hydra('SupportedProperty')),
      triple(supported, hydra('property'), property),
      triple(supported, hydra('title'), stringLiteral(resource.name)),
      triple(supported, hydra('description'), stringLiteral(resource.description)),
      triple(supported, hydra('readable'), boolean(true)),
      triple(supported, hydra('writeable'), boolean(false)),
    ]
  }),
]

const resourceClassTriples = (
  names: Names,
  resource: Resource,
  operations: Operations,
): readonly Quad[] => [
  triple(resource.class, rdf('type'), hydra('Class')),
  triple(resource.class, hydra('title'), stringLiteral(resource.noun)),
  triple(resource.class, hydra('description'), stringLiteral(resource.description)),
  ...resource.fields.flatMap((field) => propertyTriples(names, resource, field)),
  ...Object.entries(operations).flatMap(([method, operation]) =>
    operationTriples(names, resource.class, `${resource.name}-${method}`, {
      method,
      operation,
      expects: method === 'put' || method === 'patch' ? resource.class : undefined,
      returns: method === 'delete' ? iri(`${prefixes.owl}Nothing`) : resource.class,
    }),
  ),
]

function propertyTriples(names: Names, resource: Resource, field: Field): readonly Quad[] {
  const property = field.path.at(-1)
  if (!property) return []
  const supported = names.part(`${resource.name}-${field.name}`)
  return [
    triple(resource.class, hydra('supportedProperty'), supported),
    triple(supported, rdf('type'), hydra('SupportedProperty')),
    triple(supported, hydra('property'), property),
    triple(supported, hydra('title'), stringLiteral(field.name)),
    triple(supported, hydra('description'), stringLiteral(field.comment)),
    triple(supported, hydra('required'), boolean(field.required)),
    // Private fields are in no RDF.
    triple(supported, hydra('readable'), boolean(field.private === undefined)),
    triple(supported, hydra('writeable'), boolean(resource.inputFields.includes(field))),
  ]
}

function collectionClassTriples(
  names: Names,
  resource: Resource,
  operations: Operations,
): readonly Quad[] {
  const collection = names.collectionClass(resource)
  const assertion = names.part(`${resource.name}-members`)
  return [
    triple(collection, rdf('type'), hydra('Class')),
    triple(collection, rdfs('subClassOf'), hydra('Collection')),
    triple(collection, hydra('title'), stringLiteral(`List of ${resource.name}`)),
    triple(collection, hydra('memberAssertion'), assertion),
    triple(assertion, hydra('property'), rdf('type')),
    triple(assertion, hydra('object'), resource.class),
    ...Object.entries(operations).flatMap(([method, operation]) =>
      operationTriples(names, collection, `${resource.name}-list-${method}`, {
        method,
        operation,
        expects: method === 'post' ? resource.class : undefined,
        returns: method === 'post' ? resource.class : collection,
      }),
    ),
  ]
}

type DescribedOperation = {
  readonly method: string
  readonly operation: Operation
  readonly expects: NamedNode | undefined
  readonly returns: NamedNode
}

function operationTriples(
  { part }: Names,
  supporting: NamedNode,
  name: string,
  { method, operation, expects, returns }: DescribedOperation,
): readonly Quad[] {
  const node = part(name)
  const errors = describedErrors.filter(([status]) => status in operation.responses)
  return [
    triple(supporting, hydra('supportedOperation'), node),
    triple(node, rdf('type'), hydra('Operation')),
    triple(node, hydra('method'), stringLiteral(method.toUpperCase())),
    triple(node, hydra('title'), stringLiteral(operation.summary)),
    triple(node, hydra('description'), stringLiteral(operation.description)),
    ...(expects ? [triple(node, hydra('expects'), expects)] : []),
    triple(node, hydra('returns'), returns),
    ...errors.map(([status]) => triple(node, hydra('possibleStatus'), part(`status-${status}`))),
  ]
}

/** The errors that operations can have; each is described once. */
const statusTriples = ({ part }: Names): readonly Quad[] =>
  describedErrors.flatMap(([status, description]) => {
    const node = part(`status-${status}`)
    return [
      triple(node, rdf('type'), hydra('Status')),
      triple(node, hydra('statusCode'), integer(Number(status))),
      triple(node, hydra('description'), stringLiteral(description)),
    ]
  })
