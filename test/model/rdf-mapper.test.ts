import toNT from '@rdfjs/to-ntriples'
import { expect } from 'chai'
import fc from 'fast-check'

import { createIris, resourceNames } from '../../src/model/iris.js'
import type { Field } from '../../src/model/resources.js'
import type { RecordValues } from '../../src/model/record/values.js'
import type { Quad } from '../../src/rdf/terms.js'
import { anyRecordValues } from './record-values.js'
import { openModel } from './model.js'

const { resources, mapper } = await openModel(createIris('https://zines.example'))

describe('the RDF mapper', () => {
  for (const name of resourceNames)
    it(`returns the values of ${name} unchanged, with order and repetitions`, () => {
      const resource = resources[name]
      fc.assert(
        fc.property(anyRecordValues(resources, name), (values) => {
          const quads = mapper.toQuads(resource, values)
          const id = String(values[resource.id.name])
          expect(mapper.fromStatements(resource, id, shuffled(quads))).to.deep.equal(values)
        }),
        { numRuns: 300 },
      )
    })

  for (const name of resourceNames)
    it(`tells the public values of ${name} that are read once they are stored`, () => {
      const resource = resources[name]
      const isRequired = ({ name: field }: Field) => ['public', resource.id.name].includes(field)
      const optional = resource.fields.filter((field) => !isRequired(field))
      const anySent = fc.subarray(optional.map((field) => field.name))
      fc.assert(
        fc.property(anyRecordValues(resources, name), anySent, (all, unsent) => {
          const sent = Object.entries(all).filter(([field]) => !unsent.includes(field))
          const values: RecordValues = Object.fromEntries(sent)
          const quads = mapper.toQuads(resource, values)
          const isPublic = ({ graph }: Quad): boolean => !graph.value.endsWith('/private')
          const id = String(values[resource.id.name])
          for (const [view, stored] of [
            ['detail', quads.filter(isPublic)],
            ['private', quads],
          ] as const)
            expect(mapper.toStoredValues(resource, values, view)).to.deep.equal(
              mapper.fromStatements(resource, id, statements(stored)),
            )
        }),
        { numRuns: 300 },
      )
    })

  it('writes no order literal when the values are sorted and distinct', () => {
    const values = zine({ date: ['1994', '1995'], creator: ['a', 'b'] })
    expect(orders(values)).to.deep.equal([])
  })

  it('writes one order literal for all fields when some values are not sorted', () => {
    const values = zine({ date: ['1995', '1994'], series_title: ['b', 'a', 'b'] })
    expect(orders(values)).to.deep.equal(['{"series_title":[1,0,1],"date":[1,0]}'])
  })

  it('returns sorted values when the triples were changed and the order was not', () => {
    const resource = resources.zines
    const quads = mapper.toQuads(resource, zine({ date: ['1995', '1994', '1993'] }))
    const fewer = quads.filter(({ object }) => object.value !== '1994')
    expect(mapper.fromStatements(resource, 'z', statements(fewer)).date).to.deep.equal([
      '1993',
      '1995',
    ])
  })

  it('writes only the legal name, e-mail and telephone of a private agent to the private graph', () => {
    const agent = {
      agent_id: 'a',
      kind: 'Person',
      display_name: 'A',
      legal_name: 'L',
      email: 'e@example.org',
      phone: '1',
      website: 'https://example.org',
    }
    const hidden = (isPublic: boolean): string[] =>
      mapper
        .toQuads(resources.agents, { ...agent, public: isPublic })
        .filter(({ graph }) => graph.value.endsWith('/private'))
        .map(({ object }) => object.value)
    expect(hidden(false)).to.have.members(['L', 'e@example.org', '1'])
    expect(hidden(true)).to.deep.equal([])
  })

  it('writes ISBN, ISSN and DOI as what they are, once, and none with a wrong check digit', () => {
    const identifier = [
      'ISBN 978-3-16-148410-0',
      '9783161484100',
      // Another product, with the check digit of an ISBN.
      '4006381333931',
      'doi:10.1000/182',
      'ISSN 1234-5678',
    ]
    const found = mapper
      .toQuads(resources.zines, zine({ identifier }))
      .filter(({ predicate }) => /bibo\/(?:isbn|issn|doi)/.test(predicate.value))
      .map(({ predicate, object }) => `${predicate.value.replace(/.*\//, '')} ${object.value}`)
    expect(found.sort()).to.deep.equal(['doi 10.1000/182', 'isbn13 9783161484100'])
  })

  describe('writes of a repository', () => {
    const derivedOf = (more: RecordValues): string[] =>
      mapper
        .toQuads(resources.repositories, { repo_id: 'r', repository_name: 'R', ...more })
        .filter(({ predicate }) => /#seeAlso$|\/P60524$/.test(predicate.value))
        .map(({ object }) => toNT(object))

    for (const [field, text, expected] of [
      ['established', '1987', '"1987"^^<http://www.w3.org/2001/XMLSchema#gYear>'],
      ['established', 'c. 1987', '"1987~"^^<http://id.loc.gov/datatypes/edtf/EDTF>'],
      ['established', 'long ago', undefined],
      ['marc_org_code', 'DLC-MRC', '<http://id.loc.gov/vocabulary/organizations/dlcmrc>'],
      ['marc_org_code', 'not a code', undefined],
      ['isil', 'DE-101', '<http://lobid.org/organisations/DE-101#!>'],
      ['isil', 'DE-Kn38', '<http://lobid.org/organisations/DE-Kn38#!>'],
      ['isil', 'US-DLC', undefined],
    ] as const)
      it(`${expected ?? 'nothing'} for ${field} ${text}`, () => {
        expect(derivedOf({ [field]: text })).to.deep.equal(expected ? [expected] : [])
      })
  })

  describe('writes the IRIs of an agent elsewhere, which', () => {
    const sameAs = 'http://schema.org/sameAs'
    const agentWith = (more: RecordValues): RecordValues => ({
      agent_id: 'a',
      public: true,
      ...more,
    })
    const linksOf = (more: RecordValues): string[] =>
      mapper
        .toQuads(resources.agents, agentWith(more))
        .filter(({ predicate }) => predicate.value === sameAs)
        .map(({ object }) => object.value)

    for (const [identifier, link] of [
      ['viaf: 123', 'http://viaf.org/viaf/123'],
      ['https://viaf.org/viaf/123/', 'http://viaf.org/viaf/123'],
      ['ISNI 0000 0001 2146 438X', undefined],
      ['isni:0000 0001 2146 438x', 'https://isni.org/isni/000000012146438X'],
      ['http://www.isni.org/isni/000000012146438X', 'https://isni.org/isni/000000012146438X'],
      ['isni:0000000121464380', undefined],
      ['orcid: 0000-0002-1825-0097', 'https://orcid.org/0000-0002-1825-0097'],
      ['gnd: 118540238', undefined],
      ['viaf: 12 / 13', undefined],
    ] as const)
      it(`are ${link ?? 'none'} for ${identifier}`, () => {
        expect(linksOf({ other_identifiers: [identifier] })).to.deep.equal(link ? [link] : [])
      })

    it('are each there once', () => {
      const orcid = 'https://orcid.org/0000-0002-1825-0097'
      expect(linksOf({ orcid, other_identifiers: ['viaf:1', orcid, 'viaf: 1'] })).to.deep.equal([
        orcid,
        'http://viaf.org/viaf/1',
      ])
    })

    it('are no values of the field wikidata', () => {
      const values = agentWith({ wikidata: 'Q42', other_identifiers: ['viaf:1'] })
      for (const wikidata of ['Q42', '']) {
        const quads = mapper.toQuads(resources.agents, { ...values, wikidata })
        expect(mapper.fromStatements(resources.agents, 'a', statements(quads)).wikidata).to.equal(
          wikidata,
        )
      }
    })
  })

  it('writes at most 25 quads for a typical zine and 12 for a typical holding', () => {
    const typical = zine({
      title: 'T',
      creator: ['a'],
      subject: ['punk', 'music', 'diy'],
      genre: ['perzine'],
      date: ['1994'],
      language: ['en'],
      rights: ['unknown'],
      public_notes: ['n'],
      number_of_pages: '32',
      created_at: '2026-11-20T09:15:02.100000Z',
      updated_at: '2026-11-20T09:15:02.100000Z',
    })
    const holding = {
      holding_id: 'h',
      zine_id: 'z',
      repository_id: 'r',
      call_number: 'Z 1',
      access_status: 'circulating',
      copy_count: 1,
      digital_available: false,
      created_at: '2026-11-20T09:15:02.100000Z',
      updated_at: '2026-11-20T09:15:02.100000Z',
    }
    expect(mapper.toQuads(resources.zines, typical)).to.have.length.at.most(25)
    expect(mapper.toQuads(resources.holdings, holding)).to.have.length.at.most(12)
  })
})

const zine = (more: RecordValues): RecordValues => ({ zine_id: 'z', ...more })

const orders = (values: RecordValues): string[] =>
  mapper
    .toQuads(resources.zines, values)
    .filter(({ predicate }) => predicate.value.endsWith('#order'))
    .map(({ object }) => object.value)

const statements = (quads: readonly Quad[]) =>
  quads.map(({ subject, predicate, object }) => ({
    s: subject.value,
    p: predicate.value,
    o: object.value,
  }))

// A store returns statements in no particular order.
const shuffled = (quads: readonly Quad[]) => statements(quads).reverse()
