// The JSON-LD context: what the keys of our JSON mean, made of the same facts as the JSON itself. A
// word has one meaning here; where a record's key means or holds something else than the word says,
// the record's own context takes the word back, and a full name says it.

import type { Field } from '../../model/resources.js'
import type { RdfMapper } from '../../model/record/rdf-mapper.js'
import { iri } from '../../rdf/terms.js'
import type { NamedNode, Literal } from '../../rdf/terms.js'
import { prefixesUnder } from '../../rdf/namespaces.js'
import { createPrefixer } from '../rdf/prefixed-names.js'
import type { GraphBuilderDependencies } from '../rdf/record-graph.js'
import { aliases } from './nodes.js'

export const contextPath = '/api/context.jsonld'

/** Where the context of a base is served. */
export const contextIri = (base: string): string => `${base}${contextPath}`

export type TermDefinition = { readonly '@id': string } & Readonly<Record<string, unknown>>

/** What a key means; null for one that a JSON-LD reader passes over. */
export type TermDefinitions = Readonly<Record<string, TermDefinition | string | null>>

export type JsonLdContext = ReturnType<typeof createJsonLdContext>

export function createJsonLdContext({ iris, resources, mapper }: GraphBuilderDependencies) {
  const prefixes = prefixesUnder(iris.base)
  const compact = createPrefixer(prefixes)
  const definitions = new Map<string, TermDefinition | null>()
  for (const field of Object.values(resources).flatMap((resource) => resource.fields))
    if (!definitions.has(field.outputName)) definitions.set(field.outputName, define(field))

  function define(field: Field): TermDefinition | null {
    const [property, ...further] = field.path
    // What the record says, and what a part of the thing says, stands in a node of its own.
    if (!property || further.length > 0 || field.onRecordNode) return null
    const id = compact(property.value)?.join(':') ?? property.value
    return {
      '@id': id,
      ...coercion(field, property),
      ...(field.repeatable ? { '@container': '@set' } : {}),
    }
  }

  return {
    iri: contextIri(iris.base),
    /** The whole document, as it is served. */
    document: JSON.stringify(
      {
        '@context': {
          '@version': 1.1,
          ...prefixes,
          ...Object.fromEntries([...aliases].map(([name, word]) => [word, name])),
          ...words,
          ...Object.fromEntries(definitions),
        },
      },
      undefined,
      2,
    ),
    /** Whether the word in the context says what the lens says of these values. */
    expresses: (field: Field, values: readonly (string | number | boolean)[]): boolean =>
      sameMeaning(definitions.get(field.outputName), define(field)) &&
      values.every((value) => isRead(field, value, mapper)),
    /** Whether a field has a word in it. */
    hasTerm: (field: Field): boolean => define(field) !== null,
  }
}

// The words that are not fields of a record: of lists, of the entries of vocabularies, of places.
const words: TermDefinitions = {
  count: { '@id': 'hydra:totalItems' },
  next: null,
  previous: null,
  results: { '@id': 'hydra:member', '@container': '@set' },
  uri: '@id',
  code: { '@id': 'skos:notation' },
  label: { '@id': 'skos:prefLabel', '@language': 'en' },
  definition: { '@id': 'skos:definition', '@language': 'en' },
  geoname_id: null,
  name: { '@id': 'gn:name' },
  country_code: { '@id': 'gn:countryCode' },
  admin1_code: null,
  latitude: { '@id': 'geo:lat', '@type': 'xsd:double' },
  longitude: { '@id': 'geo:long', '@type': 'xsd:double' },
  population: { '@id': 'gn:population' },
  level: { '@id': 'dcterms:type' },
  parent: null,
}

/** How a string becomes an IRI. */
function coercion(field: Field, property: NamedNode): object {
  if (field.nested) return {}
  const namespace = namespaceOf(field)
  if (namespace !== undefined) {
    const coerced = { '@id': property.value, '@type': '@vocab' }
    // Without the other words: a code may be spelled like one of them, as the role `creator` is.
    const alone = [null, { '@vocab': namespace, [field.outputName]: coerced }]
    return { '@type': '@vocab', '@context': alone }
  }
  return field.kind === 'url' || isAddress(field) ? { '@type': '@id' } : {}
}

/** What the codes of a field follow in the IRIs of their concepts. */
function namespaceOf({ kind, vocabulary, storedAsLiteral, prefix }: Field): string | undefined {
  if (prefix !== undefined) return prefix
  if (kind !== 'code' || storedAsLiteral || !vocabulary) return undefined
  const [entry] = vocabulary.entries
  return entry?.uri.endsWith(entry.code)
    ? entry.uri.slice(0, -entry.code.length)
    : `${vocabulary.scheme.value}#`
}

// A field whose one form is an address, such as that of an ORCID.
const isAddress = ({ kind, pattern }: Field): boolean =>
  kind === 'link' && (pattern?.startsWith('^https://') ?? false)

/** Whether a reader of the context makes of a value the term that the lens makes of it. */
function isRead(field: Field, value: string | number | boolean, mapper: RdfMapper): boolean {
  if (field.nested) return true
  const term = mapper.termOf(field, value)
  const namespace = namespaceOf(field)
  if (namespace !== undefined)
    return isWord(field, String(value)) && isIri(term, `${namespace}${value}`)
  return field.kind === 'url' || isAddress(field)
    ? isIri(term, String(value))
    : term.termType === 'Literal'
}

const isIri = (term: NamedNode | Literal, value: string): boolean => term.equals(iri(value))

// A colon would make it an IRI, an at sign a keyword.
const isWord = (field: Field, value: string): boolean =>
  !value.includes(':') && !value.startsWith('@') && value !== field.outputName

function sameMeaning(
  shared: TermDefinition | null | undefined,
  own: TermDefinition | null | undefined,
): boolean {
  const meaning = (definition: TermDefinition | null | undefined): string =>
    JSON.stringify({ ...definition, '@container': undefined })
  return meaning(shared) === meaning(own)
}
