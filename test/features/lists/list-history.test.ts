// The history of lists over HTTP and on its page: versions, what takes back a change, deleted lists,
// and that nothing that is removed for good stays in them.

import { join } from 'node:path'

import { expect } from 'chai'

import { dataDirectoryOf } from '../../../src/app/data-directory.js'
import { dataFiles } from '../../../src/config.js'
import { backUpTo } from '../../../src/commands/backup.js'
import { StoredLists, maxDeletedLists } from '../../../src/features/lists/stored-lists.js'
import { versionLimits } from '../../../src/features/lists/list-versions.js'
import { openKeyValueStore } from '../../../src/lib/key-value/key-value-store.js'
import { placesOf } from '../../data-directory.js'
import { agent, zine } from '../../examples.js'
import { run, withDirectory } from '../../process.js'
import { startService, useService } from '../../service.js'
import { browse } from '../../views/browser.js'

type Version = {
  readonly version: number
  readonly account: string | null
  readonly how: string | null
  readonly change: string | null
  readonly changes: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>
  readonly redacted: readonly string[]
}

describe('the history of a list', () => {
  const service = useService({ BASE_URL: 'http://localhost' })

  const entry = (id: string, note = '', kind = 'zines') => ({ kind, id, note })

  const path = (slug: string, rest = ''): string => `/api/lists/${slug}/${rest}`

  async function makeList(slug: string, more: object = {}) {
    const body = { slug, title: 'First', public: true, records: [entry('a', 'A note')], ...more }
    const answer = await service().post('/api/lists/', body)
    expect(answer.status, answer.text).to.equal(201)
  }

  async function putList(slug: string, more: object = {}) {
    const body = { title: 'Second', public: true, records: [entry('b'), entry('a')], ...more }
    const answer = await service().put(path(slug), body, { token: service().tokens.editor })
    expect(answer.status, answer.text).to.equal(200)
  }

  const get = (at: string) => service().get(at, { token: service().tokens.editor })

  async function versionsOf(slug: string): Promise<readonly Version[]> {
    const { status, body, text } = await get(path(slug, 'history/'))
    expect(status, text).to.equal(200)
    return (body as { results: Version[] }).results
  }

  const post = (slug: string, rest: string, body: unknown = {}) =>
    service().post(path(slug, `history/${rest}/`), body)

  before(async () => {
    await service().post('/api/agents/', agent('ann', { display_name: 'Ann' }))
    for (const id of ['a', 'b', 'c'])
      await service().post('/api/zines/', zine(id, { title: `Zine ${id}`, creator: ['ann'] }))
  })

  it('says who changed what, and how', async () => {
    await makeList('told')
    await putList('told')
    await service().delete(path('told'))
    const [made, changed, deleted] = await versionsOf('told')
    expect(made).to.include({ version: 1, account: 'admin', how: 'api', change: 'created' })
    expect(made?.changes.title).to.deep.equal({ before: null, after: 'First' })
    expect(changed).to.include({ version: 2, account: 'editor', how: 'api', change: 'updated' })
    expect(changed?.changes).to.deep.equal({
      title: { before: 'First', after: 'Second' },
      records: { before: [entry('a', 'A note')], after: [entry('b'), entry('a')] },
    })
    expect(deleted).to.include({ version: 3, change: 'deleted' })
    expect(deleted?.changes.title).to.deep.equal({ before: 'Second', after: null })
  })

  it('has each version as it was, which can be restored as a new one', async () => {
    await makeList('back')
    await putList('back')
    const version = await get(path('back', 'history/1/'))
    expect(version.body).to.deep.equal({
      ...{ slug: 'back', title: 'First', public: true, text: '', records: [entry('a', 'A note')] },
    })
    expect(version.headers.get('cache-control')).to.equal('private, no-store')
    const restored = await post('back', '1/restore')
    expect(restored.body).to.deep.include({ title: 'First', records: [entry('a', 'A note')] })
    const ifMatch = { 'if-match': restored.headers.get('etag') ?? '' }
    const put = { body: { title: 'Third' }, headers: ifMatch }
    expect((await service().ask('PUT', path('back'), put)).status).to.equal(200)
    expect((await versionsOf('back'))[2]).to.include({ version: 3, how: 'restore' })
    for (const number of ['9', '0', 'x'])
      expect((await get(path('back', `history/${number}/`))).status).to.equal(404)
    expect((await post('back', '9/restore')).status).to.equal(404)
  })

  it('publishes nothing by restoring, unless that is asked for', async () => {
    await makeList('shown')
    await putList('shown', { public: false })
    expect((await post('shown', '1/restore')).body).to.include({ title: 'First', public: false })
    const open = await post('shown', '1/restore', { private: true })
    expect(open.body).to.include({ title: 'First', public: true })
  })

  it('undoes one change, and keeps what was changed since', async () => {
    await makeList('undone')
    await putList('undone', { title: 'First' })
    await putList('undone', { title: 'Third' })
    const undone = await post('undone', '2/undo')
    expect(undone.status, undone.text).to.equal(200)
    expect(undone.body).to.deep.include({ title: 'Third', records: [entry('a', 'A note')] })
    const again = await post('undone', '2/undo')
    expect(again.status).to.equal(409)
    expect(again.body).to.deep.include({ fields: ['records'] })
    expect((await post('undone', '1/undo')).status).to.equal(409)
    await makeList('unmade')
    expect((await post('unmade', '1/undo')).status).to.equal(204)
    expect((await get(path('unmade'))).status).to.equal(404)
  })

  it('brings a deleted list back as it was', async () => {
    await makeList('gone', { public: false })
    const { body: before } = await get(path('gone'))
    await service().delete(path('gone'))
    const { body } = await get('/api/deleted-lists/?page_size=100')
    const [deleted] = (body as { results: { slug: string }[] }).results
    expect(deleted).to.include({ slug: 'gone', title: 'First', version: 2, account: 'admin' })
    const undone = await post('gone', '2/undo')
    expect(undone.status, undone.text).to.equal(200)
    const { created_at, records } = before as { created_at: string; records: unknown }
    expect(undone.body).to.deep.include({ title: 'First', public: false, created_at, records })
    expect((await get('/api/deleted-lists/')).text).not.to.include('"gone"')
  })

  it('tells with 410 that the IRI led to a list, only those who saw it', async () => {
    await makeList('seen')
    await makeList('unseen', { public: false })
    for (const slug of ['seen', 'unseen']) await service().delete(path(slug))
    const statusOf = async (at: string, token: string | null) =>
      (await service().get(at, { token })).status
    expect(await statusOf('/id/lists/seen', null)).to.equal(410)
    expect(await statusOf('/id/lists/unseen', null)).to.equal(404)
    expect(await statusOf('/id/lists/unseen', service().tokens.editor)).to.equal(410)
    expect(await statusOf(path('seen'), null)).to.equal(404)
  })

  it('goes on when a list is made under the slug of a deleted one', async () => {
    await makeList('again', { title: 'The old one' })
    await service().delete(path('again'))
    await makeList('again', { title: 'The new one' })
    expect((await versionsOf('again')).map(({ change }) => change)).to.deep.equal([
      'created',
      'deleted',
      'created',
    ])
    expect((await post('again', '2/undo')).status).to.equal(409)
    expect((await post('again', '1/restore')).body).to.include({ title: 'The old one' })
  })

  it('is for those who edit lists', async () => {
    await makeList('closed')
    const tokens = [
      [null, 401],
      [service().tokens.viewer, 403],
      [service().tokens.zinesEditor, 403],
    ] as const
    for (const [token, status] of tokens) {
      for (const at of [path('closed', 'history/'), path('closed', 'history/1/')])
        expect((await service().get(at, { token })).status, at).to.equal(status)
      expect((await service().get('/api/deleted-lists/', { token })).status).to.equal(status)
      for (const rest of ['history/1/restore/', 'history/1/undo/', 'forget/'])
        expect((await service().post(path('closed', rest), {}, { token })).status).to.equal(status)
    }
    const token = service().tokens.editor
    expect((await service().post(path('closed', 'forget/'), {}, { token })).status).to.equal(403)
  })

  it('names a renamed record as it is called now, and a deleted one to its editors', async () => {
    for (const id of ['moving', 'ending'])
      await service().post('/api/zines/', zine(id, { title: id, creator: ['ann'] }))
    await makeList('names', { records: [entry('moving'), entry('ending')] })
    await service().post('/api/zines/moving/rename/', { id: 'moved' })
    await service().delete('/api/zines/ending/')
    const { body } = await get(path('names', 'history/1/'))
    expect(body).to.deep.include({ records: [entry('moved'), entry('ending')] })
  })

  it('loses a redacted value, also of deleted lists, and says that something was there', async () => {
    const name = 'Ottoline Legalname'
    await service().post('/api/agents/', agent('named', { display_name: 'N', legal_name: name }))
    for (const slug of ['redacted', 'redacted-and-gone'])
      await makeList(slug, { title: `Of ${name}`, records: [entry('a', `By ${name}`)] })
    await putList('redacted')
    await service().delete(path('redacted-and-gone'))
    expect(await placesOf(service().dataDir, name)).not.to.deep.equal([])
    const redaction = { field: 'legal_name', value: name }
    expect((await service().post('/api/agents/named/redact/', redaction)).status).to.equal(204)
    expect(await placesOf(service().dataDir, name)).to.deep.equal([])
    const [made] = await versionsOf('redacted')
    expect(made?.redacted).to.deep.equal(['title', 'records'])
    expect((await post('redacted', '1/restore')).body).to.include({ title: 'Of' })
    expect((await get('/api/deleted-lists/')).text).not.to.include('Ottoline')
    const proof = await service().post('/api/removal-proof/', { text: name })
    expect(proof.body).to.include({ gone: true })
  })

  it('loses a forgotten identifier, and deleted lists that are called by it', async () => {
    for (const [slug, id] of [
      ['forgets', 'formername'],
      ['formerself', 'formerself'],
    ] as const) {
      await service().post('/api/zines/', zine(id, { title: 'New', creator: ['ann'] }))
      await makeList(slug, { records: [entry(id, `See ${id}.`)] })
      await putList(slug)
      if (slug === id) await service().delete(path(slug))
      const rename = { id: `now-${slug}-new`, forget: true }
      const renamed = await service().post(`/api/zines/${id}/rename/`, rename)
      expect(renamed.status, renamed.text).to.equal(200)
    }
    const { body } = await get(path('forgets', 'history/1/'))
    expect(body).to.deep.include({ records: [entry('now-forgets-new', 'See .')] })
    expect(await placesOf(service().dataDir, 'formername')).to.deep.equal([])
    expect((await get(path('formerself', 'history/'))).status).to.equal(404)
    expect((await get('/api/deleted-lists/')).text).not.to.include('formerself')
  })

  it('is removed from the disk with a deleted list that an administrator has forgotten', async () => {
    await makeList('eglantine', { title: 'For Eglantine' })
    expect((await service().post(path('eglantine', 'forget/'), {})).status).to.equal(409)
    await service().delete(path('eglantine'))
    expect(await placesOf(service().dataDir, 'eglantine')).not.to.deep.equal([])
    expect((await service().post(path('eglantine', 'forget/'), {})).status).to.equal(204)
    expect(await placesOf(service().dataDir, 'eglantine')).to.deep.equal([])
    expect((await service().get('/id/lists/eglantine', { token: null })).status).to.equal(404)
  })

  it('is on a page with buttons that restore, undo, and bring back a deleted list', async () => {
    await makeList('paged')
    await putList('paged')
    const browser = browse(service().url)
    await browser.signIn('admin')
    const history = '/manage/lists/history/paged'
    expect((await browser.get(path('paged'))).text).to.include(`href="${history}"`)
    const { text } = await browser.get(history)
    expect(text).to.include('<del>Zine a: A note</del>').and.include('<ins>')
    expect(text.match(/Restore this version/g)).to.have.length(1)
    const refused = await browser.send(history, { version: '1', action: 'undo' })
    expect(refused.status).to.equal(409)
    expect(refused.text).to.include('The same was changed again since.')
    const restored = await browser.send(history, { version: '1', action: 'restore' })
    expect(restored.headers.get('location')).to.equal('/api/lists/paged/')
    expect((await get(path('paged'))).body).to.include({ title: 'First' })

    await service().delete(path('paged'))
    const lists = await browser.get('/api/lists/')
    expect(lists.text).to.match(/Recently deleted.*action="\/manage\/lists\/history\/paged"/s)
    const anybody = await browse(service().url).get('/api/lists/')
    expect(anybody.text).not.to.include('Recently deleted').and.not.to.include('paged')
    await browser.send(history, { version: '4', action: 'undo' })
    expect((await get(path('paged'))).status).to.equal(200)
  })

  it('tells records with the same title apart', async () => {
    await service().post('/api/zines/', zine('twin', { title: 'Zine c', creator: ['ann'] }))
    await makeList('twins', { records: [entry('c'), entry('b'), entry('twin')] })
    await putList('twins', { records: [entry('c'), entry('b')] })
    const browser = browse(service().url)
    await browser.signIn('admin')
    const { text } = await browser.get('/manage/lists/history/twins')
    expect(text).to.include('<del>Zine c</del>').and.not.to.include('The order was changed.')
    await putList('twins', { records: [entry('b'), entry('c')] })
    const again = await browser.get('/manage/lists/history/twins')
    expect(again.text).to.include('The order was changed.')
  })

  it('compares the words of texts, but not of those that differ so much that it would take long', async () => {
    const words = (changed: number): string =>
      Array.from({ length: 400 }, (_, at) => `${at < changed ? 'new' : 'old'}${at}`).join(' ')
    const browser = browse(service().url)
    await browser.signIn('admin')
    for (const [slug, changed] of Object.entries({ little: 90, much: 150 })) {
      await makeList(slug, { text: words(0) })
      await putList(slug, { text: words(changed) })
      const { text } = await browser.get(`/manage/lists/history/${slug}`)
      expect(text.includes('<del>old0</del><ins>new0</ins>'), slug).to.equal(slug === 'little')
      expect(text.includes(`<del>${words(0)}</del>`), slug).to.equal(slug === 'much')
    }
  })

  it('is told of in the form of a new list before its slug is used again', async () => {
    await makeList('reused', { title: 'The deleted one' })
    await service().delete(path('reused'))
    const browser = browse(service().url)
    await browser.signIn('admin')
    const fields = { slug: 'reused', title: 'Another', text: '', more: '' }
    const told = await browser.send('/manage/lists/new', fields)
    expect(told.status).to.equal(409)
    expect(told.text).to.include('The deleted one').and.include('name="replaces" value="reused"')
    const made = await browser.send('/manage/lists/new', { ...fields, replaces: 'reused' })
    expect(made.status).to.equal(303)
    expect((await versionsOf('reused')).at(-1)).to.include({ version: 3, how: 'page' })
  })

  it('comes back with a backup', () =>
    withDirectory(async (directory) => {
      await makeList('saved')
      await putList('saved')
      await makeList('saved-and-gone')
      await service().delete(path('saved-and-gone'))
      const file = join(directory, 'backup.gz')
      await backUpTo(file, dataDirectoryOf(service()))
      const dataDir = join(directory, 'restored')
      const { code, err } = await run(['restore', file], { DATA_DIR: dataDir })
      expect(code, err).to.equal(0)
      const doctor = await run(['doctor'], { DATA_DIR: dataDir })
      expect(doctor.code, doctor.out + doctor.err).to.equal(0)
      const second = await startService({ DATA_DIR: dataDir, BASE_URL: 'http://localhost' })
      try {
        for (const at of ['/api/deleted-lists/', path('saved', 'history/')])
          expect((await second.get(at, { token: second.tokens.editor })).body).to.deep.equal(
            (await get(at)).body,
          )
      } finally {
        await second.close()
      }
    }))
})

