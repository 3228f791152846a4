// The index in memory and the generated SPARQL have the same results, whatever is written and queried.

import { deserialize, serialize } from 'node:v8'

import { expect } from 'chai'
import fc from 'fast-check'

import { recordKey } from '../../src/catalogue/records/record-cache.js'
import {
  type PageFrom,
  type RecordIndex,
  SparqlRecordIndex,
} from '../../src/catalogue/sparql-record-index.js'
import type { ListPosition } from '../../src/catalogue/list-position.js'
import {
  type SavedIndexPart,
  MemoryRecordIndex,
} from '../../src/catalogue/index/memory-record-index.js'
import { furtherFiltersOf } from '../../src/catalogue/list-conditions.js'
import { readFacet } from '../../src/catalogue/list-facets.js'
import { buildListSpec } from '../../src/catalogue/lists.js'
import { createIris, type ResourceName, resourceNames } from '../../src/model/iris.js'
import { type RecordValues, textValue } from '../../src/model/record/values.js'
import { type Field, type Resource, filtersOf, ordersOf } from '../../src/model/resources.js'
import { seriesOf } from '../../src/model/series.js'
import type { ListSpec } from '../../src/queries/list-queries.js'
import type { WrittenRecord } from '../../src/store/commit-listeners.js'
import type { StoreChange } from '../../src/store/store.js'
import { prefixes } from '../../src/store/key-value/keys.js'
import { writeNQuads } from '../../src/rdf/terms.js'
import { memoryHome, openRecords } from '../store/memory-store.js'
import { openModel } from '../model/model.js'

const iris = createIris('https://zines.example')
const { resources, mapper } = await openModel(iris)

const ids = ['a', 'B', 'ä', '/', '😀', '\uffee', 'a b', '%20']

// What folds oddly, what separates words and what does not, what JavaScript sorts otherwise than SPARQL.
const texts = [
  ...ids,
  'Soup',
  'soup, salt',
  'SOUP\u00a0Salt\u2028pepper',
  'x\ufeffsoup\u200bsalt\u180e',
  'salt\u0085soup',
  'Straße STRASSE',
  'ΟΔΟΣ οδός',
  'İstanbul',
  'a "quoted"\\\n\ttext\r\n',
  '1998',
  ',',
]

const word = fc.oneof(fc.constantFrom(...texts), fc.string({ unit: 'grapheme', maxLength: 4 }))
const someText = fc
  .array(word, { minLength: 1, maxLength: 3 })
  .map((words) => words.join(' ').normalize('NFC').trim())
  .filter((value) => value !== '' && value.isWellFormed() && !value.includes('\0'))

const dates = [
  ...['1998', '1998-05', 'c. 1998', '11/23/1998', '1999?', '1990s', 'undated', '1998-2001'],
  ...[
    '1998/..',
    '../1998-05',
    '1998 or 1999',
    '{1960,1998..2001-05}',
    '[..1998]',
    '?1998-?05',
    '199X/200X',
  ],
  ...['19XX', '-1000/-0999', '1999 (reprint 2004)', '1998-05-31/', '1600/1998'],
]
// Engines drop zeros at the end.
const times = ['1.123451', '2.123452', '2.500000', '3.000000'].map(
  (seconds) => `2026-11-20T09:15:0${seconds}Z`,
)

function anyValue(field: Field): fc.Arbitrary<string | number | boolean> {
  const { kind, vocabulary } = field
  if (field.name === 'date') return fc.constantFrom(...dates)
  if (field.name === 'place_of_publication')
    return fc.oneof(someText, fc.constantFrom('Portland, Oregon', 'Salem, Oregon'))
  if (kind === 'code')
    return fc.constantFrom(
      ...(vocabulary?.entries.slice(0, 3) ?? []).map(({ code }) => code),
      ...(field.name === 'subject' ? ['zines'] : []),
      'x#y',
    )
  if (kind === 'reference') return fc.constantFrom(...ids.slice(0, 3))
  if (kind === 'time') return fc.constantFrom(...times)
  if (kind === 'boolean') return fc.boolean()
  if (kind === 'integer') return fc.integer({ min: 0, max: 3 })
  if (field.name === 'display_name') return fc.oneof(someText, fc.constant('Unknown Maker'))
  return someText
}

/** A card of few different values, so that much of it is the same in several. */
function anyRecordValues(name: ResourceName): fc.Arbitrary<RecordValues> {
  const { fields, id } = resources[name]
  const members = fields
    .filter((field) => field.kind !== 'url' && field.kind !== 'link')
    .map((field): [string, fc.Arbitrary<RecordValues[string]>] => {
      const value = field === id ? fc.constantFrom(...ids) : anyValue(field)
      if (field.repeatable)
        return [field.name, fc.uniqueArray(value as fc.Arbitrary<string>, { maxLength: 3 })]
      const isSet = field.nonEmpty || field.kind === 'boolean'
      return [field.name, isSet ? value : fc.option(value, { nil: '' })]
    })
  return fc.record(Object.fromEntries(members))
}

