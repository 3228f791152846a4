// The copy of a part of the public graphs in a worker thread: the quads that its queries need. It
// holds nothing private, so a query that breaks it harms nothing else. The checks of a query are in
// query-checks.ts; quad-source.ts fills the copy.

import { Parser as TurtleParser } from 'n3'
import { type NamedNode, Store as Oxigraph, namedNode } from 'oxigraph'
import type { Query } from 'sparqljs'

import { InvalidError } from '../../errors.js'
import { toDeleteData } from '../../rdf/nquads.js'
import { writeTurtle } from '../../rdf/turtle-writer.js'
import { resolveDataset } from './query-dataset.js'
import { formatNotAccepted } from './errors.js'
import type { GraphFormat, TableFormat } from './result-formats.js'
import type { QuadPattern } from './quad-patterns.js'
import { parsePublicQuery } from './query-checks.js'
import { hasCertainIris } from './query-iris.js'
import { everything, neededPatterns } from './query-patterns.js'
import type { QueryResult, QueryDataset, QueryRequest, WorkerConfig } from './worker-protocol.js'
import { checkRowCount, withRowLimit } from './row-limit.js'
import { withNamedVariables } from './select-variables.js'
import { toValidXml } from './oxigraph-xml.js'
import { graphsOnly, tablesOnly, tooManyBytes } from './error-messages.js'

const nquads = { format: 'application/n-quads' }

// Stored quads were validated when they were written. Without validation, loading takes a third
// less time.
const loadOptions = { ...nquads, lenient: true, no_transaction: true }

export function createReplica({ endpoint, graphs, limits }: WorkerConfig) {
  const oxigraph = new Oxigraph()

  /**
   * Reads and checks a query.
   * @returns the quads that it needs, and a function that runs it once they are loaded, which
   * throws InvalidError, or another error where Oxigraph ran out of stack or memory
   * @throws InvalidError, ForbiddenError, RequestError
   */
  function prepare({ query: text, dataset, table, graph }: QueryRequest): PreparedQuery {
    const query = parsePublicQuery(text, endpoint)
    const options = datasetOptions(resolveDataset(dataset, query, graphs))
    const patterns = hasCertainIris(text, query, endpoint) ? neededPatterns(query) : [everything]
    if (query.queryType === 'SELECT' || query.queryType === 'ASK') {
      if (!table) throw formatNotAccepted(tablesOnly)
      return { patterns, run: () => writeTable(text, query, options, table) }
    }
    if (!graph) throw formatNotAccepted(graphsOnly)
    return {
      patterns,
      run: () => ({
        type: graph.type,
        bytes: toBytes(writeGraph(text, query, options, graph)),
      }),
    }
  }

  function writeTable(
    text: string,
    query: Query,
    options: DatasetOptions,
    { type, name }: TableFormat,
  ): QueryResult {
    const limited = withNamedVariables(withRowLimit(text, query, limits.rows + 1), query)
    const result = execute(limited, options, type)
    // Each row takes several bytes in every format, so most results need not be counted.
    if (query.queryType === 'SELECT' && result.length > limits.rows)
      checkRowCount(result, name, limits.rows)
    return { type, bytes: toBytes(result) }
  }

  function writeGraph(
    text: string,
    query: Query,
    options: DatasetOptions,
    { type }: GraphFormat,
  ): string {
    if (type !== 'text/turtle') return execute(text, options, type)
    const triples = execute(text, options, 'application/n-triples')
    // It is rejected by its size anyway, so do not spend time on it.
    if (triples.length > limits.bytes) return triples
    // With the prefixes of the client's query.
    return writeTurtle(
      new TurtleParser({ format: 'application/n-triples' }).parse(triples),
      query.prefixes,
    )
  }

  /** @throws InvalidError, and an error after which the thread cannot run queries */
  function execute(text: string, dataset: DatasetOptions, type: string): string {
    try {
      const options = { ...dataset, base_iri: endpoint, results_format: oxigraphFormat(type) }
      const result = oxigraph.query(text, options) as string
      return type.endsWith('+xml') ? toValidXml(result) : result
    } catch (error) {
      // Oxigraph rejects a query with a plain Error. Any other error is an overflow of its stack or
      // memory, after which the whole module cannot be used any more.
      if (error instanceof InvalidError) throw error
      if (error instanceof Error && error.constructor === Error)
        throw new InvalidError(error.message, { cause: error })
      throw new Error((error as Error).message, { cause: error })
    }
  }

  function toBytes(result: string): Uint8Array {
    const bytes = new TextEncoder().encode(result)
    if (bytes.length > limits.bytes) throw new InvalidError(tooManyBytes(limits.bytes))
    return bytes
  }

  return {
    prepare,
    /** @throws the errors of Oxigraph, after which its content is unknown */
    load: (quads: string): void => oxigraph.load(quads, loadOptions),
    /** Removes and adds quads in one step, so that no query sees half of it. @throws as `load` */
    change(removed: string, added: string): void {
      if (removed !== '') oxigraph.update(toDeleteData(removed))
      oxigraph.load(added, loadOptions)
    },
  }
}

type PreparedQuery = {
  /** The quads that it needs. */
  readonly patterns: readonly QuadPattern[]
  readonly run: () => QueryResult
}

type DatasetOptions = { readonly default_graph: NamedNode[]; readonly named_graphs: NamedNode[] }

/** The media type by which Oxigraph knows a format. */
const oxigraphFormat = (type: string): string =>
  type === 'application/json' ? 'application/sparql-results+json' : type

const datasetOptions = ({ default: unnamed, named }: QueryDataset): DatasetOptions => ({
  default_graph: unnamed.map((name) => namedNode(name)),
  named_graphs: named.map((name) => namedNode(name)),
})
