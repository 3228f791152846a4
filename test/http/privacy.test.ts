// Tests that the private fields of a private agent (legal_name, email, phone) appear in no answer
// and cannot be found by search, filter or ordering (docs/reference/accounts.md, "Privacy"). How
// editors of agents read and write them is tested in private-view.test.ts.

import { expect } from 'chai'

import { agent } from '../examples.js'
import { detailFields, recordPath, unique, useCatalogue } from './catalogue.js'
import { expectNoMark, KEYS, SECRETS } from './secrets.js'
import type { Ask } from '../service.js'

// Without XLSX, whose texts are compressed: test/security/privacy.test.ts unpacks it.
const ALL = ['json', 'jsonld', 'csv', 'dc', 'turtle', 'html']
const CITATIONS = ['bibtex', 'ris', 'csljson']
const MARC = ['marcxml', 'marc', 'marc&items=852', 'marcxml&items=952']

const FORMATS = {
  zines: [...ALL, ...CITATIONS, ...MARC, 'mods'],
  agents: [...ALL, ...MARC],
  holdings: [...ALL, ...CITATIONS, ...MARC],
  repositories: ALL,
}

describe('privacy:', () => {
  const { service, given } = useCatalogue()

  const createPrivateAgent = (more: object = {}) =>
    given.agent({ public: false, ...SECRETS, ...more })
  const readers = () => ({ nobody: null, ...service().tokens })

  describe('the private fields of a private agent', () => {
    const agent_id = unique('private')
    const zine_id = unique('zine')
    const holding_id = unique('holding')

    before(async () => {
      await given.agent({ agent_id, public: false, ...SECRETS, biography: 'Known.' })
      const references = { creator: [agent_id], contributor: [agent_id], publisher: [agent_id] }
      await given.zine({ zine_id, ...references })
      await given.holding({ holding_id, zine_id })
    })

    const pages = {
      zines: [`/api/zines/${zine_id}/`, `/api/zines/?creator=${agent_id}`],
      agents: [
        `/api/agents/${agent_id}/`,
        '/api/agents/',
        '/api/agents/?public=false',
        '/api/agents/?ordering=legal_name',
        '/api/agents/?private=true',
        '/api/agents/?search=known&private=true',
      ],
      holdings: [`/api/holdings/${holding_id}/`, `/api/holdings/?zine_id=${zine_id}`],
      repositories: ['/api/repositories/library/', '/api/repositories/'],
    } as const

    for (const [name, paths] of Object.entries(pages))
      for (const path of paths)
        for (const format of FORMATS[name as keyof typeof pages])
          it(`are not in GET ${path} as ${format} for any reader`, async () => {
            for (const token of Object.values(readers())) {
              const separator = path.includes('?') ? '&' : '?'
              const answer = await service().get(`${path}${separator}format=${format}`, { token })
              expect(answer.status, answer.text).to.equal(200)
              expectNoMark(answer.text)
              for (const value of answer.headers.values()) expectNoMark(value)
            }
          })

    it('are missing as keys from the JSON of the agent', async () => {
      for (const token of Object.values(readers())) {
        const { body } = await service().get(recordPath('agents', agent_id), { token })
        expect(body).not.to.have.any.keys(...KEYS)
      }
    })

    it('are the only fields missing from the JSON of the agent', async () => {
      const { body } = await service().get(recordPath('agents', agent_id))
      expect(body).to.include({ agent_id, public: false, biography: 'Known.' })
      expect(body).to.have.all.keys(detailFields('agents').filter((field) => !KEYS.includes(field)))
    })

    it('do not keep the agent out of lists', async () => {
      const { body } = await service().get('/api/agents/?public=false')
      expect(body.results.map((one: any) => one.agent_id)).to.include(agent_id)
    })

    for (const path of [
      '/api/',
      '/api/schema/',
      '/api/schema/?format=json',
      '/api/geography/places/',
    ])
      it(`are not in GET ${path}`, async () => {
        const { status, text } = await service().get(path)
        expect(status).to.equal(200)
        expectNoMark(text)
      })

    const requests: Readonly<Record<string, readonly [string, string, Ask?]>> = {
      'to OPTIONS': ['OPTIONS', `/api/agents/${agent_id}/`],
      'to a POST of its identifier': ['POST', '/api/agents/', { body: agent(agent_id) }],
      'to a PATCH that fails validation': [
        'PATCH',
        `/api/agents/${agent_id}/`,
        { body: { email: 'x' } },
      ],
      'to a refused PUT': ['PUT', `/api/agents/${agent_id}/`, { body: {} }],
      'with status 405': ['POST', `/api/agents/${agent_id}/`, { body: {} }],
      'with status 406': ['GET', `/api/agents/${agent_id}/`, { headers: { accept: 'image/png' } }],
      'with status 412': ['DELETE', `/api/agents/${agent_id}/`, { headers: { 'if-match': '"x"' } }],
    }

    for (const [description, request] of Object.entries(requests))
      it(`are not in the answer ${description}`, async () => {
        const answer = await service().ask(...request)
        expect(answer.status).to.be.below(500)
        expectNoMark(answer.text)
      })
  })

  describe('search', () => {
    for (const [term, field] of [
      ['Xanthippe', 'legal_name'],
      ['quirr', 'legal_name'],
      ['secret.example', 'email'],
      ['xqphone', 'phone'],
    ] as const)
      it(`does not find a private agent by “${term}” of its ${field}`, async () => {
        const { display_name } = await createPrivateAgent()
        for (const token of Object.values(readers()))
          for (const query of ['', '&private=true']) {
            const search = encodeURIComponent(`${display_name} ${term}`)
            const { body } = await service().get(`/api/agents/?search=${search}${query}`, { token })
            expect(body.count).to.equal(0)
          }
      })

    it('finds a private agent by its public fields', async () => {
      const { agent_id, display_name } = await createPrivateAgent()
      const { body } = await service().get(`/api/agents/?search=${display_name}`)
      expect(body.results.map((one: any) => one.agent_id)).to.include(agent_id)
    })

    it('finds a public agent by its legal_name', async () => {
      const legal_name = unique('Legalname')
      const { agent_id } = await given.agent({ legal_name })
      const { body } = await service().get(`/api/agents/?search=${legal_name.toLowerCase()}`)
      expect(body.results.map((one: any) => one.agent_id)).to.deep.equal([agent_id])
    })

    it('finds an agent by its legal_name again when it becomes public again', async () => {
      const legal_name = unique('Legalname')
      const { agent_id } = await given.agent({ legal_name })
      const counts = []
      for (const isPublic of [false, true]) {
        await service().patch(recordPath('agents', agent_id), { public: isPublic })
        counts.push((await service().get(`/api/agents/?search=${legal_name}`)).body.count)
      }
      expect(counts).to.deep.equal([0, 1])
    })
  })

  for (const field of KEYS) {
    it(`?ordering=${field} does not change the order of private agents`, async () => {
      const word = unique('ordered')
      for (const secret of ['b@x.example', 'c@x.example', 'a@x.example'])
        await given.agent({ public: false, display_name: word, [field]: secret })
      const { body: plain } = await service().get(`/api/agents/?search=${word}`)
      for (const ordering of [field, `-${field}`]) {
        const { body } = await service().get(`/api/agents/?search=${word}&ordering=${ordering}`)
        expect(body.results).to.deep.equal(plain.results)
      }
    })

    it(`?${field}= does not filter private agents`, async () => {
      const { display_name } = await createPrivateAgent()
      const query = `search=${display_name}&${field}=`
      const { body: withValue } = await service().get(
        `/api/agents/?${query}${encodeURIComponent(SECRETS[field as keyof typeof SECRETS])}`,
      )
      const { body: withOther } = await service().get(`/api/agents/?${query}other`)
      expect([withValue.count, withOther.count]).to.deep.equal([1, 1])
    })
  }
})
