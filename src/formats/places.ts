// Serializes places as JSON and in every RDF format, with the terms of GeoNames
// (docs/reference/data-model.md, "Places"). The IRI of a place is the one that GeoNames gives it.

import { type Place, placeIri } from '../model/places.js'
import { dcterms, gn, geo, rdf, xsd } from '../rdf/namespaces.js'
import { type Quad, integer, stringLiteral, triple, typedLiteral } from '../rdf/terms.js'
import { createPrefixer } from './rdf/prefixed-names.js'
import { contextIri } from './jsonld/context.js'
import { collectionOf, memberTriples, pageTriples } from './rdf/hydra-paging.js'
import { jsonld } from './jsonld/jsonld.js'
import {
  type JsonLdNode,
  toNestedNode,
  withNullTerms,
  withContext,
  mergeJson,
} from './jsonld/nodes.js'
import type { Format, PageLinks } from './serializer.js'
import { type RdfContext, serializeRdf } from './rdf/documents.js'

/** One place. */
export function serializePlace(format: Format, place: Place, context: RdfContext): string {
  if (format.name === 'json') return JSON.stringify(place)
  return format.name === jsonld.name
    ? JSON.stringify(withContext(contextIri(context.base), placeNode(place, context)))
    : serializeRdf(format, placeTriples(place), context)
}

export type PlacePage = {
  readonly count: number
  readonly links: PageLinks
  readonly places: readonly Place[]
}

/** A page of the list of places, with its paging. */
export function serializePlaces(format: Format, page: PlacePage, context: RdfContext): string {
  const { count, links, places } = page
  const { next, previous } = links
  if (format.name === 'json') return JSON.stringify({ count, next, previous, results: places })
  const pageQuads = pageTriples(page)
  if (format.name === jsonld.name) {
    const paging = pageQuads.filter(({ predicate }) => !predicate.value.endsWith('#totalItems'))
    const node = toNestedNode(collectionOf(links).value, paging, createPrefixer(context.prefixes))
    const results = places.map((place) => placeNode(place, context))
    const json = { count, next, previous, results }
    return JSON.stringify(withContext(contextIri(context.base), mergeJson(node, json)))
  }
  const members = places.flatMap((place) => [
    ...memberTriples(placeIri(place.geoname_id), page),
    ...placeTriples(place),
  ])
  return serializeRdf(format, [...pageQuads, ...members], context)
}

/** What is stated of a place. */
// The code of a region has no term in GeoNames' ontology, so only JSON has it.
export function placeTriples(place: Place): Quad[] {
  const subject = placeIri(place.geoname_id)
  const { name, country_code, latitude, longitude, population, level, parent } = place
  return [
    triple(subject, rdf('type'), gn('Feature')),
    triple(subject, gn('name'), stringLiteral(name)),
    triple(subject, gn('countryCode'), stringLiteral(country_code)),
    ...(latitude === null ? [] : [triple(subject, geo('lat'), double(latitude))]),
    ...(longitude === null ? [] : [triple(subject, geo('long'), double(longitude))]),
    ...(population === null ? [] : [triple(subject, gn('population'), integer(population))]),
    triple(subject, dcterms('type'), stringLiteral(level)),
    ...(parent === null ? [] : [triple(subject, gn('parentFeature'), placeIri(parent))]),
  ]
}

/**
 * An xsd:double in the form that JSON-LD readers give a number (JSON-LD 1.1 API, Data Round
 * Tripping).
 */
const double = (value: number) =>
  typedLiteral(value.toExponential(15).replace(/(\d)0*e\+?/, '$1E'), xsd('double'))

function placeNode(place: Place, { prefixes }: RdfContext): JsonLdNode {
  const triples = placeTriples(place)
  const remaining = triples.filter(
    ({ predicate }) => predicate.equals(rdf('type')) || predicate.equals(gn('parentFeature')),
  )
  const node = toNestedNode(placeIri(place.geoname_id).value, remaining, createPrefixer(prefixes))
  const nullTerms = place.country_code === '' ? ['country_code'] : []
  return { ...withNullTerms(nullTerms), ...mergeJson(node, place) }
}
