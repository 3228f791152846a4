// Tests ?private=true, which shows the private fields of a private agent to those who may edit
// agents, and how writes treat these fields. That others never see them is in privacy.test.ts.

import { expect } from 'chai'

import { agent } from '../../examples.js'
import { recordPath, unique, useCatalogue } from '../../http/catalogue.js'
import { expectNoMark, KEYS, SECRETS } from '../../http/secrets.js'

describe('private fields:', () => {
  const { service, given } = useCatalogue()

  const createPrivateAgent = (more: object = {}) =>
    given.agent({ public: false, ...SECRETS, ...more })
  const readers = () => ({ nobody: null, ...service().tokens })

  /** The answer to GET of an agent with ?private=true. */
  const getPrivate = async (agent_id: string, token: string | null = service().tokens.admin) =>
    service().get(`${recordPath('agents', agent_id)}?private=true`, { token })

  describe('GET with ?private=true', () => {
    for (const reader of ['admin', 'editor'] as const)
      it(`shows the private fields to the ${reader}`, async () => {
        const { agent_id } = await createPrivateAgent()
        const { status, body } = await getPrivate(agent_id, service().tokens[reader])
        expect(status).to.equal(200)
        expect(body).to.include(SECRETS)
      })

    for (const reader of ['nobody', 'viewer', 'zinesEditor'] as const)
      it(`does not show the private fields to ${reader}`, async () => {
        const { agent_id } = await createPrivateAgent()
        const { status, body, text } = await getPrivate(agent_id, readers()[reader])
        expect(status).to.equal(200)
        expect(body).not.to.have.any.keys(...KEYS)
        expectNoMark(text)
      })

    it('is needed even by the admin to see the private fields', async () => {
      const { agent_id } = await createPrivateAgent()
      const { body } = await service().get(recordPath('agents', agent_id), {
        token: service().tokens.admin,
      })
      expect(body).not.to.have.any.keys(...KEYS)
    })

    it('has another ETag than GET without it', async () => {
      const { agent_id } = await createPrivateAgent()
      const tag = (await getPrivate(agent_id)).headers.get('etag') ?? ''
      const headers = { 'if-none-match': tag }
      expect((await service().get(recordPath('agents', agent_id), { headers })).status).to.equal(
        200,
      )
    })

    it('of a zine does not show the private fields of its creator', async () => {
      const { agent_id } = await createPrivateAgent()
      const { zine_id } = await given.zine({ creator: [agent_id] })
      const path = `${recordPath('zines', zine_id)}?private=true`
      expectNoMark((await service().get(path, { token: service().tokens.admin })).text)
    })
  })

  describe('writes:', () => {
    const path = (agent_id: string) => recordPath('agents', agent_id)
    const privateAgent = (agent_id: string, more: object = {}) =>
      agent(agent_id, { public: false, ...more })

    it('a POST of a private agent answers without the private fields', async () => {
      const sent = privateAgent(unique('agent'), SECRETS)
      const answer = await service().post('/api/agents/', sent)
      expect(answer.status).to.equal(201)
      expect(answer.body).not.to.have.any.keys(...KEYS)
      expectNoMark(answer.text)
    })

    for (const method of ['PUT', 'PATCH'])
      it(`a ${method} of a private agent answers without the private fields`, async () => {
        const { agent_id } = await given.agent({ public: false })
        const body = privateAgent(agent_id, SECRETS)
        const answer = await service().ask(method, path(agent_id), { body })
        expect(answer.status).to.equal(200)
        expect(answer.body).not.to.have.any.keys(...KEYS)
        expectNoMark(answer.text)
      })

    for (const method of ['PUT', 'PATCH'])
      it(`a ${method} with ?private=true answers with the private fields`, async () => {
        const { agent_id } = await given.agent({ public: false })
        const body = privateAgent(agent_id, SECRETS)
        const answer = await service().ask(method, `${path(agent_id)}?private=true`, { body })
        expect(answer.status).to.equal(200)
        expect(answer.body).to.include(SECRETS)
      })

    it('a PUT that omits the private fields of a private agent keeps them', async () => {
      const { agent_id } = await createPrivateAgent()
      await service().put(path(agent_id), privateAgent(agent_id))
      expect((await getPrivate(agent_id)).body).to.include(SECRETS)
    })

    it('a PUT of a private agent clears the other fields that it omits', async () => {
      const { agent_id } = await createPrivateAgent({ biography: 'Known.' })
      await service().put(path(agent_id), privateAgent(agent_id))
      expect((await getPrivate(agent_id)).body.biography).to.equal('')
    })

    it('a PUT replaces the private fields that it contains', async () => {
      const { agent_id } = await createPrivateAgent()
      const others = { legal_name: 'Ann Other', email: 'ann@paper.example', phone: '1' }
      await service().put(path(agent_id), privateAgent(agent_id, others))
      expect((await getPrivate(agent_id)).body).to.include(others)
    })

    it('a PUT replaces one private field and keeps the others', async () => {
      const { agent_id } = await createPrivateAgent()
      await service().put(path(agent_id), privateAgent(agent_id, { phone: '1' }))
      expect((await getPrivate(agent_id)).body).to.include({ ...SECRETS, phone: '1' })
    })

    it('a PUT clears the private fields that it contains as empty texts', async () => {
      const { agent_id } = await createPrivateAgent()
      await service().put(
        path(agent_id),
        privateAgent(agent_id, { legal_name: '', email: '', phone: '' }),
      )
      expect((await getPrivate(agent_id)).body).to.include({ legal_name: '', email: '', phone: '' })
    })

    it('a PUT of a public agent clears legal_name, email and phone when it omits them', async () => {
      const { agent_id } = await given.agent(SECRETS)
      await service().put(path(agent_id), agent(agent_id))
      const { body } = await service().get(path(agent_id))
      expect(body).to.include({ legal_name: '', email: '', phone: '' })
    })

    it('a PATCH of another field keeps the private fields', async () => {
      const { agent_id } = await createPrivateAgent()
      await service().patch(path(agent_id), { biography: 'Known.' })
      expect((await getPrivate(agent_id)).body).to.include({ ...SECRETS, biography: 'Known.' })
    })

    it('a PATCH that makes an agent private hides the private fields at once', async () => {
      const { agent_id } = await given.agent(SECRETS)
      const changed = await service().patch(path(agent_id), { public: false })
      const read = await service().get(path(agent_id))
      for (const { body, text } of [changed, read]) {
        expect(body).not.to.have.any.keys(...KEYS)
        expectNoMark(text)
      }
    })

    it('a PATCH that makes an agent public shows the private fields', async () => {
      const { agent_id } = await createPrivateAgent()
      await service().patch(path(agent_id), { public: true })
      expect((await service().get(path(agent_id))).body).to.include(SECRETS)
    })

    it('a new agent with the identifier of a deleted private agent has none of its private fields', async () => {
      const { agent_id } = await createPrivateAgent()
      await service().delete(path(agent_id))
      await service().post('/api/agents/', privateAgent(agent_id))
      expect((await getPrivate(agent_id)).body).to.include({ legal_name: '', email: '', phone: '' })
    })
  })
})
