// Places: JSON, and the terms of GeoNames in every RDF format. A place is called what GeoNames calls it.

import type { Place } from '../model/places.js'
import { dcterms, gn, geo, rdf, xsd } from '../rdf/namespaces.js'
import {
  type NamedNode,
  type Quad,
  integer,
  iri,
  stringLiteral,
  triple,
  typedLiteral,
} from '../rdf/terms.js'
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

export function serializePlace(format: Format, place: Place, context: RdfContext): string {
  if (format.name === 'json') return JSON.stringify(place)
  return format.name === jsonld.name
    ? JSON.stringify(withContext(contextIri(context.base), nodeOf(place, context)))
    : serializeRdf(format, triplesOf(place), context)
}

export type PlacePage = {
  readonly count: number
  readonly links: PageLinks
  readonly places: readonly Place[]
}

export function serializePlaces(format: Format, page: PlacePage, context: RdfContext): string {
  const { count, links, places } = page
  const { next, previous } = links
  if (format.name === 'json') return JSON.stringify({ count, next, previous, results: places })
  const listed = pageTriples(page)
  if (format.name === jsonld.name) {
    const paging = listed.filter(({ predicate }) => !predicate.value.endsWith('#totalItems'))
    const node = toNestedNode(collectionOf(links).value, paging, createPrefixer(context.prefixes))
    const results = places.map((place) => nodeOf(place, context))
    const known = { count, next, previous, results }
    return JSON.stringify(withContext(contextIri(context.base), mergeJson(node, known)))
  }
  const members = places.flatMap((place) => [
    ...memberTriples(nameOf(place.geoname_id), page),
    ...triplesOf(place),
  ])
  return serializeRdf(format, [...listed, ...members], context)
}

const nameOf = (id: number): NamedNode => iri(`https://sws.geonames.org/${id}/`)

// The code of a region has no term in GeoNames' ontology, so JSON alone has it.
function triplesOf(place: Place): Quad[] {
  const subject = nameOf(place.geoname_id)
  const { name, country_code, latitude, longitude, population, level, parent } = place
  return [
    triple(subject, rdf('type'), gn('Feature')),
    triple(subject, gn('name'), stringLiteral(name)),
    triple(subject, gn('countryCode'), stringLiteral(country_code)),
    ...(latitude === null ? [] : [triple(subject, geo('lat'), double(latitude))]),
    ...(longitude === null ? [] : [triple(subject, geo('long'), double(longitude))]),
    ...(population === null ? [] : [triple(subject, gn('population'), integer(population))]),
    triple(subject, dcterms('type'), stringLiteral(level)),
    ...(parent === null ? [] : [triple(subject, gn('parentFeature'), nameOf(parent))]),
  ]
}

/** In the form that readers of JSON-LD make of a number (JSON-LD 1.1 API, Data Round Tripping). */
const double = (value: number) =>
  typedLiteral(value.toExponential(15).replace(/(\d)0*e\+?/, '$1E'), xsd('double'))

function nodeOf(place: Place, { prefixes }: RdfContext): JsonLdNode {
  const triples = triplesOf(place)
  const unspoken = triples.filter(
    ({ predicate }) => predicate.equals(rdf('type')) || predicate.equals(gn('parentFeature')),
  )
  const node = toNestedNode(nameOf(place.geoname_id).value, unspoken, createPrefixer(prefixes))
  const silent = place.country_code === '' ? ['country_code'] : []
  return { ...withNullTerms(silent), ...mergeJson(node, place) }
}
