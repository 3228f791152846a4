// The copy of a part of the public graphs in a worker thread: the quads that its queries need. It
// holds nothing private, so a query that breaks it harms nothing else. The checks of a query are in
// query-checks.ts; quad-source.ts fills the copy.

import { Parser as TurtleParser } from 'n3'
import { type NamedNode, Store as Oxigraph, namedNode } from 'oxigraph'
import type { Query } from 'sparqljs'

import { InvalidError } from '../../errors.js'
import { toDeleteData } from '../../rdf/nquads.js'
import { writeTurtle } from '../../rdf/turtle-writer.js'
import { hasAll, resolveDataset } from './query-dataset.js'
import { formatNotAccepted } from './errors.js'
import type { GraphFormat, TableFormat } from './result-formats.js'
import type { QuadPattern } from './quad-patterns.js'
import { parsePublicQuery } from './query-checks.js'
import { writeQuery } from './query-parser.js'
import { hasCertainIris } from './query-iris.js'
import { everything, neededPatterns } from './query-patterns.js'
import type {
  QueryDataset,
  QueryLimits,
  QueryRequest,
  QueryResult,
  WorkerConfig,
} from './worker-protocol.js'
import { checkRowCount, withRowLimit } from './row-limit.js'
import { type FindWords, replaceWordPatterns } from './word-patterns.js'
import { withNamedVariables } from './select-variables.js'
import { toValidXml } from './oxigraph-xml.js'
import { graphsOnly, tablesOnly, tooManyBytes } from './error-messages.js'

const nquads = { format: 'application/n-quads' }

// Stored quads were validated when they were written. Without validation, loading takes a third
// less time.
const loadOptions = { ...nquads, lenient: true, no_transaction: true }

export class Replica {
  readonly #endpoint: string
  readonly #graphs: readonly string[]
  readonly #limits: QueryLimits
  readonly #oxigraph = new Oxigraph()

  constructor({ endpoint, graphs, limits }: WorkerConfig) {
    this.#endpoint = endpoint
    this.#graphs = graphs
    this.#limits = limits
  }

  /**
   * Reads and checks a query.
   * @param find answers its searches
   * @returns the quads that it needs, and a function that runs it once they are loaded, which
   * throws InvalidError, or another error where Oxigraph ran out of stack or memory
   * @throws InvalidError, ForbiddenError, RequestError
   */
  async prepare(
    { query: typed, dataset, table, graph }: QueryRequest,
    find: FindWords,
  ): Promise<PreparedQuery> {
    const query = parsePublicQuery(typed, this.#endpoint)
    const resolved = resolveDataset(dataset, query, this.#graphs)
    const isAboutAll = hasAll(resolved, this.#graphs)
    const options = datasetOptions(resolved, isAboutAll)
    const areIrisCertain = hasCertainIris(typed, query, this.#endpoint)
    const hasWords = await replaceWordPatterns(query, this.#endpoint, isAboutAll, find)
    if (hasWords && !areIrisCertain) throw new InvalidError(uncertainIris)
    // Only such a query is written anew.
    const text = hasWords ? writeQuery(query) : typed
    const patterns = areIrisCertain ? neededPatterns(query) : [everything]
    if (query.queryType === 'SELECT' || query.queryType === 'ASK') {
      if (!table) throw formatNotAccepted(tablesOnly)
      return { patterns, run: () => this.#writeTable(text, query, options, table) }
    }
    if (!graph) throw formatNotAccepted(graphsOnly)
    return {
      patterns,
      run: () => ({
        type: graph.type,
        bytes: this.#toBytes(this.#writeGraph(text, query, options, graph)),
      }),
    }
  }

  /** @throws the errors of Oxigraph, after which its content is unknown */
  load(quads: Uint8Array): void {
    this.#oxigraph.load(quads, loadOptions)
  }

  /** Removes and adds quads in one step, so that no query sees half of it. @throws as `load` */
  change(removed: string, added: string): void {
    if (removed !== '') this.#oxigraph.update(toDeleteData(removed))
    this.#oxigraph.load(added, loadOptions)
  }

  #writeTable(
    text: string,
    query: Query,
    options: DatasetOptions,
    { type, name }: TableFormat,
  ): QueryResult {
    const limited = withNamedVariables(withRowLimit(text, query, this.#limits.rows + 1), query)
    const result = this.#execute(limited, options, type)
    // Each row takes several bytes in every format, so most results need not be counted.
    if (query.queryType === 'SELECT' && result.length > this.#limits.rows)
      checkRowCount(result, name, this.#limits.rows)
    return { type, bytes: this.#toBytes(result) }
  }

  #writeGraph(text: string, query: Query, options: DatasetOptions, { type }: GraphFormat): string {
    if (type !== 'text/turtle') return this.#execute(text, options, type)
    const triples = this.#execute(text, options, 'application/n-triples')
    // It is rejected by its size anyway, so do not spend time on it.
    if (triples.length > this.#limits.bytes) return triples
    // With the prefixes of the client's query.
    return writeTurtle(
      new TurtleParser({ format: 'application/n-triples' }).parse(triples),
      query.prefixes,
    )
  }

  /** @throws InvalidError, and an error after which the thread cannot run queries */
  #execute(text: string, dataset: DatasetOptions, type: string): string {
    try {
      const options = { ...dataset, base_iri: this.#endpoint, results_format: oxigraphFormat(type) }
      const result = this.#oxigraph.query(text, options) as string
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

  #toBytes(result: string): Uint8Array {
    const bytes = new TextEncoder().encode(result)
    if (bytes.length > this.#limits.bytes) throw new InvalidError(tooManyBytes(this.#limits.bytes))
    return bytes
  }
}

const uncertainIris =
  'In a query with zc:matches, write IRIs of this service whole or with PREFIX: without BASE and without segments such as ../.'

type PreparedQuery = {
  /** The quads that it needs. */
  readonly patterns: readonly QuadPattern[]
  readonly run: () => QueryResult
}

type DatasetOptions = { readonly named_graphs: NamedNode[] } & (
  { readonly default_graph: NamedNode[] } | { readonly use_default_graph_as_union: true }
)

/** The media type by which Oxigraph knows a format. */
const oxigraphFormat = (type: string): string =>
  type === 'application/json' ? 'application/sparql-results+json' : type

/** @param isAboutAll whether the default graph is made of all graphs that there are */
function datasetOptions(
  { default: unnamed, named }: QueryDataset,
  isAboutAll: boolean,
): DatasetOptions {
  const named_graphs = named.map((name) => namedNode(name))
  // Oxigraph looks up a triple in each graph that is listed, but only once in the union of all.
  return isAboutAll
    ? { named_graphs, use_default_graph_as_union: true }
    : { named_graphs, default_graph: unnamed.map((name) => namedNode(name)) }
}
