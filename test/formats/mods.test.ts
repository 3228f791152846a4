// MODS: what every field becomes, and that documents are well-formed and, where the schema is at hand, valid.

import { expect } from 'chai'

import { agent, fullZine, zine } from '../examples.js'
import { staffFields } from '../http/catalogue.js'
import {
  type Known,
  expectGolden,
  resolvedRecord,
  resources,
  runProgram,
  serialized,
  serializedList,
} from './fixtures.js'

/** The field, fields of a zine beside the required ones, and the elements that they give. */
type Example = readonly [from: string, fields: object, elements: string, known?: Known]

const base = 'https://zines.example'
const creator =
  '<role><roleTerm type="text" authority="marcrelator">creator</roleTerm><roleTerm type="code" authority="marcrelator">cre</roleTerm></role>'

// prettier-ignore
const examples: readonly Example[] = [
  ['zine_id', {}, `<identifier type="uri">${base}/id/zines/a%2Fb</identifier>`],
  ['zine_id', {}, '<recordIdentifier source="zines.example">a/b</recordIdentifier>'],
  ['title', { title: 'The <b>' }, '<titleInfo usage="primary"><nonSort xml:space="preserve">The </nonSort><title>&lt;b&gt;</title></titleInfo>'],
  ['issue_designation', { issue_designation: 'no. 24' }, '<partNumber>no. 24</partNumber>'],
  ['alternative_title', { alternative_title: ['Dorïs'] }, '<titleInfo type="alternative"><title>Dorïs</title></titleInfo>'],
  ['series_title', { series_title: ['One'], issue_designation: '5' }, '<relatedItem type="series"><titleInfo><title>One</title><partNumber>5</partNumber></titleInfo></relatedItem>'],
  ['series_title', { series_title: ['One', 'Two'], issue_designation: '5' }, '<relatedItem type="series"><titleInfo><title>Two</title></titleInfo></relatedItem>'],
  ['creator', {}, `<name type="personal" usage="primary" valueURI="${base}/id/agents/maker"><namePart>Crabb, Cindy</namePart><displayForm>Marge | "Toner" &amp; Co.</displayForm>${creator}</name>`],
  ['creator', { creator: ['press'] }, `<name type="corporate" usage="primary" valueURI="${base}/id/agents/press">`],
  ['creator', { creator: ['deleted'] }, `<name><namePart>name withheld</namePart>${creator}</name>`],
  ['contributor', { contributor: ['helper'] }, `<name type="personal" valueURI="${base}/id/agents/helper">`],
  ['contributor', { contributor: ['ed'] }, '<roleTerm type="code" authority="marcrelator">edt</roleTerm>', { agents: [agent('ed', { roles: ['editor'] })] }],
  ['publisher', { publisher: ['press'] }, '<publisher>The Paper Tigers</publisher>'],
  ['publisher', { publisher: ['press'] }, '<roleTerm type="code" authority="marcrelator">pbl</roleTerm>'],
  ['genre', {}, `<genre authority="local" valueURI="${base}/vocabularies/genres#perzine">Perzine</genre>`],
  ['genre', {}, '<genre authority="lcgft" valueURI="http://id.loc.gov/authorities/genreForms/gf2014026210">Zines</genre>'],
  ['date', { date: ['circa 2007', '2008'] }, '<dateIssued>circa 2007</dateIssued><dateIssued>2008</dateIssued><dateIssued encoding="edtf" keyDate="yes">2007~</dateIssued><dateIssued encoding="edtf">2008</dateIssued>'],
  ['date', { date: ['1990-1995'] }, '<issuance>serial</issuance>'],
  ['date', {}, '<issuance>monographic</issuance>'],
  ['edition_statement', { edition_statement: ['2nd'] }, '<edition>2nd</edition>'],
  ['place_of_publication', { place_of_publication: ['Leeds'] }, '<place><placeTerm type="text">Leeds</placeTerm></place>'],
  ['language', {}, '<language><languageTerm type="text">English</languageTerm><languageTerm type="code" authority="iso639-2b">eng</languageTerm></language>'],
  ['format', { format: ['pdf'] }, '<form authority="rdacarrier">online resource</form>'],
  ['format', { format: ['digest'] }, `<form authority="local" valueURI="${base}/vocabularies/formats#digest">`],
  ['number_of_pages', { number_of_pages: '32' }, '<extent unit="pages">32</extent>'],
  ['number_of_pages', { number_of_pages: 'unpaged' }, '<extent>unpaged</extent>'],
  ['physical_dimensions', { physical_dimensions: '14 cm' }, '<extent>14 cm</extent>'],
  ['binding_features', { binding_features: ['stapled'] }, '<note type="binding">stapled</note>'],
  ['content_advice', { content_advice: ['nudity'] }, '<abstract type="Content advice">Nudity</abstract>'],
  ['content_advice_note', { content_advice_note: ['Page 12.'] }, '<abstract type="Content advice">Page 12.</abstract>'],
  ['abstract', { abstract: 'A\nB' }, '<abstract>A\nB</abstract>'],
  ['table_of_contents', { table_of_contents: '1' }, '<tableOfContents>1</tableOfContents>'],
  ['public_notes', { public_notes: ['Signed.'] }, '<note>Signed.</note>'],
  ['coverage', { coverage: ['1990-2007'] }, '<note type="coverage">1990-2007</note>'],
  ['subject', {}, `<subject authority="local"><topic valueURI="${base}/vocabularies/subjects#punk">Punk</topic></subject>`],
  ['source', { source: ['Gift'] }, '<relatedItem otherType="source"><note>Gift</note></relatedItem>'],
  ['relation', { relation: ['No. 2'] }, '<relatedItem><note>No. 2</note></relatedItem>'],
  ['identifier', { identifier: ['urn:isbn:9780306406158'] }, '<identifier type="isbn" invalid="yes">9780306406158</identifier>'],
  ['identifier', { identifier: ['TSP 001'] }, '<identifier type="local">TSP 001</identifier>'],
  ['rights', { rights: ['cc0'] }, '<accessCondition type="use and reproduction" xlink:href="http'],
  ['created_at', {}, '<recordCreationDate encoding="w3cdtf">2026-11-20T09:15:02.100000Z</recordCreationDate>'],
  ['derived_from', { derived_from: 'https://other.example/7' }, '<recordOrigin>Taken from https://other.example/7</recordOrigin>'],
  ['updated_at', {}, '<recordChangeDate encoding="w3cdtf">2026-11-21T10:00:00.000000Z</recordChangeDate>'],
]

