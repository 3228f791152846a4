// SPARQL 1.1 as its recommendation describes it: which queries there are, and what they result in. A pool of workers answers
// them, so they pass every check and load only the quads that they need. The cases are in syntax-cases.ts and
// evaluation-cases.ts.

import { expect } from 'chai'
import { Parser } from 'n3'

import { RequestError, InvalidError } from '../../../src/errors.js'
import { createCommitListeners } from '../../../src/store/commit-listeners.js'
import { writeNQuads } from '../../../src/rdf/terms.js'
import { graphFormats, tableFormats } from '../../../src/features/sparql/result-formats.js'
import { WorkerPool } from '../../../src/features/sparql/worker-pool.js'
import type { QueryResult } from '../../../src/features/sparql/worker-protocol.js'
import type { Store } from '../../../src/store/store.js'
import { concepts, evaluationCases, records } from './evaluation-cases.js'
import { acceptedQueries, refusedQueries, rejectedQueries } from './syntax-cases.js'

const base = 'https://zines.example'
const graphs = [`${base}/graphs/public`, `${base}/graphs/vocabularies`] as const

const namespaces: Readonly<Record<string, string>> = {
  '': `${base}/`,
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
}

const prologue = Object.entries(namespaces)
  .map(([prefix, namespace]) => `PREFIX ${prefix}: <${namespace}>`)
  .join('\n')

/** Turtle as quads in a graph. */
function quadsIn(graph: string, turtle: string): string {
  const directives = prologue.replace(/>$/gm, '> .').replaceAll('PREFIX', '@prefix')
  return writeNQuads(new Parser().parse(directives + turtle)).replace(/\.$/gm, `<${graph}> .`)
}

const nquads = quadsIn(graphs[0], records) + quadsIn(graphs[1], concepts)

// The cast: a pool asks for nothing else.
const store = {
  size: () => 30,
  dump: async function* () {
    yield await Promise.resolve(nquads)
  },
  listeners: createCommitListeners(),
} as unknown as Store

/** As sparqljs and Oxigraph tell it. */
const syntaxError = /^Malformed query: |^error at \d+:\d+: /

describe('SPARQL 1.1', () => {
  let pool: WorkerPool

  before(async () => {
    const limits = { rows: 1000, bytes: 1_000_000 }
    const settings = { base, graphs, workers: 1, timeout: 60, limits }
    pool = new WorkerPool(store, settings, (error) => {
      throw error
    })
    await pool.start()
  })
  after(() => pool.close())

  async function run(query: string): Promise<QueryResult> {
    const gone = new AbortController()
    const [table] = tableFormats.filter(({ name }) => name === 'tsv')
    const [graph] = graphFormats.filter(({ name }) => name === 'ntriples')
    const text = /^\s*(prefix|base)/i.test(query) ? query : `${prologue}\n${query}`
    try {
      return await pool.ask(
        { query: text, dataset: undefined, table, graph },
        { client: 'test', signal: gone.signal },
      )
    } finally {
      gone.abort()
    }
  }

  const errorOf = (query: string): Promise<unknown> =>
    run(query).then(
      () => undefined,
      (error: unknown) => error,
    )

  /** The lines of a result, as they are written in the table of cases. */
  function linesOf({ type, bytes }: QueryResult): string[] {
    const text = new TextDecoder().decode(bytes)
    const lines = text.split('\n').slice(0, -1)
    if (type === 'application/n-triples') return lines.map(abbreviate)
    // The first line of a table has the names of the variables.
    return text.startsWith('?') || text.startsWith('\n')
      ? lines.slice(1).map((row) => row.split('\t').map(writeCell).join(' '))
      : [text.trim()]
  }

  const writeCell = (cell: string): string => (cell === '' ? '-' : abbreviate(cell))

  const abbreviate = (text: string): string =>
    Object.entries(namespaces)
      .reduce(
        (shorter, [prefix, namespace]) =>
          shorter.replaceAll(new RegExp(`<${namespace}([^>]*)>`, 'g'), `${prefix}:$1`),
        text,
      )
      .replace(/"([^"]*)"\^\^xsd:(integer|decimal|double|boolean)/g, '$1')
      .replace(/_:\w+/g, '_:')

  for (const [feature, cases] of Object.entries(evaluationCases))
    describe(`evaluates ${feature}:`, () => {
      for (const [query, ...expected] of cases)
        it(query, async () => {
          const lines = linesOf(await run(query))
          if (query.includes('ORDER BY') && !query.startsWith('CONSTRUCT'))
            expect(lines).to.deep.equal(expected)
          else expect(lines.toSorted()).to.deep.equal(expected.toSorted())
        })
    })

  for (const [feature, queries] of Object.entries(acceptedQueries))
    describe(`accepts ${feature}:`, () => {
      for (const query of queries)
        it(query, async () => {
          await run(query)
        })
    })

  for (const [feature, queries] of Object.entries(rejectedQueries))
    describe(`rejects ${feature}:`, () => {
      for (const query of queries)
        it(query, async () => {
          const error = await errorOf(query)
          expect(error).to.be.instanceOf(InvalidError)
          expect((error as Error).message).to.match(syntaxError)
        })
    })

  for (const [feature, queries] of Object.entries(refusedQueries))
    describe(`refuses ${feature} by intent:`, () => {
      for (const query of queries)
        it(query, async () => {
          const error = await errorOf(query)
          if (feature === 'updates') expect((error as RequestError).refusal).to.equal('forbidden')
          else {
            expect(error).to.be.instanceOf(InvalidError)
            expect((error as Error).message).not.to.match(syntaxError)
          }
        })
    })
})
