// A visitor finds which issues of a series a library lacks, in a real collection (test/collection.ts).

import { expect } from 'chai'

import {
  createCollectionDirectory,
  createRecords,
  hasCollection,
  readCollection,
} from '../collection.js'
import { repository } from '../examples.js'
import { isWiderThanWindow, violationsOn } from './axe.js'
import { useBrowser } from './browser.js'

const title = 'Moonlight Chronicles'

type Line = Readonly<Record<string, unknown>>

const dataDir = hasCollection ? await createCollectionDirectory() : ''

describe(`in a browser, a visitor of a library's collection`, () => {
  if (!hasCollection) {
    it('sees which issues of a series a library lacks (skipped: COLLECTION_FILES is not set)')
    return
  }
  const site = useBrowser({ DATA_DIR: dataDir })
  let held: readonly string[]

  before(async () => {
    const { post } = site().service
    const zines = (await readCollection<Line>('zines')).filter((zine) => zine.title === title)
    const makers = new Set(zines.flatMap(({ creator }) => creator as string[]))
    const agents = (await readCollection<Line>('agents')).filter(({ agent_id }) =>
      makers.has(String(agent_id)),
    )
    const ids = new Set(zines.map(({ zine_id }) => zine_id))
    const holdings = (await readCollection<Line>('holdings')).filter(({ zine_id }) =>
      ids.has(zine_id),
    )
    const all: readonly (readonly [string, readonly object[]])[] = [
      ['agents', agents],
      ['repositories', [...(await readCollection<Line>('repositories')), repository('attic')]],
      ['zines', zines],
      ['holdings', holdings],
    ]
    for (const [name, records] of all) await createRecords(site().service, name, records)
    // Another library has three of them.
    held = zines.slice(0, 3).map(({ zine_id }) => String(zine_id))
    for (const zine_id of held)
      await post('/api/holdings/', {
        ...{ holding_id: `attic-${zine_id}`, zine_id, repository_id: 'attic' },
      })
  })

  afterEach(() => expect(site().complaints()).to.deep.equal([]))

  for (const [device, options] of [
    ['desk', { viewport: { width: 1280, height: 900 } }],
    ['phone', { viewport: { width: 390, height: 844 } }],
  ] as const)
    it(`sees which issues of a series a library lacks, by keyboard, on a ${device}`, async () => {
      const page = await site().visit(`/api/zines/${held[0] ?? ''}/`, options)
      await page.getByRole('link', { name: /All \d+ issues of/ }).press('Enter')
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      expect(await violationsOn(page)).to.deep.equal([])
      const rows = page.locator('.issues tbody tr:not(.missing)')
      const count = await rows.count()
      expect(count).to.be.above(40)
      await page.getByRole('link', { name: 'what it lacks: Library attic' }).press('Enter')
      await page.getByRole('heading', { name: 'What Library attic lacks' }).waitFor()
      expect(await rows.count()).to.equal(count - held.length)
      for (const id of held)
        expect(await page.locator(`.issues a[href="/api/zines/${id}/"]`).count()).to.equal(0)
      expect(await violationsOn(page)).to.deep.equal([])
      expect(await isWiderThanWindow(page)).to.equal(false)
    })
})
