// Dublin Core XML: what every field becomes, and that other XML readers accept it.

import { expect } from 'chai'
import fc from 'fast-check'

import { dublinCoreSerializer } from '../../src/formats/dublin-core.js'
import { serializeList } from '../../src/formats/serializer.js'
import { type ResourceName, resourceNames } from '../../src/model/iris.js'
import { anyRecordValues } from '../model/record-values.js'
import { iris, expectGolden, pairOf, resources, resolvedRecord } from './fixtures.js'
import { complaintsOf, textsIn } from './xmllint.js'

const serializer = dublinCoreSerializer(resources, iris)

const elementsOf = (name: ResourceName, given: object): string[] =>
  [...serializer.record(resolvedRecord(name, given)).matchAll(/<dc:(\w+)>([^<]*)</g)].map(
    ([, element, text]) => `${element}: ${text}`,
  )

type Row = readonly [resource: ResourceName, given: object, elements: readonly string[]]

const subject = resources.zines.byName.get('subject')?.vocabulary?.find('punk')?.label
const rights = resources.zines.byName.get('rights')?.vocabulary?.find('copyleft')

// The fields of the crosswalk, each with the elements that it gives (docs/reference/rdf-formats.md,
// "Dublin Core").
// prettier-ignore
const crosswalk: readonly Row[] = [
  ['zines', { zine_id: 'z' }, ['identifier: z', 'identifier: https://zines.example/id/zines/z']],
  ['zines', { title: 'Doris' }, ['title: Doris']],
  ['zines', { series_title: ['Dorises'] }, ['relation: Dorises']],
  ['zines', { issue_designation: '5' }, ['description: Issue: 5']],
  ['zines', { edition_statement: ['2nd'] }, ['description: 2nd']],
  ['zines', { alternative_title: ['D.', 'Do'] }, ['title: D.', 'title: Do']],
  // A text that is given twice stays so; one that another field has already does not come again.
  ['zines', { public_notes: ['n2', 'n1', 'n2'] }, ['description: n2', 'description: n1', 'description: n2']],
  ['zines', { title: 'Doris', alternative_title: ['Doris', 'Do'] }, ['title: Doris', 'title: Do']],
  ['zines', { creator: ['helper'] }, ['creator: teusday']],
  ['zines', { creator: ['gone'] }, ['creator: name withheld']],
  ['zines', { contributor: ['maker'] }, ['contributor: Marge | "Toner" &amp; Co.']],
  ['zines', { subject: ['punk'] }, [`subject: ${subject}`]],
  ['zines', { subject: ['forgotten'] }, ['subject: forgotten']],
  ['zines', { genre: ['perzine'] }, ['type: Perzine']],
  ['zines', { content_advice: ['self-harm'] }, ['description: Self-harm']],
  ['zines', { content_advice_note: ['Page 12.'] }, ['description: Page 12.']],
  ['zines', { abstract: 'About.' }, ['description: About.']],
  ['zines', { table_of_contents: '1. A' }, ['description: 1. A']],
  ['zines', { public_notes: ['Signed.'] }, ['description: Signed.']],
  ['zines', { publisher: ['press'] }, ['publisher: The Paper Tigers']],
  ['zines', { date: ['1994', 'circa 1995'] }, ['date: 1994', 'date: circa 1995']],
  ['zines', { physical_dimensions: '14 x 11 cm' }, ['format: 14 x 11 cm']],
  ['zines', { number_of_pages: 'unpaged' }, ['format: unpaged']],
  ['zines', { format: ['mini'] }, ['format: Mini']],
  ['zines', { binding_features: ['sewn'] }, ['format: sewn']],
  ['zines', { language: ['es', 'en'] }, ['language: es', 'language: en']],
  ['zines', { place_of_publication: ['Łódź'] }, ['coverage: Łódź']],
  ['zines', { coverage: ['1990-2007'] }, ['coverage: 1990-2007']],
  ['zines', { source: ['A book'] }, ['source: A book']],
  ['zines', { relation: ['https://e.example/'] }, ['relation: https://e.example/']],
  ['zines', { rights: ['copyleft'] }, [`rights: ${rights?.uri}`, `rights: ${rights?.label}`]],
  ['zines', { rights: ['cc-by-4.0'] }, ['rights: https://zines.example/vocabularies/rights-status#cc-by-4.0', 'rights: http://creativecommons.org/licenses/by/4.0/', 'rights: CC BY 4.0']],
  ['zines', { identifier: ['ISSN 1234-5679'] }, ['identifier: ISSN 1234-5679']],
  ['agents', { agent_id: 'a' }, ['identifier: a', 'identifier: https://zines.example/id/agents/a']],
  ['agents', { display_name: 'Tigers' }, ['title: Tigers']],
  ['agents', { kind: 'Collective' }, ['type: Collective']],
  ['agents', { biography: 'Founded.' }, ['description: Founded.']],
  ['agents', { orcid: 'https://orcid.org/0' }, ['identifier: https://orcid.org/0']],
  ['agents', { website: 'https://t.example/' }, ['relation: https://t.example/']],
  ['agents', { public: true, legal_name: 'L', email: 'a@b.example', phone: '1' }, []],
  ['repositories', { repository_name: 'Zinoteka' }, ['title: Zinoteka']],
  ['repositories', { repository_kind: 'archive' }, ['type: Archive']],
  ['repositories', { description: 'Shelves.' }, ['description: Shelves.']],
  ['repositories', { city: 'Łódź', region: 'Ł', country: 'PL' }, ['coverage: Poland', 'coverage: Łódź', 'coverage: Ł']],
  ['repositories', { isil: 'PL-1', marc_org_code: 'PL-LoZ' }, ['identifier: PL-LoZ', 'identifier: PL-1']],
  ['holdings', { zine_id: 'a/b' }, ['relation: https://zines.example/id/zines/a%2Fb']],
  ['holdings', { repository_id: 'library' }, ['publisher: Library library']],
  ['holdings', { call_number: 'Z 1' }, ['identifier: Z 1']],
  ['holdings', { condition: 'Fine.' }, ['description: Fine.']],
  ['holdings', { access_status: 'circulating' }, ['rights: Circulating']],
  ['holdings', { location: 'Box 3', digital_available: true }, []],
]

