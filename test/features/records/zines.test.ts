// Tests zines over HTTP: their fields, the agents and codes nested in them, and what a deletion of
// an agent or of the zine changes.

import { expect } from 'chai'

import { agent, fullZine, zine } from '../../examples.js'
import { BASE_URL } from '../../service.js'
import {
  detailFields,
  recordPath,
  resourceOf,
  toBody,
  unique,
  useCatalogue,
} from '../../http/catalogue.js'

/** The fields of docs/reference/fields.md, "Fields", which clients rely on. */
const FIELDS = [
  'zine_id',
  'title',
  'series_title',
  'issue_designation',
  'edition_statement',
  'alternative_title',
  'creator',
  'contributor',
  'subject',
  'genre',
  'abstract',
  'table_of_contents',
  'public_notes',
  'publisher',
  'date',
  'physical_dimensions',
  'number_of_pages',
  'format',
  'binding_features',
  'language',
  'place_of_publication',
  'coverage',
  'source',
  'relation',
  'rights',
  'identifier',
  'created_at',
  'updated_at',
]

/** Arrays of texts, which keep order and duplicates. */
const TEXT_LISTS = [
  'series_title',
  'edition_statement',
  'alternative_title',
  'public_notes',
  'date',
  'binding_features',
  'place_of_publication',
  'coverage',
  'source',
  'relation',
  'identifier',
]

/** Arrays of references and codes, which drop duplicates; with three values for each. */
const SET_LISTS = new Map([
  ['creator', ['maker', 'helper', 'press']],
  ['contributor', ['maker', 'helper', 'press']],
  ['publisher', ['maker', 'helper', 'press']],
  ['subject', ['punk', 'art', 'diy']],
  ['genre', ['perzine', 'art-zine', 'fanzine']],
  ['format', ['mini', 'a5', 'digest']],
  ['language', ['pl', 'en', 'de']],
  ['rights', ['unknown', 'cc0', 'copyleft']],
])

/** The fields that are shown where they are set. */
const FIELDS_IF_SET = ['content_advice', 'content_advice_note']

/** Expects every documented field, and no field that is not declared in src/model. None of the zines was taken over. */
function expectFields(record: object, ifSet: readonly string[] = []): void {
  expect(record).to.have.all.keys([...FIELDS, ...ifSet])
  expect(detailFields('zines')).to.have.members(FIELDS)
}