/** What becomes of a record: it is as the card says, or gone. */
type Write = {
  readonly target: ResourceName
  readonly id: string
  readonly values: RecordValues | null
}

const anyPut: fc.Arbitrary<Write> = fc.constantFrom(...resourceNames).chain((target) =>
  anyRecordValues(target).map((values) => ({
    target,
    id: textValue(values, resources[target].id.name),
    values,
  })),
)

const anyRemoval: fc.Arbitrary<Write> = fc.record({
  target: fc.constantFrom(...resourceNames),
  id: fc.constantFrom(...ids),
  values: fc.constant(null),
})

const selector = ({ target, id }: Write): string => `${target}/${id}`

/** What is written at once: each record once. */
const anyCommit = fc.uniqueArray(
  fc.oneof({ weight: 4, arbitrary: anyPut }, { weight: 1, arbitrary: anyRemoval }),
  { minLength: 1, maxLength: 4, selector },
)

const changeOf = ({ target, id, values }: Write): StoreChange => ({
  key: recordKey({ target, id }),
  quads: values ? mapper.toQuads(resources[target], values) : undefined,
})

const writtenBy = (writes: readonly Write[]): readonly WrittenRecord[] =>
  writes.map(changeOf).map(({ key, quads }) => ({ key, nquads: quads && writeNQuads(quads) }))

const zineFacets = ['decade', 'year', 'subject', 'creator', 'repository', 'country', 'access']

/** Two facets of zines that are counted against each other. */
const anyFacets = fc.tuple(fc.constantFrom(...zineFacets), fc.constantFrom(...zineFacets))

/** What a client may ask of a list of one resource. */
type TestQuery = {
  readonly name: ResourceName
  readonly filters: readonly (readonly [string, string])[]
  readonly search: string
  readonly ordering: readonly string[]
  readonly crossed?: readonly [rows: string, columns: string]
}

const anySearch = fc
  .oneof(
    fc.constant(''),
    fc.constantFrom(...texts),
    fc.constantFrom('s', 'oup', 'σ', 'ς', 'ss', 'i', '\u0307', 'salt soup', '.', '"', '\\'),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  )
  .map((search) => search.normalize('NFC'))

const anyTimeFilter = fc.tuple(
  fc.constantFrom('updated_since', 'updated_before'),
  fc.constantFrom(...times, '2026-11-20T09:15:02.500001Z', '2026-11-20T09:15:02', '2026-11-20'),
)

/** The city in Oregon, by its identifier of GeoNames. */
const portland = '5746545'

/** Values of the further filters that are not yes or no, by parameter. */
const furtherValues: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['subject', 'genre', 'language', 'format'].flatMap((name) => {
      const codes = resources.zines.byName.get(name)?.vocabulary?.entries.map(({ code }) => code)
      const [first = '', second = '', third = ''] = codes ?? []
      const values = [first, second, `${first},${second}`, `${second},${third}`, ',']
      return [`${name}__in`, `${name}__all`].map((filter) => [filter, values])
    }),
  ),
  content_advice__not_in: ['ableism', 'abuse', 'ableism,animal-harm', ','],
  year__gte: ['1900', '1960', '1998', '1999', '2001', '2009'],
  year__lte: ['1900', '1960', '1998', '1999', '2001', '2009'],
  decade: ['1960', '1990', '2000'],
  // The store of the test has no places, by which it would know what is in a country.
  place: ['salt', 'portland', portland, '0'],
  series: seriesOf({ series_title: ['a', 'Soup', '1998'] }).map(({ slug }) => slug),
  access: ['open', 'restricted'],
  country: ['US', 'GB', 'DE'],
  only_in: ids.slice(0, 3),
  repository: ids.slice(0, 3),
  list: ['made', 'none'],
  ...Object.fromEntries(
    ['zine_id', 'agent_id', 'repo_id', 'holding_id', 'repository_id'].map((field) => [
      `${field}__in`,
      [ids.slice(0, 2).join(), `${ids[2]},nothing`, ','],
    ]),
  ),
}

/** Any filter of the table, so that a new one is compared too. */
const anyFurtherFilter = (resource: Resource) =>
  fc
    .constantFrom(...furtherFiltersOf(resource))
    .chain(([name, { schema }]) =>
      fc.tuple(
        fc.constant(name),
        fc.constantFrom(...(schema?.type === 'boolean' ? ['true', 'false'] : valuesOf(name))),
      ),
    )

function valuesOf(name: string): readonly string[] {
  const values = furtherValues[name]
  if (!values) throw new Error(`which values has the filter ${name}?`)
  return values
}

