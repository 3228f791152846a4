// Copy cataloguing: a title is looked up in the catalogues that the administrator named, and the form of a new zine is
// filled in from one of their records. The other catalogues are a second service, and a small server of SRU and OAI-PMH.

import { mkdtemp, writeFile } from 'node:fs/promises'
import { type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import type { OtherCataloguesLimits } from '../../../src/features/copy-cataloguing/other-catalogues.js'
import { agent, zine } from '../../examples.js'
import { type TestService, startService } from '../../service.js'
import { type Browser, type Element, browse, formOn, read } from '../../views/browser.js'

const marc = (id: string, title: string): string => `
  <record xmlns="http://www.loc.gov/MARC21/slim">
    <leader>00000nam a2200000 a 4500</leader>
    <controlfield tag="001">${id}</controlfield>
    <controlfield tag="008">990101s1999    xxu           000 0 eng d</controlfield>
    <datafield tag="100" ind1="1" ind2=" "><subfield code="a">Known, Nora</subfield></datafield>
    <datafield tag="245" ind1="1" ind2="0"><subfield code="a">${title}</subfield></datafield>
    <datafield tag="260" ind1=" " ind2=" "><subfield code="a">Leeds :</subfield><subfield code="c">1999.</subfield></datafield>
    <datafield tag="650" ind1=" " ind2="0"><subfield code="a">Punk</subfield></datafield>
    <datafield tag="650" ind1=" " ind2="0"><subfield code="a">Xylophone tuning</subfield></datafield>
    <datafield tag="700" ind1="1" ind2=" "><subfield code="a">Stranger, Sam</subfield></datafield>
  </record>`

const sru = (records: readonly string[]): string => `<?xml version="1.0"?>
<zs:searchRetrieveResponse xmlns:zs="http://www.loc.gov/zing/srw/"><zs:version>1.1</zs:version>
<zs:numberOfRecords>${records.length}</zs:numberOfRecords><zs:records>${records
  .map(
    (record) =>
      `<zs:record><zs:recordPacking>xml</zs:recordPacking><zs:recordData>${record}</zs:recordData></zs:record>`,
  )
  .join('')}</zs:records></zs:searchRetrieveResponse>`

const oai = (content: string): string => `<?xml version="1.0"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-01-01T00:00:00Z</responseDate>
<request verb="GetRecord">http://other.example/oai</request>${content}</OAI-PMH>`

const oaiRecord = `<GetRecord><record><header><identifier>oai:other:7</identifier></header><metadata>
<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>Harvested</dc:title><dc:creator>Known, Nora</dc:creator><dc:date>2001</dc:date></oai_dc:dc></metadata></record></GetRecord>`

const answers: Readonly<
  Record<string, (query: URLSearchParams, response: ServerResponse) => void>
> = {
  '/sru': (query, response) =>
    void response.end(
      query.get('query') === 'dc.title all "broken \\"one\\""'
        ? '<zs:searchRetrieveResponse xmlns:zs="http://www.loc.gov/zing/srw/"><zs:diagnostics><diagnostic xmlns="http://www.loc.gov/zing/srw/diagnostic/"><message>Unsupported index</message></diagnostic></zs:diagnostics></zs:searchRetrieveResponse>'
        : sru(
            query.get('query')?.includes('Pedal')
              ? [marc('m1', 'Pedal power'), marc('m2', 'Pedal steel')]
              : [],
          ),
    ),
  '/oai': (query, response) =>
    void response.end(
      oai(
        query.get('identifier') === 'oai:other:7'
          ? oaiRecord
          : '<error code="idDoesNotExist">No.</error>',
      ),
    ),
  '/slow': (_, response) => void response.write(' '),
  '/huge': (_, response) => void response.end(Buffer.alloc(70_000, ' ')),
  '/html': (_, response) => void response.end('<!doctype html><p>Welcome<br>'),
  '/inside': (_, response) =>
    void response.writeHead(302, { location: `http://localhost:${port}/sru` }).end(),
}

let port = 0

async function startServer(): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://other.example')
    const answer = answers[pathname]
    if (answer) answer(searchParams, response)
    else response.writeHead(500).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The cast: it listens on a port.
  port = (server.address() as AddressInfo).port
  return server
}

const addressOf = (path: string): string => `http://127.0.0.1:${port}${path}`

const sruAt = (name: string, path: string) => ({ name, type: 'sru', url: addressOf(path) })

/** A service with these catalogues, which it may ask on this machine. It waits for answers as long as they take. */
async function startWith(
  catalogues: readonly object[],
  limits: Partial<OtherCataloguesLimits> = {},
): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-look-up-'))
  await writeFile(join(dataDir, 'catalogues.json'), JSON.stringify(catalogues))
  return startService(
    { BASE_URL: 'http://localhost', DATA_DIR: dataDir, IMPORT_HOSTS: '127.0.0.1' },
    { otherCataloguesLimits: { ms: 2 ** 31 - 1, bytes: 60_000, ...limits } },
  )
}

