// An agent that was deleted and that zines still refer to: its identifier, which may be a name, is in no
// page and in no format for people.

import { expect } from 'chai'

import { agent, zine } from '../examples.js'
import { useService } from '../service.js'
import { look } from './browser.js'

describe('a zine by a deleted agent', () => {
  const service = useService()

  before(async () => {
    await service().post('/api/agents/', agent('jane-doe'))
    await service().post('/api/zines/', zine('zine', { creator: ['jane-doe'] }))
    expect((await service().delete('/api/agents/jane-doe/')).status).to.equal(204)
  })

  for (const format of ['dc', 'bibtex', 'marcxml'])
    it(`has "name withheld" and not the agent's identifier in ${format}`, async () => {
      const { text } = await service().get(`/api/zines/zine/?format=${format}`)
      expect(text).to.include('name withheld').and.not.include('jane-doe')
    })

  for (const path of ['/api/zines/', '/api/zines/zine/'])
    it(`has "name withheld" on the page ${path}`, async () => {
      const { text } = await look(service(), path)
      expect(text).to.include('name withheld')
      expect(text.replaceAll(/<details class="request">.*?<\/details>/gs, '')).not.to.match(
        />[^<]*jane-doe/,
      )
    })

  it('has the identifier in JSON and CSV, and the IRI in Turtle', async () => {
    for (const format of ['json', 'csv', 'turtle'])
      expect((await service().get(`/api/zines/zine/?format=${format}`)).text).to.include('jane-doe')
  })
})