const anyQuery: fc.Arbitrary<TestQuery> = fc.constantFrom(...resourceNames).chain((name) => {
  const resource = resources[name]
  const anyFilter = fc
    .constantFrom(...filtersOf(resource))
    .chain((filter) =>
      fc.tuple(
        fc.constant(filter.name),
        'prefixes' in filter
          ? fc.constantFrom('1998', '199X', '1999', '199', '2000', '200X', '19XX')
          : anyValue(filter).map(String),
      ),
    )
  const names = ordersOf(resource).map((order) => order.name)
  return fc.record({
    name: fc.constant(name),
    filters: fc
      .tuple(
        fc.array(anyFilter, { maxLength: 2 }),
        fc.array(anyTimeFilter, { maxLength: 1 }),
        fc.array(anyFurtherFilter(resource), { maxLength: 3 }),
      )
      .map((both) => both.flat()),
    search: anySearch,
    ordering: fc.array(fc.constantFrom(...names, ...names.map((one) => `-${one}`)), {
      maxLength: 3,
    }),
    crossed: anyFacets,
  })
})

const asSpec = ({ name, filters, search, ordering }: TestQuery): ListSpec =>
  buildListSpec(
    resources[name],
    { filters: new Map(filters), search, ordering },
    {
      resources,
      mapper,
      listedIds: new Map(filters).get('list') === 'made' ? ids.slice(1, 4) : [],
    },
  )

// Small, so that lists go, changes are forgotten and numbers are given anew within a few writes.
const limits = {
  maxCachedDocs: 250,
  maxAppliedChanges: 3,
  maxRememberedChanges: 5,
  maxDeadDocs: 3,
}

/** A store with these records, and both that answer lists of it. */
async function open(records: readonly Write[]) {
  const home = memoryHome()
  await home.write(
    writtenBy(records).map(({ key, nquads }) => ({ key: prefixes.records + key, value: nquads })),
  )
  const index = new MemoryRecordIndex({ iris, resources, mapper }, limits)
  const { store } = await openRecords(home, (key, nquads) => index.add(key, nquads))
  await index.build()
  const sparqlIndex = new SparqlRecordIndex({ store, iris, resources, mapper })
  store.listeners.add('record index', index)
  const commit = (writes: readonly Write[]): Promise<void> => store.commit(writes.map(changeOf))
  return { index, sparqlIndex, commit }
}

/** The pages of a list from its beginning, each from where the one before ends. */
async function pagesOf(recordIndex: RecordIndex, listSpec: ListSpec, limit: number) {
  const pages: PageFrom[] = []
  let start: ListPosition | undefined
  do {
    const page = await recordIndex.pageFrom(listSpec, { limit, start })
    pages.push(page)
    start = page.next
  } while (start)
  return pages
}

/** How many zines of a list have each value of two facets, and each pair, as texts in order. */
async function crossedIn(recordIndex: RecordIndex, listSpec: ListSpec, query: TestQuery) {
  if (query.name !== 'zines' || !query.crossed) return undefined
  const [rows, columns] = query.crossed.map(
    (name) => readFacet(name, { resources, mapper }).counted,
  )
  if (!rows || !columns) throw new Error('there is no such facet')
  const found = await recordIndex.crossCounts(listSpec, rows, columns)
  return {
    rows: [...found.rows].map(String).sort(),
    columns: [...found.columns].map(String).sort(),
    cells: found.cells.map(({ row, column, count }) => `${row} ${column} ${count}`).sort(),
  }
}

/** The records of a resource that refer to others, by field. */
const referrersIn = (recordIndex: RecordIndex, name: ResourceName) =>
  Promise.all(
    resources[name].inputFields.flatMap((field) =>
      [ids.slice(0, 1), ids.slice(1, 2), ids.slice(0, 3)].map(async (some) => {
        const to = some.map((id) => ({ target: field.target ?? name, id }))
        return field.target
          ? await recordIndex.referrers({ resource: resources[name], field }, to)
          : []
      }),
    ),
  )

/** What a file gives back of the parts of an index. */
async function* copiesOf(parts: AsyncIterable<SavedIndexPart>): AsyncGenerator<SavedIndexPart> {
  for await (const part of parts) yield deserialize(serialize(part)) as SavedIndexPart
}

/** All that a finder says of a list. */
async function resultsOf(recordIndex: RecordIndex, query: TestQuery) {
  const listSpec = asSpec(query)
  const facets = filtersOf(listSpec.resource).map(
    async (filter) =>
      [filter.name, [...(await recordIndex.facetCounts(listSpec, filter))].sort()] as const,
  )
  return {
    whole: await recordIndex.all(listSpec),
    count: await recordIndex.count(listSpec),
    first: await recordIndex.page(listSpec, { limit: 3, offset: 0 }),
    second: await recordIndex.page(listSpec, { limit: 3, offset: 3 }),
    pages: await pagesOf(recordIndex, listSpec, 2),
    facets: await Promise.all(facets),
    crossed: await crossedIn(recordIndex, listSpec, query),
    survey: await recordIndex.statistics(),
    referrers: await referrersIn(recordIndex, query.name),
  }
}

