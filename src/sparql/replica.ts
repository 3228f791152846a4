// The replica of what everybody may see, in a worker: an Oxigraph of its own that strangers' queries
// may break. It never holds anything else.

import { Parser as TurtleParser } from 'n3'
import { type NamedNode, Store as Oxigraph, namedNode, parse } from 'oxigraph'
import type { Query } from 'sparqljs'

import { writeTurtle } from '../rdf/turtle-writer.js'
import { resolveDataset } from './query-dataset.js'
import { ResultFormatError, QueryError } from './errors.js'
import type { GraphFormat } from './result-formats.js'
import { parsePublicQuery } from './query-checks.js'
import type { QueryResult, QueryDataset, QueryRequest, WorkerConfig } from './worker-protocol.js'
import { checkRowCount, withRowLimit } from './row-limit.js'
import { toValidXml } from './oxigraph-xml.js'
import { graphsOnly, tablesOnly, tooManyBytes } from './error-messages.js'

/** Oxigraph overflowed its stack or its memory; nothing in this thread can be asked any more. */
export class ReplicaCrashedError extends Error {}

const nquads = { format: 'application/n-quads' }

// What was kept was judged when it was written; a third less time without doing so again.
const loadOptions = { ...nquads, lenient: true, no_transaction: true }

export function openReplica({ endpoint, graphs, limits }: WorkerConfig) {
  const oxigraph = new Oxigraph()

  function answer({ query: text, dataset, table, graph }: QueryRequest): QueryResult {
    const query = parsePublicQuery(text, endpoint)
    const about = oxigraphDataset(resolveDataset(dataset, query, graphs))
    const isTable = query.queryType === 'SELECT' || query.queryType === 'ASK'
    if (isTable) {
      if (!table) throw new ResultFormatError(tablesOnly)
      const answered = ask(withRowLimit(text, query, limits.rows + 1), about, table.type)
      // A row takes a few bytes in every format, so that most answers need not be counted.
      if (query.queryType === 'SELECT' && answered.length > limits.rows)
        checkRowCount(answered, table.name, limits.rows)
      return { type: table.type, bytes: bytesOf(answered) }
    }
    if (!graph) throw new ResultFormatError(graphsOnly)
    return { type: graph.type, bytes: bytesOf(writeGraph(text, query, about, graph)) }
  }

  function writeGraph(
    text: string,
    query: Query,
    about: OxigraphDataset,
    { type }: GraphFormat,
  ): string {
    if (type !== 'text/turtle') return ask(text, about, type)
    const triples = ask(text, about, 'application/n-triples')
    // Not worth the time for what is refused in any case.
    if (triples.length > limits.bytes) return triples
    // With the prefixes that the client likes.
    return writeTurtle(
      new TurtleParser({ format: 'application/n-triples' }).parse(triples),
      query.prefixes,
    )
  }

  /** @throws QueryRefused, ReplicaBroken */
  function ask(text: string, about: OxigraphDataset, type: string): string {
    try {
      const options = { ...about, base_iri: endpoint, results_format: formatOf(type) }
      const answered = oxigraph.query(text, options) as string
      return type.endsWith('+xml') ? toValidXml(answered) : answered
    } catch (error) {
      // What it refuses is a plain Error. An overflow, of the stack or of the memory, is not, and
      // leaves the whole module in no state to go on.
      if (error instanceof QueryError) throw error
      if (error instanceof Error && error.constructor === Error)
        throw new QueryError(error.message, { cause: error })
      throw new ReplicaCrashedError((error as Error).message, { cause: error })
    }
  }

  function bytesOf(answered: string): Uint8Array {
    const bytes = new TextEncoder().encode(answered)
    if (bytes.length > limits.bytes) throw new QueryError(tooManyBytes(limits.bytes))
    return bytes
  }

  return {
    /** @throws QueryRefused, UpdateRefused, FormRefused; ReplicaBroken */
    answer,
    /** @throws whatever Oxigraph does: what it then holds is not what it should */
    load: (quads: string): void => oxigraph.load(quads, loadOptions),
    /** Without a question in between. @throws as above */
    change(removed: string, added: string): void {
      for (const quad of parse(removed, nquads)) oxigraph.delete(quad)
      oxigraph.load(added, loadOptions)
    },
  }
}

type OxigraphDataset = { readonly default_graph: NamedNode[]; readonly named_graphs: NamedNode[] }

/** As Oxigraph calls it. */
const formatOf = (type: string): string =>
  type === 'application/json' ? 'application/sparql-results+json' : type

const oxigraphDataset = ({ default: unnamed, named }: QueryDataset): OxigraphDataset => ({
  default_graph: unnamed.map((name) => namedNode(name)),
  named_graphs: named.map((name) => namedNode(name)),
})
