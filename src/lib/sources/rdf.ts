// Reads RDF (Turtle, N-Triples and JSON-LD) whose records describe zines or other works. A row is a
// work; the source fields are called by the prefixed names of its properties. It runs in a thread
// (document-worker.ts).

import jsonld, { type JsonLdDocument } from 'jsonld'
import { Parser } from 'n3'

import type { Quad, Term } from '@rdfjs/types'

import { prefixes } from '../rdf-prefixes.js'
import { withSeasonName } from './reference-fields.js'
import { type SourceField, type SourcePart, type SourceRow, textField } from './source.js'

/** Prefixes that others use, beside ours. */
const knownPrefixes: Readonly<Record<string, string>> = {
  ...prefixes,
  dc: 'http://purl.org/dc/elements/1.1/',
  o: 'http://omeka.org/s/vocabs/o#',
}

/** @throws the error of a parser */
export async function readRdf(text: string): Promise<readonly SourceRow[]> {
  const quads = /^\s*[[{]/.test(text) ? await parseJsonLd(text) : new Parser().parse(text)
  return new RdfReader(quads).rows()
}

async function parseJsonLd(text: string): Promise<readonly Quad[]> {
  const document = JSON.parse(text) as JsonLdDocument
  const quads = await jsonld.toRDF(document, { documentLoader, base: 'urn:document' })
  // The types say that it may be a text, which is made only where a format is asked for.
  return quads as unknown as readonly Quad[]
}

/**
 * Nothing is fetched. Of a context that a document names, the usual prefixes are known; schema.org
 * needs none.
 */
const documentLoader = (url: string) =>
  Promise.resolve({
    contextUrl: undefined,
    documentUrl: url,
    document: {
      '@context': {
        ...knownPrefixes,
        display_title: `${prefixes.rdfs}label`,
        ...(/^https?:\/\/schema\.org/.test(url) ? { '@vocab': prefixes.schema } : {}),
      },
    },
  })

const prefixesByNamespace = new Map(
  Object.entries(knownPrefixes).map(([prefix, namespace]) => [namespace, prefix]),
)

/** `dcterms:title`; each service of this kind has a namespace of its own for `zc`. */
function prefixedName(iri: string): string {
  const end = Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1
  const namespace = iri.slice(0, end).replace(/^https:\/\/schema\.org/, 'http://schema.org')
  const prefix = namespace.endsWith('/ns#') ? 'zc' : prefixesByNamespace.get(namespace)
  return prefix === undefined ? iri : `${prefix}:${iri.slice(end)}`
}

/** The quads of a JSON-LD processor have no `equals`. */
const isSame = (a: Term, b: Term): boolean => a.termType === b.termType && a.value === b.value

const titleNames = ['dcterms:title', 'dc:title', 'schema:name', 'schema:headline', 'bf:title']

/** What is told of a thing that a work names. */
const labelNames = [
  'foaf:name',
  'schema:name',
  'skos:prefLabel',
  'rdfs:label',
  'rdf:value',
  'dcterms:title',
]

/** Things with a title that are no works. */
const otherTypes =
  /(?:Agent|Person|Group|Organization|Concept|ConceptScheme|DefinedTerm|Collection|PartialCollectionView|Dataset|DataCatalog|Distribution|ItemList|Place|bf:Item|ItemSet|Media|Title|ArchiveComponent|Document)$/

const typesOfPeople = ['foaf:Person', 'schema:Person', 'bf:Person']
const typesOfGroups = ['foaf:Group', 'foaf:Organization', 'schema:Organization', 'bf:Organization']

/** In RDF, values have no order; these lists of ours say that of others. */
const orders: readonly (readonly [string, string])[] = [
  ['dcterms:creator', 'bibo:authorList'],
  ['dcterms:contributor', 'bibo:contributorList'],
]

/** A thing inside of a thing, such as the place in a publication. */
const maxDepth = 4

class RdfReader {
  /** The values of each property of each thing. */
  readonly #things = new Map<string, Map<string, Term[]>>()

  constructor(quads: readonly Quad[]) {
    for (const { subject, predicate, object } of quads) {
      const properties = this.#things.get(subject.value) ?? new Map<string, Term[]>()
      this.#things.set(subject.value, properties)
      const name = prefixedName(predicate.value)
      const values = properties.get(name) ?? []
      properties.set(name, values)
      if (values.every((value) => !isSame(value, object))) values.push(object)
    }
  }

  /**
   * The works that are described for their own sake, and not as something that another thing names.
   */
  rows(): readonly SourceRow[] {
    const things = [...this.#things.keys()]
    const works = things.filter((thing) => this.#isWork(thing))
    const named = new Set(things.flatMap((thing) => this.#namedBy(thing)))
    const roots = works.filter((work) => !named.has(work))
    return (roots.length > 0 ? roots : works).map((work, index) => ({
      number: index + 1,
      fields: this.#fieldsOf(work),
      remarks: [],
    }))
  }

  #valuesOf(thing: string, name: string): readonly Term[] {
    return this.#things.get(thing)?.get(name) ?? []
  }

  #typesOf(thing: string): readonly string[] {
    return this.#valuesOf(thing, 'rdf:type').map(({ value }) => prefixedName(value))
  }

  #isWork(thing: string): boolean {
    const types = this.#typesOf(thing)
    return (
      titleNames.some((name) => this.#valuesOf(thing, name).length > 0) &&
      (types.includes('bibo:Document') || types.every((type) => !otherTypes.test(type))) &&
      // An instance says all of its work.
      this.#valuesOf(thing, 'bf:hasInstance').length === 0
    )
  }

  #namedBy(thing: string): readonly string[] {
    return [...(this.#things.get(thing) ?? [])].flatMap(([name, values]) =>
      inverseNames.includes(name) ? [] : values.map(({ value }) => value),
    )
  }

  #fieldsOf(work: string): readonly SourceField[] {
    return [
      ...(/^https?:/.test(work) ? [textField('iri', work)] : []),
      ...this.#valuesOf(work, 'bf:instanceOf')
        .flatMap(({ value }) => this.#propertiesOf(value, '', [work]))
        .filter(({ name }) => !name.startsWith('bf:title.')),
      ...this.#propertiesOf(work, '', []),
    ]
  }

  #propertiesOf(thing: string, path: string, within: readonly string[]): readonly SourceField[] {
    if (within.includes(thing) || within.length >= maxDepth) return []
    const inside = [...within, thing]
    return [...(this.#things.get(thing)?.keys() ?? [])]
      .filter((name) => !hiddenNames.includes(name))
      .flatMap((name) =>
        this.#inOrder(thing, name).flatMap((value) => this.#toFields(path + name, value, inside)),
      )
  }

  #toFields(name: string, term: Term, within: readonly string[]): readonly SourceField[] {
    if (term.termType === 'Literal') {
      const isEdtf = term.datatype.value === `${prefixes.edtf}EDTF`
      const text = isEdtf ? withSeasonName(term.value) : term.value
      return text.trim() === '' ? [] : [textField(name, text)]
    }
    if (name.endsWith('bf:contribution')) return this.#contributionOf(name, term.value)
    const label = this.#labelOf(term.value)
    if (label !== undefined)
      return [{ ...textField(this.#typed(name, term.value), label), ...this.#kindOf(term.value) }]
    if (this.#things.has(term.value))
      return this.#propertiesOf(term.value, `${this.#typed(name, term.value)}.`, within)
    return term.termType === 'NamedNode' ? [textField(name, codeOf(term.value))] : []
  }

  #labelOf(thing: string): string | undefined {
    return labelNames
      .flatMap((name) => this.#valuesOf(thing, name))
      .find(({ termType }) => termType === 'Literal')?.value
  }

  /** Identifiers of BIBFRAME, and other titles, are told apart by their types. */
  #typed(name: string, thing: string): string {
    const [type] = this.#typesOf(thing).filter((each) => each !== 'bf:Title')
    return typedNames.includes(name) && type !== undefined ? `${name}[${type}]` : name
  }

  /** A name as the part `a`, with its roles as parts `r`. */
  #contributionOf(name: string, contribution: string): readonly SourceField[] {
    const roles = this.#valuesOf(contribution, 'bf:role').map(({ value }): SourcePart => ({
      code: 'r',
      text: this.#labelOf(value) ?? codeOf(value),
    }))
    return this.#valuesOf(contribution, 'bf:agent').flatMap(({ value }) => {
      const text = this.#labelOf(value)
      if (text === undefined) return []
      return [{ name, parts: [{ code: 'a', text }, ...roles], ...this.#kindOf(value) }]
    })
  }

  #kindOf(thing: string): Pick<SourceField, 'agentKind'> {
    const types = this.#typesOf(thing)
    if (types.some((type) => typesOfPeople.includes(type))) return { agentKind: 'Person' }
    if (types.some((type) => typesOfGroups.includes(type))) return { agentKind: 'Collective' }
    return {}
  }

  #inOrder(thing: string, name: string): readonly Term[] {
    const values = this.#valuesOf(thing, name)
    const list = orders.find(([ordered]) => ordered === name)?.[1]
    const order = list === undefined ? [] : this.#listOf(this.#valuesOf(thing, list)[0]?.value)
    if (order.length === 0) return values
    return values.toSorted((a, b) => order.indexOf(a.value) - order.indexOf(b.value))
  }

  #listOf(first: string | undefined): readonly string[] {
    const members: string[] = []
    const seen = new Set<string>()
    for (let node = first; node !== undefined && !seen.has(node);) {
      seen.add(node)
      members.push(...this.#valuesOf(node, 'rdf:first').map(({ value }) => value))
      node = this.#valuesOf(node, 'rdf:rest')[0]?.value
    }
    return members
  }
}

const typedNames = ['bf:identifiedBy', 'bf:title']

/** Properties of a whole, a record or a copy, whose values are described for their own sake. */
const inverseNames = [
  'foaf:primaryTopic',
  'bf:hasInstance',
  'bf:itemOf',
  'schema:exampleOfWork',
  'schema:itemListElement',
  'schema:hasPart',
  'dcterms:hasPart',
  'hydra:member',
]

/** The lists that give others their order, and what says nothing of a zine. */
const hiddenNames = [
  'rdf:type',
  'bf:instanceOf',
  'bf:hasInstance',
  'wdrs:describedby',
  ...orders.map(([, list]) => list),
]

/** The code in the IRI of a language or of a term; another IRI as it is. */
const codeOf = (iri: string): string =>
  /^https?:\/\/(?:id\.loc\.gov\/vocabulary\/[\w-]+\/|[^?]*\/vocabularies\/[\w-]+#)([\w.-]+)$/.exec(
    iri,
  )?.[1] ?? iri
