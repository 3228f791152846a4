// Requests for changes over HTTP: the form of visitors, its limits, and the pages of editors. The work in
// a real browser is in test/browser/people.test.ts.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { agent, zine } from '../../examples.js'
import { type TestService, startReaderProcess, startService, useService } from '../../service.js'
import { startEndpoint } from '../../sparql-engine.js'
import { type Fields, browse, expectInert, open, read } from '../../views/browser.js'

const BASE = { BASE_URL: 'http://localhost' }
const unlimited = { changeRequestLimits: { fromNetwork: 1000, inAll: 1000 } }

const formOf = (kind: string, id: string): string =>
  `/requests/new?${new URLSearchParams({ kind, id })}`

const valid = { topic: 'correct', text: 'My name is spelt Ann.', answer: 'ann@example.org' }

const signedIn = async (service: Pick<TestService, 'url'>, name: string) => {
  const browser = browse(service.url)
  await browser.signIn(name)
  return browser
}

/** Sends a request and gives its number. */
async function ask(
  service: Pick<TestService, 'url'>,
  fields: Fields = {},
  path = formOf('agents', 'ann'),
) {
  const { status, headers, text } = await browse(service.url).send(path, { ...valid, ...fields })
  expect(status, text).to.equal(303)
  return Number(new URL(headers.get('location') ?? '', 'http://x').searchParams.get('sent'))
}

/** Sends a form of the page of a request, with the version that the page has. */
async function answer(browser: ReturnType<typeof browse>, number: number, fields: Fields) {
  const path = `/manage/requests/${number}`
  const version = /name="\.version" value="(\d+)"/.exec((await browser.get(path)).text)?.[1] ?? ''
  return browser.send(path, { '.version': version, note: '', ...fields })
}

describe('the form for asking for a change', () => {
  const service = useService(BASE, unlimited)

  before(async () => {
    await service().post('/api/agents/', agent('ann', { display_name: 'Anne Other' }))
    await service().post('/api/zines/', zine('soup', { title: 'Soup', creator: ['ann'] }))
  })

  it('is linked on the pages of agents and zines', async () => {
    for (const [kind, id] of [
      ['agents', 'ann'],
      ['zines', 'soup'],
    ] as const) {
      const page = await open(service(), `/api/${kind}/${id}/`)
      const links = page.all('a').map(({ attributes }) => attributes.href)
      expect(links).to.include(formOf(kind, id))
      expect((await open(service(), formOf(kind, id))).text).to.include('Ask for a change')
    }
  })

  it('names the record, and answers 404 for other kinds and for records that do not exist', async () => {
    expect((await open(service(), formOf('agents', 'ann'))).text).to.include('Anne Other')
    for (const path of [
      '/requests/new',
      formOf('agents', 'nobody'),
      formOf('agents', ''),
      formOf('repositories', 'ann'),
      formOf('__proto__', 'ann'),
    ]) {
      const browser = browse(service().url)
      await browser.get('/manage/login')
      expect((await browser.get(path)).status, path).to.equal(404)
      const csrf_token = /value="([^"]+)"/.exec(
        (await browser.get(formOf('agents', 'ann'))).text,
      )?.[1]
      const sent = await browser.ask('POST', path, { ...valid, csrf_token: csrf_token ?? '' })
      expect(sent.status, path).to.equal(404)
    }
  })

  it('leads to a page with the number of the request, each with the next one', async () => {
    const numbers = [await ask(service()), await ask(service())]
    expect(numbers[1]).to.equal((numbers[0] ?? 0) + 1)
    const page = await open(service(), `${formOf('agents', 'ann')}&sent=${numbers[0]}`)
    expect(page.text).to.include('Request sent').and.include(`number is ${numbers[0]}.`)
  })

  for (const [what, fields, message] of [
    ['without a topic', { topic: '' }, 'Choose what your request is about.'],
    ['with an unknown topic', { topic: 'constructor' }, 'Choose what your request is about.'],
    ['without a text', { text: ' \r\n ' }, 'Write what you ask for.'],
    [
      'with a text of 5,001 characters',
      { text: 'ö'.repeat(5001) },
      'Use at most 5,000 characters.',
    ],
    [
      'with an answer of 201 characters',
      { answer: 'a'.repeat(201) },
      'Use at most 200 characters.',
    ],
  ] as const)
    it(`is shown again with its input when it is sent ${what}, and nothing is stored`, async () => {
      const input = { ...valid, text: `Typed ${what}`, ...fields }
      const before = await ask(service())
      const { status, text } = await browse(service().url).send(formOf('agents', 'ann'), input)
      expect(status).to.equal(400)
      const page = read(text)
      expect(page.text).to.include('Not sent yet').and.include(message)
      expect(page.all('textarea')[0]?.text).to.equal(input.text.trim())
      expect(await ask(service())).to.equal(before + 1)
    })

  it('takes 5,000 characters outside the basic plane, and counts a line break once', async () => {
    const admin = await signedIn(service(), 'admin')
    for (const text of ['🦄'.repeat(5000), `${'a\n'.repeat(2499)}ab`]) {
      const number = await ask(service(), { text: text.replaceAll('\n', '\r\n') })
      const page = read((await admin.get(`/manage/requests/${number}`)).text)
      expect(page.all('dd').some((dd) => dd.text === text)).to.equal(true)
    }
  })

  it('answers a form of another site with 403 and not with its input', async () => {
    const before = await ask(service())
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
    ]) {
      const form = { ...valid, text: 'Planted text' }
      const sent = await browse(service().url).send(formOf('agents', 'ann'), form, headers)
      expect(sent.status).to.equal(403)
      expect(sent.text).not.to.include('Planted text')
    }
    expect(await ask(service())).to.equal(before + 1)
  })

  it('is shown again with its input when its token is too old', async () => {
    const { status, text } = await browse(service().url).ask(
      'POST',
      formOf('agents', 'ann'),
      { ...valid, csrf_token: 'x' },
      { origin: 'http://localhost' },
    )
    expect(status).to.equal(403)
    expect(text).to.include(valid.text).and.include('Not sent yet')
  })

  it('answers 413 to a form of more than 64 KiB', async () => {
    const sent = await browse(service().url).send(formOf('agents', 'ann'), {
      ...valid,
      text: 'a'.repeat(70_000),
    })
    expect(sent.status).to.equal(413)
  })

  it('is not stored by caches', async () => {
    const { headers } = await browse(service().url).get(formOf('agents', 'ann'))
    expect(headers.get('cache-control')).to.equal('private, no-store')
  })
})

