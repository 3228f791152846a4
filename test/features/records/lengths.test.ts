// Tests the maximum length of each field, counted in code points after trimming and normalising.

import { expect } from 'chai'

import { resourceOf, useCatalogue, type Resource } from '../../http/catalogue.js'

type LengthLimit = readonly [name: Resource['name'], field: string, maxLength: number]

// prettier-ignore
const TEXTS: readonly LengthLimit[] = [
  ['zines',        'title',               500],
  ['zines',        'issue_designation',   100],
  ['zines',        'physical_dimensions', 100],
  ['zines',        'number_of_pages',      50],
  ['agents',       'display_name',        500],
  ['agents',       'legal_name',          500],
  ['agents',       'sort_name',           500],
  ['agents',       'phone',                50],
  ['repositories', 'repository_name',     500],
  ['repositories', 'marc_org_code',        20],
  ['repositories', 'city',                255],
  ['repositories', 'region',              255],
  ['repositories', 'postal_code',          20],
  ['repositories', 'phone',                50],
  ['repositories', 'established',          10],
  ['holdings',     'call_number',         255],
  ['holdings',     'location',            500],
  ['holdings',     'barcode',             255],
  ['holdings',     'distro_status',       100],
]

// prettier-ignore
const ELEMENTS: readonly LengthLimit[] = [
  ['zines',        'series_title',      500],
  ['agents',       'alternative_names', 500],
  ['agents',       'pronouns',           50],
  ['agents',       'other_identifiers', 255],
  ['agents',       'active_dates',      100],
  ['agents',       'location',          255],
  ['repositories', 'alternative_names', 500],
]

// prettier-ignore
const URLS: readonly LengthLimit[] = [
  ['agents',       'website',     255],
  ['repositories', 'website',     255],
  ['holdings',     'digital_url', 255],
]

const UNBOUNDED: readonly (readonly [Resource['name'], string])[] = [
  ['zines', 'abstract'],
  ['zines', 'table_of_contents'],
  ['agents', 'biography'],
  ['repositories', 'description'],
  ['repositories', 'scope_note'],
  ['holdings', 'condition'],
]

const UNBOUNDED_ELEMENTS: readonly (readonly [Resource['name'], string])[] = [
  ['zines', 'edition_statement'],
  ['zines', 'alternative_title'],
  ['zines', 'public_notes'],
  ['zines', 'source'],
  ['agents', 'scope_note'],
  ['holdings', 'notes'],
]

const message = (maxLength: number) => `Ensure this field has no more than ${maxLength} characters.`

describe('lengths:', () => {
  const { service, given, errorsOfPost } = useCatalogue()

  for (const [name, field, maxLength] of TEXTS)
    for (const character of ['x', '🦄']) {
      it(`${field} of ${name} accepts ${maxLength} characters (${character})`, async () => {
        const value = character.repeat(maxLength)
        const made = await given.record(resourceOf(name), { [field]: value })
        expect(made[field]).to.equal(value)
      })

      it(`${field} of ${name} with ${maxLength + 1} characters (${character}) is refused with 400`, async () => {
        const value = character.repeat(maxLength + 1)
        expect(await errorsOfPost(name, { [field]: value })).to.deep.equal({
          [field]: [message(maxLength)],
        })
      })
    }

  for (const [name, field, maxLength] of ELEMENTS) {
    it(`an element of ${field} of ${name} accepts ${maxLength} characters`, async () => {
      const value = ['x', '🦄'.repeat(maxLength)]
      const made = await given.record(resourceOf(name), { [field]: value })
      expect(made[field]).to.deep.equal(value)
    })

    it(`an element of ${field} of ${name} with ${maxLength + 1} characters is refused with 400`, async () => {
      const value = ['x', '🦄'.repeat(maxLength), '🦄'.repeat(maxLength + 1)]
      expect(await errorsOfPost(name, { [field]: value })).to.deep.equal({
        [field]: [`Item 3: ${message(maxLength)}`],
      })
    })
  }

  for (const [name, field, maxLength] of URLS) {
    it(`${field} of ${name} accepts a URL of ${maxLength} characters`, async () => {
      const value = 'https://example.org/'.padEnd(maxLength, 'x')
      const made = await given.record(resourceOf(name), { [field]: value })
      expect(made[field]).to.equal(value)
    })

    it(`${field} of ${name} with a URL of ${maxLength + 1} characters is refused with 400`, async () => {
      const value = 'https://example.org/'.padEnd(maxLength + 1, 'x')
      expect(await errorsOfPost(name, { [field]: value })).to.deep.equal({
        [field]: [message(maxLength)],
      })
    })
  }

  for (const name of ['agents', 'repositories'] as const) {
    const domain = `${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.org`

    it(`email of ${name} accepts 254 characters`, async () => {
      const email = `${'a'.repeat(64)}@${domain}`
      expect(email).to.have.length(254)
      expect((await given.record(resourceOf(name), { email })).email).to.equal(email)
    })

    it(`email of ${name} with 255 characters is refused with 400`, async () => {
      const email = `${'a'.repeat(64)}@${domain.replace('.org', '.info')}`
      expect(email).to.have.length(255)
      const { email: messages } = await errorsOfPost(name, { email })
      expect(messages).to.include(message(254))
    })
  }

  it('isil of repositories with 51 characters is refused with 400', async () => {
    const { isil } = await errorsOfPost('repositories', { isil: 'US-'.padEnd(51, 'x') })
    expect(isil).to.include(message(50))
  })

  for (const [name, field] of UNBOUNDED)
    it(`${field} of ${name} accepts 880,000 characters`, async () => {
      const value = 'All work and no play. '.repeat(40_000).trim()
      const made = await given.record(resourceOf(name), { [field]: value })
      expect(made[field]).to.equal(value)
    })

  for (const [name, field] of UNBOUNDED_ELEMENTS)
    it(`an element of ${field} of ${name} accepts 880,000 characters`, async () => {
      const value = ['All work and no play. '.repeat(40_000).trim()]
      const made = await given.record(resourceOf(name), { [field]: value })
      expect(made[field]).to.deep.equal(value)
    })

  it('an array of 1000 elements is accepted', async () => {
    const notes = Array.from({ length: 1000 }, (_, index) => `Note ${index % 700}`)
    expect((await given.holding({ notes })).notes).to.deep.equal(notes)
  })

  it('white space at the ends is not counted', async () => {
    const title = 'x'.repeat(500)
    expect((await given.zine({ title: `  ${title}\n` })).title).to.equal(title)
  })

  it('a combining character is counted in Normalization Form C', async () => {
    const { title } = await given.zine({ title: 'e\u0301'.repeat(500) })
    expect(title).to.equal('é'.repeat(500))
  })

  it('a PATCH with an array of 1001 elements answers 400', async () => {
    const words = Array.from({ length: 1001 }, (_, index) => `Series ${index}`)
    const { zine_id } = await given.zine({ series_title: words.slice(1) })
    const answer = await service().patch(`/api/zines/${zine_id}/`, { series_title: words })
    expect(answer.status).to.equal(400)
    expect(answer.body).to.deep.equal({
      series_title: ['Ensure this field has no more than 1000 elements.'],
    })
  })
})
