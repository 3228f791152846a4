// The ontology for people: our own terms, each at the place that its IRI leads to, and how the terms
// of others are used.

import type { Format } from '../../formats/serializer.js'
import { Layout, type PageContext } from '../layout.js'
import { FormatLinks, ApiRequestIn } from '../components/api-request.js'
import { ExternalLink, isWebAddress } from '../components/field-value.js'

/** Something that a term is said with or by: another term, a field. */
export type TermLink = {
  readonly text: string
  /** Where it leads; empty where it leads nowhere. */
  readonly href: string
}

export type OntologyTerm = {
  readonly iri: string
  /** As in `zc:barcode`. */
  readonly name: string
  readonly anchor: string
  readonly label: string
  readonly comment: string
  readonly facts: readonly { readonly title: string; readonly values: readonly TermLink[] }[]
}

export type Ontology = {
  readonly visit: PageContext
  readonly title: string
  readonly description: string
  readonly license: string
  /** In the order in which they are said. */
  readonly own: readonly OntologyTerm[]
  readonly others: readonly OntologyTerm[]
  readonly schemes: readonly TermLink[]
  readonly formats: readonly Format[]
  readonly turtle: string
}

export const OntologyPage = (ontology: Ontology) => {
  const { visit, title, description, license, own, others, schemes, formats, turtle } = ontology
  return (
    <Layout visit={visit} title={title} styles={['reference.css']}>
      <header class="page-head">
        <h1>{title}</h1>
      </header>
      <p class="lead">{description}</p>
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
      <FormatLinks visit={visit} formats={formats} />
      <ApiRequestIn visit={visit} type="text/turtle" text={turtle} />
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