describe('requests for changes', () => {
  it('are limited to five an hour from a network, over all addresses of an IPv6 /64', async () => {
    const service = await startService({ ...BASE, TRUST_PROXY: 'true' })
    await service.post('/api/agents/', agent('ann'))
    const sendFrom = (address: string) =>
      browse(service.url).send(formOf('agents', 'ann'), valid, { 'x-forwarded-for': address })
    for (let count = 0; count < 5; count += 1)
      expect((await sendFrom(`2001:db8:1:2::${count}`)).status).to.equal(303)
    const rejected = await sendFrom('2001:db8:1:2:ffff::9')
    expect(rejected.status).to.equal(429)
    expect(Number(rejected.headers.get('retry-after'))).to.be.within(3500, 3600)
    expect(rejected.text).to.include('Try again in 60 minutes').and.include(valid.text)
    expect((await sendFrom('2001:db8:1:3::1')).status).to.equal(303)
    expect((await sendFrom('192.0.2.1')).status).to.equal(303)
    const admin = await signedIn(service, 'admin')
    expect((await admin.get('/manage/requests')).text).to.include('7 open.')
    await service.stop()
  })

  it('are still there after a restart, with their answers, and no number is used again', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    const first = await startService({ ...BASE, DATA_DIR: dataDir })
    await first.post('/api/agents/', agent('ann'))
    expect([await ask(first), await ask(first), await ask(first)]).to.deep.equal([1, 2, 3])
    const admin = await signedIn(first, 'admin')
    await answer(admin, 1, { do: 'declined', note: 'Not the same Ann' })
    await answer(admin, 3, { do: 'done' })
    await answer(admin, 3, { do: 'delete' })
    await first.close()

    const second = await startService({ ...BASE, DATA_DIR: dataDir })
    const again = await signedIn(second, 'admin')
    expect((await again.get('/manage/requests')).text).to.include('1 open.')
    const declined = read((await again.get('/manage/requests/1')).text).text
    expect(declined).to.include('by admin').and.include('Not the same Ann')
    expect(declined).to.include(valid.text).and.include(valid.answer)
    expect((await again.get('/manage/requests/3')).status).to.equal(404)
    expect(await ask(second)).to.equal(4)
    await second.close()
    await rm(dataDir, { recursive: true })
  })

  it('sent to a reader are stored by the writer, and answered through the reader', async () => {
    const endpoint = await startEndpoint()
    const writer = await startService({ ...BASE, STORE: endpoint.url, CONTACT: 'a@writer.example' })
    const reader = await startReaderProcess(writer, BASE)
    await writer.post('/api/agents/', agent('ann'))
    // A refused write has the reader learn of all commits.
    await reader.put('/api/nothing/', {})
    expect((await browse(reader.url).get(formOf('agents', 'ann'))).status).to.equal(200)
    const number = await ask(reader)
    for (const process of [writer, reader]) {
      const admin = await signedIn(process, 'admin')
      const { text } = await admin.get(`/manage/requests/${number}`)
      expect(text).to.include(valid.text)
    }
    await answer(await signedIn(reader, 'admin'), number, { do: 'done' })
    const admin = await signedIn(writer, 'admin')
    expect((await admin.get('/manage/requests')).text).to.include('No request is open.')
    await reader.stop()
    await writer.stop()
    await endpoint.stop()
  })
})

