// Describes the catalogue as a dataset, in VoID and DCAT: what it has and where to get it
// (docs/reference/rdf-formats.md, "Dataset description").

import { dcterms, foaf, prefixes, rdf, vcard } from '../rdf/namespaces.js'
import {
  type Literal,
  type NamedNode,
  type Quad,
  compareCodePoints,
  dateTime,
  integer,
  iri,
  stringLiteral,
} from '../rdf/terms.js'
import { DataFactory } from 'n3'
import type { Iris, ResourceName } from './iris.js'
import { resourceNames } from './iris.js'
import { type LinkTarget, ownVocabularies } from './link-targets.js'
import type { Resources } from './resources.js'

export type DumpFile = {
  readonly path: string
  readonly title: string
  readonly format: 'ntriples' | 'turtle'
  readonly type: string
  /** Its name in the table of file types, below. */
  readonly fileType: string
}

export const dumpFiles: readonly DumpFile[] = [
  {
    path: '/dumps/catalogue.nt.gz',
    title: 'The whole catalogue as N-Triples',
    format: 'ntriples',
    type: 'application/n-triples',
    fileType: 'RDF_N_TRIPLES',
  },
  {
    path: '/dumps/catalogue.ttl.gz',
    title: 'The whole catalogue as Turtle',
    format: 'turtle',
    type: 'text/turtle',
    fileType: 'RDF_TURTLE',
  },
]

/** Where programs ask for records. */
const queryServices = [
  {
    name: 'api',
    path: '/api/',
    title: 'The records over HTTP',
    standard: undefined,
    describedAt: '/api/schema/',
    fileType: 'JSON',
  },
  {
    name: 'sparql',
    path: '/sparql',
    title: 'SPARQL endpoint',
    standard: 'http://www.w3.org/TR/sparql11-protocol/',
    // Without a query it answers its description.
    describedAt: '/sparql',
    fileType: 'SPARQLQRES',
  },
] as const

/** The feeds that tell programs what changed. */
export const changeFeeds = [
  {
    name: 'changes',
    path: '/api/changes/',
    page: '/api/changes/',
    describedAt: '/api/schema/',
    fileType: 'JSON',
    title: 'Changes of records as JSON',
    standard: undefined,
  },
  {
    name: 'activity',
    path: '/activity/',
    page: '/activity/',
    describedAt: '/activity/',
    fileType: 'JSON_LD',
    title: 'Changes of records as IIIF Change Discovery',
    standard: 'https://iiif.io/api/discovery/1.0/',
  },
  {
    name: 'event-stream',
    path: '/ldes',
    page: '/ldes',
    describedAt: '/ldes',
    fileType: 'RDF_TURTLE',
    title: 'Changes of records as a Linked Data Event Stream',
    standard: 'https://w3id.org/ldes/specification',
  },
  {
    name: 'oai-pmh',
    path: '/oai',
    page: '/oai?verb=Identify',
    describedAt: '/oai?verb=Identify',
    fileType: 'XML',
    title: 'Records and their changes by OAI-PMH',
    standard: 'http://www.openarchives.org/OAI/openarchivesprotocol.html',
  },
] as const

/** How many triples with a property link to another dataset. */
export type LinkCount = {
  readonly target: LinkTarget
  readonly property: string
  readonly triples: number
}

/** How many triples a graph has, and how many of them link to other datasets. */
export type TripleCounts = { readonly triples: number; readonly links: readonly LinkCount[] }

/** The counts of the public graphs; those of the records are not known over a remote store. */
export type GraphCounts = {
  readonly records: TripleCounts | undefined
  readonly vocabularies: TripleCounts
}

/** What the description says beyond the model. */
export type DatasetDescription = {
  readonly title: string
  readonly description: string
  /** The URL of the licence. */
  readonly license: string
  readonly publisher: string
  /** Where the publisher can be reached: a URL, also a `mailto:` one. */
  readonly contact: string | undefined
  /** How often the data change: a name of the authority table that `frequencies` has. */
  readonly updateFrequency: keyof typeof frequencies
  /** How many records of each resource there are. */
  readonly counts: Readonly<Record<ResourceName, number>>
  /**
   * The times of the first creation and of the last change; undefined while there are no records.
   */
  readonly issued: string | undefined
  readonly modified: string | undefined
  readonly graphs: GraphCounts
}

/** The frequencies of the Publications Office of the European Union, which DCAT-AP prescribes. */
const frequencies = {
  continuous: 'UPDATE_CONT',
  daily: 'DAILY',
  weekly: 'WEEKLY',
  monthly: 'MONTHLY',
  quarterly: 'QUARTERLY',
  annual: 'ANNUAL',
  irregular: 'IRREG',
} as const

/** The tables of the Publications Office, whose names DCAT-AP takes. */
const euTable = (table: string, name: string): NamedNode =>
  iri(`http://publications.europa.eu/resource/authority/${table}/${name}`)

