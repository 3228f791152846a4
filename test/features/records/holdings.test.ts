// Tests holdings over HTTP: their fields, the zine and the repository nested in them, and their
// default values.

import { expect } from 'chai'

import { fullHolding, holding } from '../../examples.js'
import { detailFields, recordPath, unique, useCatalogue } from '../../http/catalogue.js'

/** The fields of docs/reference/fields.md, "Fields", which clients rely on. */
const FIELDS = [
  'holding_id',
  'zine',
  'repository',
  'call_number',
  'location',
  'access_status',
  'condition',
  'copy_count',
  'barcode',
  'digital_available',
  'digital_url',
  'distro_status',
  'notes',
  'created_at',
  'updated_at',
]

/** Expects every documented field, and no field that is not declared in src/model. */
function expectFields(record: object, ifSet: readonly string[] = []): void {
  expect(record).to.include.all.keys(FIELDS)
  expect(record).to.have.all.keys([...detailFields('holdings'), ...ifSet])
}

describe('holdings', () => {
  const { service, given } = useCatalogue()
  const read = async (id: string) => (await service().get(recordPath('holdings', id))).body

  it('show the documented fields and no undeclared one when every field is set', async () => {
    const id = unique('holding')
    await service().post('/api/holdings/', fullHolding(id))
    expectFields(await read(id), ['provenance'])
  })

  it('show the documented fields and no undeclared one when only the required fields are set', async () => {
    const { holding_id } = await given.holding()
    expectFields(await read(holding_id))
  })

  it('show their zine with its title, creators and dates', async () => {
    const zine = await given.zine({
      title: 'Cometbus',
      creator: ['helper', 'maker'],
      date: ['1999', 'circa 2000'],
    })
    const { holding_id } = await given.holding({ zine_id: zine.zine_id })
    expect((await read(holding_id)).zine).to.deep.equal({
      zine_id: zine.zine_id,
      title: 'Cometbus',
      creator: [
        { agent_id: 'helper', display_name: 'Maker helper' },
        { agent_id: 'maker', display_name: 'Maker maker' },
      ],
      date: ['1999', 'circa 2000'],
    })
  })

  it('show their repository with its name, place and website', async () => {
    const place = { city: 'Łódź', country: 'PL', website: 'https://zinoteka.example/' }
    const { repo_id } = await given.repository({ repository_name: 'Zinoteka', ...place })
    const { holding_id } = await given.holding({ repository_id: repo_id })
    expect((await read(holding_id)).repository).to.deep.equal({
      repo_id,
      repository_name: 'Zinoteka',
      ...place,
    })
  })

  it('show empty texts for what their repository does not have', async () => {
    const { repo_id } = await given.repository({ country: 'US' })
    const { holding_id } = await given.holding({ repository_id: repo_id })
    const { repository } = await read(holding_id)
    expect(repository).to.include({ city: '', country: 'US', website: '' })
  })

  it('show the new title of their zine after it is renamed', async () => {
    const { zine_id } = await given.zine({ title: 'Before' })
    const { holding_id } = await given.holding({ zine_id })
    await service().patch(recordPath('zines', zine_id), { title: 'After' })
    expect((await read(holding_id)).zine.title).to.equal('After')
  })

  it('show the new name of a creator of their zine after it is renamed', async () => {
    const { agent_id } = await given.agent({ display_name: 'Before' })
    const { zine_id } = await given.zine({ creator: [agent_id] })
    const { holding_id } = await given.holding({ zine_id })
    await service().patch(recordPath('agents', agent_id), { display_name: 'After' })
    expect((await read(holding_id)).zine.creator[0].display_name).to.equal('After')
  })

  it('show the new name of their repository in lists after it is renamed', async () => {
    const { repo_id } = await given.repository({ repository_name: 'Before' })
    await given.holding({ repository_id: repo_id })
    await service().get(`/api/holdings/?repository_id=${repo_id}`)
    await service().patch(recordPath('repositories', repo_id), { repository_name: 'After' })
    const { body } = await service().get(`/api/holdings/?repository_id=${repo_id}`)
    expect(body.results[0].repository.repository_name).to.equal('After')
  })

  it('can be several of one zine in one repository', async () => {
    const { zine_id } = await given.zine()
    await given.holding({ zine_id })
    await given.holding({ zine_id })
    expect((await service().get(`/api/holdings/?zine_id=${zine_id}`)).body.count).to.equal(2)
  })

  it('can be moved to another zine and another repository by a PATCH', async () => {
    const { holding_id } = await given.holding()
    const moved = { zine_id: 'second-zine', repository_id: 'second-library' }
    await service().patch(recordPath('holdings', holding_id), moved)
    const { zine, repository } = await read(holding_id)
    expect([zine.zine_id, repository.repo_id]).to.deep.equal(['second-zine', 'second-library'])
  })

  it('ignore a nested zine and repository in the body of a POST', async () => {
    const nested = { zine: { zine_id: 'second-zine' }, repository: { repo_id: 'second-library' } }
    const { holding_id } = await given.holding(nested)
    const { zine, repository } = await read(holding_id)
    expect([zine.zine_id, repository.repo_id]).to.deep.equal(['zine', 'library'])
  })

  for (const access_status of [
    'circulating',
    'reading-room-only',
    'restricted',
    'digital-only',
    'personal-use',
  ])
    it(`accept the access_status ${access_status}`, async () => {
      const { holding_id } = await given.holding({ access_status })
      expect((await read(holding_id)).access_status).to.equal(access_status)
    })

  for (const distro_status of ['ask-permission', 'no-duplication', 'Anything, in any words.'])
    it(`accept the distro_status “${distro_status}”`, async () => {
      const { holding_id } = await given.holding({ distro_status })
      expect((await read(holding_id)).distro_status).to.equal(distro_status)
    })

  it('have by default a copy_count of 1 and digital_available false', async () => {
    const { holding_id } = await given.holding()
    expect(await read(holding_id)).to.include({ copy_count: 1, digital_available: false })
  })

  it('have the default copy_count and digital_available after a PUT that omits both', async () => {
    const { holding_id } = await given.holding({ copy_count: 5, digital_available: true })
    await service().put(recordPath('holdings', holding_id), holding(holding_id))
    expect(await read(holding_id)).to.include({ copy_count: 1, digital_available: false })
  })

  it('keep copy_count and digital_available after a PATCH that omits both', async () => {
    const { holding_id } = await given.holding({ copy_count: 5, digital_available: true })
    await service().patch(recordPath('holdings', holding_id), { location: 'Room 2' })
    expect(await read(holding_id)).to.include({ copy_count: 5, digital_available: true })
  })

  it('accept a copy_count of 0', async () => {
    const { holding_id } = await given.holding({ copy_count: 0 })
    expect((await read(holding_id)).copy_count).to.equal(0)
  })

  it('accept digital_available true without a digital_url', async () => {
    const { holding_id } = await given.holding({ digital_available: true })
    expect(await read(holding_id)).to.include({ digital_available: true, digital_url: '' })
  })

  it('keep the order and the duplicates of notes', async () => {
    const sent = ['c', 'a', 'b', 'a', 'c']
    const { holding_id } = await given.holding({ notes: sent })
    expect((await read(holding_id)).notes).to.deep.equal(sent)
  })

  it('leave their zine and their repository in place when they are deleted', async () => {
    const { zine_id } = await given.zine()
    const { repo_id } = await given.repository()
    const { holding_id } = await given.holding({ zine_id, repository_id: repo_id })
    await service().delete(recordPath('holdings', holding_id))
    const paths = [recordPath('zines', zine_id), recordPath('repositories', repo_id)]
    const answers = await Promise.all(paths.map((path) => service().get(path)))
    expect(answers.map((answer) => answer.status)).to.deep.equal([200, 200])
  })
})
