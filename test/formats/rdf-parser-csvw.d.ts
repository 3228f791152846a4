// What the tests use of rdf-parser-csvw, which comes without types.

declare module 'rdf-parser-csvw' {
  import type { Readable } from 'node:stream'
  import type { DatasetCore, Quad } from '@rdfjs/types'

  export default class CsvwParser {
    constructor(options: { metadata: DatasetCore; baseIRI: string; timezone?: string })
    import(input: Readable): Readable & AsyncIterable<Quad>
  }
}
