// A worker loads only the quads that its queries need. Whatever is asked, and whatever is written meanwhile, the result is
// that over all quads.

import { expect } from 'chai'
import fc from 'fast-check'

import { UnavailableError } from '../../../src/errors.js'
import { Replica } from '../../../src/features/sparql/replica.js'
import { graphFormats, tableFormats } from '../../../src/features/sparql/result-formats.js'
import { WorkerPool } from '../../../src/features/sparql/worker-pool.js'
import { type QuadChange, createCommitListeners } from '../../../src/store/commit-listeners.js'
import type { Store } from '../../../src/store/store.js'

const base = 'https://zines.example'
const graphs = [`${base}/graphs/public`, `${base}/graphs/vocabularies`]
const limits = { rows: 50_000, bytes: 10_000_000 }

const nodes = ['a', 'b', 'c', 'd'].map((name) => `<${base}/${name}>`)
const properties = [
  ...['p', 'q', 'r'].map((name) => `<${base}/${name}>`),
  '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>',
]
const integer = '^^<http://www.w3.org/2001/XMLSchema#integer>'
// The catalogue writes numbers in one way only, but queries may write them in others.
const literals = ['"a"', '"say \\"b\\"\\n"', '"a"@en', `"1"${integer}`]
const askedLiterals = [...literals, '"a"@EN', `"01"${integer}`]

const anyQuad = fc
  .tuple(
    fc.constantFrom(...nodes),
    fc.constantFrom(...properties),
    fc.constantFrom(...nodes, ...literals),
    fc.constantFrom(...graphs),
  )
  .map(([subject, property, object, graph]) => `${subject} ${property} ${object} <${graph}> .\n`)

const variable = fc.constantFrom('?w', '?x', '?y', '?z')
const anyPath = fc.letrec<{ path: string }>((tie) => ({
  path: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(...properties),
    fc.constantFrom(...properties).map((property) => `!${property}`),
    fc.constantFrom(...properties).map((property) => `!(${properties[0]}|^${property})`),
    fc.tuple(tie('path'), fc.constantFrom('*', '+', '?')).map(([path, sign]) => `(${path})${sign}`),
    fc
      .tuple(tie('path'), fc.constantFrom('/', '|'), tie('path'))
      .map(([one, sign, other]) => `(${one}${sign}${other})`),
    tie('path').map((path) => `^(${path})`),
  ),
})).path

const anyTriple = fc
  .tuple(
    fc.oneof(variable, fc.constantFrom(...nodes)),
    fc.oneof(fc.constantFrom(...properties), anyPath, variable),
    fc.oneof(
      { weight: 2, arbitrary: variable },
      {
        weight: 1,
        arbitrary: fc.constantFrom(...nodes, ...askedLiterals),
      },
    ),
  )
  .map((terms) => `${terms.join(' ')} .`)

const anyGroup = fc.letrec<{ part: string; group: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    anyTriple,
    tie('group').map((group) => `OPTIONAL { ${group} }`),
    tie('group').map((group) => `MINUS { ${group} }`),
    tie('group').map((group) => `{ SELECT ?x { ${group} } }`),
    fc.tuple(tie('group'), tie('group')).map(([one, other]) => `{ ${one} } UNION { ${other} }`),
    fc
      .tuple(fc.constantFrom('EXISTS', 'NOT EXISTS'), tie('group'))
      .map(([how, group]) => `FILTER ${how} { ${group} }`),
    fc
      .tuple(fc.constantFrom('?g', `<${graphs[0]}>`), fc.oneof(tie('group'), fc.constant('')))
      .map(([name, group]) => `GRAPH ${name} { ${group} }`),
  ),
  group: fc
    .tuple(anyTriple, fc.array(tie('part'), { maxLength: 2 }))
    .map(([triple, parts]) => [triple, ...parts].join(' ')),
})).group