describe('zines', () => {
  const { service, given } = useCatalogue()
  const read = async (id: string) => (await service().get(recordPath('zines', id))).body

  it('show the documented fields and no undeclared one when every field is set', async () => {
    const id = unique('zine')
    await service().post('/api/zines/', fullZine(id))
    expectFields(await read(id), FIELDS_IF_SET)
  })

  it('show the documented fields and no undeclared one when only the required fields are set', async () => {
    const { zine_id } = await given.zine()
    expectFields(await read(zine_id))
  })

  it('show a creator with identifier, name, kind, pronouns and biography', async () => {
    const { agent_id } = await given.agent({
      kind: 'Collective',
      display_name: 'Nine Lives',
      pronouns: ['they', 'she'],
      biography: 'Cats.',
    })
    const { zine_id } = await given.zine({ creator: [agent_id] })
    expect((await read(zine_id)).creator).to.deep.equal([
      {
        agent_id,
        display_name: 'Nine Lives',
        kind: 'Collective',
        pronouns: ['they', 'she'],
        biography: 'Cats.',
      },
    ])
  })

  for (const field of ['contributor', 'publisher'])
    it(`show a ${field} with identifier, name and kind`, async () => {
      const { agent_id } = await given.agent({ kind: 'Organization', display_name: 'Nine Lives' })
      const { zine_id } = await given.zine({ [field]: [agent_id] })
      const [shown] = (await read(zine_id))[field]
      expect(shown).to.include({ agent_id, display_name: 'Nine Lives', kind: 'Organization' })
    })

  it('show a subject with its code, label and uri', async () => {
    const { zine_id } = await given.zine({ subject: ['punk'] })
    const [subject] = (await read(zine_id)).subject
    expect(subject).to.include({ code: 'punk', uri: `${BASE_URL}/vocabularies/subjects#punk` })
    expect(subject.label).to.match(/punk/i)
    expect(['code', 'label', 'uri', 'definition']).to.include.members(Object.keys(subject))
  })

  it('show a genre with its code, label and uri', async () => {
    const { zine_id } = await given.zine({ genre: ['fanzine'] })
    const [genre] = (await read(zine_id)).genre
    expect(genre).to.include({ code: 'fanzine', uri: `${BASE_URL}/vocabularies/genres#fanzine` })
    expect(genre.label).to.match(/fanzine/i)
  })

  for (const field of TEXT_LISTS)
    it(`keep the order and the duplicates of ${field}`, async () => {
      const sent = ['c', 'a', 'b', 'a', 'c', 'a', 'B']
      const { zine_id } = await given.zine({ [field]: sent })
      expect((await read(zine_id))[field]).to.deep.equal(sent)
    })

  for (const [field, [first, second, third]] of SET_LISTS)
    for (const [sent, stored] of [
      [
        [first, second, third],
        [first, second, third],
      ],
      [
        [third, second, first],
        [third, second, first],
      ],
      [
        [second, first, second, third, first, second],
        [second, first, third],
      ],
    ])
      it(`store ${JSON.stringify(sent)} in ${field} as ${JSON.stringify(stored)}`, async () => {
        const { zine_id } = await given.zine({ [field]: sent })
        expect(toBody(resourceOf('zines'), await read(zine_id))[field]).to.deep.equal(stored)
      })

  for (const field of ['genre', 'date', 'language', 'rights'])
    it(`accept an empty ${field}`, async () => {
      const { zine_id } = await given.zine({ [field]: [] })
      expect((await read(zine_id))[field]).to.deep.equal([])
    })

  for (const date of ['1994', '1994-05', '1994-05-17', 'spring 1994', 'circa 1994', '1994-1996'])
    it(`accept the date ${date}`, async () => {
      const { zine_id } = await given.zine({ date: [date] })
      expect((await read(zine_id)).date).to.deep.equal([date])
    })

  it('show the new name of an agent after it is renamed', async () => {
    const { agent_id } = await given.agent({ display_name: 'Before' })
    const { zine_id } = await given.zine({ creator: [agent_id], publisher: [agent_id] })
    await service().patch(recordPath('agents', agent_id), { display_name: 'After' })
    const { creator, publisher } = await read(zine_id)
    expect([creator[0].display_name, publisher[0].display_name]).to.deep.equal(['After', 'After'])
  })

  it('show the new name of an agent in lists after it is renamed', async () => {
    const { agent_id } = await given.agent({ display_name: 'Before' })
    await given.zine({ creator: [agent_id] })
    await service().get(`/api/zines/?creator=${agent_id}`)
    await service().patch(recordPath('agents', agent_id), { display_name: 'After' })
    const { body } = await service().get(`/api/zines/?creator=${agent_id}`)
    expect(body.results[0].creator[0].display_name).to.equal('After')
  })

  describe('with a deleted creator', () => {
    /** Creates a zine by a deleted agent and by `maker`. */
    async function createWithDeletedCreator() {
      const { agent_id } = await given.agent()
      const { zine_id } = await given.zine({ creator: [agent_id, 'maker'] })
      const deleted = await service().delete(recordPath('agents', agent_id))
      expect(deleted.status).to.equal(204)
      return { agent_id, zine_id }
    }

    it('are still there', async () => {
      const { zine_id } = await createWithDeletedCreator()
      expect((await read(zine_id)).zine_id).to.equal(zine_id)
    })

    it('show its identifier, without name and kind, at its old position', async () => {
      const { agent_id, zine_id } = await createWithDeletedCreator()
      const [first, second] = (await read(zine_id)).creator
      expect(first).to.include({ agent_id, display_name: '', kind: '' })
      expect(second.agent_id).to.equal('maker')
    })

    it('show its identifier, without name and kind, in lists', async () => {
      const { agent_id } = await createWithDeletedCreator()
      const { body } = await service().get(`/api/zines/?creator=${agent_id}`)
      expect(body.results[0].creator[0]).to.deep.equal({ agent_id, display_name: '', kind: '' })
    })

    it('can be changed in other fields', async () => {
      const { agent_id, zine_id } = await createWithDeletedCreator()
      const changed = await service().patch(recordPath('zines', zine_id), { title: 'Still here' })
      expect(changed.status, changed.text).to.equal(200)
      expect(changed.body.title).to.equal('Still here')
      expect(changed.body.creator[0].agent_id).to.equal(agent_id)
    })

    it('show the name of a new agent with its identifier', async () => {
      const { agent_id, zine_id } = await createWithDeletedCreator()
      await service().post('/api/agents/', agent(agent_id, { display_name: 'Back again' }))
      expect((await read(zine_id)).creator[0].display_name).to.equal('Back again')
    })

    it('do not allow a new zine to refer to it: a POST answers 400', async () => {
      const { agent_id } = await createWithDeletedCreator()
      const sent = zine(unique('zine'), { creator: ['maker', agent_id] })
      const answer = await service().post('/api/zines/', sent)
      expect(answer.status).to.equal(400)
      expect(answer.body).to.deep.equal({ creator: [`Agent '${agent_id}' does not exist`] })
    })
  })

  describe('that are deleted', () => {
    it('have their holdings deleted too, and no others', async () => {
      const { zine_id } = await given.zine()
      const held = [await given.holding({ zine_id }), await given.holding({ zine_id })]
      const other = await given.holding()
      await service().delete(recordPath('zines', zine_id))
      const paths = [...held, other].map((copy) => recordPath('holdings', copy.holding_id))
      const answers = await Promise.all(paths.map((path) => service().get(path)))
      expect(answers.map((answer) => answer.status)).to.deep.equal([404, 404, 200])
    })

    it('leave none of their holdings in a list', async () => {
      const { zine_id } = await given.zine()
      const { repo_id } = await given.repository()
      await given.holding({ zine_id, repository_id: repo_id })
      await service().delete(recordPath('zines', zine_id))
      const { body } = await service().get(`/api/holdings/?repository_id=${repo_id}`)
      expect(body).to.deep.equal({ count: 0, next: null, previous: null, results: [] })
    })

    it('leave their agents in place', async () => {
      const { agent_id } = await given.agent()
      const { zine_id } = await given.zine({ creator: [agent_id], publisher: [agent_id] })
      await service().delete(recordPath('zines', zine_id))
      expect((await service().get(recordPath('agents', agent_id))).status).to.equal(200)
    })
  })
})
