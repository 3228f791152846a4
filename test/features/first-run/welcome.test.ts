// The page with the ways to begin: the sample is loaded as a batch, which can be undone.

import { expect } from 'chai'

import { useService } from '../../service.js'
import { browse, read } from '../../views/browser.js'
import { until } from '../../waiting.js'

describe('the ways to begin', () => {
  const service = useService()

  async function signedIn(name: string) {
    const browser = browse(service().url)
    await browser.signIn(name)
    return browser
  }

  const countZines = async (): Promise<number> => (await service().get('/api/zines/')).body.count

  it('are for administrators', async () => {
    expect((await (await signedIn('editor')).get('/manage/welcome')).status).to.equal(403)
    expect((await browse(service().url).get('/manage/welcome')).status).to.equal(303)
  })

  it('lead on from the home page of an empty catalogue', async () => {
    const { text } = await (await signedIn('admin')).get('/api/')
    expect(text).to.include('<a href="/manage/welcome">ways to begin</a>')
  })

  it('load the sample as a batch, once, which is undone and loaded again', async () => {
    const browser = await signedIn('admin')
    const load = () => browser.send('/manage/welcome', {})
    const first = await load()
    const batch = first.headers.get('location') ?? ''
    expect([first.status, batch.replace(/[^/]+$/, '')]).to.deep.equal([303, '/manage/batches/'])
    await until(async () => (await countZines()) === 36)
    expect((await load()).headers.get('location')).to.equal('/manage/welcome')
    expect((await browser.get('/manage/welcome')).text).to.include('This one has records.')

    const { text } = await browser.get(batch)
    expect(read(text).text).to.include('17 makers created')
    await browser.send(batch, { do: 'undo' })
    expect(await countZines()).to.equal(0)
    await load()
    await until(async () => (await countZines()) === 36)
  })
})
