// Tests repositories over HTTP: their fields, codes and default values, and what is deleted with
// them.

import { expect } from 'chai'

import { fullRepository } from '../../examples.js'
import { detailFields, recordPath, unique, useCatalogue } from '../../http/catalogue.js'

/** The fields of docs/reference/fields.md, "Fields", which clients rely on. */
const FIELDS = [
  'repo_id',
  'repository_name',
  'repository_kind',
  'country',
  'alternative_names',
  'description',
  'scope_note',
  'marc_org_code',
  'isil',
  'ror',
  'city',
  'region',
  'postal_code',
  'website',
  'email',
  'phone',
  'social_media',
  'holdings_count',
  'established',
  'status',
  'created_at',
  'updated_at',
]

const KINDS = [
  'academic-library',
  'public-library',
  'special-library',
  'archive',
  'community-archive',
  'distro',
  'personal-collection',
  'museum',
  'other',
]

/** Expects every documented field, and no field that is not declared in src/model. */
function expectFields(record: object): void {
  expect(record).to.include.all.keys(FIELDS)
  expect(record).to.have.all.keys(detailFields('repositories'))
}

describe('repositories', () => {
  const { service, given } = useCatalogue()
  const read = async (id: string) => (await service().get(recordPath('repositories', id))).body

  it('show the documented fields and no undeclared one when every field is set', async () => {
    const id = unique('repo')
    await service().post('/api/repositories/', fullRepository(id))
    expectFields(await read(id))
  })

  it('show the documented fields and no undeclared one when only the required fields are set', async () => {
    const { repo_id } = await given.repository()
    expectFields(await read(repo_id))
  })

  for (const repository_kind of KINDS)
    it(`accept the repository_kind ${repository_kind}`, async () => {
      const { repo_id } = await given.repository({ repository_kind })
      expect((await read(repo_id)).repository_kind).to.equal(repository_kind)
    })

  it('have by default the status active', async () => {
    const { repo_id } = await given.repository()
    expect((await read(repo_id)).status).to.equal('active')
  })

  for (const status of ['active', 'inactive', 'defunct'])
    it(`accept the status ${status}`, async () => {
      const { repo_id } = await given.repository({ status })
      expect((await read(repo_id)).status).to.equal(status)
    })

  it('have the status active after a PUT that omits status', async () => {
    const { repo_id, ...made } = await given.repository({ status: 'defunct' })
    const { repository_name, repository_kind, country } = made
    const sent = { repo_id, repository_name, repository_kind, country }
    await service().put(recordPath('repositories', repo_id), sent)
    expect((await read(repo_id)).status).to.equal('active')
  })

  for (const country of ['US', 'GB', 'PL', 'TW', 'AQ'])
    it(`accept the country ${country}`, async () => {
      const { repo_id } = await given.repository({ country })
      expect((await read(repo_id)).country).to.equal(country)
    })

  it('keep the order and the duplicates of alternative_names', async () => {
    const sent = ['c', 'a', 'b', 'a', 'c']
    const { repo_id } = await given.repository({ alternative_names: sent })
    expect((await read(repo_id)).alternative_names).to.deep.equal(sent)
  })

  it('show holdings_count as null until it is set, whatever holdings they have', async () => {
    const { repo_id } = await given.repository()
    await given.holding({ repository_id: repo_id })
    expect((await read(repo_id)).holdings_count).to.equal(null)
  })

  it('accept a holdings_count of 0', async () => {
    const { repo_id } = await given.repository({ holdings_count: 0 })
    expect((await read(repo_id)).holdings_count).to.equal(0)
  })

  it('have no holdings_count after a PATCH with null', async () => {
    const { repo_id } = await given.repository({ holdings_count: 7 })
    const changed = await service().patch(recordPath('repositories', repo_id), {
      holdings_count: null,
    })
    expect(changed.status, changed.text).to.equal(200)
    expect((await read(repo_id)).holdings_count).to.equal(null)
  })

  it('show their email and phone to everybody', async () => {
    const { repo_id } = await given.repository({ email: 'desk@lib.example', phone: '(0)1 / 23' })
    expect(await read(repo_id)).to.include({ email: 'desk@lib.example', phone: '(0)1 / 23' })
  })

  describe('that are deleted', () => {
    it('have their holdings deleted too, and no others', async () => {
      const { repo_id } = await given.repository()
      const held = await given.holding({ repository_id: repo_id })
      const other = await given.holding()
      await service().delete(recordPath('repositories', repo_id))
      const paths = [held, other].map((copy) => recordPath('holdings', copy.holding_id))
      const answers = await Promise.all(paths.map((path) => service().get(path)))
      expect(answers.map((answer) => answer.status)).to.deep.equal([404, 200])
    })

    it('leave the zines of their holdings in place', async () => {
      const { repo_id } = await given.repository()
      const { zine_id } = await given.zine()
      await given.holding({ repository_id: repo_id, zine_id })
      await service().delete(recordPath('repositories', repo_id))
      expect((await service().get(recordPath('zines', zine_id))).status).to.equal(200)
    })
  })
})
