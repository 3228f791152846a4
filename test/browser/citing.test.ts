// A student who cites zines, in a browser: with the script and without it, and in a real collection.

import { expect } from 'chai'

import {
  createCollectionDirectory,
  createRecords,
  hasCollection,
  readCollection,
} from '../collection.js'
import { agent, holding, repository, zine } from '../examples.js'
import { type Site, useBrowser } from './browser.js'

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

const copied = (tab: Awaited<ReturnType<Site['visit']>>): Promise<string> =>
  tab.evaluate(() => (globalThis as any).navigator.clipboard.readText())

describe('in a browser, a student', () => {
  const site = useBrowser()

  before(async () => {
    const { service } = site()
    const cindy = { display_name: 'Cindy Crabb', sort_name: 'Crabb, Cindy', kind: 'Person' }
    await service.post('/api/agents/', agent('maker', cindy))
    const fields = { title: 'Doris', issue_designation: 'no. 15', date: ['1999-05'] }
    await service.post('/api/zines/', zine('zine', fields))
    await service.post('/api/repositories/', repository('library'))
    await service.post('/api/holdings/', holding('copy'))
  })

  afterEach(() => expect(site().complaints()).to.deep.equal([]))

  it('opens the citations on the page of a zine by keyboard, and copies one', async () => {
    const tab = await site().visit('/api/zines/zine/', clipboard)
    await tab.getByRole('link', { name: 'Cite', exact: true }).press('Enter')
    await tab.getByRole('heading', { name: 'APA' }).waitFor()
    expect(new URL(tab.url()).pathname).to.equal('/api/zines/zine/')
    await tab.getByRole('button', { name: 'Copy APA' }).press('Enter')
    await tab.getByText('Copied').waitFor()
    expect(await copied(tab)).to.equal(
      'Crabb, C. (1999). Doris, no. 15 [Zine]. http://localhost/id/zines/zine',
    )
    expect(await tab.locator('[data-copy="APA"] i').innerText()).to.equal('Doris, no. 15')
  })

  it('copies BibTeX and the permanent address of a copy', async () => {
    const tab = await site().visit('/api/holdings/copy/citations/', clipboard)
    await tab.getByRole('button', { name: 'Copy BibTeX' }).click()
    await tab.getByText('Copied').waitFor()
    expect(await copied(tab)).to.match(/^@booklet\{copy,/)
    await tab.getByRole('button', { name: 'Copy Permanent address' }).click()
    await tab.getByText('Copied').nth(1).waitFor()
    expect(await copied(tab)).to.equal('http://localhost/id/holdings/copy')
  })

  it('finds the citations on a page of their own without scripts', async () => {
    const tab = await site().visit('/api/zines/zine/', { javaScriptEnabled: false })
    await tab.getByRole('link', { name: 'Cite', exact: true }).click()
    expect(new URL(tab.url()).pathname).to.equal('/api/zines/zine/citations/')
    expect(await tab.locator('[data-copy="MLA"]').innerText()).to.equal(
      'Crabb, Cindy. Doris, No. 15. 1999, http://localhost/id/zines/zine.',
    )
    expect(await tab.getByRole('button', { name: /Copy/ }).count()).to.equal(0)
  })
})

const titled = (text: string): string =>
  hasCollection ? text : `${text} (skipped: COLLECTION_FILES is not set)`

type Agent = {
  readonly agent_id: string
  readonly display_name: string
  readonly sort_name: string
}
type Zine = {
  readonly zine_id: string
  readonly title: string
  readonly creator: readonly string[]
  readonly date: readonly string[]
  readonly issue_designation?: string
}

const dataDir = hasCollection ? await createCollectionDirectory() : ''

describe('in a browser with a real collection, a student', () => {
  before(function () {
    if (!hasCollection) this.skip()
  })
  const site = useBrowser(hasCollection ? { DATA_DIR: dataDir } : {})
  let agents: ReadonlyMap<string, Agent>
  let zines: readonly Zine[]

  before(async () => {
    const all = await readCollection<Agent>('agents')
    agents = new Map(all.map((one) => [one.agent_id, one]))
    zines = await readCollection<Zine>('zines')
    await createRecords(site().service, 'agents', all)
    await createRecords(site().service, 'zines', zines)
  })

  it(titled('finds a zine by its title and cites it in APA'), async () => {
    // One that has a maker with a surname, an issue and a year.
    const cited = zines.find(({ creator: [maker = '', ...others], date, issue_designation }) => {
      const isPerson = /^[A-Z][a-z]+, [A-Z][a-z]+$/.test(agents.get(maker)?.sort_name ?? '')
      return isPerson && others.length === 0 && /^\d{4}$/.test(date[0] ?? '') && issue_designation
    })
    const [family, given] = (agents.get(cited?.creator[0] ?? '')?.sort_name ?? '').split(', ')
    const tab = await site().visit('/api/zines/', clipboard)
    await tab.goto(`/api/zines/?q=${encodeURIComponent(`zine_id:${cited?.zine_id ?? ''}`)}`)
    await tab
      .getByRole('link', { name: cited?.title ?? '' })
      .first()
      .click()
    await tab.getByRole('link', { name: 'Cite', exact: true }).press('Enter')
    await tab.getByRole('button', { name: 'Copy APA' }).press('Enter')
    await tab.getByText('Copied').waitFor()
    expect(await copied(tab)).to.equal(
      `${family}, ${given?.[0]}. (${cited?.date[0]}). ${cited?.title}, ` +
        `${cited?.issue_designation} [Zine]. http://localhost/id/zines/${cited?.zine_id}`,
    )
  })

  it(titled('gets citations of every zine of a sample, each with its title'), async () => {
    const sample = zines.filter((_, index) => index % 100 === 0)
    for (const { zine_id, title } of sample) {
      const { status, body } = await site().service.get(`/api/zines/${zine_id}/citations/`)
      expect(status).to.equal(200)
      // Styles change case, quotes and spaces.
      const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
      for (const style of ['apa', 'mla', 'chicago'])
        expect(plain(body[style]), `${style} of ${zine_id}`).to.include(plain(title))
    }
  })
})
