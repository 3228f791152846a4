// Tests content advice: its codes and the library's own words, in JSON and other formats, and that
// nothing of it shows where none is set.

import { expect } from 'chai'

import { unique, useCatalogue } from '../../http/catalogue.js'
import { WITH_INDEX } from '../../service.js'

describe('content advice of a zine', () => {
  const { service, given } = useCatalogue()
  const advised = unique('advised')
  const plain = unique('plain')
  const words = 'Page 12 describes an assault.'

  before(async () => {
    await given.zine({ zine_id: plain, abstract: 'Blankets.' })
    await given.zine({
      zine_id: advised,
      content_advice: ['self-harm', 'nudity'],
      content_advice_note: [words],
    })
  })

  const read = async (path: string) => (await service().get(path)).body
  const textOf = async (id: string, format: string) =>
    (await service().get(`/api/zines/${id}/?format=${format}`)).text

  it('is read as entries of its vocabulary, with the own words of the library', async () => {
    const zine = await read(`/api/zines/${advised}/`)
    expect(zine.content_advice.map(({ code, label }: any) => [code, label])).to.deep.equal([
      ['self-harm', 'Self-harm'],
      ['nudity', 'Nudity'],
    ])
    expect(zine.content_advice_note).to.deep.equal([words])
  })

  it('is not a member of the JSON of a zine without it, nor of lists', async () => {
    expect(await read(`/api/zines/${plain}/`)).not.to.have.any.keys(
      'content_advice',
      'content_advice_note',
    )
    for (const zine of (await read('/api/zines/')).results)
      expect(zine).not.to.have.any.keys('content_advice', 'content_advice_note')
  })

  for (const format of ['turtle', 'jsonld', 'dc', 'mods', 'marcxml', 'bibtex', 'ris', 'csljson'])
    it(`leaves ${format} of a zine without it as it was`, async () => {
      expect((await textOf(plain, format)).toLowerCase()).not.to.match(/content.?advice/)
    })

  it('is refused where a code is not in the vocabulary', async () => {
    const { status, body } = await service().patch(`/api/zines/${plain}/`, {
      content_advice: ['immoral', 'nudity'],
    })
    expect(status).to.equal(400)
    expect(body).to.deep.equal({ content_advice: ['Invalid content advice codes: immoral'] })
  })

  it('is in MARC a field 520 with the first indicator 4 for each term and each note', async () => {
    const marc = (await textOf(advised, 'marcxml')).replace(/>\s+</g, '><')
    expect(marc.match(/tag="520" ind1="4"/g)).to.have.length(3)
    expect(marc).to.include(`<subfield code="a">${words}</subfield>`)
  })

  it('is a property of its own in RDF, and contentRating in schema.org', async () => {
    const turtle = await textOf(advised, 'turtle')
    expect(turtle).to.match(/zc:contentAdvice .*content-advice#nudity/s)
    expect(turtle).to.include(words)
    const schema = await textOf(advised, 'turtle&vocabulary=schema')
    expect(schema).to.match(/schema:contentRating [^;.]*"Nudity"/)
  })

  it('is in columns that can be loaded again', async () => {
    const [names = '', cells = ''] = (await textOf(advised, 'csv')).split('\r\n')
    const at = names.split(',').indexOf('content_advice')
    expect(names.split(',')[at + 1]).to.equal('content_advice_note')
    expect(cells).to.include('self-harm|nudity')
  })

  it('is not found by words, which may deny it', async function () {
    // Without an index there is no search for words.
    if (!WITH_INDEX) this.skip()
    const { count } = await read(`/api/zines/?q=describes+assault`)
    expect(count).to.equal(0)
  })
})
