// The page of the ontology: our own terms, each at the anchor that its IRI leads to, and the terms
// of other vocabularies as they are used here, with the fields that use them.

import { type RdfContext, rdfFormats, serializeRdf } from '../../formats/rdf/documents.js'
import { type ToPrefixedName, createPrefixer } from '../../formats/rdf/prefixed-names.js'
import { turtle } from '../../formats/rdf/turtle.js'

import type { Iris } from '../../model/iris.js'
import type { Resources } from '../../model/resources.js'
import { type Vocabulary, literalOf } from '../../model/vocabulary.js'
import { dcterms, rdf, rdfs } from '../../rdf/namespaces.js'
import { type Quad, groupBySubject } from '../../rdf/terms.js'
import { ApiRequestIn, FormatLinks } from '../../views/components/api-request.js'
import { ExternalLink, isWebAddress } from '../../views/components/field-value.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { schemePath } from '../../views/links.js'
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
  const { iris, assets, ontology, rdfContext } = dependencies
  const toPrefixedName = createPrefixer(rdfContext.prefixes)
  const quadsBySubject = groupBySubject(ontology)
  const about = quadsBySubject.get(iris.ontology) ?? []
  const terms = [...quadsBySubject]
    .filter(([iri]) => iri !== iris.ontology && !isPartOfHead(iri))
    .map(([iri, quads]) => describeTerm(dependencies, toPrefixedName, iri, quads))
  return (ctx) =>
    sendPage(
      ctx,
      <OntologyPage context={pageContext(ctx, assets)} {...{ dependencies, about, terms }} />,
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
  const namespace = `${iris.ontology}#`
  // Own terms are on this page; other IRIs lead to where they are defined.
  const linkTo = (value: string): TermLink => ({
    text: nameOf(value),
    href: value.startsWith(namespace) ? `#${value.slice(namespace.length)}` : value,
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
    anchor: iri.startsWith(namespace) ? iri.slice(namespace.length) : nameOf(iri),
    label: literalOf(quads, rdfs('label'))?.value ?? nameOf(iri),
    comment: literalOf(quads, rdfs('comment'))?.value ?? '',
    facts: [...facts, { title: 'In the API', values: fields }].filter(
      ({ values }) => values.length > 0,
    ),
  }
}

/** A value in the description of a term: another term, or a field of the API. */
type TermLink = {
  readonly text: string
  /** Its address; empty where it has none. */
  readonly href: string
}

type OntologyTerm = {
  readonly iri: string
  /** The prefixed name, such as `zc:barcode`. */
  readonly name: string
  readonly anchor: string
  readonly label: string
  readonly comment: string
  readonly facts: readonly { readonly title: string; readonly values: readonly TermLink[] }[]
}

const OntologyPage = ({
  context,
  dependencies,
  about,
  terms,
}: {
  readonly context: PageContext
  readonly dependencies: OntologyPageDependencies
  /** What the ontology says of itself. */
  readonly about: readonly Quad[]
  readonly terms: readonly OntologyTerm[]
}) => {
  const { iris, ontology, version, vocabularies, rdfContext } = dependencies
  const title = literalOf(about, dcterms('title'))?.value ?? 'Ontology'
  const license = about.find(({ predicate }) => predicate.equals(dcterms('license')))?.object.value
  const namespace = `${iris.ontology}#`
  const isOwn = ({ iri }: OntologyTerm): boolean => iri.startsWith(namespace)
  const ownTerms = terms.filter(isOwn)
  const others = terms.filter((term) => !isOwn(term))
  return (
    <Layout context={context} title={title} styles={['reference.css']}>
      <header class="page-head">
        <h1>{title}</h1>
      </header>
      <p class="lead">{literalOf(about, dcterms('description'))?.value ?? ''}</p>
      <p class="made">
        Version {version} · prefix <code>zc:</code> for <code>{namespace}</code> · which values each
        property takes is said by <a href="/shapes">the shapes</a>
      </p>
      {license !== undefined && isWebAddress(license) && (
        <p class="made">
          Licence: <ExternalLink href={license} />
        </p>
      )}
      <nav class="contents" aria-label="Terms">
        <ul>
          {[...ownTerms, ...others].map(({ anchor, name }) => (
            <li key={anchor}>
              <a href={`#${anchor}`}>{name}</a>
            </li>
          ))}
        </ul>
      </nav>
      <Terms title="Our own terms" terms={ownTerms} />
      <Terms title="Terms of others, as they are used here" terms={others} />
      <section class="overview">
        <h2 class="label">Concept schemes</h2>
        <ul class="inline">
          {vocabularies.map((vocabulary) => (
            <li key={vocabulary.name}>
              <a href={schemePath(vocabulary)}>{vocabulary.title}</a>
            </li>
          ))}
        </ul>
      </section>
      <FormatLinks context={context} formats={rdfFormats} />
      <ApiRequestIn
        context={context}
        type="text/turtle"
        text={serializeRdf(turtle, ontology, rdfContext)}
      />
    </Layout>
  )
}

const Terms = ({
  title,
  terms,
}: {
  readonly title: string
  readonly terms: readonly OntologyTerm[]
}) => (
  <section class="overview">
    <h2 class="label">{title}</h2>
    {terms.map(({ iri, name, anchor, label, comment, facts }) => (
      <article key={iri} id={anchor} class="ns-term">
        <h3>
          {label} <code>{name}</code>
        </h3>
        <p>{comment}</p>
        <dl class="terse-facts">
          {facts.map((fact) => (
            <div key={fact.title}>
              <dt>{fact.title}</dt>
              <dd>
                {fact.values.map(({ text, href }, index) => (
                  <span key={index}>
                    {index > 0 && ', '}
                    {href === '' ? <code>{text}</code> : <a href={href}>{text}</a>}
                  </span>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </article>
    ))}
  </section>
)