describe('the requests for changes', () => {
  const service = useService({ ...BASE, SPARQL_WORKERS: '1' }, unlimited)
  const SECRET = 'Zebulon Quux wants this'
  let aboutAgent: number
  let aboutZine: number

  before(async () => {
    await service().post('/api/agents/', agent('ann', { display_name: 'Anne Other' }))
    await service().post('/api/zines/', zine('soup', { title: 'Soup', creator: ['ann'] }))
    await service().accounts.add({
      name: 'librarian',
      password: 'correct horse battery staple',
      role: 'editor',
      restrictedTo: ['repositories'],
    })
    aboutAgent = await ask(service(), { text: SECRET, answer: 'zq@secret.example' })
    aboutZine = await ask(service(), { text: 'About the soup' }, formOf('zines', 'soup'))
  })

  it('are listed for editors with title and time, and counted on every page', async () => {
    const editor = await signedIn(service(), 'editor')
    const { text } = read((await editor.get('/manage/requests')).text)
    expect(text).to.include('Anne Other').and.include('Soup').and.include(SECRET)
    expect(text).to.include(new Date().toISOString().slice(0, 10))
    expect((await editor.get('/api/zines/')).text).to.include('Requests (2)')
  })

  it('are shown to an editor of zines alone only if they are about zines', async () => {
    const editor = await signedIn(service(), 'zines-editor')
    const { text } = await editor.get('/manage/requests')
    expect(text).to.include('About the soup').and.not.include(SECRET)
    expect(text).to.include('Requests (1)')
    expect((await editor.get(`/manage/requests/${aboutZine}`)).status).to.equal(200)
    expect((await editor.get(`/manage/requests/${aboutAgent}`)).status).to.equal(404)
    const form = { csrf_token: /csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? '', do: 'done' }
    const sent = await editor.ask('POST', `/manage/requests/${aboutAgent}`, form)
    expect(sent.status).to.equal(404)
  })

  it('are hidden from visitors, viewers and editors of other records', async () => {
    for (const path of ['/manage/requests', `/manage/requests/${aboutAgent}`]) {
      expect((await browse(service().url).get(path)).status).to.equal(303)
      for (const name of ['viewer', 'librarian']) {
        const page = await (await signedIn(service(), name)).get(path)
        expect(page.status, `${name} at ${path}`).to.equal(403)
        expect(page.text).not.to.include(SECRET).and.not.include('Requests (')
      }
    }
  })

  it('are in no list, export, dump, SPARQL answer, feed or page for others', async () => {
    const query = 'SELECT * { GRAPH ?g { ?s ?p ?o } FILTER(CONTAINS(STR(?o), "Zebulon")) }'
    const everything = 'SELECT * { ?s ?p ?o FILTER(CONTAINS(STR(?o), "Quux")) }'
    for (const sparql of [query, everything]) {
      const path = `/sparql?${new URLSearchParams({ query: sparql })}`
      const { text, body } = await service().get(path, {
        headers: { accept: 'application/sparql-results+json' },
      })
      expect(body.results.bindings, text).to.deep.equal([])
    }
    for (const token of [null, service().tokens.viewer, service().tokens.admin])
      for (const path of [
        '/api/agents/ann/',
        '/api/agents/ann/?private=true',
        '/api/agents/?search=Zebulon',
        '/api/agents/export/?format=jsonl',
        '/api/zines/export/?format=csv',
        '/api/agents/export/?format=turtle',
        '/api/schema/',
        '/dataset',
        '/metrics',
      ]) {
        const { text } = await service().get(path, { token })
        expect(text, path).not.to.match(/Zebulon|zq@secret/)
      }
    const dump = await fetch(`${service().url}/dumps/catalogue.nt.gz`)
    const zipped = new Blob([await dump.arrayBuffer()]).stream()
    const lines = await new Response(zipped.pipeThrough(new DecompressionStream('gzip'))).text()
    expect(lines)
      .to.include('Anne Other')
      .and.not.match(/Zebulon|zq@secret/)
  })

  it('are marked as done or declined with who and when, and opened again', async () => {
    const number = await ask(service())
    const editor = await signedIn(service(), 'editor')
    const path = `/manage/requests/${number}`
    for (const outcome of ['done', 'declined']) {
      const sent = await answer(editor, number, { do: outcome, note: 'A private note' })
      expect([sent.status, sent.headers.get('location')]).to.deep.equal([303, '/manage/requests'])
      const next = await editor.get('/manage/requests')
      expect(next.text).to.include(`The request is marked as ${outcome}.`)
      const { text } = read((await editor.get(path)).text)
      expect(text).to.include('by editor').and.include('A private note')
      expect((await answer(editor, number, { do: 'open', note: 'Changed' })).status).to.equal(303)
      expect(read((await editor.get(path)).text).text).not.to.include('by editor')
    }
    await answer(editor, number, { do: 'done' })
  })

  it('keep the note and outcome of the editor who was first', async () => {
    const number = await ask(service())
    const editor = await signedIn(service(), 'editor')
    await answer(editor, number, { do: 'note', note: 'First' })
    const stale = await editor.send(`/manage/requests/${number}`, {
      '.version': '0',
      do: 'declined',
      note: 'Second',
    })
    expect(stale.status).to.equal(409)
    expect(stale.text).to.include('somebody else changed this request').and.include('Second')
    const { text } = await editor.get(`/manage/requests/${number}`)
    expect(text).to.include('First').and.not.include('by editor')
  })

  it('are deleted by administrators alone, once they are done or declined', async () => {
    const number = await ask(service())
    const path = `/manage/requests/${number}`
    const [admin, editor] = [
      await signedIn(service(), 'admin'),
      await signedIn(service(), 'editor'),
    ]
    expect((await admin.get(path)).text).not.to.include('Delete request')
    expect((await answer(admin, number, { do: 'delete' })).status).to.equal(409)
    await answer(admin, number, { do: 'declined' })
    expect((await editor.get(path)).text).not.to.include('Delete request')
    expect((await answer(editor, number, { do: 'delete' })).status).to.equal(403)
    expect((await admin.get(path)).text).to.include('Delete request')
    expect((await answer(admin, number, { do: 'delete' })).status).to.equal(303)
    expect((await admin.get(path)).status).to.equal(404)
  })

  it('show hostile texts as text', async () => {
    const hostile =
      '</textarea><script>alert(1)</script>"><img src=x onerror=alert(1)>javascript:alert(1)'
    const number = await ask(service(), { text: hostile, answer: hostile })
    const admin = await signedIn(service(), 'admin')
    await answer(admin, number, { do: 'note', note: hostile })
    for (const path of ['/manage/requests', `/manage/requests/${number}`]) {
      const { text } = await admin.get(path)
      const page = read(text)
      expect(page.text).to.include(hostile)
      expectInert(page, path)
    }
    const again = await browse(service().url).send(formOf('agents', 'ann'), {
      topic: '',
      text: hostile,
      answer: hostile,
    })
    const page = read(again.text)
    expect(page.all('textarea')[0]?.text).to.equal(hostile)
    expectInert(page, 'the form')
  })

  it('are listed 25 on a page, open ones first, also of records that were deleted since', async () => {
    await service().post('/api/agents/', agent('gone'))
    await ask(service(), { text: 'About a deleted record' }, formOf('agents', 'gone'))
    await service().delete('/api/agents/gone/')
    for (let count = 0; count < 25; count += 1) await ask(service())
    const editor = await signedIn(service(), 'editor')
    const [first, second] = [
      read((await editor.get('/manage/requests')).text),
      read((await editor.get('/manage/requests?page=2')).text),
    ]
    expect(first.all('article')).to.have.length(25)
    expect(first.text).to.include('gone (deleted)').and.include('Page 1 of 2')
    expect(second.all('h2').map(({ text }) => text)).to.deep.equal(['Open', 'Done or declined'])
    for (const page of ['3', '0', 'x'])
      expect((await editor.get(`/manage/requests?page=${page}`)).status, page).to.equal(404)
  })

  it('follow a record that is merged or renamed, and lead to the one that stays', async () => {
    await service().post('/api/agents/', agent('before'))
    await service().post('/api/agents/', agent('stays', { display_name: 'Who Stays' }))
    const number = await ask(service(), { text: 'About one of two' }, formOf('agents', 'before'))
    const editor = await signedIn(service(), 'editor')
    const shown = async () => read((await editor.get(`/manage/requests/${number}`)).text)
    await service().post('/api/agents/before/rename/', { id: 'after' })
    expect((await shown()).all('a').map((one) => one.attributes.href)).to.include(
      '/api/agents/after/',
    )
    await service().post('/api/agents/after/merge/', { into: 'stays' })
    const page = await shown()
    expect(page.all('a').map((one) => one.attributes.href)).to.include('/api/agents/stays/')
    expect(page.text).to.include('Who Stays').and.not.include('deleted')
  })

  it('hide the record in one press, which is taken back in one press', async () => {
    await service().post('/api/agents/', agent('asks', { display_name: 'Who Asks' }))
    const number = await ask(service(), { topic: 'remove' }, formOf('agents', 'asks'))
    const editor = await signedIn(service(), 'editor')
    const path = `/manage/requests/${number}`
    const record = () => service().get('/api/agents/asks/')
    const sent = await editor.send(path, { do: 'hide' })
    expect([sent.status, sent.headers.get('location')]).to.deep.equal([303, path])
    expect((await record()).status).to.equal(404)
    const page = await editor.get(path)
    expect(page.text).to.include('The record is hidden.').and.include('by editor')
    expect(page.text).to.include('Who Asks').and.not.include('(deleted)')
    expect(page.text).not.to.include('Hide this record')
    const today = new Date().toISOString().slice(0, 10)
    expect((await editor.get('/manage/hidden')).text).to.include(
      `At the request of the maker, ${today}`,
    )
    const undo = /action="([^"]*\?undo)"/.exec(page.text)?.[1] ?? ''
    expect((await editor.send(undo, {})).status).to.equal(303)
    expect((await record()).status).to.equal(200)
    const after = await editor.get(path)
    expect(after.text).to.include('Hide this record').and.not.include('by editor')
  })

  it('hide the record that the identifier of the request leads to since', async () => {
    await service().post('/api/zines/', zine('old-address', { creator: ['ann'] }))
    const number = await ask(service(), { topic: 'hide' }, formOf('zines', 'old-address'))
    await service().post('/api/zines/old-address/rename/', { id: 'new-address' })
    const editor = await signedIn(service(), 'editor')
    await editor.send(`/manage/requests/${number}`, { do: 'hide' })
    expect((await service().get('/api/zines/new-address/')).status).to.equal(404)
  })

  it('that ask for a correction, or are done, do not offer to hide the record', async () => {
    const editor = await signedIn(service(), 'editor')
    const offers = async (number: number) =>
      (await editor.get(`/manage/requests/${number}`)).text.includes('Hide this record')
    const number = await ask(service(), { topic: 'other' })
    expect(await offers(number)).to.equal(true)
    await answer(editor, number, { do: 'declined' })
    expect(await offers(number)).to.equal(false)
    expect(await offers(await ask(service(), { topic: 'correct' }))).to.equal(false)
  })

  it('about numbers that do not exist answer 404', async () => {
    const admin = await signedIn(service(), 'admin')
    for (const number of ['0', '999999', 'x', '1e0', '-1', '%00'])
      expect((await admin.get(`/manage/requests/${number}`)).status, number).to.equal(404)
  })
})