const keywords = ['zines', 'fanzines', 'self-publishing', 'small press', 'library catalogue']

export const dcatNamespace = 'http://www.w3.org/ns/dcat#'

const dcat = (name: string): NamedNode => iri(dcatNamespace + name)
const voidTerm = (name: string): NamedNode => iri(prefixes.void + name)

/** The quads of the description, in the default graph. */
export function describeDataset(
  dataset: DatasetDescription,
  resources: Resources,
  { base, shapes, thing, graphs }: Iris,
): Quad[] {
  const self = iri(`${base}/dataset`)
  const part = (name: string): NamedNode => iri(`${self.value}#${name}`)
  const at = (path: string): NamedNode => iri(base + path)
  const dumps = dumpFiles.map((file) => ({ ...file, node: part(file.format) }))
  const time = (value: string | undefined): Literal[] =>
    value === undefined ? [] : [dateTime(value)]

  const { records, vocabularies } = dataset.graphs
  const linksets = addLinks([...(records?.links ?? []), ...vocabularies.links]).map((link) => ({
    ...link,
    node: part(`${link.target.name}-${localName(link.property)}`),
  }))
  const own = ownVocabularies(base)
  const targets = new Map(
    linksets
      .filter(({ target }) => target.name !== own.name)
      .map(({ target }) => [target.name, target]),
  )
  const triples = (count: number | undefined): Literal[] =>
    count === undefined ? [] : [integer(count)]

  const nodes: readonly Node[] = [
    [
      self,
      [
        [rdf('type'), voidTerm('Dataset'), dcat('Dataset')],
        [dcterms('title'), stringLiteral(dataset.title)],
        [dcterms('description'), stringLiteral(dataset.description)],
        [dcterms('license'), iri(dataset.license)],
        [dcat('keyword'), ...keywords.map((word) => DataFactory.literal(word, 'en'))],
        // That of labels and descriptions; each zine has languages of its own.
        [dcterms('language'), euTable('language', 'ENG')],
        [dcterms('issued'), ...time(dataset.issued)],
        [dcterms('modified'), ...time(dataset.modified)],
        [dcterms('publisher'), part('publisher')],
        [dcat('contactPoint'), ...(dataset.contact === undefined ? [] : [part('contact')])],
        [dcterms('accrualPeriodicity'), euTable('frequency', frequencies[dataset.updateFrequency])],
        [dcterms('conformsTo'), iri(shapes)],
        [foaf('homepage'), at('/api/')],
        [dcat('landingPage'), at('/api/')],
        [voidTerm('uriSpace'), stringLiteral(`${base}/id/`)],
        [voidTerm('sparqlEndpoint'), at('/sparql')],
        [voidTerm('dataDump'), ...dumps.map(({ path }) => at(path))],
        [voidTerm('entities'), integer(sum(Object.values(dataset.counts)))],
        [voidTerm('triples'), ...triples(records && records.triples + vocabularies.triples)],
        [
          voidTerm('subset'),
          graphs.public,
          graphs.vocabularies,
          ...linksets.map(({ node }) => node),
        ],
        [voidTerm('vocabulary'), ...usedNamespaces(resources, base).map(iri)],
        [voidTerm('classPartition'), ...resourceNames.map(part)],
        [dcat('themeTaxonomy'), at('/vocabularies/subjects')],
        [
          dcat('distribution'),
          ...dumps.map(({ node }) => node),
          ...[...queryServices, ...changeFeeds].map(({ name }) => part(name)),
        ],
      ],
    ],
    [
      part('publisher'),
      [
        [rdf('type'), foaf('Agent')],
        [foaf('name'), stringLiteral(dataset.publisher)],
        [foaf('homepage'), at('/api/')],
      ],
    ],
    ...contactNodes(part('contact'), dataset),
    [
      graphs.public,
      [
        [rdf('type'), voidTerm('Dataset')],
        [dcterms('title'), stringLiteral('The records: zines, agents, repositories and holdings')],
        [dcterms('license'), iri(dataset.license)],
        [voidTerm('sparqlEndpoint'), at('/sparql')],
        [voidTerm('triples'), ...triples(records?.triples)],
      ],
    ],
    [
      graphs.vocabularies,
      [
        [rdf('type'), voidTerm('Dataset')],
        [dcterms('title'), stringLiteral(own.title)],
        [voidTerm('uriSpace'), ...own.namespaces.map(stringLiteral)],
        [voidTerm('sparqlEndpoint'), at('/sparql')],
        [voidTerm('triples'), ...triples(vocabularies.triples)],
      ],
    ],
    ...linksets.map(({ node, target, property, triples: count }): Node => [
      node,
      [
        [rdf('type'), voidTerm('Linkset')],
        ...(target.name === own.name
          ? ([
              [voidTerm('subjectsTarget'), graphs.public],
              [voidTerm('objectsTarget'), graphs.vocabularies],
            ] as const)
          : ([
              [voidTerm('subjectsTarget'), self],
              [voidTerm('objectsTarget'), part(target.name)],
            ] as const)),
        [voidTerm('linkPredicate'), iri(property)],
        [voidTerm('triples'), integer(count)],
      ],
    ]),
    ...[...targets.values()].map(({ name, title, homepage, namespaces }): Node => [
      part(name),
      [
        [rdf('type'), voidTerm('Dataset')],
        [dcterms('title'), stringLiteral(title)],
        [foaf('homepage'), iri(homepage)],
        [voidTerm('uriSpace'), ...namespaces.map(stringLiteral)],
      ],
    ]),
    ...resourceNames.map((name): Node => [
      part(name),
      [
        [rdf('type'), voidTerm('Dataset')],
        [dcterms('title'), stringLiteral(resources[name].description.replace(/\.$/, ''))],
        [voidTerm('class'), resources[name].class],
        [voidTerm('entities'), integer(dataset.counts[name])],
        [voidTerm('uriSpace'), stringLiteral(thing(name, '').value)],
      ],
    ]),
    ...dumps.map(({ node, path, title, type, fileType }): Node => [
      node,
      [
        [rdf('type'), dcat('Distribution')],
        [dcterms('title'), stringLiteral(title)],
        [dcterms('license'), iri(dataset.license)],
        [dcterms('format'), euTable('file-type', fileType)],
        [dcat('accessURL'), at(path)],
        [dcat('downloadURL'), at(path)],
        [dcat('mediaType'), mediaType(type)],
        [dcat('compressFormat'), mediaType('application/gzip')],
      ],
    ]),
    ...[...queryServices, ...changeFeeds].flatMap(
      ({ name, path, title, standard, describedAt, fileType }): Node[] => [
        [
          part(name),
          [
            [rdf('type'), dcat('Distribution')],
            [dcterms('title'), stringLiteral(title)],
            [dcterms('license'), iri(dataset.license)],
            [dcterms('format'), euTable('file-type', fileType)],
            [dcat('accessURL'), at(path)],
            [dcat('accessService'), part(`${name}-service`)],
          ],
        ],
        [
          part(`${name}-service`),
          [
            [rdf('type'), dcat('DataService')],
            [dcterms('title'), stringLiteral(title)],
            [dcat('endpointURL'), at(path)],
            [dcat('endpointDescription'), at(describedAt)],
            [dcterms('conformsTo'), ...(standard === undefined ? [] : [iri(standard)])],
            [dcat('servesDataset'), self],
          ],
        ],
      ],
    ),
  ]
  return nodes.flatMap(([subject, properties]) =>
    properties.flatMap(([predicate, ...objects]) =>
      objects.map((object) => DataFactory.quad(subject, predicate, object)),
    ),
  )
}

