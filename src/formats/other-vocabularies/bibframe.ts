// Describes records in BIBFRAME 2: a zine as a Work and its Instance, its holdings as Items
// (docs/reference/rdf-formats.md, "BIBFRAME").

import { parseIssuedDate } from '../../model/dates.js'
import { bf, edtf, rdf, rdfs } from '../../rdf/namespaces.js'
import {
  type NamedNode,
  dateTime,
  integer,
  iri,
  stringLiteral,
  typedLiteral,
} from '../../rdf/terms.js'
import { carriersOf, levelOf, zineGenre } from '../marc/coded-values.js'
import { withheld } from '../../model/record/rdf-mapper.js'
import { isPerson } from '../marc/names.js'
import { type LabelledCode, type RecordAccessor, contentAdviceOf } from '../record-accessor.js'
import { parseIdentifier } from '../../model/standard-identifiers.js'
import { type Description, createDescriber, createDescription, numbered } from './description.js'

/** The lists of the Library of Congress. */
const lists = 'http://id.loc.gov/vocabulary/'

export const describeInBibframe = createDescriber({
  zines(description, zine, { iris }) {
    const work = description.part('work')
    describeWork(description, zine, work, (id) => iris.thing('agents', id))
    describeInstance(description, zine, work, (id) => iris.thing('agents', id))
    for (const holding of zine.holdings()) {
      const item = createDescription(holding.iri)
      description.add(description.self, bf('hasItem'), item.self)
      describeItem(item, holding)
      for (const { subject, predicate, object } of item.triples())
        // The cast: a description has IRIs as subjects and predicates.
        description.add(subject as NamedNode, predicate as NamedNode, object)
    }
  },
  agents: describeAgentRecord,
  repositories: describeRepository,
  holdings: describeItem,
})

type AgentIri = (id: string) => NamedNode

function describeWork(
  description: Description,
  zine: RecordAccessor,
  work: NamedNode,
  agentIri: AgentIri,
): void {
  const { add, self, types, node, texts, label } = description
  types(work, bf('Work'), bf('Text'))
  label(work, zine.text('title'))
  add(work, bf('hasInstance'), self)
  texts(node(work, bf('title'), 'work-title', bf('Title')), bf('mainTitle'), [zine.text('title')])
  describeContributions(description, zine, work, agentIri)
  zine
    .codes('subject')
    .forEach((subject) => concept(description, work, [bf('subject'), bf('Topic')], subject))
  const zineTerm = iri(zineGenre)
  add(work, bf('genreForm'), zineTerm)
  types(zineTerm, bf('GenreForm'))
  label(zineTerm, 'Zines')
  zine.codes('genre').forEach((genre) => concept(description, work, genreForm, genre))
  zine
    .codes('language')
    .forEach((language) => concept(description, work, [bf('language'), bf('Language')], language))
  add(work, bf('content'), iri(`${lists}contentTypes/txt`))
  labelled(description, work, [bf('summary'), bf('Summary'), 'summary'], zine.values('abstract'))
  labelled(
    description,
    work,
    [bf('tableOfContents'), bf('TableOfContents'), 'contents'],
    zine.values('table_of_contents'),
  )
}

// The relations of agents to a work: the field, and the code of MARC.
const relations = [
  ['creator', 'cre'],
  ['contributor', 'ctb'],
] as const

/** Names an agent, unless nothing may be told of it. */
function addAgent(
  { add }: Description,
  subject: NamedNode,
  agentIri: AgentIri,
  id: string = withheld,
): void {
  if (id !== withheld) add(subject, bf('agent'), agentIri(id))
}

/** The first creator is the primary contribution, as in MARC 100. */
function describeContributions(
  description: Description,
  zine: RecordAccessor,
  work: NamedNode,
  agentIri: AgentIri,
): void {
  const { add, types, node } = description
  for (const [field, role] of relations)
    zine.references(field).forEach((agent, index) => {
      const name = numbered(field, index)
      const contribution = node(work, bf('contribution'), name, bf('Contribution'))
      if (field === 'creator' && index === 0) types(contribution, bf('PrimaryContribution'))
      addAgent(description, contribution, agentIri, zine.values(field)[index])
      add(contribution, bf('role'), iri(`${lists}relators/${role}`))
      if (agent) describeAgent(description, agent)
    })
}

