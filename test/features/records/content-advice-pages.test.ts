// Content advice on pages: it comes before everything else, and pictures are behind one press that
// needs no script.

import { expect } from 'chai'

import { useCatalogue } from '../../http/catalogue.js'
import { image, sendPicture } from '../pictures/picture-files.js'
import { type Element, expectInert, look, open } from '../../views/browser.js'

const hostile = '"><script>alert(1)</script>'

describe('content advice on pages', () => {
  const { service, given } = useCatalogue()

  before(async () => {
    const advice = { content_advice: ['nudity'], content_advice_note: [hostile] }
    await given.zine({ zine_id: 'hard', title: 'Hard things', abstract: 'A night.', ...advice })
    await given.zine({
      zine_id: 'soft',
      title: 'Soft things',
      creator: ['helper'],
      subject: ['cats'],
    })
    await given.holding({ holding_id: 'copy-of-hard', zine_id: 'hard' })
    const file = await image(300, 400).png().toBuffer()
    for (const of of ['zines/hard', 'zines/soft', 'holdings/copy-of-hard']) {
      const path = `/api/${of}/pictures/`
      const { status } = await sendPicture(service(), path, file, { public: 'true' })
      expect(status).to.equal(201)
    }
  })

  const behindPress = (page: Element): readonly Element[] =>
    page.all('details', 'advised').flatMap((one) => one.all('img', 'picture'))

  it('is on the page of the zine before the abstract and the cover', async () => {
    const { text } = await look(service(), '/api/zines/hard/')
    const places = ['class="advice"', '<img class="picture"', 'A night.</'].map((part) =>
      text.indexOf(part, text.indexOf('<main')),
    )
    expect(Math.min(...places)).to.be.above(0)
    expect(Math.min(...places)).to.equal(places[0])
    const page = await open(service(), '/api/zines/hard/')
    const [box] = page.all('section', 'advice')
    expect(box?.text).to.include('Nudity').and.include(hostile)
    expectInert(page, 'the page of a zine')
  })

  for (const path of ['/api/zines/hard/', '/api/holdings/copy-of-hard/'])
    it(`has the pictures of ${path} behind one press`, async () => {
      const page = await open(service(), path)
      expect(page.all('img', 'picture')).to.have.length(1)
      expect(behindPress(page)).to.have.length(1)
      expect(page.all('details', 'advised')[0]?.attributes).not.to.have.property('open')
      expect(page.all('details', 'advised')[0]?.all('summary')[0]?.text).to.include('Nudity')
    })

  it('has covers in lists of covers behind one press', async () => {
    const page = await open(service(), '/api/zines/?view=grid')
    const [hard, soft] = ['Hard things', 'Soft things'].map((title) =>
      page.all('li').find(({ text }) => text.includes(title)),
    )
    expect(hard && behindPress(hard)).to.have.length(1)
    expect(soft?.all('img', 'picture')).to.have.length(1)
    expect(soft && behindPress(soft)).to.be.empty
    expectInert(page, 'the wall')
  })

  it('keeps the cover out of what other sites show of a link', async () => {
    const properties = async (path: string) =>
      (await open(service(), path)).all('meta').map(({ attributes }) => attributes.property)
    expect(await properties('/api/zines/hard/')).not.to.include('og:image')
    expect(await properties('/api/zines/soft/')).to.include('og:image')
  })

  it('leaves the page of a zine without it as it was', async () => {
    const { text } = await look(service(), '/api/zines/soft/')
    expect(text).not.to.match(/class="advi|content_advice/)
  })

  it('is offered as what to leave out, and said in the title of the list', async () => {
    const page = await open(service(), '/api/zines/')
    const choice = page
      .all('a')
      .find(({ attributes: { href = '' } }) => /\?content_advice__not_in=nudity(?:#|$)/.test(href))
    expect(choice?.text).to.include('Nudity')
    const list = await open(service(), choice?.attributes.href ?? '')
    expect(list.all('h1')[0]?.text).to.equal('Zines, without the content advice nudity')
    expect(list.text).to.include('Soft things').and.not.include('Hard things')
  })
})
