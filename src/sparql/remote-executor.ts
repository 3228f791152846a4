// A stranger's query for an engine elsewhere: read and judged as for a replica, written anew about
// nothing but the graphs that everybody may see, and its answer written by us, in any format, whatever
// the engine's own are. What the stranger wrote never reaches the engine as it is.

import { DataFactory, Parser as TurtleParser } from 'n3'
import { Store as Oxigraph, defaultGraph } from 'oxigraph'
import sparqljs from 'sparqljs'
import type { IriTerm, Pattern, Query, SelectQuery, Triple, VariableTerm } from 'sparqljs'

import { writeTurtle } from '../rdf/turtle-writer.js'
import {
  type SparqlClientConfig,
  PartialResultError as PartOfRows,
  RequestRejectedError,
  ResponseTooLargeError,
  NoResponseError,
  ConnectionError,
  createSparqlClient,
} from '../store/remote/sparql-client.js'
import { InvalidResultsError, tableOf, parseBoolean } from '../store/remote/sparql-json-results.js'
import { resolveDataset } from './query-dataset.js'
import { PoolBusyError, ResultFormatError, QueryError } from './errors.js'
import { parsePublicQuery } from './query-checks.js'
import type { QueryResult, QueryDataset, QueryRequest, WorkerConfig } from './worker-protocol.js'
import { graphsOnly, tablesOnly, tooManyBytes, tooManyRows } from './error-messages.js'
import { writeResults } from './result-writers.js'
import { toValidXml } from './oxigraph-xml.js'

type RemoteExecutorOptions = Pick<WorkerConfig, 'endpoint' | 'graphs' | 'limits'> & {
  readonly engine: SparqlClientConfig
}

export function createRemoteExecutor({ endpoint, graphs, limits, engine }: RemoteExecutorOptions) {
  const elsewhere = createSparqlClient(engine)
  /** No engine writes shorter than we do by so much. */
  const most = 4 * limits.bytes + 65_536

  async function answer({
    query: text,
    dataset,
    table,
    graph,
  }: QueryRequest): Promise<QueryResult> {
    const query = parsePublicQuery(text, endpoint)
    const about = resolveDataset(dataset, query, graphs)
    const isTable = query.queryType === 'SELECT' || query.queryType === 'ASK'
    if (isTable && !table) throw new ResultFormatError(tablesOnly)
    if (!isTable && !graph) throw new ResultFormatError(graphsOnly)
    const written = rewrite(query, about, limits.rows + 1)
    if (table && isTable) {
      const answered = await ask(written, 'application/sparql-results+json').catch(
        (error: unknown) => {
          // Virtuoso sorts no more than 10,000 rows for a LIMIT, and any number without one.
          if (!(error instanceof QueryError && error.message.includes('SR353'))) throw error
          return ask(rewrite(query, about, Infinity), 'application/sparql-results+json')
        },
      )
      const results = query.queryType === 'ASK' ? parseBoolean(answered) : tableOf(answered)
      if (typeof results !== 'boolean' && results.rows.length > limits.rows)
        throw new QueryError(tooManyRows(limits.rows))
      return { type: table.type, bytes: bytesOf(writeResults(results, table.name)) }
    }
    const triples = await ask(written, 'application/n-triples')
    const type = graph?.type ?? ''
    return { type, bytes: bytesOf(writeGraph(triples, type, query)) }
  }

  /** The text for the engine: about these graphs, and with no more rows than tell that there are too many. */
  function rewrite(query: Query, { default: unnamed, named }: QueryDataset, rows: number): string {
    const from = { default: iris(unnamed), named: iris(named) }
    const plain = query.queryType === 'DESCRIBE' ? describeAsConstruct(query) : query
    const limit = plain.queryType === 'SELECT' ? Math.min(plain.limit ?? Infinity, rows) : Infinity
    const limited = limit < Infinity ? { ...plain, limit } : plain
    const written = new sparqljs.Generator({ allPrefixes: false }).stringify({
      ...limited,
      prefixes: {},
      from,
    })
    if (own.test(written))
      throw new QueryError('IRIs that begin with bif: or sql: are not asked for here.')
    return written
  }

  // To name none would be to leave it to the engine; this graph is empty.
  const iris = (names: readonly string[]): IriTerm[] =>
    (names.length > 0 ? names : [`${endpoint}#nothing`]).map((name) => DataFactory.namedNode(name))

  async function ask(query: string, format: string): Promise<string> {
    try {
      return await elsewhere.answer(query, format, most)
    } catch (error) {
      throw reasonOf(error, limits)
    }
  }

  function bytesOf(text: string): Uint8Array {
    const bytes = new TextEncoder().encode(text)
    if (bytes.length > limits.bytes) throw new QueryError(tooManyBytes(limits.bytes))
    return bytes
  }

  return async (question: QueryRequest): Promise<QueryResult> => {
    try {
      return await answer(question)
    } catch (error) {
      if (error instanceof InvalidResultsError) throw new PoolBusyError(storeUnavailableMessage, 5)
      throw error
    }
  }
}

