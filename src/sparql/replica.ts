// The replica of what everybody may see, in a worker: an Oxigraph of its own that strangers' queries
// may break. It never holds anything else.

import { Parser as TurtleParser } from 'n3'
import { type NamedNode, Store as Oxigraph, namedNode, parse } from 'oxigraph'
import type { Query } from 'sparqljs'

import { writeTurtle } from '../rdf/pretty.js'
import { notInXml } from '../rdf/xml.js'
import { FormRefused, QueryRefused } from './failures.js'
import type { GraphFormat } from './formats.js'
import { readQuery } from './inspect.js'
import type { Answer, Dataset, Question, Start } from './messages.js'
import { countRows, limited } from './rows.js'

/** Oxigraph overflowed its stack or its memory; nothing in this thread can be asked any more. */
export class ReplicaBroken extends Error {}

const nquads = { format: 'application/n-quads' }

// What was kept was judged when it was written; a third less time without doing so again.
const kept = { ...nquads, lenient: true, no_transaction: true }

export function openReplica({ endpoint, graphs, limits }: Start) {
  const oxigraph = new Oxigraph()

  function answer({ query: text, dataset, table, graph }: Question): Answer {
    const query = readQuery(text, endpoint)
    const about = datasetOf(dataset ?? saidBy(query))
    const isTable = query.queryType === 'SELECT' || query.queryType === 'ASK'
    if (isTable) {
      if (!table) throw new FormRefused(tablesOnly)
      const answered = ask(limited(text, query, limits.rows + 1), about, table.type)
      // A row takes a few bytes in every format, so that most answers need not be counted.
      if (query.queryType === 'SELECT' && answered.length > limits.rows)
        countRows(answered, table.name, limits.rows)
      return { type: table.type, bytes: bytesOf(answered) }
    }
    if (!graph) throw new FormRefused(graphsOnly)
    return { type: graph.type, bytes: bytesOf(writeGraph(text, query, about, graph)) }
  }

  function writeGraph(text: string, query: Query, about: About, { type }: GraphFormat): string {
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
  function ask(text: string, about: About, type: string): string {
    try {
      const options = { ...about, base_iri: endpoint, results_format: formatOf(type) }
      const answered = oxigraph.query(text, options) as string
      return type.endsWith('+xml') ? asXml(answered) : answered
    } catch (error) {
      // What it refuses is a plain Error. An overflow, of the stack or of the memory, is not, and
      // leaves the whole module in no state to go on.
      if (error instanceof QueryRefused) throw error
      if (error instanceof Error && error.constructor === Error)
        throw new QueryRefused(error.message, { cause: error })
      throw new ReplicaBroken((error as Error).message, { cause: error })
    }
  }

  function datasetOf({ default: unnamed, named }: Dataset): About {
    return { default_graph: unnamed.map(graphOf), named_graphs: named.map(graphOf) }
  }

  function graphOf(name: string): NamedNode {
    if (!graphs.includes(name))
      throw new QueryRefused(`There is no graph <${name}> here; there are ${list(graphs)}.`)
    return namedNode(name)
  }

  /** The graphs that a query names; all of them unless it does. */
  function saidBy({ from }: Query): Dataset {
    if (!from) return { default: graphs, named: graphs }
    const [unnamed, named] = [from.default, from.named].map((names) =>
      names.map(({ value }) => value),
    )
    return { default: unnamed ?? [], named: named ?? [] }
  }

  function bytesOf(answered: string): Uint8Array {
    const bytes = new TextEncoder().encode(answered)
    if (bytes.length > limits.bytes)
      throw new QueryRefused(
        `The answer has more than ${limits.bytes} bytes; ask for less of it at a time.`,
      )
    return bytes
  }

  return {
    /** @throws QueryRefused, UpdateRefused, FormRefused; ReplicaBroken */
    answer,
    /** @throws whatever Oxigraph does: what it then holds is not what it should */
    load: (quads: string): void => oxigraph.load(quads, kept),
    /** Without a question in between. @throws as above */
    change(removed: string, added: string): void {
      for (const quad of parse(removed, nquads)) oxigraph.delete(quad)
      oxigraph.load(added, nquads)
    },
  }
}

/**
 * XML that can be read as such. Oxigraph writes characters that XML 1.0 (2.2) has no way to say, which
 * are left out, and properties that are no element's name, which cannot be.
 * @throws QueryRefused
 */
function asXml(answered: string): string {
  if (/<oxprefix:[\s/>]/.test(answered))
    throw new QueryRefused(
      'RDF/XML cannot say a property whose IRI does not end in a name; ask for another format.',
    )
  // A reader of XML would make a line feed of a carriage return that is written as it is.
  return answered.replace(notInXml, '').replaceAll('\r', '&#xD;')
}

type About = { readonly default_graph: NamedNode[]; readonly named_graphs: NamedNode[] }

const tablesOnly = 'The answer to SELECT and ASK comes as SPARQL results in JSON, XML, CSV or TSV.'
const graphsOnly =
  'The answer to CONSTRUCT and DESCRIBE comes as Turtle, N-Triples, RDF/XML or JSON-LD.'

/** As Oxigraph calls it. */
const formatOf = (type: string): string =>
  type === 'application/json' ? 'application/sparql-results+json' : type

const list = (names: readonly string[]): string => names.map((name) => `<${name}>`).join(' and ')
