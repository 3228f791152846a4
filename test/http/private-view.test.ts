// The private fields of a private agent: shown to those who may edit agents, on its own page, when
// they ask for them; and what writing does to them.

import { expect } from 'chai'

import { agent } from '../examples.js'
import { pathOf, unique, useCatalogue } from './catalogue.js'
import { expectNoMark, KEYS, SECRETS } from './secrets.js'

describe('private fields', () => {
  const { service, given } = useCatalogue()

  const secretive = (more: object = {}) => given.agent({ public: false, ...SECRETS, ...more })
  const readers = () => ({ nobody: null, ...service().tokens })

  /** What an agent's page shows to someone who asks for the private fields. */
  const asked = async (agent_id: string, token: string | null = service().tokens.admin) =>
    service().get(`${pathOf('agents', agent_id)}?private=true`, { token })

  describe('?private=true', () => {
    for (const reader of ['admin', 'editor'] as const)
      it(`shows the private fields to the ${reader}`, async () => {
        const { agent_id } = await secretive()
        const { status, body } = await asked(agent_id, service().tokens[reader])
        expect(status).to.equal(200)
        expect(body).to.include(SECRETS)
      })

    for (const reader of ['nobody', 'viewer', 'zinesEditor'] as const)
      it(`shows them not to ${reader}`, async () => {
        const { agent_id } = await secretive()
        const { status, body, text } = await asked(agent_id, readers()[reader])
        expect(status).to.equal(200)
        expect(body).not.to.have.any.keys(...KEYS)
        expectNoMark(text)
      })

    it('is needed by those who may see them', async () => {
      const { agent_id } = await secretive()
      const { body } = await service().get(pathOf('agents', agent_id), {
        token: service().tokens.admin,
      })
      expect(body).not.to.have.any.keys(...KEYS)
    })

    it('gives no ETag that answers for the page without it', async () => {
      const { agent_id } = await secretive()
      const tag = (await asked(agent_id)).headers.get('etag') ?? ''
      const headers = { 'if-none-match': tag }
      expect((await service().get(pathOf('agents', agent_id), { headers })).status).to.equal(200)
    })

    it('shows nothing on the page of a zine', async () => {
      const { agent_id } = await secretive()
      const { zine_id } = await given.zine({ creator: [agent_id] })
      const path = `${pathOf('zines', zine_id)}?private=true`
      expectNoMark((await service().get(path, { token: service().tokens.admin })).text)
    })
  })

  describe('on writing', () => {
    const path = (agent_id: string) => pathOf('agents', agent_id)
    const plain = (agent_id: string, more: object = {}) =>
      agent(agent_id, { public: false, ...more })

    it('a POST does not answer with what it was sent', async () => {
      const sent = plain(unique('agent'), SECRETS)
      const answer = await service().post('/api/agents/', sent)
      expect(answer.status).to.equal(201)
      expect(answer.body).not.to.have.any.keys(...KEYS)
      expectNoMark(answer.text)
    })

    for (const method of ['PUT', 'PATCH'])
      it(`a ${method} does not answer with what it was sent`, async () => {
        const { agent_id } = await given.agent({ public: false })
        const body = plain(agent_id, SECRETS)
        const answer = await service().ask(method, path(agent_id), { body })
        expect(answer.status).to.equal(200)
        expect(answer.body).not.to.have.any.keys(...KEYS)
        expectNoMark(answer.text)
      })

    for (const method of ['PUT', 'PATCH'])
      it(`a ${method} that asks for the private fields answers with them`, async () => {
        const { agent_id } = await given.agent({ public: false })
        const body = plain(agent_id, SECRETS)
        const answer = await service().ask(method, `${path(agent_id)}?private=true`, { body })
        expect(answer.status).to.equal(200)
        expect(answer.body).to.include(SECRETS)
      })

    it('a PUT that omits the private fields keeps them', async () => {
      const { agent_id } = await secretive()
      await service().put(path(agent_id), plain(agent_id))
      expect((await asked(agent_id)).body).to.include(SECRETS)
    })

    it('a PUT still clears the other fields that it omits', async () => {
      const { agent_id } = await secretive({ biography: 'Known.' })
      await service().put(path(agent_id), plain(agent_id))
      expect((await asked(agent_id)).body.biography).to.equal('')
    })

    it('a PUT replaces the private fields that it names', async () => {
      const { agent_id } = await secretive()
      const others = { legal_name: 'Ann Other', email: 'ann@paper.example', phone: '1' }
      await service().put(path(agent_id), plain(agent_id, others))
      expect((await asked(agent_id)).body).to.include(others)
    })

    it('a PUT replaces the one that it names and keeps the others', async () => {
      const { agent_id } = await secretive()
      await service().put(path(agent_id), plain(agent_id, { phone: '1' }))
      expect((await asked(agent_id)).body).to.include({ ...SECRETS, phone: '1' })
    })

    it('a PUT clears the private fields that it names as empty', async () => {
      const { agent_id } = await secretive()
      await service().put(path(agent_id), plain(agent_id, { legal_name: '', email: '', phone: '' }))
      expect((await asked(agent_id)).body).to.include({ legal_name: '', email: '', phone: '' })
    })

    it('a PUT of a public agent clears the ones that it omits', async () => {
      const { agent_id } = await given.agent(SECRETS)
      await service().put(path(agent_id), agent(agent_id))
      const { body } = await service().get(path(agent_id))
      expect(body).to.include({ legal_name: '', email: '', phone: '' })
    })

    it('a PATCH of another field keeps them', async () => {
      const { agent_id } = await secretive()
      await service().patch(path(agent_id), { biography: 'Known.' })
      expect((await asked(agent_id)).body).to.include({ ...SECRETS, biography: 'Known.' })
    })

    it('an agent that becomes private hides them at once', async () => {
      const { agent_id } = await given.agent(SECRETS)
      const changed = await service().patch(path(agent_id), { public: false })
      const read = await service().get(path(agent_id))
      for (const { body, text } of [changed, read]) {
        expect(body).not.to.have.any.keys(...KEYS)
        expectNoMark(text)
      }
    })

    it('an agent that becomes public shows them', async () => {
      const { agent_id } = await secretive()
      await service().patch(path(agent_id), { public: true })
      expect((await service().get(path(agent_id))).body).to.include(SECRETS)
    })

    it('a private agent that is deleted leaves nothing for the next of its identifier', async () => {
      const { agent_id } = await secretive()
      await service().delete(path(agent_id))
      await service().post('/api/agents/', plain(agent_id))
      expect((await asked(agent_id)).body).to.include({ legal_name: '', email: '', phone: '' })
    })
  })
})
