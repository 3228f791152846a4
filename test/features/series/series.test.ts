// Tests series: their documents and pages, what a repository lacks, and that they follow every write.

import { expect } from 'chai'
import { Parser } from 'n3'

import { seriesOf } from '../../../src/model/series.js'
import { look, open } from '../../views/browser.js'
import { rowsOf } from '../sparql/client.js'
import { BASE_URL } from '../../service.js'
import { unique, useCatalogue } from '../../http/catalogue.js'

const slugOf = (title: string, creator: string): string =>
  seriesOf({ title, creator: [creator] })[0]?.slug ?? ''

describe('a series', () => {
  const { service, given } = useCatalogue({ SPARQL_WORKERS: '1' })
  const title = unique('Toner & Soot')
  const slug = slugOf(title, 'maker')
  const path = `/series/${slug}`
  const [attic, cellar] = [unique('attic'), unique('cellar')]
  const ids = new Map<string, string>()

  before(async () => {
    for (const [repo_id, repository_name] of [
      [attic, 'The Attic'],
      [cellar, 'The Cellar'],
    ])
      await given.repository({ repo_id, repository_name })
    for (const issue_designation of ['no. 10', 'no. 2', 'no. 4-5', ''])
      ids.set(issue_designation, (await given.zine({ title, issue_designation })).zine_id)
    await given.zine({ title, creator: ['helper'], issue_designation: 'no. 3' })
    await hold('no. 10', attic)
    await hold('no. 2', attic)
    await hold('no. 2', cellar)
  })

  const hold = (issue: string, repository_id: string | undefined) =>
    given.holding({ zine_id: ids.get(issue), repository_id })

  const read = async (query = '') => {
    const { status, body, text } = await service().get(`${path}${query}`)
    expect(status, text).to.equal(200)
    return body
  }

  const issuesOf = (body: any): string[] => body.issues.map((issue: any) => issue.issue_designation)

  it('is told apart by its maker from another one of the same title, in the list and in titles', async () => {
    const other = await given.agent({ display_name: 'Nan' })
    const same = unique('Twins')
    for (const maker of ['maker', other.agent_id])
      for (const issue_designation of ['no. 1', 'no. 2'])
        await given.zine({ title: same, issue_designation, creator: [maker] })
    const address = `/series?search=${encodeURIComponent(same)}`
    const rows = (await open(service(), address)).all('article', 'summary')
    const lines = rows.map((row) => row.all('p', 'line')[0]?.all('span')[0]?.text ?? '')
    expect(lines).to.have.lengthOf(2)
    expect(new Set(lines).size).to.equal(2)
    expect(lines).to.include('by Nan')
    const [heading] = (await open(service(), `/series/${slugOf(same, other.agent_id)}`)).all(
      'title',
    )
    expect(heading?.text).to.include(`${same}, Nan`)
    const { body } = await service().get(address)
    expect(body.results[0]).to.have.all.keys('series', 'url', 'title', 'issue_count')
  })

  it('has its issues in order, the numbers that are missing, and who has which', async () => {
    const body = await read()
    expect(body).to.include({ series: slug, title, stated: false, issue_count: 4 })
    expect(body.url).to.equal(`${BASE_URL}${path}`)
    expect(issuesOf(body)).to.deep.equal(['no. 2', 'no. 4-5', 'no. 10', ''])
    expect(body.missing).to.deep.equal([
      { from: 1, to: 1 },
      { from: 3, to: 3 },
      { from: 6, to: 9 },
    ])
    expect(body.issues[0].repositories).to.deep.equal([attic, cellar])
    expect(body.repositories).to.deep.equal([
      {
        repo_id: attic,
        repository_name: 'The Attic',
        held: 2,
        lacks: [ids.get('no. 4-5'), ids.get('')],
      },
      {
        repo_id: cellar,
        repository_name: 'The Cellar',
        held: 1,
        lacks: ['no. 4-5', 'no. 10', ''].map((issue) => ids.get(issue)),
      },
    ])
  })

  it('has the issues that a repository lacks', async () => {
    expect(issuesOf(await read(`?lacked_by=${attic}`))).to.deep.equal(['no. 4-5', ''])
    expect(issuesOf(await read('?lacked_by=library'))).to.have.length(4)
    const { status, body } = await service().get(`${path}?lacked_by=nobody`)
    expect(status).to.equal(400)
    expect(body).to.deep.equal({ lacked_by: ["Repository 'nobody' does not exist"] })
  })

  it('is a filter of zines, and what they are part of in RDF and SPARQL', async () => {
    const { body } = await service().get(`/api/zines/?series=${slug}`)
    expect(body.count).to.equal(4)
    const query = `SELECT ?id { ?z dcterms:isPartOf <${BASE_URL}${path}> ; dcterms:identifier ?id }`
    const rows = await rowsOf(service(), query)
    expect(rows.map(({ id }) => id)).to.have.members([...ids.values()])
  })

  it('has a document in each format of RDF, which states its issues and who has them', async () => {
    for (const format of ['turtle', 'ntriples'] as const) {
      const { status, text } = await service().get(`${path}?format=${format}`)
      expect(status, text).to.equal(200)
      const quads = new Parser().parse(text)
      const parts = quads.filter(({ predicate }) => predicate.value.endsWith('/hasPart'))
      expect(parts).to.have.length(4)
      expect(new Set(parts.map(({ subject }) => subject.value))).to.deep.equal(
        new Set([`${BASE_URL}${path}`]),
      )
      const held = quads.filter(({ predicate }) => predicate.value.endsWith('/heldBy'))
      expect(held).to.have.length(3)
    }
    for (const accept of ['application/ld+json', 'application/rdf+xml', 'text/turtle']) {
      const { status, headers } = await service().get(path, { headers: { accept } })
      expect(status).to.equal(200)
      expect(headers.get('content-type')).to.include(accept)
    }
  })

  it('has a page, which shows gaps, and leads from a zine to it and back', async () => {
    const { text } = await look(service(), path)
    for (const part of ['no. 6–9', 'The Attic', `/api/zines/${ids.get('no. 2')}/`])
      expect(text).to.include(part)
    const zine = await look(service(), `/api/zines/${ids.get('no. 2')}/`)
    expect(zine.text).to.include(`href="${path}"`).and.to.include('All 4 issues')
    const lacking = await look(service(), `${path}?lacked_by=${cellar}`)
    expect(lacking.text).to.include('What The Cellar lacks').and.to.include('no. 10')
    expect(lacking.text).not.to.include(`/api/zines/${ids.get('no. 2')}/`)
  })

  it('is in the list of series, which is searched and sorted', async () => {
    const words = encodeURIComponent(title)
    const { body } = await service().get(`/series?search=${words}`)
    expect(body.results).to.deep.equal([
      { series: slug, url: `${BASE_URL}${path}`, title, issue_count: 4 },
    ])
    const { text } = await look(service(), `/series?search=${words}`)
    expect(text).to.include(`href="${path}"`).and.to.include('4 issues')
    const turtle = await service().get(`/series?search=${words}&format=turtle`)
    expect(turtle.text).to.include('CreativeWorkSeries')
    expect((await service().get('/series?page=1000')).status).to.equal(404)
  })

  it('follows every write at once', async () => {
    const other = unique('Brief')
    const first = await given.zine({ title: other, issue_designation: '1' })
    const document = `/series/${slugOf(other, 'maker')}`
    const count = async () => (await service().get(document)).body.issue_count
    const listed = async () => (await service().get(`/series?search=${other}`)).body.results.length
    expect([await count(), await listed()]).to.deep.equal([1, 0])
    const second = await given.zine({ title: other, issue_designation: '2' })
    expect([await count(), await listed()]).to.deep.equal([2, 1])
    await service().patch(`/api/zines/${second.zine_id}/`, { title: unique('Another') })
    expect([await count(), await listed()]).to.deep.equal([1, 0])
    await service().delete(`/api/zines/${first.zine_id}/`)
    expect((await service().get(document)).status).to.equal(404)
  })

  it('that became another one leads to it, whoever made the change and whatever became of the zines', async () => {
    const former = unique('Formerly')
    const { agent_id } = await given.agent()
    const ofBoth = { title: former, creator: [agent_id] }
    const zines = [await given.zine(ofBoth), await given.zine(ofBoth)]
    const leadsTo = async (from: string) => {
      const answer = await service().get(`/series/${from}?format=turtle`)
      const location = answer.headers.get('location')
      return [answer.status, location?.replace(`${service().url}/series/`, '')]
    }
    const first = slugOf(former, agent_id)
    expect(await leadsTo(first)).to.deep.equal([200, undefined])
    await service().patch(`/api/zines/${zines[0]?.zine_id}/`, { creator: ['helper'] })
    // The other issue still is of it.
    expect(await leadsTo(first)).to.deep.equal([200, undefined])
    const renamed = unique('agent')
    await service().post(`/api/agents/${agent_id}/rename/`, { id: renamed })
    const second = slugOf(former, renamed)
    expect(await leadsTo(first)).to.deep.equal([301, `${second}?format=turtle`])
    const page = await fetch(`${service().url}/series/${first}`, {
      headers: { accept: 'text/html' },
      redirect: 'manual',
    })
    expect([page.status, page.headers.get('location')]).to.deep.equal([
      301,
      `${service().url}/series/${second}`,
    ])
    const later = unique('Later')
    await service().patch(`/api/zines/${zines[1]?.zine_id}/`, { series_title: [later] })
    const [{ slug: third } = { slug: '' }] = seriesOf({ series_title: [later] })
    for (const one of [first, second])
      expect(await leadsTo(one)).to.deep.equal([301, `${third}?format=turtle`])
    await service().delete(`/api/zines/${zines[1]?.zine_id}/`)
    expect((await leadsTo(first))[0]).to.equal(404)
  })

  it('of a stated series has zines of all makers', async () => {
    const series = unique('Minicomics')
    for (const creator of ['maker', 'helper'])
      await given.zine({ series_title: [series], creator: [creator] })
    const [{ slug: stated } = { slug: '' }] = seriesOf({ series_title: [series] })
    const { body } = await service().get(`/series/${stated}`)
    expect(body).to.include({ title: series, stated: true, issue_count: 2 })
  })

  it('has nothing private of its makers, nor the identifier of one who was deleted', async () => {
    const secret = unique('Legal Name')
    const { agent_id } = await given.agent({ public: false, legal_name: secret })
    const own = unique('Hidden')
    for (const issue_designation of ['1', '2'])
      await given.zine({ title: own, creator: [agent_id], issue_designation })
    const document = `/series/${slugOf(own, agent_id)}`
    for (const format of ['json', 'turtle', 'ntriples', 'jsonld', 'rdfxml', 'html'])
      for (const at of [document, `/series?search=${own}`]) {
        const { status, text } = await service().get(
          `${at}${at.includes('?') ? '&' : '?'}format=${format}`,
        )
        expect(status, text).to.equal(200)
        expect(text).not.to.include(secret)
      }
    await service().delete(`/api/agents/${agent_id}/`)
    const page = await look(service(), document)
    expect(page.text).to.include('name withheld')
    expect(document).not.to.include(agent_id)
    expect((await look(service(), '/series')).text).not.to.include(agent_id)
  })

  it('that no zine is of is not found', async () => {
    for (const none of ['none-0000000000', '%00', 'a%2Fb', '__proto__', 'x'.repeat(3000)])
      expect((await service().get(`/series/${none}`)).status).to.be.oneOf([400, 404])
  })
})
