// Runs public queries on the remote store. A query is parsed and checked as for a replica, and
// generated anew for the public graphs only, so the client's text never reaches the engine.
// result-writers.ts writes the result, in formats that the engine may not have.

import { DataFactory, Parser as TurtleParser } from 'n3'
import { Store as Oxigraph, defaultGraph } from 'oxigraph'
import type { IriTerm, Pattern, Query, SelectQuery, Triple, VariableTerm } from 'sparqljs'

import { InvalidError, UnavailableError } from '../../errors.js'
import { writeTurtle } from '../../rdf/turtle-writer.js'
import { RemoteError } from '../../store/remote/remote-error.js'
import {
  type SparqlClient,
  type SparqlClientConfig,
  createSparqlClient,
} from '../../store/remote/sparql-client.js'
import { parseBoolean, parseTable } from '../../store/remote/sparql-json-results.js'
import { resolveDataset } from './query-dataset.js'
import { formatNotAccepted } from './errors.js'
import { parsePublicQuery } from './query-checks.js'
import { writeQuery } from './query-parser.js'
import type {
  QueryDataset,
  QueryLimits,
  QueryRequest,
  QueryResult,
  WorkerConfig,
} from './worker-protocol.js'
import { graphsOnly, tablesOnly, tooManyBytes, tooManyRows } from './error-messages.js'
import { writeResults } from './result-writers.js'
import { type FindWords, replaceWordPatterns } from './word-patterns.js'
import { starVariables } from './select-variables.js'
import { toValidXml } from './oxigraph-xml.js'

type RemoteExecutorOptions = Pick<WorkerConfig, 'endpoint' | 'graphs' | 'limits'> & {
  readonly engine: SparqlClientConfig
}

export class RemoteExecutor {
  readonly #endpoint: string
  readonly #graphs: readonly string[]
  readonly #limits: QueryLimits
  readonly #client: SparqlClient

  constructor({ endpoint, graphs, limits, engine }: RemoteExecutorOptions) {
    this.#endpoint = endpoint
    this.#graphs = graphs
    this.#limits = limits
    this.#client = createSparqlClient(engine)
  }

  /**
   * @param find answers the searches of the query
   * @throws InvalidError, ForbiddenError, RequestError, UnavailableError
   */
  async run(request: QueryRequest, find: FindWords): Promise<QueryResult> {
    try {
      return await this.#runQuery(request, find)
    } catch (error) {
      if (error instanceof RemoteError) throw new UnavailableError(storeUnavailableMessage, 5)
      throw error
    }
  }

