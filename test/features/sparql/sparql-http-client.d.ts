// What the tests use of sparql-http-client, which comes without types.

declare module 'sparql-http-client' {
  import type { Readable } from 'node:stream'
  import type { Quad, Term } from '@rdfjs/types'

  export default class StreamClient {
    constructor(options: { endpointUrl: string })
    readonly query: {
      select(
        query: string,
        options?: { operation?: 'get' | 'postDirect' | 'postUrlencoded' },
      ): Readable & AsyncIterable<Record<string, Term>>
      construct(query: string): Readable & AsyncIterable<Quad>
      ask(query: string): Promise<boolean>
    }
  }
}
