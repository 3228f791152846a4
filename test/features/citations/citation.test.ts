// The metadata of pages for search engines and citation managers: schema.org and COinS.

import { expect } from 'chai'

import { agent, holding, repository, zine } from '../../examples.js'
import { BASE_URL, useService } from '../../service.js'
import { open } from '../../views/browser.js'

describe('the metadata of a page', () => {
  const service = useService({ DATASET_LICENSE: 'https://example.org/licence' })

  before(async () => {
    const press = { kind: 'Collective', display_name: 'The Paper Tigers', wikidata: 'Q42' }
    await service().post('/api/agents/', agent('maker', { display_name: 'Cindy Crabb' }))
    await service().post('/api/agents/', agent('press', press))
    const fields = {
      title: 'Doris',
      issue_designation: 'no. 24',
      creator: ['press', 'maker'],
      date: ['circa 2007'],
      rights: ['cc-by-4.0'],
      identifier: ['ISSN 1234-5679'],
    }
    const { status, text } = await service().post('/api/zines/', zine('zine', fields))
    expect(status, text).to.equal(201)
    await service().post('/api/agents/', agent('gone'))
    const full = zine('full', {
      title: 'Doris',
      issue_designation: 'no. 25',
      creator: ['gone'],
      series_title: ['First series'],
      edition_statement: ['1st printing', '2nd printing'],
      table_of_contents: '1. Anger\n2. Bread',
      date: ['2007-05', '2007?'],
      physical_dimensions: '14 x 11 cm',
      number_of_pages: '24',
      format: ['quarter-letter'],
      place_of_publication: ['Asheville, N.C.'],
      coverage: ['United States', '1990-2007'],
      source: ['https://zines.example/other'],
      rights: ['anti-copyright'],
    })
    const made = await service().post('/api/zines/', full)
    expect(made.status, made.text).to.equal(201)
    await service().delete('/api/agents/gone/')
    await service().post('/api/zines/', zine('undated', { date: ['undated'] }))
    await service().post('/api/repositories/', repository('library', { isil: 'US-1' }))
    await service().post('/api/holdings/', holding('copy'))
  })

  const page = (path: string) => open(service(), path)

  async function schemaOrg(path: string): Promise<any> {
    const scripts = (await page(path)).all('script')
    const [script] = scripts.filter(({ attributes }) => attributes.type === 'application/ld+json')
    return JSON.parse(script?.text ?? '{}')
  }

  it('of a zine has its agents by kind and IRI, its licence and its identifiers', async () => {
    const zine = await schemaOrg('/api/zines/zine/')
    expect(zine.author).to.deep.equal([
      { '@type': 'Organization', '@id': `${BASE_URL}/id/agents/press`, name: 'The Paper Tigers' },
      { '@type': 'Person', '@id': `${BASE_URL}/id/agents/maker`, name: 'Cindy Crabb' },
    ])
    expect(zine.license).to.equal('http://creativecommons.org/licenses/by/4.0/')
    expect(zine.identifier).to.deep.equal(['zine', 'ISSN 1234-5679'])
    expect(zine).not.to.have.property('datePublished')
  })

  it('of a zine has every field that schema.org has a property for', async () => {
    const full = await schemaOrg('/api/zines/full/')
    expect(full).to.deep.include({
      '@context': 'https://schema.org',
      '@type': ['CreativeWork', 'PublicationIssue'],
      '@id': `${BASE_URL}/id/zines/full`,
      name: 'Doris',
      bookEdition: ['1st printing', '2nd printing'],
      description: '1. Anger\n2. Bread',
      size: '14 x 11 cm',
      numberOfPages: 24,
      bookFormat: 'Quarter letter',
      spatialCoverage: 'United States',
      temporalCoverage: '1990-2007',
      isBasedOn: 'https://zines.example/other',
      datePublished: '2007-05',
      isPartOf: {
        '@type': 'CreativeWorkSeries',
        '@id': `${BASE_URL}/id/zines/full#series-1`,
        name: 'First series',
      },
      usageInfo: {
        '@type': 'CreativeWork',
        '@id': `${BASE_URL}/vocabularies/rights-status#anti-copyright`,
        name: 'Anti-copyright',
      },
      about: {
        '@type': 'DefinedTerm',
        '@id': `${BASE_URL}/vocabularies/subjects#punk`,
        name: 'Punk',
      },
      author: { name: 'name withheld' },
    })
    expect(full.locationCreated.name).to.equal('Asheville, N.C.')
  })

  it('of a zine without a known date has none', async () => {
    const undated = await page('/api/zines/undated/')
    expect(await schemaOrg('/api/zines/undated/')).not.to.have.property('datePublished')
    const names = undated.all('meta').map(({ attributes }) => attributes.name)
    expect(names).to.include('citation_title').and.not.include('citation_publication_date')
  })

  it('of an agent has the same agent elsewhere', async () => {
    const press = await schemaOrg('/api/agents/press/')
    expect(press.sameAs).to.equal('http://www.wikidata.org/entity/Q42')
  })

  it('of a holding has the IRIs of its zine and its repository', async () => {
    const copy = await schemaOrg('/api/holdings/copy/')
    expect(copy.exampleOfWork['@id']).to.equal(`${BASE_URL}/id/zines/zine`)
    expect(copy.holdingArchive).to.deep.equal({
      '@type': 'ArchiveOrganization',
      '@id': `${BASE_URL}/id/repositories/library`,
      name: 'Library library',
    })
  })

  it('of a repository has the type of its kind', async () => {
    for (const [kind, type] of [
      ['public-library', 'Library'],
      ['museum', 'Museum'],
      ['distro', 'Store'],
      ['personal-collection', 'Organization'],
    ] as const) {
      await service().post('/api/repositories/', repository(kind, { repository_kind: kind }))
      const { '@type': given } = await schemaOrg(`/api/repositories/${kind}/`)
      expect(given).to.equal(type)
    }
  })

  it('of a zine has the issue in its COinS', async () => {
    const [coins] = (await page('/api/zines/zine/')).all('span', 'Z3988')
    const fields = new URLSearchParams(coins?.attributes.title)
    expect(fields.get('rft.btitle')).to.equal('Doris, no. 24')
    expect(fields.get('rft.date')).to.equal('2007')
  })

  it('of the dataset has its licence and its dumps', async () => {
    const dataset = await schemaOrg('/dataset')
    expect(dataset).to.include({
      '@type': 'Dataset',
      '@id': `${BASE_URL}/dataset`,
      license: 'https://example.org/licence',
    })
    expect(dataset.distribution[0].contentUrl).to.equal(`${BASE_URL}/dumps/catalogue.nt.gz`)
  })
})