  async #runQuery(
    { query: text, dataset, table, graph }: QueryRequest,
    find: FindWords,
  ): Promise<QueryResult> {
    const query = parsePublicQuery(text, this.#endpoint)
    const resolved = resolveDataset(dataset, query, this.#graphs)
    // The class stays: Virtuoso finds nothing in a UNION of VALUES alone.
    await replaceWordPatterns(query, this.#endpoint, false, find)
    const isTable = query.queryType === 'SELECT' || query.queryType === 'ASK'
    if (isTable && !table) throw formatNotAccepted(tablesOnly)
    if (!isTable && !graph) throw formatNotAccepted(graphsOnly)
    const generated = this.#rewrite(query, resolved, this.#limits.rows + 1)
    if (table && isTable) {
      const json = await this.#execute(generated, 'application/sparql-results+json').catch(
        (error: unknown) => {
          // SR353: Virtuoso sorts at most 10,000 rows for a LIMIT, and any number without one.
          if (!(error instanceof InvalidError && error.message.includes('SR353'))) throw error
          return this.#execute(
            this.#rewrite(query, resolved, Infinity),
            'application/sparql-results+json',
          )
        },
      )
      const results = query.queryType === 'ASK' ? parseBoolean(json) : parseTable(json)
      if (typeof results !== 'boolean' && results.rows.length > this.#limits.rows)
        throw new InvalidError(tooManyRows(this.#limits.rows))
      return { type: table.type, bytes: this.#toBytes(writeResults(results, table.name)) }
    }
    const triples = await this.#execute(generated, 'application/n-triples')
    const type = graph?.type ?? ''
    return { type, bytes: this.#toBytes(writeGraph(triples, type, query)) }
  }

  /** The query for the engine: about these graphs, and with at most `rows` rows. */
  #rewrite(query: Query, { default: unnamed, named }: QueryDataset, rows: number): string {
    const from = { default: this.#graphTerms(unnamed), named: this.#graphTerms(named) }
    const portable = query.queryType === 'DESCRIBE' ? describeAsConstruct(query) : query
    const limit =
      portable.queryType === 'SELECT' ? Math.min(portable.limit ?? Infinity, rows) : Infinity
    const limited = limit < Infinity ? { ...portable, limit } : portable
    const names = starVariables(query)
    const text = writeQuery({
      ...limited,
      ...(names && { variables: names.map((name) => DataFactory.variable(name)) }),
      from,
    })
    if (virtuosoIris.test(text))
      throw new InvalidError('IRIs that begin with bif: or sql: are not supported here.')
    return text
  }

  // Without any graph the engine would choose, so an empty one is named.
  #graphTerms(names: readonly string[]): IriTerm[] {
    return (names.length > 0 ? names : [`${this.#endpoint}#nothing`]).map((name) =>
      DataFactory.namedNode(name),
    )
  }

  async #execute(query: string, format: string): Promise<string> {
    try {
      // Engines may write longer results than we do, but not by more than this.
      const maxBytes = 4 * this.#limits.bytes + 65_536
      return await this.#client.fetchResult(query, format, maxBytes)
    } catch (error) {
      throw toQueryError(error, this.#limits)
    }
  }

  #toBytes(text: string): Uint8Array {
    const bytes = new TextEncoder().encode(text)
    if (bytes.length > this.#limits.bytes) throw new InvalidError(tooManyBytes(this.#limits.bytes))
    return bytes
  }
}

const storeUnavailableMessage = 'The store does not answer. Try again later.'

/** Virtuoso's internal functions and graphs. */
const virtuosoIris = /<(?:bif|sql):/i

function toQueryError(error: unknown, { rows, bytes }: WorkerConfig['limits']): unknown {
  if (!(error instanceof RemoteError)) return error
  if (error.failure === 'too large') return new InvalidError(tooManyBytes(bytes))
  if (error.failure === 'partial') return new InvalidError(tooManyRows(rows))
  if (error.failure !== 'rejected') return new UnavailableError(storeUnavailableMessage, 5)
  const [line = ''] = error.responseText.trim().split('\n')
  return new InvalidError(`The store does not take this query. ${line.slice(0, 300)}`.trim())
}

type SolutionModifiers<Of> = Partial<
  Pick<Of, Extract<keyof Of, 'group' | 'having' | 'order' | 'limit' | 'offset' | 'values'>>
>

/**
 * Each engine describes something else. This describes the triples whose subject is the resource.
 */
function describeAsConstruct(query: Extract<Query, { queryType: 'DESCRIBE' }>): Query {
  // The cast: the types of sparqljs lack that DESCRIBE takes the same modifiers as SELECT.
  const { variables, where, group, having, order, limit, offset, values, ...rest } =
    query as typeof query & SolutionModifiers<SelectQuery>
  const resources = variables as readonly (IriTerm | VariableTerm)[]
  const [firstResource] = resources
  const [thing, property, value] = [
    DataFactory.variable('described_thing'),
    DataFactory.variable('described_property'),
    DataFactory.variable('described_value'),
  ]
  const patternFor = (subject: VariableTerm): Triple => ({
    subject,
    predicate: property,
    object: value,
  })
  const isNamed = resources.every(({ termType }) => termType === 'NamedNode')
  const isVariable = resources.length === 1 && firstResource?.termType === 'Variable' && where
  if (!isNamed && !isVariable)
    throw new InvalidError('DESCRIBE takes either IRIs or one variable here; CONSTRUCT takes all.')
  const subject = isNamed ? thing : (firstResource as VariableTerm)
  const selection: Pattern = isNamed
    ? {
        type: 'values',
        values: resources.map((iri) => ({ [`?${thing.value}`]: iri as IriTerm })),
      }
    : {
        type: 'group',
        patterns: [
          {
            type: 'query',
            queryType: 'SELECT',
            distinct: true,
            variables: [subject],
            where: where ?? [],
            prefixes: {},
            ...withoutUndefined({ group, having, order, limit, offset, values }),
          },
        ],
      }
  return {
    ...rest,
    queryType: 'CONSTRUCT',
    template: [patternFor(subject)],
    where: [selection, { type: 'bgp', triples: [patternFor(subject)] }],
  }
}

/** Without the members that are undefined. */
const withoutUndefined = <Of extends object>(members: Of): Of =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Of

function writeGraph(triples: string, type: string, { prefixes }: Query): string {
  const quads = new TurtleParser({ format: 'application/n-triples' }).parse(triples)
  if (type === 'text/turtle') return writeTurtle(quads, prefixes)
  const oxigraph = new Oxigraph()
  oxigraph.load(triples, { format: 'application/n-triples' })
  const written = oxigraph.dump({ format: type, from_graph_name: defaultGraph() })
  return type.endsWith('+xml') ? toValidXml(written) : written
}
