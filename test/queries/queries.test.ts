// Generated SPARQL: compared as text, and parsed by a parser that is not the store's.

import { expect } from 'chai'
import { Parser } from 'sparqljs'

import { createIris } from '../../src/model/iris.js'
import type { Place } from '../../src/model/places.js'
import { filtersOf } from '../../src/model/resources.js'
import {
  type ListCondition,
  contains,
  hasAny,
  hasOther,
  isDatedWithin,
  isNamed,
  isSet,
  isWithin,
  namesMissing,
  namesRecordCalled,
  not,
} from '../../src/queries/conditions.js'
import {
  type ListSpec,
  selectPageFrom,
  selectCount,
  selectPage,
  selectFacetCounts,
} from '../../src/queries/list-queries.js'
import { selectFirstAndLastChange, selectReferrers } from '../../src/queries/record-queries.js'
import { bf } from '../../src/rdf/namespaces.js'
import type { Sparql } from '../../src/rdf/sparql-template.js'
import { stringLiteral } from '../../src/rdf/terms.js'
import { openModel } from '../model/model.js'

const iris = createIris('https://zines.example')
const { resources, mapper } = await openModel(iris)
const { public: open } = iris.graphs

const fieldOf = (resource: keyof typeof resources, name: string) => {
  const field = resources[resource].byName.get(name)
  if (!field) throw new Error(`${resource} have no ${name}`)
  return field
}

const filterOf = (resource: keyof typeof resources, name: string) => {
  const filter = filtersOf(resources[resource]).find((one) => one.name === name)
  if (!filter) throw new Error(`${resource} are not filtered by ${name}`)
  return filter
}

const listing = (more: Partial<ListSpec> = {}): ListSpec => ({
  resource: resources.zines,
  filters: [],
  terms: [],
  order: [{ field: fieldOf('zines', 'created_at'), descending: true }],
  ...more,
})

const subject = fieldOf('zines', 'subject')
const { derivedSpans: [issued] = [], derivedReferences = [] } = resources.zines
const place = derivedReferences.find(({ name }) => name === 'place')
if (!issued || !place) throw new Error('zines have no dates or no places')

const placeOf = (id: string): Place => {
  const found = place.places?.find(id)
  if (!found) throw new Error(`there is no place ${id}`)
  return found
}

const byHoldings = { resource: resources.holdings, by: fieldOf('holdings', 'zine_id') }
const digital = {
  filter: fieldOf('holdings', 'digital_available'),
  term: mapper.termOf(fieldOf('holdings', 'digital_available'), true),
}
const country = fieldOf('repositories', 'country')
const ofCountry = [{ filter: country, term: mapper.termOf(country, 'US') }]

/** One of each kind. */
const conditions: readonly ListCondition[] = [
  hasAny(subject, [mapper.termOf(subject, 'punk'), mapper.termOf(subject, 'art')]),
  hasAny(filterOf('zines', 'year'), [stringLiteral('199X')]),
  hasAny(subject, []),
  hasOther(subject, [mapper.termOf(subject, 'punk')]),
  isSet(issued),
  contains(fieldOf('zines', 'place_of_publication'), ['new', '"']),
  isDatedWithin(issued, { from: 1990, to: 1999 }),
  ...['5746545', '5744337', '6252001'].map((id) =>
    isWithin(placeOf(id), { filter: place, includes: () => true }),
  ),
  isNamed({ ...byHoldings, filters: [digital] }),
  isNamed({ ...byHoldings, filters: [digital], areOthers: true }),
  isNamed({
    ...byHoldings,
    filters: [],
    through: {
      by: fieldOf('holdings', 'repository_id'),
      resource: resources.repositories,
      filters: ofCountry,
    },
  }),
  namesRecordCalled({
    by: fieldOf('zines', 'creator'),
    text: fieldOf('agents', 'display_name'),
    texts: ['unknown', '"'],
  }),
  namesMissing(
    ['creator', 'publisher'].map((name) => fieldOf('zines', name)),
    resources.agents,
  ),
]

const everything = listing({
  filters: [
    { filter: subject, term: mapper.termOf(subject, 'punk') },
    { filter: filterOf('zines', 'year'), term: stringLiteral('1998') },
  ],
  terms: ['émeute', `"}; drop all #\\`],
  times: {
    field: fieldOf('zines', 'updated_at'),
    since: '2026-11-20T09:15:01.000000Z',
    before: '2026-11-20T09:15:02.123456Z',
  },
  conditions: conditions.flatMap((condition) => [condition, not(condition)]),
  order: [
    { field: fieldOf('zines', 'title'), descending: true },
    { field: fieldOf('zines', 'updated_at'), descending: false },
  ],
})

