// An editor merges two agents in a browser: picks the one that stays by its name, chooses a value, merges
// and undoes it.

import { expect } from 'chai'
import type { Page } from 'playwright-core'

import { agent, zine } from '../examples.js'
import { PASSWORD } from '../service.js'
import { signIn, useBrowser } from './browser.js'

describe('in a browser, an editor who merges', () => {
  const site = useBrowser()
  let page: Page

  before(async function () {
    const { post } = site().service
    await post('/api/agents/', agent('cindy', { display_name: 'Cindy C.', biography: 'Of Doris' }))
    await post('/api/agents/', agent('cindy-crabb', { display_name: 'Cindy Crabb' }))
    await post('/api/zines/', zine('doris', { creator: ['cindy'] }))
    page = await site().visit('/api/agents/cindy/')
    await signIn(page, 'editor', PASSWORD)
  })

  afterEach(() => expect(site().complaints()).to.deep.equal([]))

  const json = async (path: string) => (await site().service.get(path)).body

  it('picks the agent that stays, chooses values, merges, and undoes that', async () => {
    await page.goto('/api/agents/cindy/')
    await page.getByRole('link', { name: 'Merge into another' }).click()
    // The script puts a combobox in place of the field.
    await page.getByRole('combobox', { name: 'Maker that stays' }).fill('crabb')
    await page.getByRole('option').filter({ hasText: 'Cindy Crabb' }).click()
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('will link to the record you keep: 1 zine').waitFor()
    const name = page.getByRole('group', { name: 'Name', exact: true })
    expect(await name.getByLabel('Cindy Crabb').isChecked()).to.equal(true)
    await page.getByRole('button', { name: 'Merge' }).click()
    await page.getByRole('heading', { level: 1, name: 'Cindy Crabb' }).waitFor()
    expect(await json('/api/agents/cindy-crabb/')).to.include({ biography: 'Of Doris' })
    expect((await json('/api/zines/doris/')).creator[0].agent_id).to.equal('cindy-crabb')

    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The merge was undone.').waitFor()
    expect(new URL(page.url()).pathname).to.equal('/api/agents/cindy/')
    expect(await json('/api/agents/cindy-crabb/')).to.include({ biography: '' })
    expect((await json('/api/zines/doris/')).creator[0].agent_id).to.equal('cindy')
  })
})
