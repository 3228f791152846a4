// Tests the fields that only those see who may edit a record: in JSON, in writes, on pages and in
// the history. That nobody else ever sees them is in test/security/privacy.test.ts.

import { expect } from 'chai'

import type { ResourceName } from '../../../src/model/iris.js'
import { resourceNames } from '../../../src/model/iris.js'
import { placesOf } from '../../data-directory.js'
import { full, minimal } from '../../examples.js'
import { PASSWORD } from '../../service.js'
import { openedAt } from '../../security/form-actions.js'
import { type Browser, browse, open, read } from '../../views/browser.js'
import { recordPath, resourceOf, staffFields, unique, useCatalogue } from '../../http/catalogue.js'

describe('fields for the staff', () => {
  const { service, given } = useCatalogue()

  const donor = 'Dora Donor'

  async function newHolding(more: object = {}): Promise<string> {
    const { holding_id } = await given.holding({ donor, ...more })
    return recordPath('holdings', holding_id)
  }

  const getPrivate = async (path: string, token: string | null = service().tokens.editor) =>
    (await service().get(`${path}?private=true`, { token })).body

  async function signedIn(name: string): Promise<Browser> {
    const browser = browse(service().url)
    await browser.signIn(name, PASSWORD)
    return browser
  }

  it('are these, of each kind', () => {
    expect(Object.fromEntries(resourceNames.map((name) => [name, staffFields(name)])))
      .to //
      .deep.equal({
        zines: ['staff_note'],
        agents: ['staff_note'],
        repositories: ['contact_note'],
        holdings: [
          'source',
          'acquired',
          'accession_number',
          'price',
          'donor',
          'last_seen',
          'staff_note',
        ],
      })
  })

  for (const name of resourceNames)
    it(`of ${name} are in JSON with private=true for who may edit them, and are not without`, async () => {
      const all: Readonly<Record<string, unknown>> = full[name]('full')
      const fields = Object.fromEntries(staffFields(name).map((field) => [field, all[field]]))
      const record = await given.record(resourceOf(name), fields)
      const path = recordPath(name, record[resourceOf(name).idField])
      expect(record).not.to.have.any.keys(...staffFields(name))
      expect(await getPrivate(path)).to.include(fields)
      for (const token of [null, service().tokens.viewer])
        expect(await getPrivate(path, token)).not.to.have.any.keys(...staffFields(name))
      const { body } = await service().get(path, { token: service().tokens.admin })
      expect(body).not.to.have.any.keys(...staffFields(name))
    })

  it('have a day for when a copy was last seen, and nothing else', async () => {
    const path = await newHolding({ last_seen: '2026-11-27' })
    expect((await getPrivate(path)).last_seen).to.equal('2026-11-27')
    for (const last_seen of ['2026-13-01', '27.11.2026', 'today', '2026-11-27T10:00:00Z'])
      expect((await service().patch(path, { last_seen })).body.last_seen).to.include(
        'Enter a date such as 2026-11-27.',
      )
  })

  it('are not members of a record that has none', async () => {
    const { holding_id } = await given.holding()
    expect(await getPrivate(recordPath('holdings', holding_id))).not.to.have.any.keys(
      'provenance',
      ...staffFields('holdings'),
    )
  })

  it('are in the write shape for who may edit the record', async () => {
    const path = await newHolding()
    const { body } = await service().get(`${path}?shape=write&private=true`, {
      token: service().tokens.editor,
    })
    expect(body.donor).to.equal(donor)
  })

  describe('on writes:', () => {
    it('a PUT that leaves them out keeps them, and clears the others', async () => {
      const path = await newHolding({ condition: 'Torn.' })
      const id = path.split('/').at(-2) ?? ''
      expect((await service().put(path, minimal.holdings(id))).status).to.equal(200)
      expect(await getPrivate(path)).to.include({ donor, condition: '' })
    })

    it('a PUT with private=true replaces them', async () => {
      const path = await newHolding()
      const id = path.split('/').at(-2) ?? ''
      await service().put(`${path}?private=true`, minimal.holdings(id, { price: '1 USD' }))
      const body = await getPrivate(path)
      expect(body.price).to.equal('1 USD')
      expect(body).not.to.have.property('donor')
    })

    it('a body in RDF that says one is refused alike, whether it says what is there or not', async () => {
      const path = await newHolding()
      const { text } = await service().get(`${path}?format=turtle`)
      const thing = /<([^>]*\/id\/holdings\/[^>]*)>/.exec(text)?.[1] ?? ''
      const headers = { 'content-type': 'text/turtle' }
      const answers = [donor, 'Somebody else'].map(async (name) => {
        const raw = `${text}\n<${thing}> <${thing.split('/id/')[0]}/ns#donor> "${name}" .`
        const { status, text: answer } = await service().ask('PUT', path, { raw, headers })
        return [status, answer.replaceAll(name, '…')]
      })
      const [known, other] = await Promise.all(answers)
      expect(known).to.deep.equal(other)
      expect(known?.[0]).to.equal(400)
      const { status } = await service().ask('PUT', path, { raw: text, headers })
      expect(status).to.equal(200)
      expect((await getPrivate(path)).donor).to.equal(donor)
    })
  })

  describe('for an editor of one library', () => {
    let own: string
    let other: string
    let name: string

    before(async () => {
      const libraries = [await given.repository(), await given.repository()]
      const [mine, theirs] = libraries.map(({ repo_id }) => repo_id)
      name = unique('bound')
      await service().accounts.add({
        name,
        password: PASSWORD,
        role: 'editor',
        restrictedTo: [],
        repository: mine,
      })
      own = await newHolding({ repository_id: mine })
      other = await newHolding({ repository_id: theirs })
    })

    it('are those of the holdings of the library alone, in JSON', async () => {
      const token = await service().accounts.login(name, PASSWORD)
      expect((await getPrivate(own, token)).donor).to.equal(donor)
      expect(await getPrivate(other, token)).not.to.have.property('donor')
    })

    it('are those of the holdings of the library alone, in files', async () => {
      const token = await service().accounts.login(name, PASSWORD)
      for (const format of ['csv', 'marcxml']) {
        const ask = (path: string) =>
          service().get(`${path}?format=${format}&private=true`, { token })
        expect((await ask(own)).text, format).to.include(donor)
        expect((await ask(other)).text, format).not.to.include(donor)
      }
    })

    it('are those of the holdings of the library alone, on pages', async () => {
      const browser = await signedIn(name)
      expect((await browser.get(own)).text).to.include(donor)
      expect((await browser.get(other)).text).not.to.include(donor)
    })
  })

  describe('on pages', () => {
    it('are in a box that only editors see', async () => {
      const path = await newHolding({ provenance: 'From a squat.' })
      const forAll = await open(service(), path)
      expect(forAll.all('section', 'staff')).to.be.empty
      expect(forAll.text).to.include('From a squat.').and.not.include(donor)
      const forEditors = read((await (await signedIn('editor')).get(path)).text)
      expect(forEditors.all('section', 'staff')[0]?.text).to.include('Donor').and.include(donor)
    })

    it('are a group of the form, and are saved by it', async () => {
      const path = await newHolding()
      const [, , , id = ''] = path.split('/')
      const editor = await signedIn('editor')
      const form = read((await editor.get(`/manage/holdings/edit/${id}`)).text)
      const group = form
        .all('details', 'field-group')
        .find(({ text }) => text.includes('For staff'))
      expect(group?.all('input').map(({ attributes }) => attributes.name)).to.include.members([
        'source',
        'acquired',
        'accession_number',
        'price',
        'donor',
      ])
      const opened = await openedAt(service().url, `/manage/holdings/edit/${id}`)
      const fields = { ...minimal.holdings(id), donor: '', price: '2 EUR', '.opened': opened }
      const { status } = await editor.send(`/manage/holdings/edit/${id}`, fields)
      expect(status).to.equal(303)
      const saved = await getPrivate(path)
      expect(saved.price).to.equal('2 EUR')
      expect(saved).not.to.have.property('donor')
    })
  })

  describe('in files', () => {
    const staff = { donor, source: 'Exchange', price: '5 GBP', staff_note: 'Ask first.' }
    let zine_id: string

    before(async () => {
      ;({ zine_id } = await given.zine({ staff_note: 'Rare.' }))
      await given.holding({ zine_id, ...staff })
    })

    const textOf = async (path: string, token: string | null) =>
      (await service().get(path, { token })).text

    const files = () => [
      `/api/holdings/?zine_id=${zine_id}&format=csv`,
      `/api/holdings/export/?zine_id=${zine_id}&format=csv`,
      `/api/export/holdings/?zine_id=${zine_id}&format=csv&safe=1`,
      `/api/export/holdings/?zine_id=${zine_id}&format=csv&fields=donor,source,price,staff_note`,
      `/api/holdings/export/?zine_id=${zine_id}&format=marcxml`,
      `/api/holdings/export/?zine_id=${zine_id}&format=marc`,
      `/api/zines/${zine_id}/?format=marcxml&items=952`,
    ]

    it('are in CSV and MARC with private=true for who may edit them', async () => {
      for (const path of files()) {
        const text = await textOf(`${path}&private=true`, service().tokens.editor)
        expect(text, path).to.include(donor).and.include('Ask first.')
      }
      const zines = `/api/zines/${zine_id}/?format=csv&private=true`
      expect(await textOf(zines, service().tokens.editor)).to.include('Rare.')
    })

    it('are in none for others, nor without private=true', async () => {
      const { viewer, zinesEditor, admin } = service().tokens
      for (const path of files())
        for (const [sent, token] of [
          [path, admin],
          [`${path}&private=true`, null],
          [`${path}&private=true`, viewer],
          [`${path}&private=true`, zinesEditor],
        ] as const)
          expect(await textOf(sent, token), sent).not.to.match(/Dora|Ask first|Rare/)
    })

    it('are not kept for the next reader', async () => {
      const path = `/api/holdings/?zine_id=${zine_id}&format=csv&private=true`
      const { headers } = await service().get(path, { token: service().tokens.editor })
      expect(headers.get('cache-control')).to.equal('private, no-store')
      expect(await textOf(path, null)).not.to.include(donor)
    })
  })

  it('are in the history for who may edit the record alone', async () => {
    const path = await newHolding()
    await service().patch(path, { donor: 'Another' })
    const { viewer, zinesEditor, editor } = service().tokens
    expect((await service().get(`${path}history/`, { token: editor })).text).to.include(donor)
    for (const token of [null, viewer, zinesEditor])
      expect((await service().get(`${path}history/`, { token })).text).not.to.include(donor)
  })

  it('stay as they are when a version is restored, unless it is said', async () => {
    const path = await newHolding()
    await service().patch(path, { donor: 'Another', condition: 'Torn.' })
    await service().post(`${path}history/1/restore/`, {})
    expect(await getPrivate(path)).to.include({ donor: 'Another', condition: '' })
    await service().post(`${path}history/1/restore/`, { private: true })
    expect((await getPrivate(path)).donor).to.equal(donor)
  })

  const redacted: readonly (readonly [ResourceName, field: string, list?: true])[] = [
    ...resourceNames.flatMap((name) =>
      staffFields(name)
        // A day names nobody.
        .filter((field) => field !== 'last_seen')
        .map((field): readonly [ResourceName, string] => [name, field]),
    ),
    ['holdings', 'provenance'],
    ['zines', 'content_advice_note', true],
  ]
  for (const [name, field, isList] of redacted)
    it(`are gone from the disk when redacted: ${field} of ${name}`, async () => {
      const value = `Known ${unique('secret')} to few`
      const record = await given.record(resourceOf(name), { [field]: isList ? [value] : value })
      const path = recordPath(name, record[resourceOf(name).idField])
      await service().patch(path, { [field]: isList ? ['Other'] : 'Other' })
      await service().patch(path, { [field]: isList ? [value] : value })
      const { status, text } = await service().post(`${path}redact/`, { field, value })
      expect(status, text).to.equal(204)
      expect(await placesOf(service().dataDir, value)).to.deep.equal([])
      expect(JSON.stringify(await getPrivate(path))).not.to.include(value)
    })
})
