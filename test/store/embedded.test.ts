import { expect } from 'chai'
import fc from 'fast-check'

import { lines, sparql } from '../../src/rdf/sparql-template.js'
import { type Quad, iri, quad, stringLiteral, writeNQuads } from '../../src/rdf/terms.js'
import { partsInGraphs } from '../../src/store/commit-parts.js'
import type { Store } from '../../src/store/store.js'
import type { KeyValueStore } from '../../src/lib/key-value/key-value-store.js'
import { memoryHome, openRecords } from './memory-store.js'

const graph = iri('https://zines.example/graphs/public')

describe('the embedded store', () => {
  let home: KeyValueStore

  beforeEach(() => {
    home = memoryHome()
  })

  const open = async () => (await openRecords(home)).store

  it('has what was committed last of each record, and reports what each commit did', async () => {
    const store = await open()
    const told = new Set<string>()
    store.listeners.add('public quads', {
      async onCommit(commit) {
        for (const { removed, added } of await partsInGraphs(commit, [graph])) {
          for (const line of linesOf(removed)) expect(told.delete(line)).to.equal(true)
          for (const line of linesOf(added)) told.add(line)
        }
      },
    })
    const is = new Map<string, readonly Quad[]>()
    await fc.assert(
      fc.asyncProperty(anyChanges, async (changes) => {
        const written = new Map(
          changes.map(({ key, values }) => [key, values && aboutRecord(key, values)] as const),
        )
        await store.commit([...written].map(([key, quads]) => ({ key, quads })))
        for (const [key, quads] of written) is.set(key, quads ?? [])
        const all = [...is.values()].flat()
        expect(await rowsOf(store)).to.have.members(all.map(({ object }) => object.value))
        expect([...told]).to.have.members(linesOf(writeNQuads(all)))
        expect(store.size()).to.equal(all.length)
      }),
      { numRuns: 200 },
    )
    const again = await open()
    expect(await rowsOf(again)).to.have.members(await rowsOf(store))
  })

  it('answers its first query with what is committed while it is filled', async () => {
    const first = await open()
    for (const key of ['a', 'b', 'c']) await first.commit([{ key, quads: aboutRecord(key, ['1']) }])
    const store = await open()
    const rows = rowsOf(store)
    const quads = [...aboutRecord('b', ['2']), ...aboutRecord('b', ['3'])]
    await store.commit([
      { key: 'a', quads: undefined },
      { key: 'b', quads },
    ])
    expect((await rows).every((row) => /^[abc] [123]$/.test(row))).to.equal(true)
    expect(await rowsOf(store)).to.have.members(['b 2', 'b 3', 'c 1'])
    expect(store.size()).to.equal(3)
  })

  it('reads records without a query, as the last commit left them', async () => {
    const store = await open()
    await store.commit([
      { key: 'a', quads: aboutRecord('a', ['1']) },
      { key: 'b', quads: aboutRecord('b', ['1']) },
    ])
    await store.commit([
      { key: 'a', quads: aboutRecord('a', ['2']) },
      { key: 'b', quads: undefined },
    ])
    expect([...(await store.readRecords(['a', 'b', 'c']))]).to.deep.equal([
      ['a', writeNQuads(aboutRecord('a', ['2']))],
    ])
  })

  it('writes nothing of a commit with a quad that it cannot store', async () => {
    const store = await open()
    const bad = quad(iri('not an IRI'), iri('x:p'), stringLiteral('a'), graph)
    const changes = [
      { key: 'good', quads: aboutRecord('good', ['a']) },
      { key: 'bad', quads: [bad] },
    ]
    let failed = false
    await store.commit(changes).catch(() => (failed = true))
    expect(failed).to.equal(true)
    expect(store.size()).to.equal(0)
    expect(await home.get('record/good')).to.equal(undefined)
  })
})

const aboutRecord = (key: string, values: readonly string[]): Quad[] =>
  [...new Set(values)].map((value) =>
    quad(iri(`x:${key}`), iri('x:p'), stringLiteral(`${key} ${value}`), graph),
  )

async function rowsOf(store: Pick<Store, 'select'>): Promise<string[]> {
  const query = lines(sparql`SELECT ?o WHERE { GRAPH ${graph} { ?s ?p ?o } }`)
  return (await store.select(query)).map(({ o }) => o?.value ?? '')
}

const linesOf = (nquads: string): string[] => nquads.split('\n').slice(0, -1)

/** A few values, among them what looks like the end of a line, or of a quad. */
const values = fc.array(
  fc.oneof(
    fc.constantFrom(
      '',
      '\n',
      '\r',
      '\u2028',
      '\u2029',
      '\u0085',
      '\\',
      '"',
      `" <${graph.value}> .\n`,
    ),
    fc.string({ unit: 'binary', maxLength: 4 }).filter((value) => value.isWellFormed()),
  ),
  { maxLength: 4 },
)

const anyChanges = fc.uniqueArray(
  fc.record({ key: fc.constantFrom('a', 'b', 'c'), values: fc.option(values, { nil: undefined }) }),
  { minLength: 1, selector: ({ key }) => key },
)
