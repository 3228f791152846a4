// The page that says to makers what is promised, and how they ask for a change.

import { expect } from 'chai'

import { useService } from '../../service.js'
import { ACCEPT, look, open, read } from '../../views/browser.js'

describe('the page about privacy', () => {
  const service = useService({ CONTACT: 'zines@example.org' })

  it('is linked in the footer of every page, and is in the sitemap', async () => {
    for (const path of ['/api/', '/api/agents/', '/manage/login', '/nowhere', '/about/privacy']) {
      const page = read((await look(service(), path)).text)
      const links = page.all('footer').flatMap((footer) => footer.all('a'))
      expect(
        links.map(({ attributes }) => attributes.href),
        path,
      ).to.include('/about/privacy')
    }
    expect((await service().get('/sitemaps/pages.xml')).text).to.include('/about/privacy<')
  })

  it('says in three languages what is promised, what is not, and how to ask', async () => {
    for (const [language, ...headings] of [
      ['en', 'What we promise to makers', 'What we cannot promise', 'How to ask for a change'],
      [
        'es',
        'Lo que prometemos a quienes hacen fanzines',
        'Lo que no podemos prometer',
        'Cómo pedir un cambio',
      ],
      [
        'fr',
        'Ce que nous promettons aux personnes qui font des fanzines',
        'Ce que nous ne pouvons pas promettre',
        'Comment demander un changement',
      ],
    ] as const) {
      const headers = { accept: ACCEPT, 'accept-language': language }
      const page = read((await service().get('/about/privacy', { headers })).text)
      const main = page.all('main')[0]
      expect(main?.all('h2').map((one) => one.text)).to.deep.equal(headings)
      expect(main?.all('li')).to.have.lengthOf(9)
    }
  })

  it('leads to those who run the catalogue', async () => {
    const page = await open(service(), '/about/privacy')
    const links = page.all('main').flatMap((main) => main.all('a'))
    expect(links.map(({ attributes }) => attributes.href)).to.deep.equal([
      'mailto:zines@example.org',
    ])
  })
})