const anyQuery = fc.oneof(
  {
    weight: 6,
    arbitrary: anyGroup.map(
      (group) => `SELECT (COUNT(*) AS ?count) ?x ?y { ${group} } GROUP BY ?x ?y`,
    ),
  },
  { weight: 1, arbitrary: anyGroup.map((group) => `ASK { ${group} }`) },
  { weight: 1, arbitrary: anyGroup.map((group) => `CONSTRUCT { ?x ?y ?z } WHERE { ${group} }`) },
  { weight: 1, arbitrary: anyGroup.map((group) => `DESCRIBE ?x { ${group} }`) },
  { weight: 1, arbitrary: fc.constantFrom(...nodes).map((node) => `DESCRIBE ${node}`) },
)

type Step = { readonly query: string } | { readonly removed: number; readonly added: string[] }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ query: anyQuery }) },
  {
    weight: 1,
    arbitrary: fc.record({ removed: fc.nat(3), added: fc.array(anyQuad, { maxLength: 3 }) }),
  },
)

const requestOf = (query: string) => ({
  query,
  dataset: undefined,
  table: tableFormats.find(({ name }) => name === 'tsv'),
  graph: graphFormats.find(({ name }) => name === 'ntriples'),
})

/** The rows or triples, in any order. */
const linesOf = (bytes: Uint8Array): string[] => Buffer.from(bytes).toString().split('\n').sort()

async function expectedOf(quads: ReadonlySet<string>, query: string): Promise<string[]> {
  const config = { endpoint: `${base}/sparql`, graphs, limits, memory: 2 ** 30 }
  const replica = new Replica(config)
  replica.load(new TextEncoder().encode([...quads].join('')))
  const prepared = await replica.prepare(requestOf(query), () => Promise.resolve([]))
  return linesOf(prepared.run().bytes)
}

/** So many quads with three predicates. */
const createQuads = (count: number): readonly string[] =>
  Array.from(
    { length: count },
    (_, number) => `${nodes[0]} ${properties[number % 3]} "${number}" <${graphs[0]}> .\n`,
  )

const countAll = 'SELECT (COUNT(*) AS ?c) { ?s ?p ?o }'

