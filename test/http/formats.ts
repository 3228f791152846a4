// The formats of records and lists, for tests (docs/api.md, "Formats and content negotiation").

const all: Readonly<Record<string, string>> = {
  json: 'application/json',
  jsonld: 'application/ld+json',
  csv: 'text/csv',
  dc: 'application/xml',
  turtle: 'text/turtle',
  bibtex: 'application/x-bibtex',
  marcxml: 'application/marcxml+xml',
  html: 'text/html',
}

const offered = ['json', 'jsonld', 'csv', 'dc', 'turtle', 'bibtex', 'marcxml', 'html']

/** Media types by the name of the format. */
export const types: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(all).filter(([name]) => offered.includes(name)),
)

export const isOffered = (name: string): boolean => offered.includes(name)

/** Whether an Accept header names no format that is planned but not offered yet. */
export const isAnswerable = (accept: string): boolean =>
  !Object.entries(all).some(([name, type]) => !isOffered(name) && accept.includes(type))
