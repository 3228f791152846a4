// Adding all that a list of records finds to a list of editors, as far as a list has room.

import { expect } from 'chai'

import { agent } from '../../examples.js'
import { useService } from '../../service.js'
import { type Browser, browse } from '../../views/browser.js'

const path = '/manage/lists/add'

describe('what is ticked in a list of records', () => {
  const service = useService({ BASE_URL: 'http://localhost' })
  let browser: Browser

  /** Sends the form of a list of agents. */
  const tick = (list: string, fields: Readonly<Record<string, string>> = { all: 'yes' }) =>
    browser.send(path, { kind: 'agents', list, ...fields })

  const chosenOn = (text: string): readonly string[] =>
    (/name="more" value="([^"]*)"/.exec(text)?.[1] ?? '').split('\n').filter(Boolean)

  const recordsOf = async (slug: string): Promise<readonly unknown[]> =>
    (await service().get(`/api/lists/${slug}/`)).body.records

  before(async () => {
    const lines = Array.from({ length: 1001 }, (_, number) => {
      const kind = number < 30 ? 'Collective' : 'Person'
      const id = `agent-${number}`
      return JSON.stringify({ op: 'create', kind: 'agents', id, body: agent(id, { kind }) })
    })
    const headers = { 'content-type': 'application/x-ndjson' }
    const { status, text } = await service().post('/api/batches/', undefined, {
      raw: lines.join('\n'),
      headers,
    })
    expect(status, text.slice(0, 500)).to.equal(200)
    browser = browse(service().url)
    await browser.signIn('editor')
    await service().post('/api/lists/', { slug: 'all', title: 'All', public: true })
  })

  it('is all that the list finds, also on its other pages', async () => {
    const { status, text } = await tick('kind=Collective')
    expect(status).to.equal(200)
    expect(chosenOn(text)).to.have.length(30).and.include('agents/agent-0')
    expect(text).to.include('and 10 more')
    const added = await browser.send(path, { more: chosenOn(text).join('\n'), list: 'all' })
    expect(added.status, added.text).to.equal(303)
    expect(await recordsOf('all')).to.have.length(30)
  })

  it('is no more than a list has room for, and nothing is left out without a word', async () => {
    const { status, text } = await tick('')
    expect(status).to.equal(400)
    expect(text).to.include('1,001 records are ticked. A list has 1,000 at most.')
    const most = await tick('kind=Person')
    expect(chosenOn(most.text)).to.have.length(971)
    const fits = await browser.send(path, { more: chosenOn(most.text).join('\n'), list: 'all' })
    expect(fits.status).to.equal(400)
    expect(fits.text).to.include('With the chosen records this list would have 1001.')
    expect(await recordsOf('all')).to.have.length(30)
    expect(chosenOn(fits.text)).to.have.length(971)
  })

  it('is nothing where the list finds none, and of a list that is not known', async () => {
    for (const kind of ['agents', 'makers']) {
      const { text } = await tick('kind=nothing', { all: 'yes', kind })
      expect(text).to.include('Nothing is ticked')
    }
  })

  it('may be what is in another list of editors', async () => {
    const { text } = await tick('list=all')
    expect(chosenOn(text)).to.have.length(30)
  })
})
