// The page of the ontology: its terms, grouped into own and others', with the fields that use them.
// How it looks is left to features/dataset/ontology-page.tsx.

import { type RdfContext, rdfFormats, serializeRdf } from '../../formats/rdf/documents.js'
import { turtle } from '../../formats/rdf/turtle.js'
import { type ToPrefixedName, createPrefixer } from '../../formats/rdf/prefixed-names.js'
import type { Iris } from '../../model/iris.js'
import type { Resources } from '../../model/resources.js'
import { type Vocabulary, literalOf } from '../../model/vocabulary.js'
import { dcterms, rdf, rdfs } from '../../rdf/namespaces.js'
import { type Quad, groupBySubject } from '../../rdf/terms.js'
import { schemePath } from '../../views/links.js'
import { OntologyPage, type OntologyTerm, type TermLink } from './ontology-page.js'
import type { Handler } from '../../http/context.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'

type OntologyPageDependencies = {
  readonly iris: Iris
  readonly assets: AssetUrls
  readonly resources: Resources
  readonly ontology: readonly Quad[]
  readonly version: string
  readonly vocabularies: readonly Vocabulary[]
  readonly rdfContext: RdfContext
}

/** Whether a node belongs to what the ontology says of itself, such as a prefix. */
const isPartOfHead = (iri: string): boolean => /^_:|#prefix-/.test(iri)

export function ontologyPage(dependencies: OntologyPageDependencies): Handler {
  const { iris, assets, ontology, vocabularies, rdfContext } = dependencies
  const toPrefixedName = createPrefixer(rdfContext.prefixes)
  const quadsBySubject = groupBySubject(ontology)
  const about = quadsBySubject.get(iris.ontology) ?? []
  const terms = [...quadsBySubject]
    .filter(([iri]) => iri !== iris.ontology && !isPartOfHead(iri))
    .map(([iri, quads]) => describeTerm(dependencies, toPrefixedName, iri, quads))
  const isOwn = ({ iri }: OntologyTerm): boolean => iri.startsWith(`${iris.ontology}#`)
  return (ctx) =>
    sendPage(
      ctx,
      <OntologyPage
        context={pageContext(ctx, assets)}
        title={literalOf(about, dcterms('title'))?.value ?? 'Ontology'}
        description={literalOf(about, dcterms('description'))?.value ?? ''}
        version={dependencies.version}
        namespace={`${iris.ontology}#`}
        license={
          about.find((quad) => quad.predicate.equals(dcterms('license')))?.object.value ?? ''
        }
        own={terms.filter(isOwn)}
        others={terms.filter((term) => !isOwn(term))}
        schemes={vocabularies.map((vocabulary) => ({
          text: vocabulary.title,
          href: schemePath(vocabulary),
        }))}
        formats={rdfFormats}
        turtle={serializeRdf(turtle, ontology, rdfContext)}
      />,
    )
}

/** The properties of a term that the page shows, with their titles. */
const shownProperties = [
  ['A', rdf('type')],
  ['Kind of', rdfs('subPropertyOf')],
  ['Kind of', rdfs('subClassOf')],
  ['Of', rdfs('domain')],
  ['Values', rdfs('range')],
] as const

function describeTerm(
  { iris, resources }: OntologyPageDependencies,
  toPrefixedName: ToPrefixedName,
  iri: string,
  quads: readonly Quad[],
): OntologyTerm {
  const nameOf = (value: string): string => toPrefixedName(value)?.join(':') ?? value
  const own = `${iris.ontology}#`
  // Own terms are on this page; other IRIs lead to where they are defined.
  const linkTo = (value: string): TermLink => ({
    text: nameOf(value),
    href: value.startsWith(own) ? `#${value.slice(own.length)}` : value,
  })
  const properties = [
    ...shownProperties,
    ['In Dublin Core', iris.term('dublinCoreElement')] as const,
  ]
  const facts = properties.map(([title, property]) => ({
    title,
    values: quads
      .filter(({ predicate }) => predicate.equals(property))
      .map(({ object }) => linkTo(object.value)),
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
    label: literalOf(quads, rdfs('label'))?.value ?? nameOf(iri),
    comment: literalOf(quads, rdfs('comment'))?.value ?? '',
    facts: [...facts, { title: 'In the API', values: fields }].filter(
      ({ values }) => values.length > 0,
    ),
  }
}
