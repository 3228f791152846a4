// Tests the lists of records: their fields, their default order, and that they show the last write.
// Pages, filters, search and ordering have test files of their own.

import { expect } from 'chai'

import { BASE_URL } from '../../service.js'
import {
  listFields,
  listPath,
  recordPath,
  resourceOf,
  resources,
  unique,
  useCatalogue,
} from '../../http/catalogue.js'

/** The fields in lists of docs/reference/fields.md, "Fields", which clients rely on. */
const FIELDS = {
  zines: [
    'zine_id',
    'title',
    'series_title',
    'issue_designation',
    'creator',
    'subject',
    'genre',
    'date',
    'language',
    'rights',
    'created_at',
    'updated_at',
  ],
  agents: [
    'agent_id',
    'kind',
    'display_name',
    'public',
    'pronouns',
    'biography',
    'website',
    'created_at',
  ],
  repositories: [
    'repo_id',
    'repository_name',
    'repository_kind',
    'country',
    'city',
    'region',
    'website',
    'status',
    'created_at',
  ],
  holdings: [
    'holding_id',
    'zine',
    'repository',
    'location',
    'access_status',
    'condition',
    'copy_count',
    'digital_available',
    'created_at',
  ],
} as const

describe('lists:', () => {
  const { service, given } = useCatalogue()

  for (const { name, idField, textField, minimal, full } of resources)
    describe(`the list of ${name}`, () => {
      /** The record with this identifier, as its list shows it. */
      async function findInList(id: string) {
        const { body } = await service().get(`${listPath(name)}?page_size=100`)
        return body.results.find((record: any) => record[idField] === id)
      }

      /** Expects every documented field, and no field that is not declared for lists. */
      function expectFields(record: object): void {
        expect(record).to.include.all.keys(...FIELDS[name])
        expect(record).to.have.all.keys(listFields(name))
      }

      it('is a page with count, next, previous and results', async () => {
        const { status, body } = await service().get(listPath(name))
        expect(status).to.equal(200)
        expect(body).to.have.all.keys('count', 'next', 'previous', 'results')
      })

      it('shows the documented fields and no undeclared one of a record with every field', async () => {
        const id = unique(idField)
        await service().post(listPath(name), full(id))
        expectFields(await findInList(id))
      })

      it('shows the documented fields and no undeclared one of a record with the required fields', async () => {
        const { [idField]: id } = await given.record(resourceOf(name))
        expectFields(await findInList(id))
      })

      it('shows fields without nested objects as the record does', async () => {
        const id = unique(idField)
        const { body: made } = await service().post(listPath(name), full(id))
        const nestedFields = ['creator', 'subject', 'genre', 'zine', 'repository']
        const plain = FIELDS[name].filter((field) => !nestedFields.includes(field))
        const listedRecord = await findInList(id)
        for (const field of plain) expect(listedRecord[field], field).to.deep.equal(made[field])
      })

      it('counts one more after a POST', async () => {
        const before: number = (await service().get(listPath(name))).body.count
        await service().post(listPath(name), minimal(unique(idField)))
        expect((await service().get(listPath(name))).body.count).to.equal(before + 1)
      })

      it('counts one less after a DELETE', async () => {
        const { [idField]: id } = await given.record(resourceOf(name))
        const before = (await service().get(listPath(name))).body.count
        await service().delete(recordPath(name, id))
        expect((await service().get(listPath(name))).body.count).to.equal(before - 1)
      })

      it('has the newest record first', async () => {
        const first = await given.record(resourceOf(name))
        const second = await given.record(resourceOf(name))
        const { body } = await service().get(`${listPath(name)}?page_size=2`)
        const ids = body.results.map((record: any) => record[idField])
        expect(ids).to.deep.equal([second[idField], first[idField]])
      })

      it('keeps the position of a record that is changed', async () => {
        const first = await given.record(resourceOf(name))
        const second = await given.record(resourceOf(name))
        await service().patch(recordPath(name, first[idField]), { [textField]: 'Changed.' })
        const { body } = await service().get(`${listPath(name)}?page_size=2`)
        const ids = body.results.map((record: any) => record[idField])
        expect(ids).to.deep.equal([second[idField], first[idField]])
      })
    })

  describe('a nested object', () => {
    it('of a creator has agent_id, display_name and kind', async () => {
      const { agent_id } = await given.agent({ pronouns: ['she'], biography: 'Born.' })
      await given.zine({ creator: [agent_id] })
      const { body } = await service().get(`/api/zines/?creator=${agent_id}`)
      expect(body.results[0].creator).to.deep.equal([
        { agent_id, display_name: `Maker ${agent_id}`, kind: 'Person' },
      ])
    })

    for (const [field, scheme, code] of [
      ['subject', 'subjects', 'punk'],
      ['genre', 'genres', 'fanzine'],
    ] as const)
      it(`of a ${field} has code, label and uri`, async () => {
        const { agent_id } = await given.agent()
        await given.zine({ creator: [agent_id], [field]: [code] })
        const { body } = await service().get(`/api/zines/?creator=${agent_id}`)
        const [entry] = body.results[0][field]
        expect(entry).to.have.all.keys('code', 'label', 'uri')
        expect(entry).to.include({ code, uri: `${BASE_URL}/vocabularies/${scheme}#${code}` })
      })

    it('of a zine has zine_id and title', async () => {
      const { zine_id } = await given.zine({ title: 'Cometbus' })
      await given.holding({ zine_id })
      const { body } = await service().get(`/api/holdings/?zine_id=${zine_id}`)
      expect(body.results[0].zine).to.deep.equal({ zine_id, title: 'Cometbus' })
    })

    it('of a repository has repo_id and repository_name', async () => {
      const { repo_id } = await given.repository({ repository_name: 'Zinoteka' })
      await given.holding({ repository_id: repo_id })
      const { body } = await service().get(`/api/holdings/?repository_id=${repo_id}`)
      expect(body.results[0].repository).to.deep.equal({ repo_id, repository_name: 'Zinoteka' })
    })
  })
})