const byYearAndName = listing({
  resource: resources.repositories,
  order: [
    { field: fieldOf('repositories', 'established'), descending: true },
    { field: fieldOf('repositories', 'repository_name'), descending: false },
  ],
})

const queries: Readonly<Record<string, Sparql>> = {
  'a page': selectPage(listing(), open, { limit: 25, offset: 50 }),
  'a page with all that can be asked': selectPage(everything, open, { limit: 1, offset: 0 }),
  'a first page': selectPageFrom(byYearAndName, open, { limit: 3, start: undefined }),
  'a page from a year': selectPageFrom(byYearAndName, open, {
    limit: 3,
    start: [stringLiteral('198')],
  }),
  'a page from an identifier': selectPageFrom(byYearAndName, open, {
    limit: 3,
    start: [stringLiteral('1989'), stringLiteral('a "b"'), stringLiteral('c')],
  }),
  'a page of those without a value': selectPageFrom(byYearAndName, open, {
    limit: 3,
    start: [undefined],
  }),
  'a page from a name without a year': selectPageFrom(byYearAndName, open, {
    limit: 3,
    start: [undefined, stringLiteral('a')],
  }),
  'a count': selectCount(everything, open),
  'a list by an address': selectPage(
    listing({
      resource: resources.repositories,
      filters: ofCountry,
      order: [{ field: fieldOf('repositories', 'established'), descending: true }],
    }),
    open,
    { limit: 25, offset: 0 },
  ),
  'a tally': selectFacetCounts(everything, filterOf('zines', 'genre'), open),
  'a tally of what is derived': selectFacetCounts(everything, filterOf('zines', 'year'), open),
  'a tally by an address': selectFacetCounts(
    listing({ resource: resources.repositories }),
    country,
    open,
  ),
  'a cascade': selectReferrers(
    [iris.thing('zines', 'z'), iris.thing('zines', 'y')],
    bf('itemOf'),
    open,
  ),
  'the first and the last change': selectFirstAndLastChange(open),
}

describe('a generated query', () => {
  for (const [name, query] of Object.entries(queries))
    it(`for ${name} is SPARQL 1.1`, () => {
      expect(new Parser().parse(query)).to.include({ type: 'query', queryType: 'SELECT' })
    })

  it('is laid out in lines for readers', () => {
    expect(queries['a page']).to.equal(
      [
        'SELECT ?s WHERE {',
        '  GRAPH <https://zines.example/graphs/public> {',
        '    ?s <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://id.loc.gov/ontologies/bibframe/Instance> ; <http://purl.org/dc/terms/identifier> ?id .',
        '    ?record0 <http://xmlns.com/foaf/0.1/primaryTopic> ?s ; <http://purl.org/dc/terms/created> ?key0 .',
        '  }',
        '}',
        'ORDER BY DESC(?key0) ?id ?s',
        'LIMIT 25 OFFSET 50',
      ].join('\n'),
    )
  })

  for (const [name, filter] of [
    ['a page from a year', '(!BOUND(?key0) || ?key0 < "198")'],
    [
      'a page from an identifier',
      String.raw`(!BOUND(?key0) || ?key0 < "1989" || (?key0 = "1989" && (?key1 > "a \"b\"" || (?key1 = "a \"b\"" && (?id >= "c")))))`,
    ],
    ['a page of those without a value', '!BOUND(?key0)'],
    ['a page from a name without a year', '(!BOUND(?key0) && (?key1 >= "a"))'],
  ] as const)
    it(`for ${name} has what follows in its order, with records without a value last`, () => {
      expect(queries[name]).to.include(`    FILTER(${filter})\n`)
    })

  it('compares times as times', () => {
    const type = '^^<http://www.w3.org/2001/XMLSchema#dateTime>'
    expect(queries['a count']).to.include(
      `?timed <http://xmlns.com/foaf/0.1/primaryTopic> ?s ; <http://purl.org/dc/terms/modified> ?time . FILTER(?time >= "2026-11-20T09:15:01.000000Z"${type}) FILTER(?time < "2026-11-20T09:15:02.123456Z"${type})`,
    )
  })

  it('has a client’s text in a literal and nowhere else', () => {
    expect(queries['a count']).to.include(String.raw`CONTAINS(LCASE(?text), "\"}; drop all #\\")`)
  })

  it('sorts records without a value last, in both directions', () => {
    expect(queries['a list by an address']).to.include(
      'ORDER BY ASC(!BOUND(?key0)) DESC(?key0) ?id ?s',
    )
  })
})
