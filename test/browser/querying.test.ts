// A researcher on the SPARQL page, and a programmer on the page of the API, in a browser.

import { expect } from 'chai'
import type { Page } from 'playwright-core'

import { agent } from '../examples.js'
import { useBrowser } from './browser.js'

const page = (query: string): string => `/sparql?${new URLSearchParams({ query })}`

const counting = 'SELECT ?w ?n { VALUES (?w ?n) { ("one" 1) ("two" 2) ("three" 3) } } ORDER BY ?n'

/** Turns to the query, for which the editor is loaded. */
async function openEditor(tab: Page): Promise<void> {
  await tab.getByLabel('Query', { exact: true }).click()
  await tab.locator('.CodeMirror-focused').waitFor()
}

/** Asks for the other views of a result. */
const openViews = (tab: Page): Promise<void> =>
  tab.getByRole('button', { name: 'Sort, filter or draw the result' }).click()

describe('in a browser, a researcher', () => {
  const site = useBrowser({ SPARQL_WORKERS: '1' })

  afterEach(() => expect(site().complaints()).to.deep.equal([]))

  it('writes a query, runs it, and sees a table', async () => {
    const tab = await site().visit('/sparql')
    await openEditor(tab)
    await tab.keyboard.press('Control+A')
    await tab.keyboard.insertText('SELECT ("Doris" AS ?title) {}')
    await tab.getByRole('button', { name: 'Run the query' }).click()
    await tab.getByRole('cell', { name: 'Doris' }).waitFor()
    // The address contains the query, so that it can be shared.
    expect(new URL(tab.url()).searchParams.get('query')).to.equal('SELECT ("Doris" AS ?title) {}')
  })

  it('gets the page without the editor, which comes with the focus and keeps the place', async () => {
    const tab = await site().visit('/sparql')
    const asked: string[] = []
    tab.on('request', (request) => asked.push(new URL(request.url()).pathname))
    expect(await tab.locator('script[src*=yasgui]').count()).to.equal(0)
    const area = tab.getByLabel('Query', { exact: true })
    await area.evaluate((one: HTMLTextAreaElement) => one.setSelectionRange(7, 7))
    await area.focus()
    await tab.locator('.CodeMirror-focused').waitFor()
    await tab.keyboard.type('here ')
    expect(await tab.locator('.CodeMirror-code').innerText()).to.include('PREFIX here ')
    expect(asked).to.include('/assets/yasgui.min.js')
  })

  it('opens a shared address with its result, and switches to other views of it', async () => {
    const tab = await site().visit(page(counting))
    await tab.getByRole('cell', { name: 'three' }).waitFor()
    await openViews(tab)
    await tab.getByRole('button', { name: 'Chart' }).click()
    expect(await tab.locator('.CodeMirror-code').innerText()).to.include('SELECT')
    expect(await tab.locator('.chart rect').count()).to.equal(3)
    expect(await tab.locator('.chart svg').getAttribute('aria-label')).to.equal(
      'one: 1; two: 2; three: 3',
    )
    await tab.getByRole('button', { name: 'Response' }).click()
    await tab.getByText('"bindings"').first().waitFor()
  })

  it('sees numbers and texts as they are, without datatype or language', async () => {
    const tab = await site().visit(page('SELECT ("a"@en AS ?text) (1 AS ?number) {}'))
    await openViews(tab)
    await tab.locator('.yasr').waitFor()
    await tab.getByRole('cell', { name: '1', exact: true }).first().waitFor()
    expect(await tab.locator('.yasr tbody').innerText()).not.to.match(/["^@]/)
  })

  it('sees two categories and a number as stacked bars with a legend', async () => {
    const rows = '("1990" "art" 1) ("1990" "punk" 2) ("1991" "art" 3)'
    const tab = await site().visit(
      page(`SELECT ?decade ?subject ?zines { VALUES (?decade ?subject ?zines) { ${rows} } }`),
    )
    await openViews(tab)
    await tab.getByRole('button', { name: 'Chart' }).click()
    expect(await tab.locator('.chart svg[role]').getAttribute('aria-label')).to.equal(
      '1990: 3; 1991: 3',
    )
    expect(await tab.locator('.legend li').allInnerTexts()).to.deep.equal(['art', 'punk'])
  })

  it('runs an example query', async () => {
    const tab = await site().visit('/sparql')
    await tab.getByRole('link', { name: 'How many zines are there in each language?' }).click()
    await tab.waitForURL(/query=/)
    expect(await tab.getByLabel('Query', { exact: true }).inputValue()).to.include(
      'dcterms:language',
    )
    expect(await tab.locator('.examples a[aria-current]').allInnerTexts()).to.deep.equal([
      'How many zines are there in each language?',
    ])
  })

  it('sees an error message for a malformed query', async () => {
    const tab = await site().visit('/sparql')
    await openEditor(tab)
    await tab.keyboard.press('Control+A')
    await tab.keyboard.insertText('SELECT * { SERVICE <http://a.example/> { ?s ?p ?o } }')
    await tab.getByRole('button', { name: 'Run the query' }).click()
    const said = await tab.getByRole('alert').innerText()
    expect(said)
      .to.match(/SERVICE/)
      .and.not.to.include('{"detail"')
  })

  it('is offered our properties without requests to other sites', async () => {
    const tab = await site().visit(page('SELECT * { ?s ?p ?o } LIMIT 1'))
    const asked: string[] = []
    tab.on('request', (request) => asked.push(new URL(request.url()).host))
    await openEditor(tab)
    await tab.keyboard.press('Control+A')
    await tab.keyboard.insertText('PREFIX dcterms: <http://purl.org/dc/terms/>\nSELECT * { ?zine ')
    await tab.keyboard.type('dcterms:tit')
    await tab.keyboard.press('Control+Space')
    await tab.locator('.CodeMirror-hint', { hasText: 'dcterms:title' }).first().waitFor()
    expect(asked.filter((host) => host !== new URL(site().service.url).host)).to.deep.equal([])
  })

  it('sees hostile values as text', async () => {
    const evil = '<img src=x onerror=document.title=1><script>document.title=2</script>'
    const tab = await site().visit(
      page(`SELECT ("${evil}" AS ?a) (<javascript:alert(1)> AS ?b) {}`),
    )
    const title = await tab.title()
    await openViews(tab)
    await tab.locator('.dataTable').getByText('onerror').waitFor()
    expect(await tab.locator('.dataTable img, .dataTable script').count()).to.equal(0)
    expect(await tab.locator('a[href^="javascript:"]').count()).to.equal(0)
    expect(await tab.title()).to.equal(title)
    // The sanitizer parses the values in a document of its own, where nothing runs. The policy
    // applies there too and reports it in the console.
    for (const said of site().complaints()) expect(said).to.match(/^Executing inline event handler/)
  })

  it('shares a query that is longer than an address as a link', async () => {
    const long = `SELECT ("${'x'.repeat(20_000)}" AS ?x) ("Doris" AS ?title) {}`
    const tab = await site().visit('/sparql')
    await openEditor(tab)
    await tab.keyboard.press('Control+A')
    await tab.keyboard.insertText(long)
    await tab.getByRole('button', { name: 'Run the query' }).click()
    await tab.getByRole('cell', { name: 'Doris' }).waitFor()
    const address = tab.url()
    expect(address).to.match(/\/sparql#query=SELECT/)
    const other = await site().visit(address.slice(site().service.url.length))
    await other.getByRole('cell', { name: 'Doris' }).waitFor()
    expect(other.url()).to.equal(address)
  })

  it('runs a query that is longer than an address without scripts', async () => {
    const tab = await site().visit('/sparql', { javaScriptEnabled: false })
    const long = `SELECT ("Doris" AS ?title) { FILTER("${'x'.repeat(20_000)}" != "y") }`
    await tab.getByLabel('Query', { exact: true }).fill(long)
    await tab.getByRole('button', { name: 'Run the query' }).click()
    await tab.getByRole('cell', { name: 'Doris' }).waitFor()
  })

  it('reads in words that an address is too long, however long it is', async () => {
    const tab = await site().visit('/sparql')
    for (const length of [20_000, 200_000]) {
      await tab.goto(`/sparql?query=${'x'.repeat(length)}`)
      await tab.getByText('The address is too long.').waitFor()
      await tab.getByRole('link', { name: 'Go to the home page' }).waitFor()
    }
  })

  it('runs a query without scripts', async () => {
    const tab = await site().visit('/sparql', { javaScriptEnabled: false })
    await tab.getByLabel('Query', { exact: true }).fill(counting)
    await tab.getByRole('button', { name: 'Run the query' }).click()
    await tab.getByRole('cell', { name: 'three' }).waitFor()
    expect(await tab.getByLabel('Query', { exact: true }).inputValue()).to.equal(counting)
  })
})

describe('in a browser, a programmer', () => {
  const site = useBrowser()

  afterEach(() => expect(site().complaints()).to.deep.equal([]))

  it('reads the operations and tries one', async () => {
    const { service } = site()
    await service.post('/api/agents/', agent('tried-out'))
    const tab = await site().visit('/api/schema/swagger-ui/')
    const agents = tab.locator('#operations-tag-agents')
    await agents.waitFor({ timeout: 60_000 })
    expect(await tab.locator('.opblock-tag').count()).to.be.greaterThan(10)
    await agents.click()
    const operation = tab.locator('.opblock-get', {
      has: tab.locator('[data-path="/api/agents/"]'),
    })
    await operation.first().waitFor({ timeout: 60_000 })
    expect(await tab.locator('.opblock').count()).to.be.greaterThan(10)
    await operation.first().locator('.opblock-summary-control').click()
    await operation.first().getByRole('button', { name: 'Try it out' }).click()
    await operation.first().getByRole('button', { name: 'Execute' }).click()
    await operation.first().locator('.responses-table.live-responses-table').waitFor()
    await tab.getByText('tried-out').first().waitFor()
  })
})
