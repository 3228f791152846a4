// The documents that IRIs lead to, and the description of the API, as pages: a concept scheme, the
// ontology, the dataset. What they say is read from the same triples and facts as their data.

import { type ToPrefixedName, createPrefixer } from '../../formats/rdf/prefixed-names.js'
import { type RdfContext, rdfFormats, serializeRdf } from '../../formats/rdf/documents.js'
import { turtle } from '../../formats/rdf/turtle.js'
import { schemeTriples } from '../../formats/vocabularies.js'
import type { Serializers } from '../../formats/serializers.js'
import { DatasetPage } from '../../views/pages/dataset.js'
import { schemePath } from '../../views/links.js'
import { type TermLink, OntologyPage, type OntologyTerm } from '../../views/pages/ontology.js'
import {
  type TagGroup,
  type ApiOperation,
  ApiReferencePage,
} from '../../views/pages/api-reference.js'
import { SchemePage } from '../../views/pages/vocabulary.js'
import type { Iris } from '../../model/iris.js'
import type { Resources } from '../../model/resources.js'
import { type Vocabulary, literalOf } from '../../model/vocabulary.js'
import { dcterms, rdf, rdfs } from '../../rdf/namespaces.js'
import { type Quad, groupBySubject } from '../../rdf/terms.js'
import type { Assets } from '../middleware/static-files.js'
import { type DatasetEndpointDependencies, datasetQuads } from '../linked-data/dataset.js'
import type { Handler } from '../endpoint.js'
import type { CachedStatistics } from './cached-statistics.js'
import type { Document, Operation as Described, Response } from '../api/openapi/document.js'
import { type OpenApiDocument, schemaFormats } from '../api/openapi.js'
import { sendPage, pageContext } from '../response/html.js'

export type DocumentPagesDependencies = {
  readonly iris: Iris
  readonly assets: Assets
  readonly resources: Resources
  readonly ontology: readonly Quad[]
  readonly vocabularies: readonly Vocabulary[]
  readonly around: RdfContext
}

/** The pages of the concept schemes and of the ontology. */
export const createDocumentPages = (documents: DocumentPagesDependencies) => ({
  scheme: (vocabulary: Vocabulary): Handler => schemePage(documents, vocabulary),
  ontology: ontologyPage(documents),
})

function schemePage(
  { assets, around }: DocumentPagesDependencies,
  vocabulary: Vocabulary,
): Handler {
  return (ctx) =>
    sendPage(
      ctx,
      <SchemePage
        visit={pageContext(ctx, assets)}
        vocabulary={vocabulary}
        formats={rdfFormats}
        turtle={serializeRdf(turtle, schemeTriples(vocabulary, vocabulary.entries), around)}
      />,
    )
}

function ontologyPage(documents: DocumentPagesDependencies): Handler {
  const { iris, assets, ontology, vocabularies, around } = documents
  const compact = createPrefixer(around.prefixes)
  const groups = groupBySubject(ontology)
  const about = groups.get(iris.ontology) ?? []
  const terms = [...groups]
    .filter(([iri]) => iri !== iris.ontology && !iri.startsWith('_:'))
    .map(([iri, said]) => termOf(documents, compact, iri, said))
  const isOwn = ({ iri }: OntologyTerm): boolean => iri.startsWith(`${iris.ontology}#`)
  return (ctx) =>
    sendPage(
      ctx,
      <OntologyPage
        visit={pageContext(ctx, assets)}
        title={literalOf(about, dcterms('title'))?.value ?? 'Ontology'}
        description={literalOf(about, dcterms('description'))?.value ?? ''}
        license={about.find((one) => one.predicate.equals(dcterms('license')))?.object.value ?? ''}
        own={terms.filter(isOwn)}
        others={terms.filter((term) => !isOwn(term))}
        schemes={vocabularies.map((one) => ({ text: one.title, href: schemePath(one) }))}
        formats={rdfFormats}
        turtle={serializeRdf(turtle, ontology, around)}
      />,
    )
}

const said = [
  ['A', rdf('type')],
  ['Kind of', rdfs('subPropertyOf')],
  ['Kind of', rdfs('subClassOf')],
  ['Of', rdfs('domain')],
  ['Values', rdfs('range')],
] as const