describe('the index in memory', function () {
  // Every step asks the store some forty times.

  it('has the results of the generated queries after every write', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anyPut, { maxLength: 20, selector }),
        fc.array(anyCommit, { maxLength: 6 }),
        fc.array(anyQuery, { minLength: 3, maxLength: 3 }),
        async (records, commits, query) => {
          const { index, sparqlIndex, commit } = await open(records)
          for (const writes of [[], ...commits]) {
            await commit(writes)
            for (const one of query)
              expect(await resultsOf(index, one)).to.deep.equal(await resultsOf(sparqlIndex, one))
          }
          const again = new MemoryRecordIndex({ iris, resources, mapper }, limits)
          await again.restore(copiesOf(index.save()))
          for (const one of query)
            expect(await resultsOf(again, one)).to.deep.equal(await resultsOf(index, one))
          // It can be written to like the other.
          for (const one of [index, again])
            await one.onCommit({ records: writtenBy(commits[0] ?? []) })
          for (const one of query)
            expect(await resultsOf(again, one)).to.deep.equal(await resultsOf(index, one))
        },
      ),
      { numRuns: 10 },
    )
  })

  it('meets every record that is not written exactly once, whatever is written between two pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anyPut, { minLength: 8, maxLength: 24, selector }),
        fc.array(anyCommit, { maxLength: 8 }),
        anyQuery,
        fc.integer({ min: 1, max: 2 }),
        async (records, commits, query, limit) => {
          const { index, sparqlIndex, commit } = await open(records)
          const listSpec = asSpec(query)
          const written = new Set(commits.flat().map(selector))
          const stays = (await index.all(listSpec)).filter(
            (id) => !written.has(`${query.name}/${id}`),
          )
          const met: string[] = []
          const left = [...commits]
          let start: ListPosition | undefined
          do {
            const page = await index.pageFrom(listSpec, { limit, start })
            expect(page).to.deep.equal(await sparqlIndex.pageFrom(listSpec, { limit, start }))
            met.push(...page.ids)
            start = page.next
            await commit(left.shift() ?? [])
          } while (start)
          expect(met.filter((id) => stays.includes(id))).to.deep.equal(stays)
        },
      ),
      { numRuns: 20 },
    )
  })

  /** A zine with a title, written first of all at that second. */
  const zineOf = (id: string, title: string): Write => ({
    target: 'zines',
    id,
    values: { zine_id: id, title, created_at: times[0] ?? '', updated_at: times[0] ?? '' },
  })

  it('finds what there was at one moment, whatever is written while it searches', async () => {
    const listSpec = asSpec({
      name: 'zines',
      filters: [],
      search: 'soup salt',
      ordering: ['title'],
    })
    const records = [zineOf('a', 'soup salt'), zineOf('B', 'soup')]
    // More than it remembers.
    const later = ids.slice(2).map((id) => zineOf(id, `salt soup ${id}`))
    const writes = [zineOf('a', 'bread'), ...later, zineOf('a', 'salt soup')]
    const once = await open(records)
    const moments = [await once.sparqlIndex.all(listSpec)]
    for (const write of writes) {
      await once.commit([write])
      moments.push(await once.sparqlIndex.all(listSpec))
    }
    const { index, commit } = await open(records)
    // Two terms are looked for in two turns; these come between them.
    const [found] = await Promise.all([
      index.all(listSpec),
      (async () => {
        for (const write of writes) await commit([write])
      })(),
    ])
    expect(moments).to.deep.include(found)
    expect(await index.all(listSpec)).to.deep.equal(moments.at(-1))
  })

  it('does not find private values', async () => {
    const hidden = { agent_id: 'a', display_name: 'Open', public: false, legal_name: 'Closed' }
    const values = { ...hidden, created_at: times[0] ?? '', updated_at: times[0] ?? '' }
    const query = { name: 'agents', filters: [], search: 'closed', ordering: [] } as const
    const listSpec = asSpec(query)
    const { index, commit } = await open([{ target: 'agents', id: 'a', values }])
    expect(await index.all(listSpec)).to.deep.equal([])
    await commit([{ target: 'agents', id: 'a', values: { ...values, public: true } }])
    expect(await index.all(listSpec)).to.deep.equal(['a'])
    await commit([{ target: 'agents', id: 'a', values }])
    expect(await index.page(listSpec, { limit: 25, offset: 0 })).to.deep.equal({
      count: 0,
      ids: [],
    })
  })
})
