// The formats of results: tables for SELECT and ASK, graphs for CONSTRUCT and DESCRIBE. A name may
// be one of each. result-writers.ts and Oxigraph write them.

/** Each with its name in `?format=`, and its media type in `Accept`. */
// prettier-ignore
export const tableFormats = [
  { name: 'json', type: 'application/sparql-results+json' },
  { name: 'json', type: 'application/json' },
  { name: 'xml', type: 'application/sparql-results+xml' },
  { name: 'csv', type: 'text/csv' },
  { name: 'tsv', type: 'text/tab-separated-values' },
] as const

export type TableFormat = (typeof tableFormats)[number]

export const ntriplesResult = { name: 'ntriples', type: 'application/n-triples' } as const
export const jsonLdResult = { name: 'jsonld', type: 'application/ld+json' } as const

// prettier-ignore
export const graphFormats = [
  { name: 'turtle', type: 'text/turtle' },
  ntriplesResult,
  { name: 'rdfxml', type: 'application/rdf+xml' },
  jsonLdResult,
  { name: 'json', type: 'application/ld+json' },
  { name: 'xml', type: 'application/rdf+xml' },
] as const

export type GraphFormat = (typeof graphFormats)[number]
