// The page of the ontology: our own terms, each at the anchor that its IRI leads to, and the terms
// of other vocabularies as they are used here.

import type { Format } from '../../formats/serializer.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { FormatLinks, ApiRequestIn } from '../../views/components/api-request.js'
import { ExternalLink, isWebAddress } from '../../views/components/field-value.js'

/** A value in the description of a term: another term, or a field of the API. */
export type TermLink = {
  readonly text: string
  /** Its address; empty where it has none. */
  readonly href: string
}

export type OntologyTerm = {
  readonly iri: string
  /** The prefixed name, such as `zc:barcode`. */
  readonly name: string
  readonly anchor: string
  readonly label: string
  readonly comment: string
  readonly facts: readonly { readonly title: string; readonly values: readonly TermLink[] }[]
}

export type OntologyPageProps = {
  readonly context: PageContext
  readonly title: string
  readonly description: string
  readonly version: string
  /** The namespace of our own terms. */
  readonly namespace: string
  readonly license: string
  /** Our own terms, in the order of the ontology. */
  readonly own: readonly OntologyTerm[]
  readonly others: readonly OntologyTerm[]
  readonly schemes: readonly TermLink[]
  readonly formats: readonly Format[]
  readonly turtle: string
}

export const OntologyPage = (props: OntologyPageProps) => {
  const {
    context,
    title,
    description,
    version,
    namespace,
    license,
    own,
    others,
    schemes,
    formats,
    turtle,
  } = props
  return (
    <Layout context={context} title={title} styles={['reference.css']}>
      <header class="page-head">
        <h1>{title}</h1>
      </header>
      <p class="lead">{description}</p>
      <p class="made">
        Version {version} · prefix <code>zc:</code> for <code>{namespace}</code> · which values each
        property takes is said by <a href="/shapes">the shapes</a>
      </p>
      {isWebAddress(license) && (
        <p class="made">
          Licence: <ExternalLink href={license} />
        </p>
      )}
      <nav class="contents" aria-label="Terms">
        <ul>
          {[...own, ...others].map(({ anchor, name }) => (
            <li key={anchor}>
              <a href={`#${anchor}`}>{name}</a>
            </li>
          ))}
        </ul>
      </nav>
      <Terms title="Our own terms" terms={own} />
      <Terms title="Terms of others, as they are used here" terms={others} />
      <section class="overview">
        <h2 class="label">Concept schemes</h2>
        <ul class="inline">
          {schemes.map(({ text, href }) => (
            <li key={href}>
              <a href={href}>{text}</a>
            </li>
          ))}
        </ul>
      </section>
      <FormatLinks context={context} formats={formats} />
      <ApiRequestIn context={context} type="text/turtle" text={turtle} />
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