/** An address of e-mail is a `mailto:` URL; any other one is a page. */
const contactNodes = (
  node: NamedNode,
  { contact, publisher }: Pick<DatasetDescription, 'contact' | 'publisher'>,
): readonly Node[] =>
  contact === undefined
    ? []
    : [
        [
          node,
          [
            [rdf('type'), vcard('Kind')],
            [vcard('fn'), stringLiteral(publisher)],
            [vcard(contact.startsWith('mailto:') ? 'hasEmail' : 'hasURL'), iri(contact)],
          ],
        ],
      ]

type PropertyList = readonly (readonly [
  predicate: NamedNode,
  ...objects: (NamedNode | Literal)[],
])[]

type Node = readonly [NamedNode, PropertyList]

/** One count for each target and property. */
function addLinks(links: readonly LinkCount[]): readonly LinkCount[] {
  const sums = new Map<string, LinkCount>()
  for (const link of links) {
    const key = `${link.target.name} ${link.property}`
    sums.set(key, { ...link, triples: link.triples + (sums.get(key)?.triples ?? 0) })
  }
  return [...sums].sort(([a], [b]) => compareCodePoints(a, b)).map(([, link]) => link)
}

const localName = (property: string): string => property.replace(/^.*[#/]/, '')

const mediaType = (type: string): NamedNode =>
  iri(`https://www.iana.org/assignments/media-types/${type}`)

/** The namespaces of all properties and classes of records, our own included. */
function usedNamespaces(resources: Resources, base: string): string[] {
  const terms = Object.values(resources).flatMap(({ fields, class: type }) => [
    type.value,
    ...fields.flatMap(({ path }) => path.map(({ value }) => value)),
  ])
  const known = [...Object.values(prefixes), `${base}/ns#`]
  return known.filter((namespace) => terms.some((term) => term.startsWith(namespace)))
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0)
