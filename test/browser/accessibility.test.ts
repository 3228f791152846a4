// Every kind of page checked by axe against WCAG 2.2 AA, each light and dark, on a desktop and on a phone.

import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'
import type { Page } from 'playwright-core'

import { seriesOf } from '../../src/model/series.js'
import { fullAgent, fullHolding, fullRepository, fullZine, agent, pngPixel } from '../examples.js'
import { PASSWORD } from '../service.js'
import { routes } from '../security/routes.js'
import { ACCEPT, browse } from '../views/browser.js'
import { violationsInAllLooks } from './axe.js'
import { signIn, useBrowser } from './browser.js'

const [{ slug } = { slug: '' }] = seriesOf(fullZine('zine'))

/**
 * An address of each route of the service, from the table of rights, so that no page is forgotten. Of routes that
 * differ in the name of a vocabulary alone there is one.
 */
const addresses: readonly string[] = [
  ...new Map(
    routes
      .filter(({ uses }) => uses.GET)
      .map(({ path, at }) => [path.replace(/(vocabularies|geography|csvw)\/[\w-]+/, '$1'), at]),
  ).values(),
]

/** Further states of the pages that everybody sees. */
const publicPages = [
  '/api/',
  '/api/vocabularies/',
  '/api/vocabularies/genres/',
  '/api/vocabularies/subjects/punk/',
  '/api/geography/languages/',
  '/api/geography/countries/GB/',
  '/api/geography/places/',
  '/api/geography/places/2635167/',
  '/api/schema/',
  '/vocabularies/genres',
  '/ns',
  '/shapes',
  '/dataset',
  '/dumps/',
  '/about',
  '/about/privacy',
  '/api/zines/',
  '/api/zines/?search=nothing-like-it',
  '/api/zines/?view=grid',
  '/api/zines/?q=nothing-like-it&decade=1990',
  '/api/zines/?q=zine',
  '/api/zines/?subject__in=punk,art&year__gte=1900',
  '/api/search/',
  '/api/search/?q=zine',
  '/api/search/?q=nothing-like-it',
  '/api/agents/',
  '/api/repositories/',
  '/api/holdings/',
  '/api/zines/zine/',
  '/api/zines/zine/citations/',
  '/api/agents/maker/',
  '/api/repositories/library/',
  '/api/holdings/copy/',
  '/api/lists/',
  '/explore',
  '/booklet',
  '/booklet?sheet=booklet&paper=letter',
  '/my-list',
  '/series',
  `/series/${slug}`,
  '/makers?letter=M',
  '/map',
  '/map?view=europe&genre=perzine',
  '/explore?rows=subject&columns=country&subject__in=punk,zine-making&year__gte=1980',
  '/explore?rows=creator&columns=none&undated=true',
  '/sparql',
  '/sparql?query=SELECT%20*%20%7B%20%3Fs%20%3Fp%20%3Fo%20%7D%20LIMIT%203',
  '/queries/decades-of-subject?subject=punk',
  '/queries/places',
  '/api/schema/swagger-ui/',
  '/manage/login',
  '/requests/new?kind=agents&id=maker',
  '/requests/new?kind=agents&id=maker&sent=1',
]

/** Further states of the pages that need an account. */
const accountPages = [
  '/api/zines/zine/',
  '/api/zines/',
  '/manage/batch/zines',
  '/manage/batches',
  '/manage/imports',
  '/manage/zines/new',
  '/manage/zines/new?like=zine',
  '/manage/holdings/new?zine_id=zine',
  '/manage/worklists',
  '/manage/inventory',
  '/manage/zines/edit/zine',
  '/manage/agents/edit/maker',
  '/manage/repositories/edit/library',
  '/manage/holdings/edit/copy',
  '/manage/zines/remove/zine',
  '/manage/lists/new',
  '/manage/lists/add?kind=zines&id=zine',
  '/api/lists/',
  '/api/lists/chosen/',
  '/manage/lists/edit/chosen',
  '/manage/lists/history/chosen',
  '/manage/lists/history/deleted',
  '/manage/requests',
  '/manage/requests/1',
  '/manage/zines/history/zine',
  '/manage/agents/remove-name/maker',
  '/manage/zines/pictures/zine',
  '/manage/holdings/pictures/copy',
  '/manage/deleted',
  '/manage/account',
  '/manage/accounts',
  '/manage/service',
  '/manage/accounts/editor',
]

const dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
await mkdir(join(dataDir, 'site'))
await writeFile(join(dataDir, 'site', 'logo.png'), pngPixel)
await writeFile(
  join(dataDir, 'site', 'about.md'),
  '# About us\n\n[Zines](/api/zines/)\n\n| day | hours |\n|---|---|\n| Monday | 10 to 18 |\n\n> Ha.\n',
)