const storeUnavailableMessage = 'The store does not answer. Try again later.'

/** Functions and graphs of Virtuoso that are nobody's business. */
const own = /<(?:bif|sql):/i

function reasonOf(error: unknown, { rows, bytes }: WorkerConfig['limits']): unknown {
  if (error instanceof ResponseTooLargeError) return new QueryError(tooManyBytes(bytes))
  if (error instanceof PartOfRows) return new QueryError(tooManyRows(rows))
  if (error instanceof RequestRejectedError) {
    const [line = ''] = error.said.trim().split('\n')
    return new QueryError(`The store does not take this query. ${line.slice(0, 300)}`.trim())
  }
  if (error instanceof ConnectionError || error instanceof NoResponseError)
    return new PoolBusyError(storeUnavailableMessage, 5)
  return error
}

type PartialQueryResult<Of> = Partial<
  Pick<Of, Extract<keyof Of, 'group' | 'having' | 'order' | 'limit' | 'offset' | 'values'>>
>

/** What engines describe is what each of them likes; this is what is said of the things themselves. */
function describeAsConstruct(query: Extract<Query, { queryType: 'DESCRIBE' }>): Query {
  // The cast: sparqljs's types leave out that it takes the same modifiers as SELECT.
  const { variables, where, group, having, order, limit, offset, values, ...rest } =
    query as typeof query & PartialQueryResult<SelectQuery>
  const wanted = variables as readonly (IriTerm | VariableTerm)[]
  const [one] = wanted
  const [thing, property, value] = [
    DataFactory.variable('described_thing'),
    DataFactory.variable('described_property'),
    DataFactory.variable('described_value'),
  ]
  const said = (subject: VariableTerm): Triple => ({ subject, predicate: property, object: value })
  const isNamed = wanted.every(({ termType }) => termType === 'NamedNode')
  const isVariable = wanted.length === 1 && one?.termType === 'Variable' && where
  if (!isNamed && !isVariable)
    throw new QueryError('DESCRIBE takes either IRIs or one variable here; CONSTRUCT takes all.')
  const subject = isNamed ? thing : (one as VariableTerm)
  const found: Pattern = isNamed
    ? {
        type: 'values',
        values: wanted.map((iri) => ({ [`?${thing.value}`]: iri as IriTerm })),
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
            ...defined({ group, having, order, limit, offset, values }),
          },
        ],
      }
  return {
    ...rest,
    queryType: 'CONSTRUCT',
    template: [said(subject)],
    where: [found, { type: 'bgp', triples: [said(subject)] }],
  }
}

/** Without the members that are not there. */
const defined = <Of extends object>(members: Of): Of =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Of

function writeGraph(triples: string, type: string, { prefixes }: Query): string {
  const quads = new TurtleParser({ format: 'application/n-triples' }).parse(triples)
  if (type === 'text/turtle') return writeTurtle(quads, prefixes)
  const oxigraph = new Oxigraph()
  oxigraph.load(triples, { format: 'application/n-triples' })
  const written = oxigraph.dump({ format: type, from_graph_name: defaultGraph() })
  return type.endsWith('+xml') ? toValidXml(written) : written
}