describe('MODS of a zine', () => {
  for (const [from, fields, elements, known] of examples)
    it(`has ${elements.slice(0, 70)} from ${from}`, () => {
      expect(serialized('zines', 'mods', zine('a/b', fields), known)).to.include(elements)
    })

  it('has an example of every field in this test, but of those of the staff', () => {
    const shown = examples.map(([from]) => from)
    const known = [...shown, ...staffFields('zines')]
    const missing = resources.zines.fields.filter(({ name }) => !known.includes(name))
    expect(missing.map(({ name }) => name)).to.deep.equal([])
  })

  it('has nothing that is for the staff', () => {
    const staff = Object.fromEntries(staffFields('zines').map((field) => [field, 'SECRET']))
    expect(serialized('zines', 'mods', zine('a/b', staff))).not.to.include('SECRET')
  })

  it('has no empty element', () =>
    expect(serialized('zines', 'mods', zine('z', { date: [], language: [] }))).not.to.match(
      /<(\w+)[^>]*><\/\1>/,
    ))
})

describe('MODS', () => {
  const hostile = {
    title: '<title>&amp;"\']]> \u{1f4a5}\u0000\u001f\ufffe\ud800',
    identifier: ['https://x.example/"><script>'],
    rights: ['no-longer-there'],
    language: ['xx'],
  }
  const list = serializedList('mods', [
    resolvedRecord('zines', fullZine('full')),
    resolvedRecord('zines', zine('<&">', hostile)),
  ])

  it('of full records is that of the golden file', () => expectGolden('zines.mods.xml', list))

  for (const [what, xml] of [
    ['a list', list],
    ['a record', serialized('zines', 'mods', fullZine('full'))],
    ['an empty list', serializedList('mods', [])],
  ] as const)
    it(`of ${what} is well-formed, and valid where MODS_XSD names the schema`, function () {
      const schema = process.env.MODS_XSD
      // A collection has at least one record by the schema, which an empty list cannot have.
      const args = schema && what !== 'an empty list' ? ['--schema', schema] : []
      const { status, stderr } = runProgram(this, 'xmllint', ['--noout', ...args, 'input.xml'], xml)
      expect(status, stderr).to.equal(0)
    })
})