function termOf(
  { iris, resources }: DocumentPagesDependencies,
  compact: ToPrefixedName,
  iri: string,
  statements: readonly Quad[],
): OntologyTerm {
  const nameOf = (value: string): string => compact(value)?.join(':') ?? value
  const own = `${iris.ontology}#`
  const named = (value: string): TermLink => ({
    text: nameOf(value),
    // Our own terms are on this page; the IRIs of others lead to their makers.
    href: value.startsWith(own) ? `#${value.slice(own.length)}` : value,
  })
  const facts = said.map(([title, property]) => ({
    title,
    values: statements
      .filter(({ predicate }) => predicate.equals(property))
      .map(({ object }) => named(object.value)),
  }))
  const fields = Object.values(resources).flatMap((resource) =>
    resource.fields
      .filter(({ path }) => path.at(-1)?.value === iri)
      .map(({ name }) => ({ text: `${resource.name}.${name}`, href: '' })),
  )
  return {
    iri,
    name: nameOf(iri),
    anchor: iri.startsWith(own) ? iri.slice(own.length) : nameOf(iri),
    label: literalOf(statements, rdfs('label'))?.value ?? nameOf(iri),
    comment: literalOf(statements, rdfs('comment'))?.value ?? '',
    facts: [...facts, { title: 'In the API', values: fields }].filter(
      ({ values }) => values.length > 0,
    ),
  }
}

type DatasetPageDependencies = DatasetEndpointDependencies & {
  readonly assets: Assets
  readonly numbers: CachedStatistics
  readonly exports: Serializers
  readonly around: RdfContext
}

export function datasetPage(parts: DatasetPageDependencies): Handler {
  const { about, assets, exports, license, numbers, around } = parts
  return async (ctx) => {
    const survey = await numbers.survey()
    const page = (
      <DatasetPage
        visit={pageContext(ctx, assets)}
        description={`${about.description}.`}
        license={license}
        counts={survey.counts}
        issued={survey.issued}
        modified={survey.modified}
        exports={exports}
        formats={rdfFormats}
        turtle={serializeRdf(turtle, datasetQuads(parts, survey), around)}
      />
    )
    sendPage(ctx, page)
  }
}

/** The operations of the API, chapter by chapter, as the description has them. */
export const apiReferencePage =
  (assets: Assets) =>
  (written: OpenApiDocument): Handler => {
    const chapters = tagGroupsOf(written.document)
    const { title, description } = written.document.info
    return (ctx) =>
      sendPage(
        ctx,
        <ApiReferencePage
          visit={pageContext(ctx, assets)}
          title={`${title} API`}
          description={description}
          chapters={chapters}
          formats={schemaFormats}
          yaml={written.yamlFor(ctx)}
        />,
      )
  }

function tagGroupsOf(described: Document): readonly TagGroup[] {
  const operations = Object.entries(described.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      tag: operation.tags[0] ?? '',
      operation: operationOf(described, path, method.toUpperCase(), operation),
    })),
  )
  return described.tags.map(({ name, description = '' }) => ({
    name,
    description,
    operations: operations.filter(({ tag }) => tag === name).map(({ operation }) => operation),
  }))
}

function operationOf(
  { components }: Document,
  path: string,
  method: string,
  {
    operationId,
    summary,
    description,
    security,
    requestBody,
    parameters = [],
    responses,
  }: Described,
): ApiOperation {
  return {
    id: operationId,
    method,
    path,
    summary,
    description,
    isGuarded: security.length > 0 && security.every((one) => Object.keys(one).length > 0),
    takes: Object.keys(requestBody?.content ?? {}),
    parameters: parameters
      .map((one) => referred(one, components.parameters))
      .map((one) => ({
        name: one.name,
        where: one.in,
        description: one.description,
        isRequired: one.required ?? false,
      })),
    answers: Object.entries(responses).map(([status, one]) => ({
      status,
      description: referred<Response>(one, components.responses).description,
    })),
  }
}

/** What a reference points to among the components; what is no reference is itself. */
function referred<Of extends object>(
  one: Of | { readonly $ref: string },
  components: Readonly<Record<string, Of>>,
): Of {
  if (!('$ref' in one)) return one
  const found = components[one.$ref.slice(one.$ref.lastIndexOf('/') + 1)]
  if (!found) throw new Error(`the description has no ${one.$ref}`)
  return found
}