function describeInstance(
  description: Description,
  zine: RecordAccessor,
  work: NamedNode,
  agentIri: AgentIri,
): void {
  const { add, self, types, node, texts, label } = description
  types(self, bf('Instance'))
  add(self, bf('instanceOf'), work)
  label(self, zine.text('title'))
  const title = node(self, bf('title'), 'title', bf('Title'))
  texts(title, bf('mainTitle'), [zine.text('title')])
  texts(title, bf('partNumber'), [zine.text('issue_designation')])
  zine.values('alternative_title').forEach((text, index) => {
    const name = numbered('variant-title', index)
    texts(node(self, bf('title'), name, bf('VariantTitle')), bf('mainTitle'), [text])
  })
  texts(self, bf('seriesStatement'), zine.values('series_title'))
  texts(self, bf('editionStatement'), zine.values('edition_statement'))
  describePublication(description, zine, agentIri)
  describeCarrier(description, zine)
  describeIdentifiers(description, zine)
  const notes = [
    ...zine.values('public_notes'),
    ...zine.values('coverage'),
    ...zine.values('source'),
    ...zine.values('relation'),
    ...contentAdviceOf(zine),
  ]
  labelled(description, self, [bf('note'), bf('Note'), 'note'], notes)
  zine
    .codes('rights')
    .forEach((rights) =>
      concept(description, self, [bf('usageAndAccessPolicy'), bf('UsePolicy')], rights),
    )
  describeAdministration(description, zine)
}

function describePublication(
  description: Description,
  zine: RecordAccessor,
  agentIri: AgentIri,
): void {
  const { add, self, node, texts } = description
  const dates = zine.values('date')
  const places = zine.values('place_of_publication')
  const publishers = zine.references('publisher')
  if (dates.length + places.length + publishers.length === 0) return
  const publication = node(self, bf('provisionActivity'), 'publication', bf('Publication'))
  texts(publication, bf('simplePlace'), places)
  texts(publication, bf('simpleDate'), dates)
  for (const value of new Set(dates.flatMap((date) => parseIssuedDate(date)?.value ?? [])))
    add(publication, bf('date'), typedLiteral(value, edtf('EDTF')))
  publishers.forEach((agent, index) => {
    addAgent(description, publication, agentIri, zine.values('publisher')[index])
    if (agent) describeAgent(description, agent)
  })
}

function describeCarrier(description: Description, zine: RecordAccessor): void {
  const { add, self, texts } = description
  for (const { media, carrier } of carriersOf(zine)) {
    add(self, bf('media'), iri(`${lists}mediaTypes/${media[1]}`))
    add(self, bf('carrier'), iri(`${lists}carriers/${carrier[1]}`))
  }
  const issuance = levelOf(zine) === 's' ? 'serl' : 'mono'
  add(self, bf('issuance'), iri(`${lists}issuance/${issuance}`))
  labelled(
    description,
    self,
    [bf('extent'), bf('Extent'), 'extent'],
    zine.values('number_of_pages'),
  )
  texts(self, bf('dimensions'), zine.values('physical_dimensions'))
  labelled(
    description,
    self,
    [bf('binding'), bf('Binding'), 'binding'],
    zine.values('binding_features'),
  )
  zine.codes('format').forEach((format) => concept(description, self, genreForm, format))
}

const identifierClasses = {
  isbn: 'Isbn',
  issn: 'Issn',
  doi: 'Doi',
  url: 'Identifier',
  other: 'Identifier',
}

function describeIdentifiers(description: Description, zine: RecordAccessor): void {
  localIdentifier(description, zine)
  zine.values('identifier').forEach((text, index) => {
    const { kind, value, wrong } = parseIdentifier(text)
    const type = bf(identifierClasses[kind])
    const node = identifier(description, numbered('identifier', index), type, value)
    if (wrong) description.add(node, bf('status'), iri(`${lists}mstatus/cancinv`))
  })
}

const localIdentifier = (description: Description, record: RecordAccessor): void =>
  void identifier(description, 'local-identifier', bf('Local'), record.id)

function identifier(
  { add, self, node }: Description,
  name: string,
  type: NamedNode,
  value: string,
): NamedNode {
  const created = node(self, bf('identifiedBy'), name, type)
  add(created, rdf('value'), stringLiteral(value))
  return created
}

function describeAdministration({ add, self, node }: Description, zine: RecordAccessor): void {
  const metadata = node(self, bf('adminMetadata'), 'admin-metadata', bf('AdminMetadata'))
  add(metadata, bf('descriptionConventions'), iri(`${lists}descriptionConventions/rda`))
  add(metadata, bf('creationDate'), dateTime(zine.text('created_at')))
  add(metadata, bf('changeDate'), dateTime(zine.text('updated_at')))
  for (const from of zine.values('derived_from')) add(metadata, bf('derivedFrom'), iri(from))
}

