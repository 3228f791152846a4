// Parses queries with sparqljs, mends what it reads wrongly, and says what is wrong with a query.
// query-checks.ts checks what a query may have.

import sparqljs from 'sparqljs'
import type { Query, SparqlQuery } from 'sparqljs'

import { InvalidError } from '../../errors.js'
import { prefixesUnder } from '../../rdf/namespaces.js'
import { noService } from './error-messages.js'
import { QueryParserError } from './errors.js'
import { hasWord } from './lexer.js'
import { unescapeIris } from './query-iris.js'

/**
 * @param endpoint the IRI against which relative IRIs are resolved
 * @throws InvalidError, QueryParserError
 */
export function parseQuery(text: string, endpoint: string): SparqlQuery {
  try {
    const query = createParser(endpoint).parse(text)
    unescapeIris(query)
    return query
  } catch (error) {
    const { message, constructor } = error as Error
    // sparqljs rejects a query with a plain Error. Any other one is of a fault in it.
    if (constructor !== Error)
      throw new QueryParserError(`The query cannot be read: ${message}`, { cause: error })
    throw new InvalidError(reasonFor(message, text, endpoint))
  }
}

/** The text of a parsed query, without prefixes and without a base: its IRIs are whole. */
export const writeQuery = (query: Query): string =>
  // Indents would be written inside of texts, too, behind some kinds of line ends.
  new sparqljs.Generator({ allPrefixes: false, indent: '' }).stringify({
    ...query,
    prefixes: {},
    base: '',
  })

/**
 * What sparqljs has of the parser generator Jison: each rule of the grammar is a production with an
 * action.
 */
type JisonParser = {
  readonly symbols_: Readonly<Record<string, number>>
  readonly productions_: readonly (readonly [symbol: number, length: number])[]
  performAction: (this: { $?: unknown }, ...state: ActionState) => unknown
}

type ActionState = [string, number, number, object, production: number, ...unknown[]]

/**
 * sparqljs leaves an empty list of properties undefined, and then fails, where the subject of
 * triples in a template is all that there is of them, as in `CONSTRUCT { [ :p ?o ] }` (SPARQL 1.1
 * Query, 19.8, rules 75 and 76).
 */
function createParser(baseIRI: string): sparqljs.SparqlParser {
  const parser = new sparqljs.Parser({ baseIRI })
  // The cast: the types have only the public method.
  const jison = parser as unknown as JisonParser
  const { performAction, productions_: productions, symbols_: symbols } = jison
  jison.performAction = function (...state) {
    const result = performAction.apply(this, state)
    const [, , , , production] = state
    if (productions[production]?.[0] === symbols.PropertyList) this.$ ??= []
    return result
  }
  return parser
}

function reasonFor(message: string, text: string, endpoint: string): string {
  const prefix = /^Unknown prefix: (.*)$/.exec(message)?.[1]
  if (prefix === undefined) return `Malformed query: ${message}`
  // Queries of other endpoints often name services by a prefix that is declared there.
  if (hasWord(text, 'SERVICE')) return noService
  const namespace = new Map(Object.entries(prefixesUnder(endpoint.replace(/\/sparql$/, '')))).get(
    prefix,
  )
  const hint = namespace && `. Begin the query with this line: PREFIX ${prefix}: <${namespace}>`
  return `Malformed query: ${message}${hint ?? ''}`
}
