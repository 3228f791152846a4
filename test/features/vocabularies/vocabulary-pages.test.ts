// The pages of vocabularies: their terms folded, and the language of what is not in that of the page.

import { expect } from 'chai'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { agent, zine } from '../../examples.js'
import { BASE_URL, useService } from '../../service.js'
import { ACCEPT, type Element, addressesIn, open, read } from '../../views/browser.js'

const dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
await mkdir(join(dataDir, 'vocabularies'))
await writeFile(
  join(dataDir, 'vocabularies', 'subjects.ttl'),
  `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<${BASE_URL}/vocabularies/subjects#knots> skos:notation "knots" ; skos:prefLabel "Knots"@en .
`,
)

const subjects = '/api/vocabularies/subjects/'

const squeezed = ({ text }: Element): string => text.replace(/\s+/g, ' ').trim()

describe('the page of a vocabulary', () => {
  const service = useService({ DATA_DIR: dataDir })

  before(async () => {
    const { post } = service()
    await post('/api/agents/', agent('maker'))
    await post('/api/zines/', zine('a', { subject: ['abortion', 'knots'] }))
  })

  const inSpanish = async (path: string): Promise<Element> => {
    const headers = { accept: ACCEPT, 'accept-language': 'es' }
    return read((await service().get(path, { headers })).text)
  }

  const foldOf = (page: Element, title: RegExp): Element => {
    const found = page
      .all('details')
      .find((one) => one.all('summary').some((summary) => title.test(squeezed(summary))))
    if (!found) throw new Error(`nothing folded is called ${title}`)
    return found
  }

  it('folds the terms below their broadest ones, with the numbers of zines', async () => {
    const page = await open(service(), subjects)
    const health = foldOf(page, /^Health \d+$/)
    expect(health.attributes).not.to.have.property('open')
    const links = health.all('a').map(squeezed)
    expect(links[0]).to.equal('Health')
    expect(links).to.include('Reproductive health')
    expect(links.slice(links.indexOf('Abortion')).slice(0, 2)).to.deep.equal(['Abortion', '1 zine'])
  })

  it('folds terms without broader and narrower ones by letter', async () => {
    const page = await open(service(), subjects)
    expect(foldOf(page, /^K 1$/).all('a').map(squeezed)).to.deep.equal(['Knots', '1 zine'])
    const languages = await open(service(), '/api/geography/languages/')
    expect(
      foldOf(languages, /^E \d+$/)
        .all('a')
        .map(squeezed),
    ).to.include('English')
  })

  it('has every term that the API has', async () => {
    for (const path of [subjects, '/api/vocabularies/genres/', '/api/geography/countries/']) {
      const addresses = new Set(addressesIn(await open(service(), path)))
      const { body } = await service().get(path)
      for (const { code } of body as readonly { code: string }[])
        expect(addresses.has(`${path}${code}/`), code).to.equal(true)
    }
  })

  it('shows what a search finds with codes and definitions, not folded', async () => {
    const page = await open(service(), `${subjects}?search=abort`)
    expect(page.all('div', 'folds')).to.deep.equal([])
    const found = page.all('ul', 'entries-list').flatMap((list) => list.all('li'))
    expect(found.map(squeezed)).to.deep.equal([
      'Abortion 1 zine abortionAbortion stories, methods, support, access and law.',
    ])
  })

  it('finds terms by their labels in its language', async () => {
    const page = await inSpanish(`${subjects}?search=feminismo`)
    expect(addressesIn(page)).to.include(`${subjects}feminism/`)
    expect(page.text).to.include('Feminismo')
  })

  it('says which language a term and its definition are in, where it is another', async () => {
    const page = await inSpanish(`${subjects}?search=knots`)
    const langOf = (page: Element, text: RegExp) =>
      page
        .all('main')
        .flatMap((main) => main.all('*'))
        .find((one) => one.all('*').length === 0 && text.test(squeezed(one)))?.attributes.lang
    expect(langOf(page, /^Knots$/)).to.equal('en')
    const translated = await inSpanish(`${subjects}feminism/`)
    const [title] = translated.all('h1')
    expect(squeezed(title ?? page)).to.equal('Feminismo')
    expect(title?.attributes).not.to.have.property('lang')
    expect(langOf(translated, /^Feminist ideas, movements/)).to.equal('en')
    const english = await open(service(), `${subjects}feminism/`)
    const inside = english.all('main').flatMap((main) => main.all('*'))
    expect(inside.filter(({ attributes }) => attributes.lang === 'en')).to.deep.equal([])
  })

  for (const path of [
    '/api/',
    '/api/zines/',
    '/api/zines/?subject=knots',
    '/api/zines/a/',
    '/api/search/?q=knots',
    '/explore?rows=subject&columns=genre',
    '/explore?rows=genre&columns=subject',
    subjects,
  ])
    it(`says on ${path} too which language a term is in`, async () => {
      const [main] = (await inSpanish(path)).all('main')
      const isNamed = ({ text }: Element): boolean => text.includes('Knots')
      const innermost = (elements: readonly Element[]): readonly Element[] =>
        elements.filter((one) => isNamed(one) && !one.all('*').some(isNamed))
      const inside = main?.all('*') ?? []
      const inEnglish = inside
        .filter(({ attributes }) => attributes.lang === 'en')
        .flatMap((one) => [one, ...one.all('*')])
      const shown = innermost(inside).filter(({ name }) => !['code', 'pre', 'title'].includes(name))
      expect(innermost(inEnglish).map(squeezed)).to.deep.equal(shown.map(squeezed))
      expect(shown).not.to.deep.equal([])
    })
})
