// What cataloguers do every day, each task whole: by keyboard at a desk, by touch on a phone, and without scripts; with
// the sample, and a real collection beside it where there is one.

import { expect } from 'chai'
import type { Page } from 'playwright-core'

import { agent, zine } from '../examples.js'
import { PASSWORD } from '../service.js'
import { allHands, unfold } from './hands.js'
import { useSample } from './real-collection.js'

describe('in a browser', () => {
  const site = useSample()

  afterEach(() => expect(site().complaints()).to.deep.equal([]))

  for (const hands of allHands)
    describe(`a cataloguer ${hands.name}`, () => {
      let page: Page
      // What each of them makes has a name of its own.
      const own = hands.name.replace(/.* /, '')
      const button = (name: string | RegExp) => page.getByRole('button', { name }).first()
      const link = (name: string | RegExp) => page.getByRole('link', { name }).first()
      const field = (label: string) => page.getByLabel(label, { exact: true }).first()
      const title = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })
      const json = async (path: string) => (await site().service.get(path)).body
      const statusOf = async (path: string) => (await site().service.get(path)).status
      const publicStatusOf = async (path: string) =>
        (await site().service.get(path, { token: '' })).status

      before(async () => {
        page = await site().visit('/manage/login', hands.device)
        await hands.type(page.getByLabel('User name'), 'admin')
        await hands.type(page.getByLabel('Password'), PASSWORD)
        await hands.press(button('Sign in'))
        await page.waitForURL((url) => url.pathname !== '/manage/login')
      })

      after(() => page.context().close())

      it('makes a zine with a new maker', async () => {
        await page.goto('/manage/zines/new')
        await hands.type(field('Identifier'), `task-${own}`)
        await hands.type(field('Title'), `Task ${own}`)
        await hands.type(field('Date 1'), '1998')
        await hands.pick(field('Subject 1'), 'feminis', 'Feminism')
        await hands.pick(field('Genre 1'), 'perz', 'Perzine')
        await hands.pick(field('Language 1'), 'engl', 'English')
        if (hands.runsScripts) {
          await hands.pick(field('Maker 1'), `Nobody ${own}`, 'Create maker')
          const dialog = page.getByRole('dialog', { name: 'New maker' })
          await hands.press(dialog.getByRole('button', { name: 'Create maker' }))
          await dialog.waitFor({ state: 'detached' })
        } else {
          await hands.press(page.getByText('New maker').first())
          await title('New maker').waitFor()
          await hands.type(field('Name'), `Nobody ${own}`)
          await hands.press(button('Create maker'))
        }
        await hands.press(button('Create zine'))
        await title(`Task ${own}`).waitFor()
        const { creator, subject } = await json(`/api/zines/task-${own}/`)
        expect(creator[0].display_name).to.equal(`Nobody ${own}`)
        expect(subject.map(({ code }: { code: string }) => code)).to.deep.equal(['feminism'])
      })

      it('adds a copy with a call number', async () => {
        await site().service.post('/api/zines/', zine(`copied-${own}`, { creator: ['pip-quire'] }))
        await page.goto(`/manage/holdings/new?zine_id=copied-${own}`)
        await hands.type(field('Identifier'), `copy-${own}`)
        await hands.pick(field('Library'), 'glue', 'The Glue Stick Archive')
        await hands.type(field('Call number'), `CN ${own}`)
        await hands.press(button('Create copy'))
        await page.waitForURL(`**/api/holdings/copy-${own}/`)
        expect(await json(`/api/holdings/copy-${own}/`)).to.deep.include({
          call_number: `CN ${own}`,
        })
      })

      it('merges two makers and undoes it', async () => {
        const name = `Twin ${own}`
        await site().service.post('/api/agents/', agent(`twin-${own}`, { display_name: name }))
        await page.goto(`/api/agents/twin-${own}/`)
        await hands.press(link('Merge into another'))
        await hands.pick(field('Maker that stays'), 'Lino Cutt', 'Lino Cutt')
        await hands.press(button('Compare'))
        await hands.press(button('Merge'))
        await title('Lino Cutt').waitFor()
        await hands.press(button('Undo'))
        await page.getByText('The merge was undone.').waitFor()
        expect((await json(`/api/agents/twin-${own}/`)).display_name).to.equal(name)
      })

      it('deletes a record and restores it', async () => {
        await site().service.post('/api/agents/', agent(`lost-${own}`))
        await page.goto(`/manage/agents/remove/lost-${own}`)
        await hands.press(button('Delete'))
        await page.waitForURL('**/api/agents/')
        expect(await statusOf(`/api/agents/lost-${own}/`)).to.equal(404)
        await page.goto('/manage/deleted')
        const deleted = page
          .locator('tr, li')
          .filter({ hasText: `lost-${own}` })
          .last()
        await hands.press(deleted.getByRole('button', { name: /^Restore/ }))
        await page.getByText('Undone.').waitFor()
        expect(await statusOf(`/api/agents/lost-${own}/`)).to.equal(200)
      })

      it('solves a conflict with somebody else’s change', async () => {
        await site().service.post('/api/agents/', agent(`both-${own}`))
        await page.goto(`/manage/agents/edit/both-${own}`)
        await hands.type(field('Name'), `Mine ${own}`)
        await site().service.patch(`/api/agents/both-${own}/`, { display_name: 'Theirs' })
        await hands.press(page.getByRole('button', { name: 'Save', exact: true }).last())
        await page.getByRole('alert').getByText('Theirs').first().waitFor()
        await hands.press(button('Save these choices'))
        await title(`Mine ${own}`).waitFor()
      })

      it('changes many zines at once and undoes it', async () => {
        for (const number of [1, 2])
          await site().service.post(
            '/api/zines/',
            zine(`many-${own}-${number}`, {
              title: `Many ${own} ${number}`,
              creator: ['pip-quire'],
            }),
          )
        await page.goto(`/api/zines/?search=Many+${own}`)
        for (const number of [1, 2])
          await hands.press(page.getByLabel(`Tick Many ${own} ${number}`, { exact: true }))
        await hands.press(button('Edit the ticked records'))
        await hands.choose(field('Field'), 'Abstract')
        await hands.press(button('Continue'))
        await hands.type(field('The new abstract'), 'Made in a batch.')
        await hands.press(button('Preview'))
        await hands.press(button('Change 2 zines'))
        await page.getByText('The batch was written.').waitFor()
        expect((await json(`/api/zines/many-${own}-1/`)).abstract).to.equal('Made in a batch.')
        await hands.press(button(/^Undo/))
        await page.getByText('Undone.').waitFor()
        expect((await json(`/api/zines/many-${own}-1/`)).abstract).not.to.equal('Made in a batch.')
      })

      it('imports a file and undoes it', async () => {
        await page.goto('/manage/imports')
        await page.getByLabel('File', { exact: true }).setInputFiles({
          name: `${own}.csv`,
          mimeType: 'text/csv',
          buffer: Buffer.from(
            `Title,Author,Date,Tags,Genre,Language,Rights\nImported ${own},Pip Quire,1999,punk,perzine,en,copyleft\n`,
          ),
        })
        await hands.press(button('Upload and check'))
        await hands.press(link('Next: fields'))
        for (const step of ['Names', 'Terms', 'Preview']) {
          await hands.press(button('Save and continue'))
          await title(new RegExp(`^${step}:`)).waitFor()
        }
        await hands.press(
          page.locator('main').getByRole('button', { name: 'Preview', exact: true }),
        )
        await hands.press(button('Import 1 row'))
        await page.getByText('No row was refused.').waitFor()
        const found = () => json(`/api/zines/?search=Imported+${own}`)
        expect((await found()).count).to.equal(1)
        await unfold(hands, page, 'section:has(#undo) summary')
        await hands.press(button('Undo the whole import'))
        await page.getByText('The import was undone.').waitFor()
        expect((await found()).count).to.equal(0)
      })

      it('hides a zine and shows it again', async () => {
        const path = `/api/zines/hidden-${own}/`
        await site().service.post('/api/zines/', zine(`hidden-${own}`, { creator: ['pip-quire'] }))
        await page.goto(path)
        await hands.press(link('Hide or show'))
        await hands.choose(page.getByLabel('Who sees this record'), 'Only editors (hidden)')
        await hands.press(button('Save'))
        await page.waitForURL(`**${path}`)
        expect(await publicStatusOf(path)).to.equal(404)
        await hands.press(link('Hide or show'))
        await hands.choose(page.getByLabel('Who sees this record'), 'Everyone')
        await hands.press(button('Save'))
        await page.waitForURL(`**${path}`)
        expect(await publicStatusOf(path)).to.equal(200)
      })

      it('says what a zine has that not everybody wants to see', async () => {
        await site().service.post('/api/zines/', zine(`advice-${own}`, { creator: ['pip-quire'] }))
        await page.goto(`/manage/zines/edit/advice-${own}`)
        await unfold(hands, page, 'details:has([name=content_advice_note]) > summary')
        await hands.type(field('Content advice in words 1'), `Blood, says ${own}`)
        await hands.press(page.getByRole('button', { name: 'Save', exact: true }).last())
        await page.getByText(`Blood, says ${own}`).first().waitFor()
        expect((await json(`/api/zines/advice-${own}/`)).content_advice_note).to.deep.equal([
          `Blood, says ${own}`,
        ])
      })

      it('removes a former name', async () => {
        const former = `Zebulon ${own}`
        await site().service.post(
          '/api/agents/',
          agent(`former-${own}`, { display_name: 'Robin', biography: `${former} lives here.` }),
        )
        await page.goto(`/manage/agents/remove-name/former-${own}`)
        await hands.type(page.getByLabel('Name to remove'), former)
        await hands.type(page.getByLabel('Name to put in its place'), 'Robin')
        await hands.press(button('Show where it is'))
        await hands.press(button(/^Replace/))
        await page.getByText(`${former} lives here.`).waitFor({ state: 'detached' })
        expect(await json(`/api/agents/former-${own}/`)).to.include({
          biography: 'Robin lives here.',
        })
      })

      it('finds copies for an inventory, and prints their labels', async () => {
        await page.goto('/manage/inventory')
        await hands.type(page.getByLabel('Find'), 'Z TON 1')
        await hands.press(button('Show'))
        await hands.press(page.getByLabel(/^Tick/).first())
        await hands.press(button('Labels'))
        await title('Labels').waitFor()
        await page.getByText('Z TON 1').first().waitFor()
      })
    })
})