/** The number in the result of a query that counts. */
const numberIn = (lines: readonly string[]): number =>
  Number(lines.map((line) => /^"?(\d+)/.exec(line)?.[1]).find((digits) => digits !== undefined))

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits until so many workers were replaced by others, which are ready then. */
async function untilEnded(pool: WorkerPool, count: number): Promise<void> {
  while (pool.workers().ended < count) await wait(5)
}

/** A pool over quads that `write` changes. */
function openPool(
  quads: Set<string>,
  settings: {
    readonly keepMs?: number
    readonly preloaded?: readonly string[]
    readonly preloadMs?: number
    readonly timeout?: number
    readonly maxRemoved?: number | undefined
    readonly workers?: number
    /** In how many parts the quads are loaded, and how long each takes. */
    readonly loading?: { parts: number; ms: number }
  } = {},
) {
  const { loading = { parts: 1, ms: 0 }, ...own } = settings
  const listeners = createCommitListeners()
  // The cast: a pool asks for nothing else.
  const store = {
    size: () => quads.size,
    async *dump() {
      const { parts, ms } = loading
      const all = [...quads]
      const length = Math.ceil(all.length / parts)
      for (let start = 0; start < all.length; start += length) {
        await wait(ms)
        yield all.slice(start, start + length).join('')
      }
    },
    listeners,
  } as unknown as Store
  const errors: Error[] = []
  const pool: WorkerPool = new WorkerPool(
    store,
    { base, graphs, workers: 1, timeout: 20, limits, ...own },
    (error) => errors.push(error),
  )
  void pool.start()
  const tell = (transient: readonly QuadChange[]): Promise<void> =>
    listeners.tell({ records: [], transient })
  return {
    pool,
    errors,
    tell,
    write: async (removed: readonly string[], added: readonly string[]) => {
      for (const quad of removed) quads.delete(quad)
      for (const quad of added) quads.add(quad)
      await tell([{ removed: removed.join(''), added: added.join('') }])
    },
    ask: async (query: string, gone = new AbortController()): Promise<string[]> => {
      try {
        const client = { client: Math.random().toString(), signal: gone.signal }
        return linesOf((await pool.ask(requestOf(query), client)).bytes)
      } finally {
        gone.abort()
      }
    },
  }
}

describe('a SPARQL query over the quads that it needs', () => {
  it('has the same result as over all quads, after any queries and writes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyQuad, { maxLength: 14 }),
        fc.array(anyStep, { minLength: 5, maxLength: 30 }),
        fc.constantFrom(undefined, 3),
        async (initial, steps, maxRemoved) => {
          const quads = new Set(initial)
          const { pool, errors, write, ask } = openPool(quads, { maxRemoved })
          try {
            for (const step of steps)
              if ('query' in step)
                expect(await ask(step.query), step.query).to.deep.equal(
                  await expectedOf(quads, step.query),
                )
              else await write([...quads].slice(0, step.removed), [...new Set(step.added)])
            expect(errors).to.deep.equal([])
          } finally {
            await pool.close()
          }
        },
      ),
      { numRuns: 12 },
    )
  })

  it('sees a write of what was loaded before, and of what was not', async () => {
    const quad = (object: string, property = properties[0]) =>
      `${nodes[0]} ${property} ${object} <${graphs[0]}> .\n`
    const { pool, write, ask } = openPool(new Set([quad('"1"')]))
    const count = (property = properties[0]) => ask(`SELECT (COUNT(*) AS ?c) { ?s ${property} ?o }`)
    expect(await count()).to.include(`1`)
    await write([quad('"1"')], [quad('"2"'), quad('"3"'), quad('"4"', properties[1])])
    expect(await count()).to.include(`2`)
    expect(await count(properties[1])).to.include(`1`)
    await write([quad('"2"')], [])
    expect(await count()).to.include(`1`)
    await pool.close()
  })

  const names = ['<a>', '<./a>', '<x/../a>', '<//zines.example/a>', ':x\\/y', ":a\\'b"]
  const named = names.map((name) => `SELECT * { ${name} ?p ?o }`)
  const queries = [
    ...[...named, 'SELECT * { ?s :x\\-y ?o }', 'DESCRIBE <./a>'].map(
      (query) => `PREFIX : <${base}/> ${query}`,
    ),
    `BASE <${base}> SELECT * { <a> ?p ?o }`,
    `BASE <${base}/x/y#f> SELECT * { <a> ?p ?o . <../a> ?q ?r }`,
    `PREFIX r: <x/../> SELECT * { r:a ?p ?o }`,
  ]
  for (const query of queries)
    it(`has what Oxigraph reads: ${query}`, async () => {
      const subjects = ['a', '', 'x/y', 'x-y', "a'b", '%41', 'é', 'n', 's/../n', 'x//y', 'x/a']
      const quads = new Set(
        subjects.map((name) => `<${base}/${name}> <${base}/x-y> "${name}" <${graphs[0]}> .\n`),
      )
      const { pool, ask } = openPool(quads)
      expect(await ask(query)).to.deep.equal(await expectedOf(quads, query))
      await pool.close()
    })

  it('sees all of a large commit or nothing of it, also where two are made at once', async () => {
    const { pool, ask, tell } = openPool(
      new Set([`${nodes[0]} ${nodes[0]} "0" <${graphs[0]}> .\n`]),
    )
    await ask(countAll)
    // Making a part takes long, so that the main thread does other work between two.
    const partsOf = (name: string, count: number): QuadChange[] =>
      Array.from({ length: count }, (_, number) => ({
        removed: '',
        get added() {
          const end = performance.now() + 10
          while (performance.now() < end);
          return `<${base}/${name}${number}> ${properties[0]} "${number}" <${graphs[0]}> .\n`
        },
      }))
    const state = { isDone: false }
    const commits = Promise.all([tell(partsOf('one', 20)), tell(partsOf('other', 40))])
    void commits.then(() => (state.isDone = true))
    const seen = new Set<number>()
    while (!state.isDone) seen.add(numberIn(await ask(countAll)))
    seen.add(numberIn(await ask(countAll)))
    expect([...seen].filter((count) => ![1, 21, 41, 61].includes(count))).to.deep.equal([])
    expect([...seen]).to.include(61)
    await pool.close()
  })

  it('is answered after its quads were released, and meanwhile', async () => {
    const quads = createQuads(50)
    const { pool, errors, ask } = openPool(new Set(quads), { keepMs: 20 })
    // A new worker may take any time to be ready.
    for (let time = 0; time < 12 || pool.workers().ended <= 2; time += 1) {
      expect(numberIn(await ask(countAll))).to.equal(50)
      await wait(time * 10)
    }
    expect(errors).to.deep.equal([])
    await pool.close()
  })

  it('keeps its quads as long as others are asked, also at the same time', async () => {
    const quads = new Set([`${nodes[0]} ${properties[0]} "1" <${graphs[0]}> .\n`])
    const { pool, ask } = openPool(quads, { keepMs: 500, workers: 2 })
    const end = performance.now() + 1300
    const askOften = async (): Promise<void> => {
      while (performance.now() < end) {
        await ask(countAll)
        await wait(50)
      }
    }
    await Promise.all([askOften(), askOften()])
    expect(pool.workers().ended).to.equal(0)
    await pool.close()
  })

  it('finds them loaded at rest where it is one of those that are preloaded', async () => {
    const [first, second] = properties.map((property) => `SELECT * { ?s ${property} ?o }`)
    const preloaded = [first ?? '', 'SELECT * { ?s ?p ?o }']
    const quads = new Set(createQuads(30))
    const { pool, ask } = openPool(quads, { preloaded, preloadMs: 1, keepMs: 60_000 })
    const loadMs = async (query: string | undefined): Promise<number | undefined> => {
      const client = { client: 'researcher', signal: new AbortController().signal }
      const request = { ...requestOf(query ?? ''), isExplained: true }
      return (await pool.ask(request, client)).plan?.phases.load
    }
    await untilEnded(pool, 1)
    expect(await loadMs(first)).to.equal(0)
    expect(await ask(first ?? '')).to.have.length(12)
    expect(await loadMs(second)).to.be.greaterThan(0)
    expect(pool.workers().ended).to.equal(1)
    await pool.close()
  })

  it('leaves only these loaded when no query is asked for long', async () => {
    const preloaded = [`SELECT * { ?s ${properties[0]} ?o }`]
    const { pool, ask } = openPool(new Set(createQuads(30)), { preloaded, preloadMs: 1, keepMs: 1 })
    await untilEnded(pool, 1)
    await ask(countAll)
    await untilEnded(pool, 2)
    // A worker that has no others is not replaced.
    for (let time = 0; time < 5; time += 1) {
      await wait(20)
      expect(pool.workers()).to.deep.equal({ free: 1, busy: 0, ended: 2 })
    }
    await pool.close()
  })

  it('is loaded for others where its client has gone meanwhile', async () => {
    const quads = createQuads(400_000)
    const { pool, ask } = openPool(new Set(quads))
    await ask('ASK {}')
    const gone = new AbortController()
    const lost = ask(countAll, gone).catch((error: unknown) => error)
    await wait(1200)
    gone.abort()
    expect(numberIn(await ask(countAll))).to.equal(400_000)
    await lost
    expect(pool.workers().ended).to.equal(0)
    await pool.close()
  })

  it('takes its time from when they are loaded', async () => {
    const quads = createQuads(300_000)
    const { pool, ask } = openPool(new Set(quads), { timeout: 1 })
    expect(await ask('ASK { ?s ?p ?o }')).to.include('true')
    await pool.close()
  })

  it('is answered again when the thread with the quads was lost, and then completely', async () => {
    const unreadable = 'this is no quad\n'
    const quads = new Set([...createQuads(100), unreadable])
    const loading = { parts: 1, ms: 0 }
    // Workers are being replaced all the time.
    const { pool, errors, ask } = openPool(quads, { loading, keepMs: 1 })
    const waiting = ask(countAll).catch((error: unknown) => error)
    while (errors.length === 0) await wait(20)
    expect(errors[0]?.message).to.include('not a line of N-Quads')
    quads.delete(unreadable)
    Object.assign(loading, { parts: 10, ms: 100 })
    const refused = await waiting
    if (refused instanceof Error) expect(refused).to.be.instanceOf(UnavailableError)
    for (let time = 0; time < 10; time += 1) {
      expect(numberIn(await ask(countAll))).to.equal(100)
      await wait(20)
    }
    await pool.close()
  })
})
