import { expect } from 'chai'

import { recognize, rowsOfText, textsOf, writeSource } from './files.js'

const record = (title: string): string =>
  `<m:record><m:leader>00000nam a2200000 a 4500</m:leader>
  <m:controlfield tag="008">081219s2003    xx </m:controlfield>
  <m:datafield tag="245" ind1="1" ind2="0"><m:subfield code="a">${title}</m:subfield>
  <m:subfield code="c">me <![CDATA[& you]]></m:subfield></m:datafield>
  <m:datafield tag="880" ind1=" " ind2=" "><m:subfield code="6">100-01</m:subfield><m:subfield code="a">Я</m:subfield></m:datafield></m:record>`

const collection = (...records: readonly string[]): string =>
  `<?xml version="1.0"?><!-- a comment -->
<m:collection xmlns:m="http://www.loc.gov/MARC21/slim">${records.join('')}</m:collection>`

describe('MARCXML', () => {
  it('is recognized by its namespace, and read whatever its prefix is', async () => {
    const content = collection(record('Été &amp; hiver'), record('Doris'))
    const { options, description } = await recognize(await writeSource('txt', content))
    expect(options.type).to.equal('marcxml')
    expect(description).to.equal('MARCXML, UTF-8')
    const rows = await rowsOfText('xml', content)
    expect(rows.map(({ number }) => number)).to.deep.equal([1, 2])
    expect(rows[0]?.fields).to.deep.equal([
      { name: 'LDR', parts: [{ code: '', text: '00000nam a2200000 a 4500' }] },
      { name: '008', parts: [{ code: '', text: '081219s2003    xx ' }] },
      {
        name: '245',
        indicators: '10',
        parts: [
          { code: 'a', text: 'Été & hiver' },
          { code: 'c', text: 'me & you' },
        ],
      },
      {
        name: '880-100',
        indicators: '  ',
        parts: [
          { code: '6', text: '100-01' },
          { code: 'a', text: 'Я' },
        ],
      },
    ])
  })

  it('is read in the encoding that it names', async () => {
    const content = `<?xml version="1.0" encoding="ISO-8859-1"?>${collection(record('Été')).slice(21)}`
    const [row] = await rowsOfText('xml', Buffer.from(content.replace('Я', 'x'), 'latin1'))
    expect(textsOf(row)['245']).to.equal('Été me & you')
  })

  it('is read in UTF-16', async () => {
    const content = Buffer.from(`\uFEFF${collection(record('Été'))}`, 'utf16le')
    const [row] = await rowsOfText('xml', content)
    expect(textsOf(row)['245']).to.equal('Été me & you')
  })

  it('goes on after a record that is not well-formed', async () => {
    const rows = await rowsOfText('xml', collection(record('a < b'), record('Doris')))
    expect(rows[0]?.problem).to.match(/^The XML is broken: /)
    expect(rows[1]?.problem).to.equal(undefined)
    expect(textsOf(rows[1])['245']).to.equal('Doris me & you')
  })

  it('is read with a remark where it has entities of HTML, which are repaired', async () => {
    const [row] = await rowsOfText('xml', collection(record('caf&eacute;')))
    expect(row?.problem).to.equal(undefined)
    expect(textsOf(row)['245']).to.equal('café me & you')
    expect(row?.remarks.map(({ kind }) => kind)).to.deep.equal(['damaged', 'damaged', 'repaired'])
    expect(row?.remarks[1]?.message, 'its 880 is of a field that is not there').to.equal(
      'The field 880 belongs to 100-01, which the record lacks.',
    )
  })

  it('that is of no zine, or was deleted, is told as such', async () => {
    const withLeader = (leader: string): string =>
      record('Doris').replace('00000nam a2200000 a 4500', leader)
    const leaders = [
      '00000nz  a2200000n  4500',
      '00000nx  a2200000n  4500',
      '00000dam a2200000 a 4500',
    ]
    const rows = await rowsOfText('xml', collection(...leaders.map(withLeader), record('Mermaid')))
    expect(rows.map(({ problem }) => problem)).to.deep.equal([
      'This is an authority record, and no bibliographic record.',
      'This is a holdings record, and no bibliographic record.',
      'The record was deleted where it comes from.',
      undefined,
    ])
  })

  it('reports a record in which the file ends', async () => {
    const content = collection(record('Doris'), record('Mermaid'))
    const rows = await rowsOfText('xml', content.slice(0, content.lastIndexOf('880')))
    expect(rows.map(({ problem }) => problem !== undefined)).to.deep.equal([false, true])
    expect(textsOf(rows[1])['245']).to.equal('Mermaid me & you')
  })

  it('does not expand entities of its own', async () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
    const content = collection(record('&a; &f;')).replace('<!-- a comment -->', bomb)
    const [row] = await rowsOfText('xml', content)
    expect(textsOf(row)['245']).to.equal('&a; &f; me & you')
  })
})

describe('a saved answer of OAI-PMH', () => {
  const answer = `<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-01-01T00:00:00Z</responseDate>
<ListRecords><record><header><identifier>oai:x:1</identifier><datestamp>2025-01-01</datestamp><setSpec>zines</setSpec></header>
<metadata><oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>Doris</dc:title><dc:creator>Crabb, Cindy</dc:creator><dc:subject>zines</dc:subject><dc:subject>punk</dc:subject></oai_dc:dc></metadata></record>
<record><header status="deleted"><identifier>oai:x:2</identifier><datestamp>2025-01-02</datestamp></header></record>
<record><header><identifier>oai:x:3</identifier></header><metadata>${record('Mermaid').replace('<m:record>', '<m:record xmlns:m="http://www.loc.gov/MARC21/slim">')}</metadata></record>
</ListRecords></OAI-PMH>`

  it('has its records with their identifiers, and says which are deleted', async () => {
    const { options } = await recognize(await writeSource('xml', answer))
    expect(options.type).to.equal('oai-pmh')
    const rows = await rowsOfText('xml', answer)
    expect(rows[0]?.fields.map(({ name, parts }) => [name, parts[0]?.text])).to.deep.equal([
      ['oai:identifier', 'oai:x:1'],
      ['oai:datestamp', '2025-01-01'],
      ['oai:setSpec', 'zines'],
      ['dc:title', 'Doris'],
      ['dc:creator', 'Crabb, Cindy'],
      ['dc:subject', 'zines'],
      ['dc:subject', 'punk'],
    ])
    expect(rows.map(({ remarks }) => remarks.map(({ kind }) => kind))).to.deep.equal([
      [],
      ['deleted'],
      ['damaged'],
    ])
    expect(rows[1]?.problem).to.equal('The record was deleted where it comes from.')
    expect(textsOf(rows[2])).to.include({ 'oai:identifier': 'oai:x:3', '245': 'Mermaid me & you' })
  })

  it('may have no namespace', async () => {
    const content = answer.replace(/ xmlns="http:\/\/www.openarchives.org[^"]*"/, '')
    expect((await recognize(await writeSource('xml', content))).options.type).to.equal('oai-pmh')
    const rows = await rowsOfText('xml', content)
    expect(textsOf(rows[0])).to.include({ 'oai:identifier': 'oai:x:1', 'dc:title': 'Doris' })
    expect(rows[1]?.remarks.map(({ kind }) => kind)).to.deep.equal(['deleted'])
  })
})
