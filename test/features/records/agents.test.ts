// Tests agents over HTTP: their fields, kinds and roles, and what stays when one is deleted.
// What a private agent hides is tested in privacy.test.ts.

import { expect } from 'chai'

import { agent, fullAgent } from '../../examples.js'
import { detailFields, recordPath, unique, useCatalogue } from '../../http/catalogue.js'

/** The fields of docs/reference/fields.md, "Fields", which clients rely on. */
const FIELDS = [
  'agent_id',
  'kind',
  'display_name',
  'public',
  'legal_name',
  'alternative_names',
  'sort_name',
  'pronouns',
  'biography',
  'scope_note',
  'roles',
  'orcid',
  'wikidata',
  'other_identifiers',
  'active_dates',
  'location',
  'website',
  'email',
  'phone',
  'social_media',
  'created_at',
  'updated_at',
]

const TEXT_LISTS = [
  'alternative_names',
  'pronouns',
  'scope_note',
  'other_identifiers',
  'active_dates',
  'location',
]

/** Expects every documented field, and no field that is not declared in src/model. */
function expectFields(record: object): void {
  expect(record).to.include.all.keys(FIELDS)
  expect(record).to.have.all.keys(detailFields('agents'))
}

describe('agents', () => {
  const { service, given } = useCatalogue()
  const read = async (id: string) => (await service().get(recordPath('agents', id))).body

  it('show the documented fields and no undeclared one when every field is set', async () => {
    const id = unique('agent')
    await service().post('/api/agents/', fullAgent(id))
    expectFields(await read(id))
  })

  it('show the documented fields and no undeclared one when only the required fields are set', async () => {
    const { agent_id } = await given.agent()
    expectFields(await read(agent_id))
  })

  for (const kind of ['Person', 'Collective', 'Organization'])
    it(`accept the kind ${kind}`, async () => {
      const { agent_id } = await given.agent({ kind })
      expect((await read(agent_id)).kind).to.equal(kind)
    })

  for (const [from, to] of [
    ['Person', 'Collective'],
    ['Collective', 'Organization'],
    ['Organization', 'Person'],
  ])
    it(`can be changed from the kind ${from} to ${to} by a PATCH`, async () => {
      const { agent_id } = await given.agent({ kind: from })
      await service().patch(recordPath('agents', agent_id), { kind: to })
      expect((await read(agent_id)).kind).to.equal(to)
    })

  for (const field of TEXT_LISTS)
    it(`keep the order and the duplicates of ${field}`, async () => {
      const sent = ['c', 'a', 'b', 'a', 'c', 'a', 'B']
      const { agent_id } = await given.agent({ [field]: sent })
      expect((await read(agent_id))[field]).to.deep.equal(sent)
    })

  it('keep the order and the duplicates of social_media', async () => {
    const sent = ['https://b.example/', 'https://a.example/', 'https://b.example/']
    const { agent_id } = await given.agent({ social_media: sent })
    expect((await read(agent_id)).social_media).to.deep.equal(sent)
  })

  it('show a repeated role once, at its first position', async () => {
    const roles = ['publisher', 'creator', 'publisher', 'editor', 'creator']
    const { agent_id } = await given.agent({ roles })
    expect((await read(agent_id)).roles).to.deep.equal(['publisher', 'creator', 'editor'])
  })

  for (const role of ['creator', 'editor', 'illustrator', 'publisher', 'distributor'])
    it(`accept the role ${role}`, async () => {
      const { agent_id } = await given.agent({ roles: [role] })
      expect((await read(agent_id)).roles).to.deep.equal([role])
    })

  it('show legal_name, email and phone when public is true', async () => {
    const contact = { legal_name: 'Ann Other', email: 'ann@paper.example', phone: '555 1234' }
    const { agent_id } = await given.agent({ public: true, ...contact })
    expect(await read(agent_id)).to.include(contact)
  })

  it('accept a phone of 50 characters', async () => {
    const { agent_id } = await given.agent({ phone: '5'.repeat(50) })
    expect((await read(agent_id)).phone).to.equal('5'.repeat(50))
  })

  it('need public: a POST without it answers 400 “This field is required.”', async () => {
    const sent = agent(unique('agent'), { public: undefined })
    const answer = await service().post('/api/agents/', sent)
    expect(answer.status).to.equal(400)
    expect(answer.body).to.deep.equal({ public: ['This field is required.'] })
  })

  for (const field of ['creator', 'contributor', 'publisher'])
    it(`stay in the ${field} of zines after they are deleted`, async () => {
      const { agent_id } = await given.agent()
      const { zine_id } = await given.zine({ [field]: [agent_id] })
      await service().delete(recordPath('agents', agent_id))
      const { body } = await service().get(recordPath('zines', zine_id))
      expect(body[field].map((shown: any) => shown.agent_id)).to.deep.equal([agent_id])
    })

  it('stay, without a name, in the holdings of their zines after they are deleted', async () => {
    const { agent_id } = await given.agent()
    const { zine_id } = await given.zine({ creator: [agent_id] })
    const { holding_id } = await given.holding({ zine_id })
    await service().delete(recordPath('agents', agent_id))
    const { body } = await service().get(recordPath('holdings', holding_id))
    expect(body.zine.creator).to.deep.equal([{ agent_id, display_name: '' }])
  })
})
