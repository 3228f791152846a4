// Which versions and deleted records the pages offer to restore, and what they say of the others.

import { expect } from 'chai'

import { agent, holding, repository, zine } from '../../examples.js'
import { PASSWORD, useService } from '../../service.js'
import { importClient } from '../imports/import-client.js'
import { type Browser, type Element, browse, read } from '../../views/browser.js'

describe('the pages of the history', () => {
  const service = useService({ BASE_URL: 'http://localhost' })
  let editor: Browser

  before(async () => {
    editor = browse(service().url)
    await editor.signIn('editor')
    await service().post('/api/agents/', agent('maker'))
    for (const id of ['library', 'other'])
      await service().post('/api/repositories/', repository(id))
  })

  const remove = (path: string) => service().ask('DELETE', path)

  const buttons = (part: Element | undefined): readonly string[] =>
    (part?.all('button') ?? []).map(({ text }) => text.trim())

  /** The entry of a record in the list of deleted ones, as a browser sees it. */
  async function deletedEntry(browser: Browser, id: string): Promise<Element | undefined> {
    const page = read((await browser.get('/manage/deleted?page_size=100')).text)
    return page.all('li').find((one) => one.all('code')[0]?.text === id)
  }

  /** The versions of a record, the newest first. */
  const versionsOf = async (browser: Browser, path: string): Promise<readonly Element[]> =>
    read((await browser.get(path)).text).all('article', 'version')

  it('offer to restore a deleted record only where that would work, and say why not', async () => {
    await service().post('/api/zines/', zine('gone'))
    await service().post('/api/holdings/', holding('gone-copy', { zine_id: 'gone' }))
    await remove('/api/holdings/gone-copy/')
    expect(buttons(await deletedEntry(editor, 'gone-copy'))).to.have.length(1)
    await remove('/api/zines/gone/')
    const copy = await deletedEntry(editor, 'gone-copy')
    expect(buttons(copy)).to.deep.equal([])
    expect(copy?.text).to.include('Cannot be restored.').and.include('There is no zine “gone”.')
    const [restore] = buttons(await deletedEntry(editor, 'gone'))
    expect(restore).to.match(/^Restore \(including its copies\)/)
  })

  it('offer neither to restore the present version nor to undo what was changed since', async () => {
    await service().post('/api/zines/', zine('changed', { title: 'First' }))
    await service().patch('/api/zines/changed/', { title: 'Second' })
    await service().patch('/api/zines/changed/', { title: 'Third' })
    const [now, second, first] = await versionsOf(editor, '/manage/zines/history/changed')
    expect(buttons(now)).to.deep.equal(['Undo this change'])
    expect(buttons(second)).to.deep.equal(['Restore this version'])
    expect(second?.text).to.include('Cannot be undone.').and.include('Title')
    expect(buttons(first)).to.deep.equal(['Restore this version'])
  })

  it('offer no version that the account may not write, and say so', async () => {
    await service().accounts.add({
      name: 'bound',
      password: PASSWORD,
      role: 'editor',
      restrictedTo: [],
      repository: 'library',
    })
    const bound = browse(service().url)
    await bound.signIn('bound')
    await service().post('/api/zines/', zine('moved'))
    const copy = holding('moved-copy', { zine_id: 'moved', repository_id: 'other' })
    await service().post('/api/holdings/', copy)
    await service().patch('/api/holdings/moved-copy/', { repository_id: 'library' })
    const path = '/manage/holdings/history/moved-copy'
    const first = (await versionsOf(bound, path)).at(-1)
    expect(buttons(first)).to.deep.equal([])
    expect(first?.text).to.include('Your account may not change such a record.')
    expect(buttons((await versionsOf(editor, path)).at(-1))).to.include('Restore this version')
  })

  it('leave out the deleted records of an undone import where that is asked for', async () => {
    const admin = browse(service().url)
    await admin.signIn('admin')
    await service().post('/api/zines/', zine('by-hand'))
    await remove('/api/zines/by-hand/')
    const { begin, write, post } = importClient(service)
    const { id } = await begin('title\nImported', undefined, {
      identifiers: { zines: 'imported-{row}', holdings: 'imported-{row}', agents: 'imported-' },
      defaults: {
        zines: {
          genre: ['zine'],
          language: ['en'],
          rights: ['unknown'],
          subject: ['zines'],
          creator: ['maker'],
          date: null,
        },
        holdings: { repository_id: 'library' },
      },
    })
    await write(id)
    await post(id, 'undo/')
    const all = (await admin.get('/manage/deleted?page_size=100')).text
    expect(all).to.include('>Imported<')
    const [link] = read(all)
      .all('a')
      .filter(({ text }) => text.startsWith('Leave out those of undone imports'))
    const { text } = await admin.get(link?.attributes.href ?? '')
    expect(text).not.to.include('>Imported<')
    expect(text).to.include('by-hand').and.include('Show those of undone imports too')
  })
})
