// Serializes triples as whole documents, in every RDF format: vocabularies, the ontology, the
// dataset description. Records are serialized by record-serializer.ts.

import { type Prefixes, prefixesUnder } from '../../rdf/namespaces.js'
import type { Quad } from '../../rdf/terms.js'
import { createPrefixer } from './prefixed-names.js'
import { contextIri } from '../jsonld/context.js'
import { json } from '../common-formats.js'
import { jsonld } from '../jsonld/jsonld.js'
import { toFlatNodes } from '../jsonld/nodes.js'
import { ntriples } from './ntriples.js'
import type { Format } from '../serializer.js'
import { rdfxml } from './rdfxml.js'
import { type RdfSyntax, serializeTriples } from './syntax.js'
import { turtle } from './turtle.js'

export type RdfContext = {
  /** The base URL of the service, under which the JSON-LD context is served. */
  readonly base: string
  readonly prefixes: Prefixes
}

export type RdfFormat = Format & {
  write(triples: readonly Quad[], context: RdfContext): string
}

/** In order of preference for clients that have none. */
export const rdfFormats: readonly RdfFormat[] = [
  documentFormat(turtle),
  { ...jsonld, write: writeNodes },
  documentFormat(ntriples),
  documentFormat(rdfxml),
]

/** The formats of lists that are not of records: JSON, and every RDF format. */
export const jsonAndRdfFormats: readonly Format[] = [
  json,
  jsonld,
  ...rdfFormats.filter(({ name }) => name !== jsonld.name),
]

/**
 * Serializes triples as a whole document.
 * @param format of which only the media type counts, so that one of SPARQL's formats does too
 * @throws Error for a media type that is not one of RDF's
 */
export function serializeRdf(
  { type }: Pick<Format, 'type'>,
  triples: readonly Quad[],
  context: RdfContext,
): string {
  const format = rdfFormats.find((candidate) => candidate.type === type)
  if (!format) throw new Error(`${type} is no RDF format`)
  return format.write(triples, context)
}

function documentFormat(syntax: RdfSyntax): RdfFormat {
  const { name, title, type } = syntax
  return {
    name,
    type,
    ...(title ? { title } : {}),
    write: (triples, { prefixes }) => serializeTriples(syntax, triples, prefixes),
  }
}

// Only with the prefixes of the JSON-LD context: a document may have others in Turtle, such as
// `dcat:`, which readers of the context do not know.
function writeNodes(triples: readonly Quad[], { base }: RdfContext): string {
  const nodes = toFlatNodes(triples, createPrefixer(prefixesUnder(base)))
  return JSON.stringify({ '@context': contextIri(base), '@graph': nodes })
}