function describeItem(description: Description, holding: RecordAccessor): void {
  const { add, self, types, node, texts } = description
  types(self, bf('Item'))
  for (const zine of holding.related('zine_id')) add(self, bf('itemOf'), iri(zine.iri))
  for (const repository of holding.related('repository_id')) {
    add(self, bf('heldBy'), iri(repository.iri))
    types(iri(repository.iri), bf('Agent'), bf('Organization'))
    texts(iri(repository.iri), rdfs('label'), [repository.text('repository_name')])
  }
  localIdentifier(description, holding)
  labelled(
    description,
    self,
    [bf('shelfMark'), bf('ShelfMark'), 'shelf-mark'],
    holding.values('call_number'),
  )
  labelled(
    description,
    self,
    [bf('sublocation'), bf('Sublocation'), 'location'],
    holding.values('location'),
  )
  for (const barcode of holding.values('barcode'))
    add(
      node(self, bf('identifiedBy'), 'barcode', bf('Barcode')),
      rdf('value'),
      stringLiteral(barcode),
    )
  for (const address of holding.values('digital_url'))
    add(self, bf('electronicLocator'), iri(address))
  holding
    .codes('access_status')
    .forEach((status) =>
      concept(description, self, [bf('usageAndAccessPolicy'), bf('AccessPolicy')], status),
    )
  for (const count of holding.values('copy_count')) add(self, bf('count'), integer(Number(count)))
  const notes = ['condition', 'distro_status', 'notes'].flatMap((field) => holding.values(field))
  labelled(description, self, [bf('note'), bf('Note'), 'note'], notes)
}

/** What is said of an agent that another record names. */
function describeAgent({ types, label }: Description, agent: RecordAccessor): void {
  const node = iri(agent.iri)
  types(node, bf('Agent'), isPerson(agent) ? bf('Person') : bf('Organization'))
  label(node, agent.text('display_name'))
}

function describeAgentRecord(description: Description, agent: RecordAccessor): void {
  const { add, self } = description
  describeAgent(description, agent)
  localIdentifier(description, agent)
  const schemes = ['orcid', 'wikidata'] as const
  for (const scheme of schemes)
    for (const value of agent.values(scheme)) {
      const node = identifier(description, scheme, bf('Identifier'), value)
      add(node, bf('source'), iri(`${lists}identifiers/${scheme}`))
    }
  agent
    .values('other_identifiers')
    .forEach((value, index) =>
      identifier(description, numbered('identifier', index), bf('Identifier'), value),
    )
  labelled(description, self, [bf('note'), bf('Note'), 'note'], agent.values('biography'))
}

function describeRepository(description: Description, repository: RecordAccessor): void {
  const { self, types, label } = description
  types(self, bf('Agent'), bf('Organization'))
  label(self, repository.text('repository_name'))
  localIdentifier(description, repository)
  const codes = [repository.text('isil'), repository.text('marc_org_code')]
  codes
    .filter((code) => code !== '')
    .forEach((code, index) =>
      identifier(description, numbered('identifier', index), bf('Identifier'), code),
    )
  const place = ['city', 'region', 'country']
    .map((field) => repository.text(field))
    .filter(Boolean)
    .join(', ')
  labelled(description, self, [bf('place'), bf('Place'), 'place'], [place])
  labelled(description, self, [bf('note'), bf('Note'), 'note'], repository.values('description'))
}

const genreForm = [bf('genreForm'), bf('GenreForm')] as const

/** A concept with its label. */
function concept(
  { add, types }: Description,
  subject: NamedNode,
  [predicate, type]: readonly [NamedNode, NamedNode],
  { uri, label }: LabelledCode,
): void {
  const node = iri(uri)
  add(subject, predicate, node)
  types(node, type)
  add(node, rdfs('label'), stringLiteral(label))
}

/** A node with a type, a name and a label for each text that is not empty. */
function labelled(
  description: Description,
  subject: NamedNode,
  [predicate, type, name]: readonly [NamedNode, NamedNode, string],
  values: readonly string[],
): void {
  const texts = [...new Set(values)].filter((text) => text !== '')
  for (const [index, text] of texts.entries())
    description.label(description.node(subject, predicate, numbered(name, index), type), text)
}
