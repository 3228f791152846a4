// The history of records in a browser: what changed, an earlier version restored, a conflict, and a deleted
// zine that comes back with its copies.

import { expect } from 'chai'
import type { Page } from 'playwright-core'

import { agent, holding, repository, zine } from '../examples.js'
import { PASSWORD } from '../service.js'
import { keepPicture, signIn, useBrowser } from './browser.js'

describe('in a browser, an editor who takes changes back', () => {
  const site = useBrowser()
  let page: Page

  before(async () => {
    const { service } = site()
    await service.post('/api/agents/', agent('maker'))
    await service.post('/api/repositories/', repository('library'))
    await service.post('/api/zines/', zine('lost', { title: 'The first title' }))
    await service.post('/api/holdings/', holding('copy', { zine_id: 'lost' }))
    await service.patch('/api/zines/lost/', { title: 'The second title', abstract: 'Long.' })
    page = await site().visit('/api/zines/lost/')
    await signIn(page, 'editor', PASSWORD)
  })

  afterEach(() => expect(site().complaints()).to.deep.equal([]))

  const picture = (name: string): Promise<void> => keepPicture(page, name)

  const titleNow = async (): Promise<string> =>
    (await site().service.get('/api/zines/lost/')).body.title

  it('sees what each version changed, word by word', async () => {
    await page.goto('/api/zines/lost/')
    await page.getByRole('link', { name: 'History' }).click()
    await picture('history')
    const second = page.locator('#version-2')
    expect(await second.locator('del').first().innerText()).to.equal('first')
    expect(await second.locator('ins').first().innerText()).to.equal('second')
    expect(await second.innerText()).to.include('By admin')
  })

  it('restores the first version', async () => {
    await page.locator('#version-1').getByRole('button', { name: 'Restore this version' }).click()
    await page.getByText('Restored.').waitFor()
    expect(await titleNow()).to.equal('The first title')
  })

  it('is told what was changed again, when a change cannot be undone', async () => {
    await page.goto('/manage/zines/history/lost')
    const undo = page.locator('#version-2').getByRole('button', { name: 'Undo this change' })
    await undo.waitFor()
    await site().service.patch('/api/zines/lost/', { title: 'The third title' })
    await undo.click()
    await page.getByRole('alert').waitFor()
    await picture('history-conflict')
    expect(await page.getByRole('alert').innerText()).to.include('title')
    expect(await undo.count(), 'it is not offered any more').to.equal(0)
    await page.locator('#version-2').getByText('Cannot be undone.').waitFor()
    expect(await titleNow()).to.equal('The third title')
  })

  it('brings a deleted zine back with its copy', async () => {
    await site().service.delete('/api/zines/lost/')
    await page.getByRole('link', { name: 'Deleted' }).click()
    await picture('deleted')
    await page
      .getByRole('listitem')
      .filter({ hasText: 'The third title' })
      .getByRole('button', { name: 'Restore' })
      .click()
    await page.getByText('Undone.').waitFor()
    expect(await titleNow()).to.equal('The third title')
    expect((await site().service.get('/api/holdings/copy/')).status).to.equal(200)
  })
})
