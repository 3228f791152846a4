// Describes records with the terms of schema.org alone (docs/reference/rdf-formats.md,
// "schema.org").

import { authorityLinksIn } from '../../model/authority-links.js'
import { parseExactDate, parseIssuedDate } from '../../model/dates.js'
import { organizationType } from '../../model/declarations/repositories.js'
import { isWebIri, withheld } from '../../model/record/rdf-mapper.js'
import { schema, xsd } from '../../rdf/namespaces.js'
import { type NamedNode, integer, iri, stringLiteral } from '../../rdf/terms.js'
import { isPerson } from '../marc/names.js'
import {
  type AccessorDependencies,
  type RecordAccessor,
  contentAdviceOf,
} from '../record-accessor.js'
import { parseIdentifier } from '../../model/standard-identifiers.js'
import { type Description, createDescriber, numbered } from './description.js'

export const describeInSchemaOrg = createDescriber({
  zines: describeZine,
  agents: describeAgent,
  repositories: describeRepository,
  holdings: describeHolding,
})

function describeZine(
  description: Description,
  zine: RecordAccessor,
  { iris }: AccessorDependencies,
): void {
  const { add, self, types, node, texts } = description
  const isIssue = zine.text('issue_designation') !== ''
  types(self, schema('CreativeWork'), ...(isIssue ? [schema('PublicationIssue')] : []))
  texts(self, schema('name'), zine.values('title'))
  texts(self, schema('alternateName'), zine.values('alternative_title'))
  texts(self, schema('issueNumber'), zine.values('issue_designation'))
  for (const [field, property] of relations)
    zine.references(field).forEach((agent, index) => {
      const id = zine.values(field)[index] ?? withheld
      if (id !== withheld) add(self, schema(property), iris.thing('agents', id))
      if (agent) nameAgent(description, agent)
    })
  for (const subject of zine.codes('subject')) {
    add(self, schema('about'), iri(subject.uri))
    types(iri(subject.uri), schema('DefinedTerm'))
    texts(iri(subject.uri), schema('name'), [subject.label])
  }
  texts(self, schema('genre'), ['Zines', ...zine.codes('genre').map(({ label }) => label)])
  texts(self, schema('abstract'), zine.values('abstract'))
  texts(self, schema('inLanguage'), zine.values('language'))
  texts(self, schema('description'), zine.values('table_of_contents'))
  texts(self, schema('bookEdition'), zine.values('edition_statement'))
  for (const pages of zine.values('number_of_pages'))
    if (/^\d{1,9}$/.test(pages)) add(self, schema('numberOfPages'), integer(Number(pages)))
    else texts(self, schema('pagination'), [pages])
  texts(self, schema('size'), zine.values('physical_dimensions'))
  texts(
    self,
    schema('bookFormat'),
    zine.codes('format').map(({ label }) => label),
  )
  for (const date of zine.values('date')) addDate(description, schema('datePublished'), date)
  // It says places and times alike.
  for (const text of zine.values('coverage'))
    texts(self, schema(parseExactDate(text) ? 'temporalCoverage' : 'spatialCoverage'), [text])
  for (const source of zine.values('source'))
    add(self, schema('isBasedOn'), isWebIri(source) ? iri(source) : stringLiteral(source))
  for (const [index, title] of [...new Set(zine.values('series_title'))].entries()) {
    const name = numbered('series', index)
    const series = node(self, schema('isPartOf'), name, schema('CreativeWorkSeries'))
    texts(series, schema('name'), [title])
  }
  zine.values('place_of_publication').forEach((place, index) => {
    const created = node(self, schema('locationCreated'), numbered('place', index), schema('Place'))
    texts(created, schema('name'), [place])
  })
  for (const { matches, label, uri } of zine.codes('rights')) {
    const [license] = matches
    add(self, schema(license === undefined ? 'usageInfo' : 'license'), iri(license ?? uri))
    if (license !== undefined) continue
    types(iri(uri), schema('CreativeWork'))
    texts(iri(uri), schema('name'), [label])
  }
  texts(self, schema('contentRating'), contentAdviceOf(zine))
  texts(self, schema('identifier'), [zine.id, ...zine.values('identifier')])
  for (const text of zine.values('identifier')) {
    const { kind, value } = parseIdentifier(text)
    if (kind === 'doi') add(self, schema('sameAs'), iri(`https://doi.org/${encodeURI(value)}`))
  }
  for (const holding of zine.holdings()) {
    add(self, schema('workExample'), iri(holding.iri))
    types(iri(holding.iri), schema('ArchiveComponent'))
    for (const repository of holding.related('repository_id')) {
      add(iri(holding.iri), schema('holdingArchive'), iri(repository.iri))
      nameRepository(description, repository)
    }
  }
}