describe('Dublin Core', () => {
  for (const [name, given, expected] of crosswalk)
    it(`of ${name} with ${JSON.stringify(given)} has ${expected.join(', ') || 'no further element'}`, () => {
      const unset = elementsOf(name, {})
      expect(elementsOf(name, given).filter((one) => !unset.includes(one))).to.deep.equal(expected)
    })

  for (const name of resourceNames) {
    it(`of ${name} is the text of the golden file`, () => {
      expectGolden(`${name}.dc.xml`, serializer.record(pairOf(name)[0]))
      const links = {
        self: 'https://zines.example/api/?page=2',
        first: 'https://zines.example/api/?a=1&b=2',
        last: 'https://zines.example/api/?page=3',
        next: 'https://zines.example/api/?a=1&b=2&page=3',
        previous: 'https://zines.example/api/?a=1&b=2',
      }
      const list = serializeList(serializer, pairOf(name), { count: 5, links })
      expectGolden(`${name}-list.dc.xml`, list)
    })

    it(`of ${name} is well-formed XML for any values`, function () {
      fc.assert(
        fc.property(fc.array(anyRecordValues(resources, name), { maxLength: 30 }), (cards) => {
          const resource = resources[name]
          const records = cards.map((values) => ({ resource, values, lookup: () => undefined }))
          const list = serializeList(serializer, records, { count: 0, links: undefined })
          expect(complaintsOf(this, list)).to.equal('')
        }),
        { numRuns: 15 },
      )
    })
  }

  it('keeps all characters but those that XML forbids', function () {
    const title =
      'a\u0000\u0001\u0008b\u000b\u000c\u001f\ufffe\uffff <&> "\'" ]]> 🐛\u0085é\r\nc\td'
    const xml = serializer.record(resolvedRecord('zines', { title, zine_id: 'z' }))
    expect(textsIn(this, xml, '//*[local-name()="title"]')).to.deep.equal([
      'ab <&> "\'" ]]> 🐛\u0085é\r\nc\td',
    ])
  })

  it('has the paging of a list in attributes of its root element', function () {
    const links = {
      self: '',
      first: '',
      last: '',
      next: 'https://z.example/?a=1&page=2',
      previous: null,
    }
    const xml = serializeList(serializer, pairOf('zines'), { count: 7, links })
    const root = '/*[local-name()="records" and namespace-uri()="https://zines.example/ns#"]'
    expect(textsIn(this, xml, `${root}/@count`)).to.deep.equal(['7'])
    expect(textsIn(this, xml, `${root}/@next`)).to.deep.equal(['https://z.example/?a=1&page=2'])
    expect(textsIn(this, xml, `${root}/@previous`)).to.deep.equal([])
  })

  it('has no private fields of an agent that is not public', () => {
    const secret = { public: false, legal_name: 'Real Name', email: 'a@b.example', phone: '+1 2' }
    const xml = serializer.record(resolvedRecord('agents', secret))
    for (const value of ['Real Name', 'a@b.example', '+1 2']) expect(xml).not.to.include(value)
  })
})
