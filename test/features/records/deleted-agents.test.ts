// An agent that was deleted and that zines still refer to: its identifier, which may be a name, is in no
// page and in no format for people.

import { expect } from 'chai'

import { agent, holding, repository, zine } from '../../examples.js'
import { useService } from '../../service.js'
import { look } from '../../views/browser.js'

describe('a zine by a deleted agent', () => {
  const service = useService()

  before(async () => {
    const { post } = service()
    await post('/api/agents/', agent('maker'))
    await post('/api/agents/', agent('jane-doe'))
    // In each field that names agents, alone and beside another one.
    await post('/api/zines/', zine('zine', { creator: ['jane-doe'] }))
    await post(
      '/api/zines/',
      zine('others', {
        creator: ['maker', 'jane-doe'],
        contributor: ['jane-doe', 'maker'],
        publisher: ['jane-doe'],
      }),
    )
    await post('/api/repositories/', repository('library'))
    const copy = holding('copy', { zine_id: 'zine', repository_id: 'library' })
    expect((await post('/api/holdings/', copy)).status).to.equal(201)
    expect((await service().delete('/api/agents/jane-doe/')).status).to.equal(204)
  })

  const citations = ['bibtex', 'ris', 'csljson']

  for (const format of ['dc', ...citations, 'marcxml', 'marc', 'mods'])
    for (const path of [
      '/api/zines/zine/',
      '/api/zines/others/',
      '/api/zines/',
      '/api/zines/export/',
      '/api/holdings/copy/',
      '/api/holdings/export/',
    ])
      if (path.includes('zines') || format !== 'mods')
        it(`has "name withheld" and not the agent's identifier in ${format} at ${path}`, async () => {
          const { status, text } = await service().get(`${path}?format=${format}`)
          expect(status).to.equal(200)
          expect(text).not.to.include('jane-doe')
          // MARC of a copy names no makers, and Dublin Core of one neither.
          if (path.includes('zines') || citations.includes(format))
            expect(text).to.include('name withheld')
        })

  for (const path of [
    '/api/zines/',
    '/api/zines/?creator=jane-doe',
    '/api/zines/zine/',
    '/api/zines/others/',
    '/api/agents/maker/',
  ])
    it(`has "name withheld" on the page ${path}`, async () => {
      const { text } = await look(service(), path)
      expect(text).to.include('name withheld')
      expect(withoutData(text)).not.to.match(/>[^<]*jane-doe/)
      expect(withoutData(text)).not.to.match(/<(?:meta|title|span class="Z3988")[^>]*jane-doe/)
    })

  for (const path of ['/api/', '/api/agents/', '/api/holdings/', '/api/holdings/copy/'])
    it(`does not have the agent's identifier on the page ${path}`, async () => {
      const { status, text } = await look(service(), path)
      expect(status).to.equal(200)
      expect(withoutData(text)).not.to.include('jane-doe')
    })

  it('has the identifier in JSON and CSV, and the IRI in Turtle', async () => {
    for (const format of ['json', 'csv', 'turtle'])
      for (const path of ['/api/zines/zine/', '/api/zines/others/', '/api/zines/'])
        expect((await service().get(`${path}?format=${format}`)).text, path).to.include('jane-doe')
    const { body } = await service().get('/api/zines/others/')
    const deleted = { agent_id: 'jane-doe', display_name: '', kind: '' }
    expect(body.publisher).to.deep.equal([deleted])
    expect(body.contributor[0]).to.deep.equal(deleted)
  })
})

/** A page without the API request and JSON, which name the agent as JSON does. */
const withoutData = (text: string): string =>
  text.replaceAll(/<details class="request"[^>]*>.*?<\/details>/gs, '')
