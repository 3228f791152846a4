// Describes the catalogue as a dataset, in VoID and DCAT: what it has and where to get it
// (docs/reference/rdf-formats.md, "Dataset description").

import { dcterms, foaf, prefixes, rdf, rdfs, vcard } from '../rdf/namespaces.js'
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
import { type DescribedNode, type DescribedProperty, dcat, mediaType, quadsOf } from './dcat.js'
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

/** A file of a release: the data as they were at one time (features/dataset/releases/). */
export type ReleaseFileKind = {
  readonly name: string
  readonly title: string
  readonly type: string
}

/** The name of the Parquet file with the records of a kind. */
export const parquetName = (name: ResourceName): string => `${name}.parquet`

const parquetTitles: Readonly<Record<ResourceName, string>> = {
  zines: 'The zines as a Parquet file',
  agents: 'The makers as a Parquet file',
  repositories: 'The libraries as a Parquet file',
  holdings: 'The copies as a Parquet file',
}

export const releaseFileKinds: readonly ReleaseFileKind[] = [
  {
    name: 'catalogue.sqlite',
    title: 'The records as an SQLite database',
    type: 'application/vnd.sqlite3',
  },
  ...resourceNames.map((name) => ({
    name: parquetName(name),
    title: parquetTitles[name],
    type: 'application/vnd.apache.parquet',
  })),
  {
    name: 'catalogue-csv.zip',
    title: 'The records as CSV, with descriptions of the columns',
    type: 'application/zip',
  },
  {
    name: 'ro-crate-metadata.json',
    title: 'Description of the files (RO-Crate)',
    type: 'application/ld+json',
  },
  {
    name: 'CITATION.cff',
    title: 'How to cite (Citation File Format)',
    type: 'application/yaml',
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

const voidTerm = (name: string): NamedNode => iri(prefixes.void + name)

/** The quads of the description, in the default graph. */
export function describeDataset(
  dataset: DatasetDescription,
  resources: Resources,
  iris: Iris,
): Quad[] {
  return quadsOf(new Description(dataset, resources, iris).nodes())
}

/** The nodes of the dumps, as distributions of the dataset. */
export const dumpNodes = ({ base }: Iris, license: string): readonly DescribedNode[] =>
  dumpFiles.map(({ format, path, title, type, fileType }) => [
    dumpNode(base, format),
    [
      [rdf('type'), dcat('Distribution')],
      [dcterms('title'), stringLiteral(title)],
      [dcterms('license'), iri(license)],
      [dcterms('format'), euTable('file-type', fileType)],
      [dcat('accessURL'), iri(base + path)],
      [dcat('downloadURL'), iri(base + path)],
      [dcat('mediaType'), mediaType(type)],
      [dcat('compressFormat'), mediaType('application/gzip')],
    ],
  ])

export const dumpNode = (base: string, format: DumpFile['format']): NamedNode =>
  iri(`${base}/dataset#${format}`)

/** How many triples with a property link to another dataset, and the node that says it. */
type Linkset = LinkCount & { readonly node: NamedNode }

class Description {
  readonly #dataset: DatasetDescription
  readonly #resources: Resources
  readonly #iris: Iris
  /** The node of the whole dataset. */
  readonly #self: NamedNode
  /** The license, as a property of each part. */
  readonly #license: DescribedProperty
  readonly #sparqlEndpoint: DescribedProperty
  readonly #ownVocabularies: ReturnType<typeof ownVocabularies>
  readonly #linksets: readonly Linkset[]

  constructor(dataset: DatasetDescription, resources: Resources, iris: Iris) {
    const { records, vocabularies } = dataset.graphs
    this.#dataset = dataset
    this.#resources = resources
    this.#iris = iris
    this.#self = iri(`${iris.base}/dataset`)
    this.#license = [dcterms('license'), iri(dataset.license)]
    this.#sparqlEndpoint = [voidTerm('sparqlEndpoint'), this.#at('/sparql')]
    this.#ownVocabularies = ownVocabularies(iris.base)
    this.#linksets = addLinks([...(records?.links ?? []), ...vocabularies.links]).map((link) => ({
      ...link,
      node: this.#part(`${link.target.name}-${localName(link.property)}`),
    }))
  }

  nodes(): readonly DescribedNode[] {
    return [
      this.#wholeDataset(),
      this.#publisher(),
      ...this.#contact(),
      this.#recordsGraph(),
      this.#vocabulariesGraph(),
      ...this.#linksets.map((linkset) => this.#linkset(linkset)),
      ...this.#targets().map((target) => this.#target(target)),
      ...resourceNames.map((name) => this.#classPartition(name)),
      ...dumpNodes(this.#iris, this.#dataset.license),
      ...[...queryServices, ...changeFeeds].flatMap((service) => this.#service(service)),
    ]
  }

  #part(name: string): NamedNode {
    return iri(`${this.#self.value}#${name}`)
  }

  #at(path: string): NamedNode {
    return iri(this.#iris.base + path)
  }

  #wholeDataset(): DescribedNode {
    const dataset = this.#dataset
    const { records, vocabularies } = dataset.graphs
    const { base, shapes, graphs } = this.#iris
    return [
      this.#self,
      [
        [rdf('type'), voidTerm('Dataset'), dcat('Dataset')],
        [dcterms('title'), stringLiteral(dataset.title)],
        [dcterms('description'), stringLiteral(dataset.description)],
        this.#license,
        [dcat('keyword'), ...keywords.map((word) => DataFactory.literal(word, 'en'))],
        // That of labels and descriptions; each zine has languages of its own.
        [dcterms('language'), euTable('language', 'ENG')],
        [dcterms('issued'), ...time(dataset.issued)],
        [dcterms('modified'), ...time(dataset.modified)],
        [dcterms('publisher'), this.#part('publisher')],
        [dcat('contactPoint'), ...(dataset.contact === undefined ? [] : [this.#part('contact')])],
        [dcterms('accrualPeriodicity'), euTable('frequency', frequencies[dataset.updateFrequency])],
        [dcterms('conformsTo'), iri(shapes)],
        [foaf('homepage'), this.#at('/api/')],
        [dcat('landingPage'), this.#at('/api/')],
        [voidTerm('uriSpace'), stringLiteral(`${base}/id/`)],
        this.#sparqlEndpoint,
        [voidTerm('dataDump'), ...dumpFiles.map(({ path }) => this.#at(path))],
        [voidTerm('entities'), integer(sum(Object.values(dataset.counts)))],
        [voidTerm('triples'), ...triples(records && records.triples + vocabularies.triples)],
        [
          voidTerm('subset'),
          graphs.public,
          graphs.vocabularies,
          ...this.#linksets.map(({ node }) => node),
        ],
        [voidTerm('vocabulary'), ...usedNamespaces(this.#resources, base).map(iri)],
        [voidTerm('classPartition'), ...resourceNames.map((name) => this.#part(name))],
        [dcat('themeTaxonomy'), this.#at('/vocabularies/subjects')],
        [rdfs('seeAlso'), this.#at('/dumps/')],
        [
          dcat('distribution'),
          ...dumpFiles.map(({ format }) => dumpNode(base, format)),
          ...[...queryServices, ...changeFeeds].map(({ name }) => this.#part(name)),
        ],
      ],
    ]
  }

  #publisher(): DescribedNode {
    return [
      this.#part('publisher'),
      [
        [rdf('type'), foaf('Agent')],
        [foaf('name'), stringLiteral(this.#dataset.publisher)],
        [foaf('homepage'), this.#at('/api/')],
      ],
    ]
  }

  /** An address of e-mail is a `mailto:` URL; any other one is a page. */
  #contact(): readonly DescribedNode[] {
    const { contact, publisher } = this.#dataset
    if (contact === undefined) return []
    return [
      [
        this.#part('contact'),
        [
          [rdf('type'), vcard('Kind')],
          [vcard('fn'), stringLiteral(publisher)],
          [vcard(contact.startsWith('mailto:') ? 'hasEmail' : 'hasURL'), iri(contact)],
        ],
      ],
    ]
  }

  #recordsGraph(): DescribedNode {
    return [
      this.#iris.graphs.public,
      [
        [rdf('type'), voidTerm('Dataset')],
        [dcterms('title'), stringLiteral('The records: zines, agents, repositories and holdings')],
        this.#license,
        this.#sparqlEndpoint,
        [voidTerm('triples'), ...triples(this.#dataset.graphs.records?.triples)],
      ],
    ]
  }

  #vocabulariesGraph(): DescribedNode {
    return [
      this.#iris.graphs.vocabularies,
      [
        [rdf('type'), voidTerm('Dataset')],
        [dcterms('title'), stringLiteral(this.#ownVocabularies.title)],
        [voidTerm('uriSpace'), ...this.#ownVocabularies.namespaces.map(stringLiteral)],
        this.#sparqlEndpoint,
        [voidTerm('triples'), ...triples(this.#dataset.graphs.vocabularies.triples)],
      ],
    ]
  }

  #linkset({ node, target, property, triples: count }: Linkset): DescribedNode {
    const isOwn = target.name === this.#ownVocabularies.name
    const { public: records, vocabularies } = this.#iris.graphs
    return [
      node,
      [
        [rdf('type'), voidTerm('Linkset')],
        [voidTerm('subjectsTarget'), isOwn ? records : this.#self],
        [voidTerm('objectsTarget'), isOwn ? vocabularies : this.#part(target.name)],
        [voidTerm('linkPredicate'), iri(property)],
        [voidTerm('triples'), integer(count)],
      ],
    ]
  }

  /** The datasets of others that are linked to, each once. */
  #targets(): readonly LinkTarget[] {
    const targets = this.#linksets.map(({ target }) => target)
    const others = targets.filter(({ name }) => name !== this.#ownVocabularies.name)
    return [...new Map(others.map((target) => [target.name, target])).values()]
  }

  #target({ name, title, homepage, namespaces }: LinkTarget): DescribedNode {
    return [
      this.#part(name),
      [
        [rdf('type'), voidTerm('Dataset')],
        [dcterms('title'), stringLiteral(title)],
        [foaf('homepage'), iri(homepage)],
        [voidTerm('uriSpace'), ...namespaces.map(stringLiteral)],
      ],
    ]
  }

  #classPartition(name: ResourceName): DescribedNode {
    const { description, class: type } = this.#resources[name]
    return [
      this.#part(name),
      [
        [rdf('type'), voidTerm('Dataset')],
        [dcterms('title'), stringLiteral(description.replace(/\.$/, ''))],
        [voidTerm('class'), type],
        [voidTerm('entities'), integer(this.#dataset.counts[name])],
        [voidTerm('uriSpace'), stringLiteral(this.#iris.thing(name, '').value)],
      ],
    ]
  }

  /** What a service gives, and the service itself. */
  #service(service: (typeof queryServices | typeof changeFeeds)[number]): readonly DescribedNode[] {
    const { name, path, title, standard, describedAt, fileType } = service
    return [
      [
        this.#part(name),
        [
          [rdf('type'), dcat('Distribution')],
          [dcterms('title'), stringLiteral(title)],
          this.#license,
          [dcterms('format'), euTable('file-type', fileType)],
          [dcat('accessURL'), this.#at(path)],
          [dcat('accessService'), this.#part(`${name}-service`)],
        ],
      ],
      [
        this.#part(`${name}-service`),
        [
          [rdf('type'), dcat('DataService')],
          [dcterms('title'), stringLiteral(title)],
          [dcat('endpointURL'), this.#at(path)],
          [dcat('endpointDescription'), this.#at(describedAt)],
          [dcterms('conformsTo'), ...(standard === undefined ? [] : [iri(standard)])],
          [dcat('servesDataset'), this.#self],
        ],
      ],
    ]
  }
}

const time = (value: string | undefined): readonly Literal[] =>
  value === undefined ? [] : [dateTime(value)]

const triples = (count: number | undefined): readonly Literal[] =>
  count === undefined ? [] : [integer(count)]

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