describe('axe', () => {
  const site = useBrowser({ SPARQL_WORKERS: '1', CONTACT: 'zines@example.org', DATA_DIR: dataDir })

  before(async () => {
    const made = async (name: string, record: object) =>
      expect((await site().service.post(`/api/${name}/`, record)).status).to.equal(201)
    await made('agents', fullAgent('maker'))
    for (const id of ['helper', 'press']) await made('agents', agent(id))
    await made('zines', fullZine('zine'))
    await made('repositories', fullRepository('library'))
    await made('holdings', fullHolding('copy', { zine_id: 'zine', repository_id: 'library' }))
    for (const slug of ['chosen', 'deleted'])
      await made('lists', {
        slug,
        title: `A ${slug} list`,
        records: [{ kind: 'zines', id: 'zine' }],
      })
    const records = [{ kind: 'agents', id: 'maker', note: 'A note.' }]
    const changed = { title: 'Another title', records }
    expect((await site().service.put('/api/lists/chosen/', changed)).status).to.equal(200)
    expect((await site().service.delete('/api/lists/deleted/')).status).to.equal(204)
    const asked = await browse(site().service.url).send('/requests/new?kind=agents&id=maker', {
      topic: 'correct',
      text: 'My name is misspelt.',
    })
    expect(asked.status).to.equal(303)
  })

  /** The addresses that answer a browser with a page. */
  async function pagesAt(cookie: string): Promise<readonly string[]> {
    const listed = new Set([...publicPages, ...accountPages])
    const pages: string[] = []
    for (const path of addresses.filter((one) => !listed.has(one))) {
      const answer = await fetch(site().service.url + path, {
        redirect: 'manual',
        headers: { accept: ACCEPT, cookie },
      })
      await answer.body?.cancel()
      const isPage = answer.headers.get('content-type')?.startsWith('text/html')
      if (answer.status === 200 && isPage) pages.push(path)
    }
    return pages
  }

  it('finds no violation on public pages', async () => {
    await expectAccessible(await site().visit('/manage/login'), [
      ...publicPages,
      ...(await pagesAt('')),
    ])
  })

  it('finds no violation on a list of editors, and on what it lists', async () => {
    const records = ['zines/zine', 'agents/maker'].map((key) => {
      const [kind, id] = key.split('/')
      return { kind, id }
    })
    const list = { slug: 'reading', title: 'Summer reading', public: true, records }
    expect((await site().service.post('/api/lists/', list)).status).to.equal(201)
    await expectAccessible(await site().visit('/manage/login'), [
      '/api/lists/reading/',
      '/api/zines/?list=reading',
      '/api/zines/zine/',
      '/api/agents/maker/',
    ])
  })

  it('finds no violation on pages that need an account', async () => {
    const page = await site().visit('/api/zines/')
    await signIn(page, 'admin', PASSWORD)
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name.includes('session'))
    const seenByAll = new Set(await pagesAt(''))
    const own = await pagesAt(`${cookie?.name}=${cookie?.value}`)
    await expectAccessible(page, [...accountPages, ...own.filter((path) => !seenByAll.has(path))])
  })

  it('finds no violation on the steps of an import', async () => {
    const page = await site().visit('/api/zines/')
    await signIn(page, 'admin', PASSWORD)
    await page.goto('/manage/imports')
    const lines = ['title,author,subject,year,library', 'One,Ann One,punk,1999,The Shed']
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'zines.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(lines.join('\n')),
    })
    await page.getByRole('button', { name: 'Upload and check' }).click()
    await page.waitForURL(/imports\/[^/]+/)
    const [, own = ''] = /(\/manage\/imports\/[^/?]+)/.exec(page.url()) ?? []
    await page.getByRole('link', { name: 'Next: fields' }).waitFor()
    const steps = ['file', 'fields', 'names', 'terms', 'preview'].map((step) => `${own}/${step}`)
    await expectAccessible(page, steps)
  })

  it('finds no violation on labels and lists to print', async () => {
    const page = await site().visit('/api/zines/')
    await signIn(page, 'admin', PASSWORD)
    for (const [button, heading] of [
      ['Labels', 'Labels'],
      ['List to print', 'Inventory list'],
    ] as const) {
      await page.goto('/manage/inventory')
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      expect(await violationsInAllLooks(page), heading).to.deep.equal([])
    }
  })

  it('finds no violation on pages that say that there is nothing', async () => {
    const { service } = site()
    await service.post('/api/agents/', agent('gone'))
    await service.delete('/api/agents/gone/')
    const page = await site().visit('/')
    await expectAccessible(page, ['/nowhere', '/api/agents/gone/', '/api/zines/?page=99'], 404)
    await expectAccessible(page, ['/id/agents/gone'], 410)
    await expectAccessible(
      page,
      ['/api/zines/?year__gte=soon', '/queries/zines-with-words?from=soon'],
      400,
    )
  })

  it('finds no violation on a request for a change with errors', async () => {
    const page = await site().visit('/requests/new?kind=agents&id=maker')
    // A form without scripts: the service checks it.
    await page.locator('main form').evaluate((form) => ((form as any).noValidate = true))
    await page.getByRole('button', { name: 'Send request' }).click()
    await page.getByText('Not sent yet').waitFor()
    expect(await violationsInAllLooks(page)).to.deep.equal([])
  })

  it('finds no violation on a form with errors', async () => {
    const page = await site().visit('/api/zines/')
    await signIn(page, 'admin', PASSWORD)
    await page.goto('/manage/zines/new')
    await page.getByLabel('Identifier').first().fill('x')
    await page.getByLabel('Title', { exact: true }).fill('x')
    await page.getByRole('button', { name: 'Create zine' }).click()
    await page.getByText('Not saved yet').waitFor()
    expect(await violationsInAllLooks(page)).to.deep.equal([])
  })
})

async function expectAccessible(page: Page, paths: readonly string[], status = 200): Promise<void> {
  const found: string[] = []
  for (const path of paths) {
    const answer = await page.goto(path)
    expect(answer?.status(), path).to.equal(status)
    found.push(...(await violationsInAllLooks(page)).map((one) => `${path}: ${one}`))
  }
  expect(found).to.deep.equal([])
}
