// How a query is parsed, where sparqljs fails. What is read is tested in test/features/sparql/.

import { expect } from 'chai'
import sparqljs from 'sparqljs'

import { InvalidError } from '../../../src/errors.js'
import { QueryParserError } from '../../../src/features/sparql/errors.js'
import { parseQuery } from '../../../src/features/sparql/query-parser.js'
import { toErrorResponse } from '../../../src/http/response/http-errors.js'

const errorOf = (query: string): unknown => {
  try {
    return parseQuery(query, 'https://zines.example/sparql')
  } catch (error) {
    return error
  }
}

describe('the parser of SPARQL', () => {
  // The cast: another parser is put in its place.
  const library = sparqljs as { Parser: unknown }
  const { Parser } = library

  afterEach(() => {
    library.Parser = Parser
  })

  it('tells a malformed query as a mistake in it', () => {
    expect(errorOf('SELECT {')).to.be.instanceOf(InvalidError)
  })

  it('tells its own fault as one of the service, and not of the query', () => {
    library.Parser = class {
      parse(): never {
        throw new TypeError('Cannot read properties of undefined')
      }
    }
    const error = errorOf('SELECT * {}')
    expect(error).to.be.instanceOf(QueryParserError).and.not.instanceOf(InvalidError)
    // It is answered with 500, and logged.
    expect(toErrorResponse(error)).to.equal(undefined)
  })
})
