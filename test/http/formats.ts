// The media types of records and lists, for tests (docs/reference/formats.md, "Formats and content
// negotiation").

/** Media types by the name of the format. */
export const types: Readonly<Record<string, string>> = {
  json: 'application/json',
  jsonld: 'application/ld+json',
  csv: 'text/csv',
  dc: 'application/xml',
  turtle: 'text/turtle',
  bibtex: 'application/x-bibtex',
  ris: 'application/x-research-info-systems',
  csljson: 'application/vnd.citationstyles.csl+json',
  marcxml: 'application/marcxml+xml',
  marc: 'application/marc',
  mods: 'application/mods+xml',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  html: 'text/html',
}
