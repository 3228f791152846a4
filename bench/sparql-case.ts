// The benchmark case `sparql`: the example queries, a query about every triple and a search for words, the first time and
// again, beside a plain Oxigraph that has all the triples in the process of the benchmark.

import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

import { Store as Oxigraph } from 'oxigraph'

import type { Bench } from './case.js'
import { base } from './fixtures.js'
import { type Example, ask, everything, readExamples, startAgain } from './memory-case.js'
import type { Service } from './processes.js'
import { type Figure, median } from './report.js'

/** How often a query is asked again. */
const repetitions = 3

const prologue = `PREFIX bf: <http://id.loc.gov/ontologies/bibframe/>
PREFIX dcterms: <http://purl.org/dc/terms/>
PREFIX zc: <${base}/ns#>
`

/** The same question about words, answered by the index and by reading all titles. */
const searches = {
  matches: `${prologue}SELECT ?zine ?title { ?zine a bf:Instance ; zc:matches "title:marmalade" ; dcterms:title ?title }`,
  regex: `${prologue}SELECT ?zine ?title { ?zine a bf:Instance ; dcterms:title ?title FILTER(REGEX(?title, "\\\\bmarmalade\\\\b", "i")) }`,
}

export async function sparqlCase({ zines, resources }: Bench): Promise<Figure[]> {
  return startAgain(zines, resources, async (service) => {
    const { oxigraph, seconds } = await loadPlain(service)
    const examples = await readExamples(service)
    return [
      ...(await compareExamples(service, oxigraph, examples, zines)),
      ...(await compareSearches(service, zines)),
      ...(await compareEverything(service, oxigraph, seconds, zines)),
    ]
  })
}

/** An Oxigraph with the triples of the dump, and how long it took to load them. */
async function loadPlain(service: Service) {
  const { body } = await fetch(`${service.url}/dumps/catalogue.nt.gz`)
  if (!body) throw new Error('the dump has no body')
  const oxigraph = new Oxigraph()
  let milliseconds = 0
  const load = (triples: string): void => {
    const before = performance.now()
    oxigraph.load(triples, { format: 'application/n-triples', no_transaction: true, lenient: true })
    milliseconds += performance.now() - before
  }
  let rest = ''
  const pieces = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
    .pipe(createGunzip())
    .setEncoding('utf8')
  for await (const piece of pieces as AsyncIterable<string>) {
    rest += piece
    if (rest.length < pieceLength) continue
    const end = rest.lastIndexOf('\n') + 1
    load(rest.slice(0, end))
    rest = rest.slice(end)
  }
  load(rest)
  return { oxigraph, seconds: milliseconds / 1000 }
}

const pieceLength = 2 ** 20

async function compareExamples(
  service: Service,
  oxigraph: Oxigraph,
  examples: readonly Example[],
  zines: number,
): Promise<Figure[]> {
  const first: { question: string; ms: number }[] = []
  for (const { question, query } of examples)
    first.push({ question, ms: await ask(service, query) })
  const slowest = first.reduce((one, other) => (other.ms > one.ms ? other : one))
  const again: { question: string; ms: number; plain: number }[] = []
  // Oxigraph does not know zc:matches.
  for (const { question, query } of examples.filter(
    (example) => !example.query.includes('zc:matches'),
  )) {
    const { ms, plain } = await compare(service, oxigraph, query)
    again.push({ question, ms, plain })
  }
  const worst = again.reduce((one, other) =>
    other.ms / other.plain > one.ms / one.plain ? other : one,
  )
  const sumOf = (name: 'ms' | 'plain'): number => again.reduce((sum, row) => sum + row[name], 0)
  return [
    {
      row: 'sparql',
      what: 'the example queries, the first time: the slowest',
      value: slowest.ms,
      unit: 'ms',
      ...(zines > 20_000 ? {} : { target: { at: 'most', value: 500 } }),
      note: `${slowest.question}; the median ${median(first.map(({ ms }) => ms)).toFixed(0)} ms`,
    },
    {
      row: 'sparql',
      what: 'the example queries, again, to Oxigraph',
      value: sumOf('ms') / sumOf('plain'),
      unit: '×',
      target: { at: 'most', value: 2 },
      note: `${sumOf('ms').toFixed(0)} to ${sumOf('plain').toFixed(0)} ms in all; most ${(worst.ms / worst.plain).toFixed(1)} ×, ${worst.ms.toFixed(0)} to ${worst.plain.toFixed(0)} ms: ${worst.question}`,
    },
  ]
}

/** How long a query takes when its triples are there, in turn with Oxigraph: the medians, in milliseconds. */
async function compare(service: Service, oxigraph: Oxigraph, query: string) {
  const [took, plain]: [number[], number[]] = [[], []]
  for (let round = 0; round < repetitions; round += 1) {
    took.push(await ask(service, query))
    plain.push(askPlain(oxigraph, query))
  }
  return { ms: median(took), plain: median(plain) }
}

function askPlain(oxigraph: Oxigraph, query: string): number {
  const isGraph = /\bCONSTRUCT\b/.test(query)
  const before = performance.now()
  oxigraph.query(query, {
    base_iri: `${base}/sparql`,
    results_format: isGraph ? 'text/turtle' : 'application/sparql-results+json',
  })
  return performance.now() - before
}

async function compareSearches(service: Service, zines: number): Promise<Figure[]> {
  const took = { matches: [] as number[], regex: [] as number[] }
  for (const query of Object.values(searches)) await ask(service, query)
  for (let round = 0; round < repetitions; round += 1)
    for (const name of ['matches', 'regex'] as const)
      took[name].push(await ask(service, searches[name]))
  const [matches, regex] = [median(took.matches), median(took.regex)]
  return [
    {
      row: 'sparql',
      what: 'a word in titles, again: REGEX to zc:matches',
      value: regex / matches,
      unit: '×',
      ...(zines < 100_000 ? {} : { target: { at: 'least', value: 50 } }),
      note: `${regex.toFixed(0)} to ${matches.toFixed(1)} ms`,
    },
  ]
}

async function compareEverything(
  service: Service,
  oxigraph: Oxigraph,
  seconds: number,
  zines: number,
): Promise<Figure[]> {
  const first = (await ask(service, everything.query)) / 1000
  const { ms, plain } = await compare(service, oxigraph, everything.query)
  return [
    {
      row: 'sparql',
      what: 'a query about every triple, the first time',
      value: first,
      unit: 's',
      ...(zines > 100_000 ? {} : { target: { at: 'most', value: 15 } }),
      note: `${(first / (seconds + plain / 1000)).toFixed(1)} × Oxigraph, which loads them in ${seconds.toFixed(1)} s`,
    },
    {
      row: 'sparql',
      what: 'a query about every triple, again, to Oxigraph',
      value: ms / plain,
      unit: '×',
      target: { at: 'most', value: 2 },
      note: `${ms.toFixed(0)} to ${plain.toFixed(0)} ms`,
    },
  ]
}
