import { expect } from 'chai'

import type { SourceRow } from '../../../src/lib/sources/source.js'
import { recognize, rowsOfText, textsOf, writeSource } from './files.js'

const fieldsOf = (row: SourceRow | undefined): string[] =>
  (row?.fields ?? []).map(
    ({ name, parts, agentKind }) =>
      `${name}: ${parts.map(({ code, text }) => (code === '' ? text : `$${code} ${text}`)).join(' ')}${agentKind ? ` (${agentKind})` : ''}`,
  )

const descriptionOf = async (ending: string, content: string): Promise<string> =>
  (await recognize(await writeSource(ending, content))).description

describe('BibTeX', () => {
  const text = [
    '@comment{x}',
    '@string{gs = "Glue Stick"}',
    '@book{moss1998,',
    '  author = {Fold, Marge and {The Paper Club} and van der Toner, Ash and others},',
    "  title = {{Gutter} Zine: 100\\% {DIY} \\& caf\\'{e}},",
    '  publisher = gs # " Press", year = 1998, month = may, number = {2}, keywords = {perzine, soup}',
    '}',
    '@misc{broken, title = {3 to 15{{\\%}. never closed}',
    '@booklet{last2001, title = "Toner {\\em Dreams}", year = {c. 2001}, note = {For the reading group}}',
  ].join('\n')

  it('is recognized, and read without commands of TeX', async () => {
    expect(await descriptionOf('bib', text)).to.equal('BibTeX, UTF-8')
    const [first] = await rowsOfText('bib', text)
    expect(fieldsOf(first)).to.deep.equal([
      'entry type: book',
      'key: moss1998',
      'author: Fold, Marge (Person)',
      'author: The Paper Club (Collective)',
      'author: van der Toner, Ash (Person)',
      'title: Gutter Zine: 100% DIY & café',
      'publisher: Glue Stick Press',
      'number: 2',
      'keywords: perzine',
      'keywords: soup',
      'date: 1998-05',
    ])
    expect(first?.remarks.map(({ message }) => message)).to.deep.equal([
      'The entry leaves further names out.',
    ])
  })

  it('goes on after an entry that cannot be read, and reports it', async () => {
    const rows = await rowsOfText('bib', text)
    expect(textsOf(rows.find(({ fields }) => fields[1]?.parts[0]?.text === 'last2001'))).to.include(
      { title: 'Toner Dreams', date: 'c. 2001', note: 'For the reading group' },
    )
    const broken = rows.filter(({ problem }) => problem !== undefined)
    expect(broken).to.have.length(1)
    expect(textsOf(broken[0]).entry).to.match(/^@misc\{broken/)
  })

  it('does not take a table with an at sign for BibTeX', async () => {
    expect(await descriptionOf('csv', 'Title,Contact\nDoris,@doris\n')).to.match(/^CSV/)
  })
})

describe('RIS', () => {
  const text =
    '\uFEFFTY  - BOOK\r\nAU  - Fold, Marge\r\nTI  - Gutter Zine - of mosses\r\nPY  - 1998/05//\r\nAB  - First line\r\nsecond line\r\n\r\nER  - \r\nProvider: Example\r\nTY  - MGZN\r\nT1  - Toner Dreams\r\nDA  - 2003///Winter\r\nER  -\r\n'

  it('is read with values of several lines, and dates in ISO 8601', async () => {
    expect(await descriptionOf('ris', text)).to.equal('RIS, UTF-8')
    const [first, second, ...others] = await rowsOfText('ris', text)
    expect(textsOf(first)).to.deep.equal({
      TY: 'BOOK',
      AU: 'Fold, Marge',
      TI: 'Gutter Zine - of mosses',
      PY: '1998-05',
      AB: 'First line\nsecond line',
    })
    expect(textsOf(second)).to.deep.equal({ TY: 'MGZN', T1: 'Toner Dreams', DA: 'Winter 2003' })
    expect(others).to.deep.equal([])
  })

  it('tells which lines between records are passed over', async () => {
    const [, second] = await rowsOfText('ris', text)
    expect(second?.remarks.map(({ message }) => message)).to.deep.equal([
      'A line before the record is in none, and is passed over: Provider: Example',
    ])
  })

  it('has no year beside a date that says more', async () => {
    const [row] = await rowsOfText('ris', 'TY  - BOOK\nPY  - 2012\nDA  - 2012/05//\nER  - \n')
    expect(textsOf(row)).to.deep.equal({ TY: 'BOOK', DA: '2012-05' })
  })
})

describe('EndNote', () => {
  it('has records that begin with %0', async () => {
    const text =
      '%0 Book\n%A Fold, Marge\n%T Gutter Zine\n%X One\n\ntwo\n\n%0 Magazine Article\n%T Toner Dreams\n'
    expect(await descriptionOf('enw', text)).to.equal('EndNote, tagged, UTF-8')
    expect((await rowsOfText('enw', text)).map(textsOf)).to.deep.equal([
      { '%0': 'Book', '%A': 'Fold, Marge', '%T': 'Gutter Zine', '%X': 'One\n\ntwo' },
      { '%0': 'Magazine Article', '%T': 'Toner Dreams' },
    ])
  })

  it('has records between empty lines where none has a type', async () => {
    const rows = await rowsOfText('refer', '%A Fold, Marge\n%T One\n\n%A Toner, Ash\n%T Two\n')
    expect(rows.map(textsOf).map((row) => row['%T'])).to.deep.equal(['One', 'Two'])
  })
})

describe('CSL-JSON', () => {
  it('has a field for each name, and dates as texts', async () => {
    const item = {
      id: 'a',
      type: 'book',
      title: 'Gutter Zine',
      author: [{ family: 'Fold', given: 'Marge', suffix: 'Jr.' }, { literal: 'The Paper Club' }],
      issued: { 'date-parts': [[1998, 5]] },
      accessed: { 'date-parts': [[2003], [2004, 2]], season: 1, circa: true },
    }
    const text = JSON.stringify([item, { id: 'b', type: 'book', title: '} ] "' }], undefined, 2)
    expect(await descriptionOf('json', text)).to.equal('CSL-JSON, UTF-8')
    const [first, second] = await rowsOfText('json', text)
    expect(fieldsOf(first)).to.deep.equal([
      'id: a',
      'type: book',
      'title: Gutter Zine',
      'author: Fold, Marge, Jr. (Person)',
      'author: The Paper Club (Collective)',
      'issued: 1998-05',
      'accessed: Spring 2003/2004-02~',
    ])
    expect(textsOf(second).title).to.equal('} ] "')
  })
})

describe('JSON', () => {
  it('is read from an array, and from the member that has the records', async () => {
    for (const text of [
      '[{"a":"1"},\n {"a":"2"}]',
      '{"count":2,"next":null,"results":[{"a":"1"},{"a":"2"}],"more":{"a":"3"}}',
    ])
      expect((await rowsOfText('json', text)).map((row) => textsOf(row).a)).to.deep.equal([
        '1',
        '2',
      ])
  })

  it('reports an object that is broken, and goes on', async () => {
    const rows = await rowsOfText('json', '[{"a":"1"},{"a":,},{"a":"2"}]')
    expect(rows.map(({ problem }) => problem?.split(':')[0])).to.deep.equal([
      undefined,
      'The line is no JSON',
      undefined,
    ])
  })

  it('has the fields of MARC where it is MARC-in-JSON', async () => {
    const record = {
      leader: '00000nam a2200000 a 4500',
      fields: [
        { '001': 'x1' },
        { '245': { ind1: '1', ind2: '0', subfields: [{ a: 'Gutter Zine /' }, { c: 'Marge.' }] } },
      ],
    }
    const [row] = await rowsOfText('json', `[${JSON.stringify(record)}]`)
    expect(row?.fields).to.deep.equal([
      { name: 'LDR', parts: [{ code: '', text: record.leader }] },
      { name: '001', parts: [{ code: '', text: 'x1' }] },
      {
        name: '245',
        indicators: '10',
        parts: [
          { code: 'a', text: 'Gutter Zine /' },
          { code: 'c', text: 'Marge.' },
        ],
      },
    ])
  })
})

describe('MODS', () => {
  it('is read with titles, names and roles put together', async () => {
    const text = `<?xml version="1.0"?><modsCollection xmlns="http://www.loc.gov/mods/v3"><mods>
      <titleInfo><nonSort>The </nonSort><title>Gutter Zine</title><subTitle>of mosses</subTitle><partNumber>2</partNumber></titleInfo>
      <titleInfo type="alternative"><title>Gutter</title></titleInfo>
      <name type="personal"><namePart type="family">Fold</namePart><namePart type="given">Marge</namePart><role><roleTerm>creator</roleTerm><roleTerm type="code">cre</roleTerm></role></name>
      <originInfo><dateIssued>May 1998</dateIssued><dateIssued encoding="w3cdtf">1998-05</dateIssued></originInfo>
      <relatedItem type="series"><titleInfo><title>Mosses</title><partNumber>no. 3</partNumber></titleInfo></relatedItem>
      <subject><topic>Soup</topic><topic>Moss</topic></subject>
      <note type="binding">stapled</note></mods><mods><titleInfo><title>Toner</title></titleInfo></mods></modsCollection>`
    expect(await descriptionOf('xml', text)).to.equal('MODS, UTF-8')
    const [first, second] = await rowsOfText('xml', text)
    expect(fieldsOf(first)).to.deep.equal([
      'titleInfo: The Gutter Zine: of mosses',
      'partNumber: 2',
      'titleInfo[alternative]: Gutter',
      'name: $a Fold, Marge $r creator (Person)',
      'originInfo.dateIssued: May 1998',
      'relatedItem[series]: Mosses',
      'relatedItem[series].partNumber: no. 3',
      'subject.topic: Soup',
      'subject.topic: Moss',
      'note[binding]: stapled',
    ])
    expect(fieldsOf(second)).to.deep.equal(['titleInfo: Toner'])
  })
})

describe('RDF', () => {
  it('in Turtle has a row for each work, with the names of what it names', async () => {
    const text = `@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
<http://zines.example/z/1> a <http://purl.org/ontology/bibo/Document> ; dcterms:title "Gutter Zine" ;
  dcterms:creator <http://zines.example/a/1>, "Ash Toner" ; dcterms:date "1998" .
<http://zines.example/a/1> a foaf:Group ; foaf:name "The Paper Club" ; dcterms:title "no work" .`
    expect(await descriptionOf('ttl', text)).to.equal('RDF, UTF-8')
    const rows = await rowsOfText('ttl', text)
    expect(rows.map(fieldsOf)).to.deep.equal([
      [
        'iri: http://zines.example/z/1',
        'dcterms:title: Gutter Zine',
        'dcterms:creator: The Paper Club (Collective)',
        'dcterms:creator: Ash Toner',
        'dcterms:date: 1998',
      ],
    ])
  })

  it('in JSON-LD is read without fetching a context', async () => {
    const schema = { '@context': 'https://schema.org', '@type': 'Book', name: 'Gutter Zine' }
    const omeka = {
      '@context': 'http://127.0.0.1:9/api-context',
      '@id': 'http://zines.example/api/items/1',
      '@type': ['o:Item'],
      'dcterms:title': [{ type: 'literal', '@value': 'Toner Dreams' }],
    }
    const fields = await Promise.all(
      [schema, [omeka]].map(async (document) =>
        fieldsOf((await rowsOfText('json', JSON.stringify(document)))[0]),
      ),
    )
    expect(fields).to.deep.equal([
      ['schema:name: Gutter Zine'],
      ['iri: http://zines.example/api/items/1', 'dcterms:title: Toner Dreams'],
    ])
  })

  it('reports a document that cannot be parsed', async () => {
    const error = await rowsOfText('ttl', '@prefix a: <http://a/> .\na:b a:c "d" ,.').catch(
      (one: unknown) => one,
    )
    expect(String(error)).to.match(/The file cannot be read: Expected entity but got \. on line 2/)
  })
})
