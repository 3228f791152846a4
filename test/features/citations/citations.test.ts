// Tests the citations of records over HTTP: zines and holdings, renamed and merged ones, and makers who were deleted.

import { expect } from 'chai'

import { BASE_URL } from '../../service.js'
import { useCatalogue } from '../../http/catalogue.js'

describe('GET /api/zines/{id}/citations/', () => {
  const { service, given } = useCatalogue()

  it('answers the citation in each style, BibTeX, RIS and the permanent address', async () => {
    const { agent_id } = await given.agent({ kind: 'Person', sort_name: 'Crabb, Cindy' })
    const fields = { title: 'Doris', issue_designation: 'no. 15', date: ['1999'] }
    await given.zine({ zine_id: 'doris', creator: [agent_id], ...fields })
    const { status, headers, body } = await service().get('/api/zines/doris/citations/')
    expect(status).to.equal(200)
    expect(headers.get('etag')).to.match(/^"json-/)
    expect(body).to.include({
      permanent_address: `${BASE_URL}/id/zines/doris`,
      apa: `Crabb, C. (1999). Doris, no. 15 [Zine]. ${BASE_URL}/id/zines/doris`,
      mla: `Crabb, Cindy. Doris, No. 15. 1999, ${BASE_URL}/id/zines/doris.`,
      chicago: `Crabb, Cindy. 1999. Doris, No. 15. Zine. ${BASE_URL}/id/zines/doris.`,
      bibtex: (await service().get('/api/zines/doris/?format=bibtex')).text,
      ris: (await service().get('/api/zines/doris/?format=ris')).text,
    })
  })

  it('has a page that escapes what the record says', async () => {
    await given.zine({ zine_id: 'hostile', title: '<script>alert(1)</script>', language: ['de'] })
    const html = { headers: { accept: 'text/html' } }
    const { status, text } = await service().get('/api/zines/hostile/citations/', html)
    expect(status).to.equal(200)
    expect(text).to.include('<i>&lt;script>alert(1)&lt;/script></i>')
    expect(text).not.to.include('<script>alert')
    expect((await service().get('/api/zines/hostile/', html)).text).to.include(
      'href="/api/zines/hostile/citations/"',
    )
  })

  it('has a page that names the licences of the styles and of the program that prints them', async () => {
    await given.zine({ zine_id: 'licensed' })
    const html = { headers: { accept: 'text/html' } }
    const { text } = await service().get('/api/zines/licensed/citations/', html)
    expect(text).to.include('CC BY-SA 3.0').and.include('CPAL 1.0')
    expect(text).to.include('href="https://github.com/juris-m/citeproc-js"')
  })

  it('is of a holding too, with its own permanent address', async () => {
    await given.zine({ zine_id: 'held', title: 'Held' })
    await given.holding({ holding_id: 'held-1', zine_id: 'held' })
    const { body } = await service().get('/api/holdings/held-1/citations/')
    expect(body.permanent_address).to.equal(`${BASE_URL}/id/holdings/held-1`)
    expect(body.apa).to.include('Held')
  })

  it('shows the change of a record at once', async () => {
    await given.zine({ zine_id: 'new-title', title: 'Before', language: [] })
    expect((await service().get('/api/zines/new-title/citations/')).body.apa).to.include('Before')
    await service().patch('/api/zines/new-title/', { title: 'After' })
    expect((await service().get('/api/zines/new-title/citations/')).body.apa).to.include('After')
  })

  it('withholds the name of a maker who was deleted', async () => {
    await given.agent({ agent_id: 'gone-name' })
    await given.zine({ zine_id: 'by-gone', creator: ['gone-name'] })
    await service().delete('/api/agents/gone-name/')
    const { text, body } = await service().get('/api/zines/by-gone/citations/')
    expect(body.apa).to.match(/^name withheld/i)
    expect(text).not.to.include('gone-name')
  })

  it('leads from the identifier of a renamed zine to the new one', async () => {
    await given.zine({ zine_id: 'old-name' })
    await service().post('/api/zines/old-name/rename/', { id: 'new-name' })
    expect((await service().get('/api/zines/old-name/citations/')).status).to.equal(301)
  })

  it('answers 404 for no record, and for agents and repositories', async () => {
    for (const path of ['/api/zines/none', '/api/agents/maker', '/api/repositories/library'])
      expect((await service().get(`${path}/citations/`)).status, path).to.equal(404)
  })
})
