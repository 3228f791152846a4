// A maker who asks that a former name goes, and an administrator who removes it on one guided page, in
// a browser: from the form of the request to the proof that no file has it.

import { expect } from 'chai'

import { agent, zine } from '../examples.js'
import { PASSWORD } from '../service.js'
import { signIn, useBrowser } from './browser.js'

const OLD = 'Zebulon Quux'

describe('in a browser, a maker who changed names', () => {
  const site = useBrowser()

  it('asks that the old one is removed, and it is nowhere any more', async () => {
    const { service } = site()
    await service.post('/api/agents/', agent('maker'))
    await service.post(
      '/api/agents/',
      agent('zebulon-quux', { display_name: OLD, biography: `${OLD} lives in Leeds.` }),
    )
    const abstract = `An interview with ${OLD}.`
    await service.post('/api/zines/', zine('interview', { abstract }))

    const visitor = await site().visit('/api/agents/zebulon-quux/')
    await visitor.getByRole('link', { name: 'Is this you?' }).click()
    await visitor.getByLabel('Something else').check()
    await visitor.getByLabel('Your request').fill(`Please remove my old name, ${OLD}.`)
    await visitor.getByRole('button', { name: 'Send request' }).click()
    await visitor.getByRole('heading', { name: 'Request sent' }).waitFor()

    const page = await site().visit('/api/zines/')
    await signIn(page, 'admin', PASSWORD)
    await page.getByRole('link', { name: 'Requests (1)' }).click()
    await page.getByRole('link', { name: `Other: ${OLD}` }).click()
    await page.getByRole('link', { name: 'Remove a name' }).click()
    await page.getByLabel('Name to remove').fill(OLD)
    await page.getByLabel('Name to put in its place').fill('Robin')
    await page.getByRole('button', { name: 'Show where it is' }).click()
    await page.getByText(abstract).waitFor()

    const replace = page.getByRole('button', { name: /^Replace/ })
    for (let left = await replace.count(); left > 0; left -= 1) {
      await replace.first().click()
      await replace.nth(left - 1).waitFor({ state: 'detached' })
    }
    await page.getByLabel('New identifier').fill('robin')
    await page.getByRole('button', { name: 'Change identifier' }).click()
    await page.getByRole('link', { name: 'Robin', exact: true }).waitFor()
    expect(await page.getByText('Nothing is left here.').count()).to.equal(5)

    await page.getByRole('button', { name: 'Look in all files' }).click()
    await page.getByText('Found in 0 files, 0 records, 0 other entries, 0 answers.').waitFor()
    expect((await service.get('/api/agents/zebulon-quux/')).status).to.equal(404)
    expect((await service.get('/api/agents/robin/')).body.biography).to.equal(
      'Robin lives in Leeds.',
    )
    expect(site().complaints()).to.deep.equal([])
  })
})