describe('the versions of lists that are kept', () => {
  const source = { account: 'ann', how: 'api' } as const

  const input = (title: string, note = '') => ({
    title,
    text: '',
    isPublic: true,
    records: [{ reference: { target: 'zines', id: 'a' }, note }] as const,
  })

  const withLists = (
    work: (lists: StoredLists, open: (now?: () => number) => Promise<StoredLists>) => Promise<void>,
    now?: () => number,
  ) =>
    withDirectory(async (directory) => {
      const store = await openKeyValueStore(dataFiles(directory).store)
      const open = (at = now) => StoredLists.load(store, at)
      try {
        await work(await open(), open)
      } finally {
        await store.close()
      }
    })

  const change = (lists: StoredLists, slug: string, title: string, note?: string) =>
    lists.change(slug, () => input(title, note), { source })

  it('are the last ones of a list, by their number', () =>
    withLists(async (lists) => {
      await lists.add('many', input('0'), source)
      for (let number = 1; number <= versionLimits.count; number += 1)
        await change(lists, 'many', String(number))
      const versions = await lists.history('many')
      expect(versions).to.have.length(versionLimits.count)
      expect(versions[0]).to.include({ version: 2 })
    }))

  it('are the last ones of a list, by their size, and two of them however large', () =>
    withLists(async (lists) => {
      const long = 'x'.repeat(versionLimits.bytes / 4)
      await lists.add('large', input('0', long), source)
      for (const title of ['1', '2', '3', '4']) await change(lists, 'large', title, long)
      expect(await lists.history('large')).to.have.length(3)
      const tooLong = 'x'.repeat(versionLimits.bytes)
      for (const title of ['5', '6']) await change(lists, 'large', title, tooLong)
      expect(await lists.history('large')).to.have.length(2)
    }))

  it('are those of the last lists that were deleted', () => {
    let now = Date.now()
    return withLists(
      async (lists, open) => {
        for (let number = 0; number <= maxDeletedLists; number += 1) {
          now += 1
          await lists.add(`list-${number}`, input('A list'), source)
          await lists.remove(`list-${number}`, { source })
        }
        for (const loaded of [lists, await open()]) {
          expect(loaded.deleted()).to.have.length(maxDeletedLists)
          expect(loaded.findDeleted('list-0')).to.equal(undefined)
          expect(await loaded.history('list-1')).to.have.length(2)
        }
      },
      () => now,
    )
  })

  it('are not older than HISTORY_KEEP, but for the last one', () => {
    let now = 0
    return withLists(
      async (lists) => {
        for (const slug of ['kept', 'removed']) await lists.add(slug, input('0'), source)
        await change(lists, 'kept', '1')
        await lists.remove('removed', { source })
        now = 1000
        await lists.forgetBefore(new Date(now).toISOString())
        expect((await lists.history('kept')).map(({ version }) => version)).to.deep.equal([2])
        expect(lists.deleted()).to.deep.equal([])
        await change(lists, 'kept', '2')
        expect((await lists.history('kept')).map(({ version }) => version)).to.deep.equal([2, 3])
      },
      () => now,
    )
  })

  it('are not older than HISTORY_KEEP, but for what a change since then replaced', () => {
    let now = 0
    return withLists(
      async (lists) => {
        for (const slug of ['changed', 'deleted']) await lists.add(slug, input('0'), source)
        now = 2000
        await change(lists, 'changed', '1')
        await lists.remove('deleted', { source })
        await lists.forgetBefore(new Date(1000).toISOString())
        const request = { withPrivate: false, source }
        for (const slug of ['changed', 'deleted'])
          expect(await lists.undo(slug, 2, request)).to.include({ slug, title: '0' })
      },
      () => now,
    )
  })

  it('begin with what a list was before there were versions', () =>
    withDirectory(async (directory) => {
      const store = await openKeyValueStore(dataFiles(directory).store)
      const created = new Date(0).toISOString()
      const old = { slug: 'old', ...input('Old'), created, modified: created }
      await store.write([{ key: 'list/old', value: JSON.stringify(old) }])
      const lists = await StoredLists.load(store)
      const [first] = await lists.history('old')
      expect(first).to.deep.include({ version: 1, at: created })
      await change(lists, 'old', 'New')
      const [begins, changed] = await lists.history('old')
      expect(begins).to.deep.equal(first)
      expect(changed).to.include({ version: 2, change: 'updated' })
      await lists.restore('old', 1, { withPrivate: false, source })
      expect(lists.find('old')).to.include({ title: 'Old' })
      await store.close()
    }))
})