describe('CONTACT', () => {
  for (const [set, href, shown] of [
    ['zines@example.org', 'mailto:zines@example.org', 'zines@example.org'],
    ['https://example.org/contact/', 'https://example.org/contact/', 'example.org/contact'],
  ] as const)
    it(`${set} is in the footer of every page and on the form for changes`, async () => {
      const service = await startService({ ...BASE, CONTACT: set })
      await service.post('/api/agents/', agent('ann'))
      for (const path of ['/api/', '/api/agents/ann/', '/manage/login', '/api/schema/']) {
        const [footer] = (await open(service, path)).all('footer')
        const link = footer?.all('a').find(({ text }) => text === 'Contact')
        expect(link?.attributes.href, path).to.equal(href)
      }
      const error = await service.get('/nowhere', { headers: { accept: 'text/html' } })
      expect(error.text).to.include(`href="${href}"`)
      const form = await open(service, formOf('agents', 'ann'))
      const links = form.all('a').filter(({ attributes }) => attributes.href === href)
      expect(links.map(({ text }) => text)).to.deep.equal([shown, 'Contact'])
      await service.stop()
    })

  it('that is not set leaves the link out', async () => {
    const service = await startService(BASE)
    expect((await open(service, '/api/')).all('footer')[0]?.text).not.to.include('Contact')
    await service.stop()
  })
})
