// Tests compressed answers: which answers are compressed, in which coding, and the ETags of the codings.

import { once } from 'node:events'
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

import { expect } from 'chai'

import { ACCEPT, browse } from '../views/browser.js'
import { listPath, recordPath, useCatalogue } from './catalogue.js'
import { namesIn } from './raw-socket.js'

type RawAnswer = {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
}

const decoders = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  none: (bytes: Buffer) => bytes,
} as const

type Coding = keyof typeof decoders

const codings = ['none', 'gzip', 'br'] as const

const headerOf: Readonly<Record<Coding, OutgoingHttpHeaders>> = {
  none: {},
  gzip: { 'accept-encoding': 'gzip' },
  br: { 'accept-encoding': 'br' },
}

const codingOf = ({ headers }: RawAnswer): Coding =>
  (headers['content-encoding'] ?? 'none') as Coding

const textOf = (answer: RawAnswer): string => decoders[codingOf(answer)](answer.bytes).toString()

describe('compression:', () => {
  const { service, given } = useCatalogue()
  const longAbstract = 'An abstract that is longer than one kilobyte. '.repeat(30)

  /** Sends a request as it is: fetch adds Accept-Encoding, and decodes. */
  async function send(
    path: string,
    headers: OutgoingHttpHeaders = {},
    { method = 'GET', body = '' } = {},
  ): Promise<RawAnswer> {
    const sent = request(service().url + path, { method, headers }).end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const bytes = await buffer(response)
    return { status: response.statusCode, headers: response.headers, bytes }
  }

  const expectCoding = (answer: RawAnswer, coding: Coding) => {
    expect([answer.status, codingOf(answer)]).to.deep.equal([200, coding])
    expect(namesIn(answer.headers.vary ?? '')).to.include('accept-encoding')
  }

  before(async () => {
    for (let count = 0; count < 5; count += 1) await given.zine({ abstract: longAbstract })
  })

  for (const [header, coding] of [
    [undefined, 'none'],
    ['', 'none'],
    ['identity', 'none'],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['gzip;q=0.5, br;q=0', 'gzip'],
    ['identity;q=1, gzip;q=0.5', 'none'],
    ['gzip;q=0', 'none'],
    ['deflate, zstd', 'none'],
    ['identity;q=0, *;q=0', 'none'],
  ] as const)
    it(`GET with Accept-Encoding: ${header ?? '(none)'} answers with the coding ${coding}`, async () => {
      const plain = await send(listPath('zines'))
      const headers = header === undefined ? {} : { 'accept-encoding': header }
      for (const time of ['first', 'again']) {
        const answer = await send(listPath('zines'), headers)
        expectCoding(answer, coding)
        expect(textOf(answer), time).to.equal(textOf(plain))
        expect(answer.headers['content-length']).to.equal(String(answer.bytes.length))
      }
    })

  it('an answer of up to 1 KB is not compressed', async () => {
    const answer = await send('/api/vocabularies/subjects/punk/', headerOf.gzip)
    expect(answer.bytes.length).to.be.at.most(1024)
    expectCoding(answer, 'none')
  })

  for (const [description, path, accept] of [
    ['a list in CSV', '/api/zines/?format=csv', '*/*'],
    ['a list in Turtle', '/api/zines/', 'text/turtle'],
    ['an export in JSON lines', '/api/zines/export/?format=jsonl', '*/*'],
    ['an export in MARCXML', '/api/export/zines/?format=marcxml', '*/*'],
    ['an export in N-Triples', '/api/export/zines/?format=ntriples', '*/*'],
    ['a vocabulary', '/api/vocabularies/subjects/', '*/*'],
    ['the OpenAPI document', '/api/schema/', '*/*'],
    ['the ontology', '/ns', 'text/turtle'],
    ['the SPARQL examples', '/.well-known/sparql-examples', 'text/turtle'],
    ['a page', '/api/zines/', ACCEPT],
  ] as const)
    it(`${description} is compressed`, async () => {
      const plain = await send(path, { accept })
      for (const coding of codings) {
        const answer = await send(path, { accept, ...headerOf[coding] })
        expectCoding(answer, coding)
        expect(textOf(answer)).to.equal(textOf(plain))
        if (coding !== 'none') expect(answer.bytes.length).to.be.below(plain.bytes.length / 2)
      }
    })

  it('a style sheet is compressed, with an ETag for each coding', async () => {
    const { bytes } = await send('/api/zines/', { accept: ACCEPT })
    const path = /"(\/assets\/[^"]+\.css[^"]*)"/.exec(bytes.toString())?.[1] ?? ''
    const answers = await Promise.all(codings.map((coding) => send(path, headerOf[coding])))
    expect(answers.map(codingOf)).to.deep.equal(codings)
    expect(new Set(answers.map(textOf)).size).to.equal(1)
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).to.equal(3)
  })

  it('a dump is not compressed twice', async () => {
    const answer = await send('/dumps/catalogue.nt.gz', headerOf.gzip)
    expect(answer.headers['content-encoding']).to.equal(undefined)
    expect(gunzipSync(answer.bytes).toString()).to.include(longAbstract.trim())
  })

  it('HEAD answers with the headers of GET', async () => {
    const path = listPath('zines')
    const [get, head] = [await send(path, headerOf.br), await send(path, headerOf.br, HEAD)]
    expect(head.bytes.length).to.equal(0)
    for (const name of ['etag', 'content-encoding', 'content-length', 'vary'])
      expect(head.headers[name], name).to.equal(get.headers[name])
  })

  it('HEAD of an export answers with its coding', async () => {
    const answer = await send('/api/zines/export/?format=csv', headerOf.gzip, HEAD)
    expectCoding(answer, 'gzip')
    expect(answer.bytes.length).to.equal(0)
  })

  it('a long error is compressed', async () => {
    const creator = Array.from({ length: 100 }, (_, index) => `unknown-${index}`)
    const { status, bytes, headers } = await send(
      '/api/zines/',
      {
        ...headerOf.gzip,
        authorization: `Token ${service().tokens.admin}`,
        'content-type': 'application/json',
      },
      { method: 'POST', body: JSON.stringify({ creator }) },
    )
    expect([status, headers['content-encoding']]).to.deep.equal([400, 'gzip'])
    expect(JSON.parse(gunzipSync(bytes).toString())).to.include.keys('title', 'creator')
  })

  describe('the ETag', () => {
    const getEtags = async (path: string) =>
      Promise.all(codings.map(async (coding) => (await send(path, headerOf[coding])).headers.etag))

    it('is strong and differs for each coding', async () => {
      for (const path of [listPath('zines'), recordPath('zines', await longZine())]) {
        const etags = await getEtags(path)
        for (const etag of etags) expect(etag).to.match(/^"[^"]+"$/)
        expect(new Set(etags).size).to.equal(3)
      }
    })

    it('in If-None-Match answers 304 for the coding that it is of', async () => {
      const path = recordPath('zines', await longZine())
      const etags = await getEtags(path)
      for (const coding of codings)
        for (const [index, etag = ''] of etags.entries())
          for (const condition of [etag, `W/${etag}`]) {
            const headers = { ...headerOf[coding], 'if-none-match': condition }
            const answer = await send(path, headers)
            const isSame = coding === codings[index]
            expect(answer.status, `${coding} ${condition}`).to.equal(isSame ? 304 : 200)
            expect(answer.headers.etag).to.equal(etags[codings.indexOf(coding)])
            if (isSame) expect(answer.headers['content-encoding']).to.equal(undefined)
            expect(namesIn(answer.headers.vary ?? '')).to.include('accept-encoding')
          }
    })

    for (const coding of codings)
      for (const [form, toCondition] of [
        ['as it was sent', (etag: string) => etag],
        ['in the weak form of a proxy', (etag: string) => `W/${etag}`],
      ] as const)
        it(`of the coding ${coding}, ${form}, is accepted in If-Match`, async () => {
          const path = recordPath('zines', await longZine())
          const { etag = '' } = (await send(path, headerOf[coding])).headers
          const headers = { 'if-match': toCondition(etag) }
          const patch = () => service().patch(path, { edition: 'second' }, { headers })
          expect((await patch()).status).to.equal(200)
          expect((await patch()).status).to.equal(412)
        })
  })

  describe('what holds a secret is not compressed:', () => {
    const acceptPage = { accept: ACCEPT, ...headerOf.br }

    it('the login page', async () => {
      expectCoding(await send('/manage/login', acceptPage), 'none')
    })

    it('the pages of a browser that is signed in', async () => {
      const browser = browse(service().url)
      await browser.signIn('editor')
      for (const path of ['/api/zines/', '/manage/zines/new']) {
        const answer = await send(path, { ...acceptPage, cookie: browser.cookie() })
        expect(answer.bytes.toString()).to.include('name="csrf_token"')
        expectCoding(answer, 'none')
      }
    })

    it('private fields', async () => {
      const { agent_id } = await given.agent({ public: false, biography: longAbstract })
      const answer = await send(`${recordPath('agents', agent_id)}?private=true`, {
        ...headerOf.br,
        authorization: `Token ${service().tokens.admin}`,
      })
      expect(answer.bytes.length).to.be.above(1024)
      expectCoding(answer, 'none')
    })
  })

  const longZine = async (): Promise<string> =>
    (await given.zine({ abstract: longAbstract })).zine_id
})

const HEAD = { method: 'HEAD' }