const relations = [
  ['creator', 'author'],
  ['contributor', 'contributor'],
  ['publisher', 'publisher'],
] as const

/** What XML Schema can type is typed; other dates are a text. */
function addDate({ add, self }: Description, property: NamedNode, date: string): void {
  const issued = parseIssuedDate(date)
  const isTyped = issued?.datatype.value.startsWith(xsd('').value) ?? false
  add(self, property, issued && isTyped ? issued : stringLiteral(date))
}

/** What is said of an agent that another record names. */
function nameAgent({ types, texts }: Description, agent: RecordAccessor): void {
  types(iri(agent.iri), isPerson(agent) ? schema('Person') : schema('Organization'))
  texts(iri(agent.iri), schema('name'), agent.values('display_name'))
}

function describeAgent(description: Description, agent: RecordAccessor): void {
  const { self, texts } = description
  nameAgent(description, agent)
  texts(self, schema('alternateName'), agent.values('alternative_names'))
  texts(self, schema('description'), agent.values('biography'))
  texts(self, schema('pronouns'), agent.values('pronouns'))
  texts(self, schema('legalName'), agent.values('legal_name'))
  texts(self, schema('email'), agent.values('email'))
  texts(self, schema('telephone'), agent.values('phone'))
  texts(self, schema('identifier'), [agent.id, ...agent.values('other_identifiers')])
  const wikidata = agent.values('wikidata').map((id) => `http://www.wikidata.org/entity/${id}`)
  links(description, schema('sameAs'), [
    ...new Set([
      ...agent.values('orcid'),
      ...wikidata,
      ...authorityLinksIn(agent.values('other_identifiers')),
      ...agent.values('social_media'),
    ]),
  ])
  links(description, schema('url'), agent.values('website'))
}

function describeRepository(description: Description, repository: RecordAccessor): void {
  const { self, node, texts } = description
  nameRepository(description, repository)
  texts(self, schema('alternateName'), repository.values('alternative_names'))
  texts(self, schema('description'), repository.values('description'))
  texts(self, schema('email'), repository.values('email'))
  texts(self, schema('telephone'), repository.values('phone'))
  for (const date of repository.values('established'))
    addDate(description, schema('foundingDate'), date)
  const codes = ['isil', 'marc_org_code'].map((field) => repository.text(field))
  texts(self, schema('identifier'), [repository.id, ...codes])
  const address = node(self, schema('address'), 'address', schema('PostalAddress'))
  for (const [field, property] of addressFields)
    texts(address, schema(property), repository.values(field))
  links(description, schema('sameAs'), [
    ...repository.values('ror'),
    ...repository.values('social_media'),
  ])
  links(description, schema('url'), repository.values('website'))
}

/** What is said of a repository that another record names. */
function nameRepository({ types, texts }: Description, repository: RecordAccessor): void {
  types(iri(repository.iri), organizationType(repository.text('repository_kind')))
  texts(iri(repository.iri), schema('name'), repository.values('repository_name'))
}

const addressFields = [
  ['city', 'addressLocality'],
  ['region', 'addressRegion'],
  ['postal_code', 'postalCode'],
  ['country', 'addressCountry'],
] as const

function describeHolding(description: Description, holding: RecordAccessor): void {
  const { add, self, types, texts } = description
  types(self, schema('ArchiveComponent'))
  texts(self, schema('identifier'), [
    holding.id,
    ...holding.values('call_number'),
    ...holding.values('barcode'),
  ])
  for (const zine of holding.related('zine_id')) {
    add(self, schema('exampleOfWork'), iri(zine.iri))
    texts(self, schema('name'), zine.values('title'))
    types(iri(zine.iri), schema('CreativeWork'))
    texts(iri(zine.iri), schema('name'), zine.values('title'))
  }
  for (const repository of holding.related('repository_id')) {
    add(self, schema('holdingArchive'), iri(repository.iri))
    nameRepository(description, repository)
  }
  texts(self, schema('itemLocation'), holding.values('location'))
  texts(
    self,
    schema('conditionsOfAccess'),
    holding.codes('access_status').map(({ label }) => label),
  )
  texts(self, schema('description'), [...holding.values('condition'), ...holding.values('notes')])
  links(description, schema('url'), holding.values('digital_url'))
}

/** A link for each text that is a web address. */
function links({ add, self }: Description, property: NamedNode, texts: readonly string[]): void {
  for (const text of texts) if (URL.canParse(text)) add(self, property, iri(new URL(text).href))
}
