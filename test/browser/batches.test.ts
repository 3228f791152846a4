// Batch edit in a browser: a subject on many zines replaced, looked at before, and undone with one button.

import { expect } from 'chai'
import type { Page } from 'playwright-core'

import { agent, zine } from '../examples.js'
import { PASSWORD } from '../service.js'
import { keepPicture, signIn, useBrowser } from './browser.js'

describe('in a browser, an editor of many records', () => {
  const site = useBrowser()
  let page: Page

  before(async function () {
    const { service } = site()
    await service.post('/api/agents/', agent('maker'))
    for (let number = 1; number <= 30; number += 1)
      await service.post(
        '/api/zines/',
        zine(`issue-${number}`, { title: `Issue ${number}`, subject: ['punk', 'food'] }),
      )
    await service.post('/api/zines/', zine('other', { subject: ['music'] }))
    page = await site().visit('/api/zines/')
    await signIn(page, 'editor', PASSWORD)
  })

  afterEach(() => expect(site().complaints()).to.deep.equal([]))

  const picture = (name: string): Promise<void> => keepPicture(page, name)

  async function pick(label: string, name: string): Promise<void> {
    const input = page.getByRole('combobox', { name: label })
    await input.pressSequentially(name.toLowerCase())
    await page
      .getByRole('option', { name: new RegExp(`^${name}`) })
      .first()
      .click()
    expect(await input.inputValue()).to.equal(name)
  }

  const countOf = async (subject: string): Promise<number> =>
    (await site().service.get(`/api/zines/?subject=${subject}`)).body.count

  it('replaces a subject on all zines that a list finds, after a preview', async () => {
    await page.goto('/api/zines/?subject=punk')
    await picture('list')
    const first = page.locator('input[name=id]').first()
    await page.getByLabel('Tick all 30').check()
    expect(await first.isChecked()).to.equal(true)
    await first.uncheck()
    expect(await page.getByLabel('Tick all 30').isChecked()).to.equal(false)
    await page.getByLabel('Tick all 30').check()
    await page.getByRole('button', { name: 'Edit the ticked records' }).click()
    await page.getByRole('heading', { level: 1, name: 'Edit 30 zines' }).waitFor()
    await page.getByLabel('Field', { exact: true }).selectOption('subject')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Replace a value').check()
    await pick('The subject to remove or replace', 'Punk')
    await pick('The new subject', 'Music')
    await picture('edit')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('heading', { level: 1, name: 'Change 30 zines?' }).waitFor()
    expect(await page.getByRole('row').count()).to.equal(21)
    expect(await page.getByText('And 10 more.').isVisible()).to.equal(true)
    await picture('preview')
    expect(await countOf('punk')).to.equal(30)
    await page.getByRole('button', { name: 'Change 30 zines' }).click()
    await page.getByText('The batch was written.').waitFor()
    await picture('batch')
    expect([await countOf('punk'), await countOf('music')]).to.deep.equal([0, 31])
  })

  it('undoes the batch with one button', async () => {
    await page.getByRole('link', { name: 'All batches' }).click()
    await picture('batches')
    await page.getByRole('button', { name: 'Undo the batch of' }).click()
    await page.getByText('Undone.').waitFor()
    expect([await countOf('punk'), await countOf('music')]).to.deep.equal([30, 1])
  })

  it('edits only the zines that were ticked', async () => {
    await page.goto('/api/zines/?ordering=title')
    for (const title of ['Issue 1', 'Issue 10'])
      await page.getByLabel(`Tick ${title}`, { exact: true }).check()
    await page.getByRole('button', { name: 'Edit the ticked records' }).click()
    await page.getByRole('heading', { level: 1, name: 'Edit 2 zines' }).waitFor()
    await page.getByLabel('Field', { exact: true }).selectOption('abstract')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('The new abstract').fill('Edited.')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('button', { name: 'Change 2 zines' }).click()
    await page.getByText('2 zines changed').waitFor()
    expect((await site().service.get('/api/zines/issue-10/')).body.abstract).to.equal('Edited.')
    expect((await site().service.get('/api/zines/issue-2/')).body.abstract).to.equal('')
  })

  it('changes several fields in one batch', async () => {
    await page.goto('/api/zines/?search=issue+2')
    await page.getByLabel('Tick all').check()
    await page.getByRole('button', { name: 'Edit the ticked records' }).click()
    await page.getByLabel('Field', { exact: true }).selectOption('subject')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Add a value').check()
    await pick('The new subject', 'Music')
    await page.getByRole('button', { name: 'Add another field' }).click()
    await page.getByText('Subject: add “Music”').waitFor()
    await page.getByLabel('Field', { exact: true }).selectOption('abstract')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('The new abstract').fill('Of two fields.')
    await picture('several-fields')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('columnheader', { name: 'Abstract after' }).waitFor()
    await page.getByRole('button', { name: /^Change \d+ zines$/ }).click()
    await page.getByText('The batch was written.').waitFor()
    const { body } = await site().service.get('/api/zines/issue-2/')
    expect(body.abstract).to.equal('Of two fields.')
    expect(JSON.stringify(body.subject)).to.include('music')
    await page.getByRole('button', { name: 'Undo the batch of' }).click()
    await page.getByText('Undone.').waitFor()
    await page.goto('/manage/batches')
    await page
      .getByRole('link', { name: /^\d{4}-/ })
      .nth(2)
      .click()
  })

  it('is told which records keep a batch from being undone', async () => {
    await site().service.patch('/api/zines/issue-1/', { abstract: 'Later.' })
    await page.getByRole('button', { name: 'Undo the batch of' }).click()
    await page.getByText('These records keep it from being undone:').waitFor()
    await picture('conflict')
    expect(await page.getByRole('alert').innerText()).to.match(/Issue 1: .*: Abstract/)
  })
})
