// The messages that several parts have: about results that cannot be returned, the same for a
// replica and a remote store, and about SERVICE.

export const noService = 'SERVICE is not answered here.'

export const tablesOnly =
  'The answer to SELECT and ASK comes as SPARQL results in JSON, XML, CSV or TSV.'

export const graphsOnly =
  'The answer to CONSTRUCT and DESCRIBE comes as Turtle, N-Triples, RDF/XML or JSON-LD.'

export const tooManyRows = (rows: number): string =>
  `The answer has more than ${rows} rows; ask for fewer with LIMIT, and for the next with OFFSET.`

export const tooManyBytes = (bytes: number): string =>
  `The answer has more than ${bytes} bytes; ask for less of it at a time.`
