// The daily work of cataloguers in a browser, on a real collection: issues in a row, a worklist, and labels; with the
// keyboard alone at a desk, and by touch on a phone.

import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'

import { PASSWORD } from '../service.js'
import { keepPicture } from './browser.js'
import { isWiderThanWindow } from './axe.js'
import { readCollection } from '../collection.js'
import { ofCollection, useCollection } from './real-collection.js'
import { until } from '../waiting.js'

const desk = { viewport: { width: 1280, height: 900 } }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

describe('a cataloguer with a real collection', () => {
  const site = useCollection()

  afterEach(() => expect(site().complaints()).to.deep.equal([]))

  const open = async (device: typeof desk | typeof phone): Promise<Page> => {
    const page = await site().visit('/manage/login', device)
    await page.getByLabel('User name').fill('editor')
    await page.getByLabel('Password').fill(PASSWORD)
    await Promise.all([
      page.waitForURL((url) => url.pathname !== '/manage/login'),
      page.getByRole('button', { name: 'Sign in' }).click(),
    ])
    return page
  }

  const json = async (path: string) => (await site().service.get(path)).body

  describe('catalogues three issues in a row', () => {
    /** Zines with a number, whose titles nothing else has. */
    async function issues(): Promise<readonly any[]> {
      const zines = await readCollection<any>('zines')
      const counts = new Map<string, number>()
      for (const { title } of zines) counts.set(title, (counts.get(title) ?? 0) + 1)
      return zines.filter(
        ({ title, issue_designation: issue = '' }) =>
          counts.get(title) === 1 && /^[A-Za-z ]+$/.test(title) && /^no\. [1-9]$/.test(issue),
      )
    }

    /** Expects three new issues of a zine that have all of it but what is typed. */
    async function expectIssues(original: any): Promise<void> {
      const { body } = await site().service.get(
        `/api/zines/?search=${encodeURIComponent(original.title)}&ordering=created_at&page_size=100`,
      )
      const made = body.results.filter((zine: any) => zine.title === original.title).slice(-3)
      const number = Number(original.issue_designation.replace('no. ', ''))
      expect(made.map((zine: any) => zine.issue_designation)).to.deep.equal(
        [1, 2, 3].map((more) => `no. ${number + more}`),
      )
      expect(made.map((zine: any) => zine.date)).to.deep.equal([['2001'], ['2002'], ['2003']])
      for (const zine of made) {
        expect(zine.subject.map(({ code }: any) => code)).to.deep.equal(original.subject)
        expect(zine.creator.map(({ agent_id }: any) => agent_id)).to.deep.equal(original.creator)
      }
    }

    it(ofCollection('with fewer than twenty keys'), async () => {
      const [original] = await issues()
      const page = await open(desk)
      await page.goto(`/api/zines/${original.zine_id}/`)
      await page.getByRole('link', { name: 'Create a similar record' }).focus()
      let keys = 0
      const press = async (key: string): Promise<void> => {
        keys += 1
        await page.keyboard.press(key)
      }
      await press('Enter')
      for (const [year, save] of [
        ['2001', 'Control+Shift+Enter'],
        ['2002', 'Control+Shift+Enter'],
        ['2003', 'Control+Enter'],
      ] as const) {
        const date = page.locator('[name=date]').first()
        await date.waitFor()
        await expectFocus(date)
        expect(await date.inputValue()).to.equal('')
        for (const digit of year) await press(digit)
        await Promise.all([page.waitForEvent('load'), press(save)])
      }
      await page.getByRole('heading', { level: 1, name: original.title }).waitFor()
      expect(keys).to.be.below(20)
      await expectIssues(original)
      await page.context().close()
    })

    it(ofCollection('on a phone'), async () => {
      const [, original] = await issues()
      const page = await open(phone)
      await page.goto(`/api/zines/${original.zine_id}/`)
      await page.getByRole('link', { name: 'Create a similar record' }).tap()
      for (const [year, button] of [
        ['2001', 'Save and add next'],
        ['2002', 'Save and add next'],
        ['2003', 'Create zine'],
      ] as const) {
        await page.getByRole('heading', { level: 1, name: 'New zine' }).waitFor()
        await page.getByLabel('Date 1', { exact: true }).fill(year)
        expect(await isWiderThanWindow(page)).to.equal(false)
        await Promise.all([
          page.waitForEvent('load'),
          page.getByRole('button', { name: button }).tap(),
        ])
      }
      await page.getByRole('heading', { level: 1, name: original.title }).waitFor()
      await expectIssues(original)
      await page.context().close()
    })
  })

  it(ofCollection('has a form that is half as long as it was'), async () => {
    const page = await open(desk)
    await page.goto('/manage/zines/new')
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    expect(height).to.be.below(4524 / 2)
    await page.context().close()
  })

  describe('corrects thirty zines of a worklist', () => {
    const countOf = async (): Promise<number> =>
      (await json('/api/zines/?only_general_subject=true&page_size=1')).count

    it(ofCollection('with the keyboard alone'), async () => {
      const before = await countOf()
      expect(before).to.be.above(30)
      const page = await open(desk)
      await enter(page.getByRole('link', { name: 'Worklists' }))
      await page.getByRole('heading', { level: 1, name: 'Worklists' }).waitFor()
      await keepPicture(page, 'worklists')
      await enter(page.getByRole('link', { name: 'Only a general subject', exact: true }))
      await page.waitForURL('**/api/zines/?only_general_subject=true')
      await page.goto(`${page.url()}&page_size=30`)
      const boxes = page.locator('input[type=checkbox][name=id]')
      expect(await boxes.count()).to.equal(30)
      await boxes.first().focus()
      for (let ticked = 0; ticked < 30; ticked += 1) {
        await tabTo(page, boxes.nth(ticked))
        await page.keyboard.press('Space')
      }
      await enter(page.getByRole('button', { name: 'Edit the ticked records' }))
      await page.getByRole('heading', { level: 1, name: 'Edit 30 zines' }).waitFor()
      await page.getByLabel('Field', { exact: true }).focus()
      await page.keyboard.type('Subject')
      await enter(page.getByRole('button', { name: 'Continue' }))
      await page.getByLabel('Add a value').focus()
      await page.keyboard.press('Space')
      const subject = page.getByRole('combobox', { name: 'The new subject' })
      await subject.focus()
      await page.keyboard.type('poetry')
      await page
        .getByRole('option', { name: /^Poetry/ })
        .first()
        .waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await enter(page.getByRole('button', { name: 'Preview' }))
      await enter(page.getByRole('button', { name: 'Change 30 zines' }))
      await page.getByText('The batch was written.').waitFor()
      expect(await countOf()).to.equal(before - 30)
      await page.context().close()
    })

    it(ofCollection('on a phone, and takes it back'), async () => {
      const before = await countOf()
      const page = await open(phone)
      await page.goto('/manage/worklists')
      expect(await isWiderThanWindow(page)).to.equal(false)
      await page.getByRole('link', { name: 'Edit all of “Only a general subject”' }).tap()
      const heading = page.getByRole('heading', { level: 1, name: `Edit ${before} zines` })
      await heading.waitFor()
      await page.getByLabel('Field', { exact: true }).selectOption('subject')
      await page.getByRole('button', { name: 'Continue' }).tap()
      await page.getByLabel('Add a value').check()
      await page.getByRole('combobox', { name: 'The new subject' }).pressSequentially('poetry')
      await page
        .getByRole('option', { name: /^Poetry/ })
        .first()
        .tap()
      await page.getByRole('button', { name: 'Preview' }).tap()
      await page.getByRole('button', { name: `Change ${before} zines` }).tap()
      await page.getByText('The batch was written.').waitFor()
      expect(await countOf()).to.equal(0)
      await page.getByRole('button', { name: /^Undo/ }).tap()
      await page.getByText('Undone.').waitFor()
      expect(await countOf()).to.equal(before)
      await page.context().close()
    })
  })

  describe('prints labels', () => {
    it(ofCollection('with the keyboard alone, in the size of the sheet'), async () => {
      const page = await open(desk)
      await enter(page.getByRole('link', { name: 'Inventory' }))
      const find = page.getByLabel('Find')
      await find.focus()
      await page.keyboard.type('Z00103')
      await page.keyboard.press('Enter')
      await page.waitForURL('**q=Z00103**')
      const box = page.getByRole('checkbox', { name: 'Tick Z00103' })
      await box.focus()
      await page.keyboard.press('Space')
      await enter(page.getByRole('button', { name: 'Labels' }))
      await page.getByRole('heading', { level: 1, name: 'Labels' }).waitFor()
      await page.locator('select[name=code]').focus()
      await page.keyboard.type('Call')
      await enter(page.getByRole('button', { name: 'Show' }))
      await page.getByRole('img', { name: 'Barcode Z00103' }).waitFor()
      await keepPicture(page, 'labels')
      expect(await sizeOf(page.locator('.sheet-label').first())).to.deep.equal([70, 37])
      await page.emulateMedia({ media: 'print' })
      expect(await page.locator('.masthead').isVisible()).to.equal(false)
      const { x, y } = (await page.locator('.label-sheet').boundingBox()) ?? {}
      expect([x, y]).to.deep.equal([0, 0])
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
      expect(pdf.match(/\/Type \/Page\b/g)).to.have.length(1)
      expect(pdf).to.match(/\/MediaBox \[0 0 59[45][\d.]* 84[12][\d.]*\]/)
      await page.context().close()
    })

    it(ofCollection('on a phone, of a whole page of the shelf'), async () => {
      const page = await open(phone)
      await page.goto('/manage/inventory?library=all&page_size=50')
      expect(await isWiderThanWindow(page)).to.equal(false)
      const shown = await page.locator('.inventory tbody tr td:nth-child(2)').allInnerTexts()
      expect(shown.slice(0, 3)).to.deep.equal(['Z00001', 'Z00002', 'Z00003'])
      await page.getByRole('button', { name: 'Labels' }).tap()
      await page.locator('select[name=sheet]').selectOption('letter-3x10')
      await page.getByRole('button', { name: 'Show' }).tap()
      await page.getByText('50 labels on 2 sheets').waitFor()
      expect(await isWiderThanWindow(page)).to.equal(false)
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
      expect(pdf.match(/\/Type \/Page\b/g)).to.have.length(2)
      expect(pdf).to.include('/MediaBox [0 0 612 792]')
      await page.context().close()
    })
  })
})

async function enter(target: Locator): Promise<void> {
  await target.focus()
  await target.press('Enter')
}

/** Presses Tab until the focus is there. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let pressed = 0; pressed < 60; pressed += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('Tab does not lead there')
}

async function expectFocus(target: Locator): Promise<void> {
  await until(() => target.evaluate((element) => element === document.activeElement))
}

/** In millimetres. */
async function sizeOf(target: Locator): Promise<readonly number[]> {
  const { width = 0, height = 0 } = (await target.boundingBox()) ?? {}
  return [width, height].map((pixels) => Math.round((pixels / 96) * 254) / 10)
}