describe('looking a zine up elsewhere', () => {
  let server: Server
  let other: TestService
  let service: TestService
  let editor: Browser

  before(async () => {
    server = await startServer()
    other = await startService()
    await other.post('/api/agents/', agent('nora', { display_name: 'Nora Known' }))
    await other.post('/api/agents/', agent('zoe', { display_name: 'Zoe Elsewhere' }))
    await other.post(
      '/api/zines/',
      zine('bikes', {
        title: 'Bicycle dreams',
        issue_designation: 'no. 4',
        creator: ['nora', 'zoe'],
        abstract: 'About bicycles.',
        language: ['pl'],
        number_of_pages: '24',
      }),
    )
    service = await startWith([
      { name: 'Sister service', type: 'service', url: other.url },
      { ...sruAt('Union catalogue', '/sru'), record: 'https://union.example/r/{id}' },
      { name: 'Archive', type: 'oai-pmh', url: addressOf('/oai') },
      sruAt('Huge', '/huge'),
      sruAt('Page', '/html'),
      sruAt('Failing', '/nothing'),
      { ...sruAt('Inside', '/sru'), url: `http://localhost:${port}/sru` },
      sruAt('Leading inside', '/inside'),
    ])
    await service.post('/api/agents/', agent('nk', { display_name: 'Nora Known' }))
    editor = browse(service.url)
    await editor.signIn('editor')
  })

  after(async () => {
    server.closeAllConnections()
    server.close()
    await service.stop()
    await other.stop()
  })

  /** What the page says of each catalogue. */
  async function lookUp(text: string, by = editor): Promise<ReadonlyMap<string, Element>> {
    const page = await by.get(`/manage/zines/look-up?q=${encodeURIComponent(text)}`)
    expect(page.status, page.text).to.equal(200)
    return new Map(
      read(page.text)
        .all('section', 'looked-up')
        .map((section) => [section.all('h2')[0]?.text ?? '', section]),
    )
  }

  /** The page of the form that the link of a record leads to. */
  async function use(catalogue: string, text: string, position = 0) {
    const section = (await lookUp(text)).get(catalogue)
    const link = section?.all('a', 'button')[position]
    const page = await editor.get(link?.attributes.href ?? '')
    expect(page.status, page.text).to.equal(200)
    return page
  }

  const sentences = (section: Element | undefined): string => section?.all('p')[0]?.text ?? ''

  it('is offered in the form of a new zine, and in no other form', async () => {
    expect((await editor.get('/manage/zines/new')).text).to.include(
      'action="/manage/zines/look-up"',
    )
    expect((await editor.get('/manage/agents/new')).text).to.not.include('look-up')
  })

  it('finds a title in another service of this kind', async () => {
    const section = (await lookUp('bicycle')).get('Sister service')
    expect(section?.all('li')[0]?.text).to.match(
      /Bicycle dreams, no\. 4.*Nora Known, Zoe Elsewhere/s,
    )
  })

  it('fills the form in with what the other service has, and with the maker of the same name here', async () => {
    const { text } = await use('Sister service', 'bicycle')
    const form = formOn(text, 'record-form')
    expect(form.title).to.deep.equal(['Bicycle dreams'])
    expect(form.issue_designation).to.deep.equal(['no. 4'])
    expect(form.abstract).to.deep.equal(['About bicycles.'])
    expect(form.number_of_pages).to.deep.equal(['24'])
    expect(form.language).to.deep.equal(['pl', ''])
    expect(form.creator).to.deep.equal(['nk', 'Zoe Elsewhere', ''])
    expect(form.zine_id).to.deep.equal(['bicycle-dreams-4'])
    expect(text).to.include('No maker here has exactly these names.')
    expect((await service.get('/api/zines/')).body.count).to.equal(0)
  })

  it('saves the form only when every maker is one of here, and keeps the source then', async () => {
    const form = formOn((await use('Sister service', 'bicycle')).text, 'record-form')
    const refused = await editor.send('/manage/zines/new', form)
    expect(refused.status).to.equal(400)
    expect(refused.text).to.include('There is no maker “Zoe Elsewhere”')
    const again = formOn(refused.text, 'record-form')
    const saved = await editor.send('/manage/zines/new', { ...again, creator: ['nk'] })
    expect(saved.status, saved.text).to.equal(303)
    const source = `${other.url}/api/zines/bikes/`
    const { body } = await service.get('/api/zines/bicycle-dreams-4/')
    expect(body.derived_from).to.equal(source)
    const turtle = await service.get('/api/zines/bicycle-dreams-4/', {
      headers: { accept: 'application/n-triples' },
    })
    expect(turtle.text).to.include(
      `<http://localhost/api/zines/bicycle-dreams-4/> <http://www.w3.org/ns/prov#wasDerivedFrom> <${source}>`,
    )
  })

  it('keeps the source through later changes, a deletion and its undoing, and out of similar records', async () => {
    const path = '/api/zines/bicycle-dreams-4/'
    const source = (await service.get(path)).body.derived_from
    expect(source).to.be.a('string')
    await service.put(path, zine('bicycle-dreams-4', { title: 'Replaced', creator: ['nk'] }))
    await service.patch(path, { title: 'Changed', derived_from: 'https://forged.example/' })
    expect((await service.get(path)).body).to.include({ title: 'Changed', derived_from: source })
    const page = await editor.get('/manage/zines/new?like=bicycle-dreams-4')
    expect(page.text).to.not.include(source)
    expect((await editor.get('/api/zines/bicycle-dreams-4/')).text).to.include(`href="${source}"`)
  })

  it('leaves the member out of zines that were made here', async () => {
    await service.post('/api/zines/', zine('own', { creator: ['nk'] }))
    expect((await service.get('/api/zines/own/')).body).to.not.have.property('derived_from')
  })

  it('takes a record of MARCXML over from SRU, with its terms as codes and others beside their field', async () => {
    const { text } = await use('Union catalogue', 'Pedal', 1)
    const form = formOn(text, 'record-form')
    expect(form.title).to.deep.equal(['Pedal steel'])
    expect(form.creator).to.deep.equal(['nk', ''])
    expect(form.contributor).to.deep.equal(['Sam Stranger', ''])
    expect(form.subject).to.deep.equal(['punk', ''])
    expect(form['.from']).to.deep.equal(['https://union.example/r/m2'])
    const field = read(text)
      .all('div', 'field')
      .find(({ attributes }) => attributes.id === 'field-subject')
    expect(field?.text).to.include('Not taken over: “Xylophone tuning”')
  })

  it('says what was not taken over again when a row is added without a script', async () => {
    const form = formOn((await use('Union catalogue', 'Pedal', 1)).text, 'record-form')
    const { text } = await editor.send('/manage/zines/new', { ...form, '.more': 'subject' })
    expect(text).to.include('Not taken over: “Xylophone tuning”')
    expect(formOn(text, 'record-form')['.from']).to.deep.equal(['https://union.example/r/m2'])
  })

  it('takes a record over from OAI-PMH by its identifier', async () => {
    const { text } = await use('Archive', 'oai:other:7')
    const form = formOn(text, 'record-form')
    expect(form.title).to.deep.equal(['Harvested'])
    expect(form.creator).to.deep.equal(['nk', ''])
    expect(form['.from']?.[0]).to.match(
      /\/oai\?verb=GetRecord&metadataPrefix=oai_dc&identifier=oai%3Aother%3A7$/,
    )
    expect(sentences((await lookUp('oai:other:8')).get('Archive'))).to.include('No record.')
  })

  it('says of each catalogue that cannot be asked why, and shows what the others have', async () => {
    const sections = await lookUp('bicycle')
    expect(sections.get('Sister service')?.all('li')).to.have.length(1)
    expect(sentences(sections.get('Union catalogue'))).to.equal('No record with these words.')
    expect(sentences(sections.get('Huge'))).to.equal(
      `127.0.0.1:${port} answers with too much at once.`,
    )
    expect(sentences(sections.get('Page'))).to.equal('The answer of the catalogue cannot be read.')
    expect(sentences(sections.get('Failing'))).to.equal('The catalogue answers with status 500.')
    for (const name of ['Inside', 'Leading inside'])
      expect(sentences(sections.get(name)), name).to.equal(
        `localhost:${port} is not a public address. Only the person who runs the service can allow it.`,
      )
  })

  it('says what a server of SRU says when it refuses a search', async () => {
    expect(sentences((await lookUp('broken "one"')).get('Union catalogue'))).to.equal(
      'Unsupported index',
    )
  })

  it('shows the form with a sentence when the record is gone', async () => {
    const page = await editor.get('/manage/zines/new?catalogue=Union+catalogue&record=m9&q=Pedal')
    expect(page.status).to.equal(200)
    expect(page.text).to.include('The catalogue does not have this record any more.')
  })

  it('says it in the language of the page', async () => {
    const page = await editor.get('/manage/zines/look-up?q=bicycle', { 'accept-language': 'fr' })
    expect(page.text).to.include('Aucune notice avec ces mots.')
    expect(page.text).to.not.include('No record with these words.')
  })

  it('is for those who may write zines', async () => {
    const viewer = browse(service.url)
    await viewer.signIn('viewer')
    expect((await viewer.get('/manage/zines/look-up?q=bicycle')).status).to.equal(403)
  })

  it('does not wait long for a catalogue that does not answer', async () => {
    const impatient = await startWith([sruAt('Slow', '/slow')], { ms: 300 })
    try {
      const browser = browse(impatient.url)
      await browser.signIn('editor')
      expect(sentences((await lookUp('x', browser)).get('Slow'))).to.equal(
        `127.0.0.1:${port} cannot be reached: it does not answer in time`,
      )
    } finally {
      await impatient.stop()
    }
  })

  it('ends with the service, which does not wait for other catalogues', async () => {
    const ending = await startWith([sruAt('Slow', '/slow')])
    const browser = browse(ending.url)
    await browser.signIn('editor')
    const asked = new Promise((resolve) => server.once('request', resolve))
    const page = browser.get('/manage/zines/look-up?q=x')
    await asked
    await ending.stop()
    expect((await page).text).to.include('The request was stopped.')
  })
})
