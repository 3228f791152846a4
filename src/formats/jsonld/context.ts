// Builds the JSON-LD context: the meaning of the keys of the API's JSON, from the same declarations
// as the JSON itself (docs/reference/rdf-formats.md, "JSON-LD and Turtle"). A term has one meaning
// in the context. Where a key of a record means something else, the record's own context sets the
// term to null and jsonld.ts writes the property in full.

import type { Field } from '../../model/resources.js'
import type { RdfMapper } from '../../model/record/rdf-mapper.js'
import { iri } from '../../rdf/terms.js'
import type { NamedNode, Literal } from '../../rdf/terms.js'
import { prefixesUnder } from '../../rdf/namespaces.js'
import { isIriField, namespaceOf } from '../iri-values.js'
import { createPrefixer } from '../rdf/prefixed-names.js'
import type { GraphBuilderDependencies } from '../rdf/record-graph.js'
import { aliases } from './nodes.js'

export const contextPath = '/api/context.jsonld'

/** The address of the context under a base URL. */
export const contextIri = (base: string): string => `${base}${contextPath}`

export type TermDefinition = { readonly '@id': string } & Readonly<Record<string, unknown>>

/** The meanings of keys; null for a key that JSON-LD readers ignore. */
export type TermDefinitions = Readonly<Record<string, TermDefinition | string | null>>

export function createJsonLdContext({ iris, resources, mapper }: GraphBuilderDependencies) {
  const prefixes = prefixesUnder(iris.base)
  const toPrefixedName = createPrefixer(prefixes)
  const definitions = new Map<string, TermDefinition | null>()
  for (const field of Object.values(resources).flatMap((resource) => resource.fields))
    if (!definitions.has(field.outputName)) definitions.set(field.outputName, define(field))

  function define(field: Field): TermDefinition | null {
    const [property, ...further] = field.path
    // Properties of the record and of the thing's parts are in nodes of their own.
    if (!property || further.length > 0 || field.onRecordNode) return null
    const id = toPrefixedName(property.value)?.join(':') ?? property.value
    return {
      '@id': id,
      ...coercion(field, property),
      ...(field.repeatable ? { '@container': '@set' } : {}),
    }
  }

  /**
   * A term for the class of each resource, such as `Zine`, with a context of its own in which a
   * property has one term only. Without them, a program that compacts a document by the context
   * would choose any of the terms of `dcterms:identifier`. Our own documents write the class as a
   * prefixed name, which does not activate these contexts.
   */
  const classTerms = (): TermDefinitions =>
    Object.fromEntries(
      Object.values(resources).map(({ noun, class: { value }, fields }) => {
        const fieldTerms = new Map(fields.map((field) => [field.outputName, define(field)]))
        const ids = new Set([...fieldTerms.values()].map((definition) => definition?.['@id']))
        const others = Object.entries({ ...otherTerms, ...Object.fromEntries(definitions) })
          .filter(
            ([name, term]) =>
              !fieldTerms.has(name) && typeof term === 'object' && ids.has(term?.['@id']),
          )
          .map(([name]) => [name, null] as const)
        const terms: TermDefinitions = Object.fromEntries([...others, ...fieldTerms])
        return [noun, { '@id': toPrefixedName(value)?.join(':') ?? value, '@context': terms }]
      }),
    )

  return {
    iri: contextIri(iris.base),
    /** The context as a JSON document. */
    document: JSON.stringify(
      {
        '@context': {
          '@version': 1.1,
          ...prefixes,
          ...Object.fromEntries([...aliases].map(([name, term]) => [term, name])),
          ...otherTerms,
          ...Object.fromEntries(definitions),
          ...classTerms(),
        },
      },
      undefined,
      2,
    ),
    /**
     * Whether the term in the context gives these values the triples that the RDF mapper gives
     * them.
     */
    expresses: (field: Field, values: readonly (string | number | boolean)[]): boolean =>
      sameMeaning(definitions.get(field.outputName), define(field)) &&
      values.every((value) => isReadBack(field, value, mapper)),
    /** Whether the context has a term for the field. */
    hasTerm: (field: Field): boolean => define(field) !== null,
  }
}

// The terms that are not fields of records: those of lists, of vocabulary entries and of places.
const otherTerms: TermDefinitions = {
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

/** The part of a term's definition by which a string becomes an IRI. */
function coercion(field: Field, property: NamedNode): object {
  if (field.nested) return {}
  const namespace = namespaceOf(field)
  if (namespace !== undefined) {
    // The empty context is for jsonld-streaming-parser (4 and 5), which fails on a term that is
    // defined anew in its own context without one.
    const coerced = { '@id': property.value, '@type': '@vocab', '@context': {} }
    // Without the other terms, since a code may be spelled like one of them, as the role `creator`
    // is.
    const ownContext = [null, { '@vocab': namespace, [field.outputName]: coerced }]
    return { '@type': '@vocab', '@context': ownContext }
  }
  return field.kind === 'url' || isIriField(field) ? { '@type': '@id' } : {}
}

/** Whether a JSON-LD reader gives a value the same RDF term as the RDF mapper. */
function isReadBack(field: Field, value: string | number | boolean, mapper: RdfMapper): boolean {
  if (field.nested) return true
  const term = mapper.termOf(field, value)
  const namespace = namespaceOf(field)
  if (namespace !== undefined)
    return isSafeTerm(field, String(value)) && isIri(term, `${namespace}${value}`)
  return field.kind === 'url' || isIriField(field)
    ? isIri(term, String(value))
    : term.termType === 'Literal'
}

const isIri = (term: NamedNode | Literal, value: string): boolean => term.equals(iri(value))

// A colon would make the code an IRI, an at sign a keyword.
const isSafeTerm = (field: Field, value: string): boolean =>
  !value.includes(':') && !value.startsWith('@') && value !== field.outputName

function sameMeaning(
  shared: TermDefinition | null | undefined,
  specific: TermDefinition | null | undefined,
): boolean {
  const meaning = (definition: TermDefinition | null | undefined): string =>
    JSON.stringify({ ...definition, '@container': undefined })
  return meaning(shared) === meaning(specific)
}
