// Hostile values in parameters, paths, headers and bodies: each has the expected status and a JSON error,
// nothing is written, and the service is healthy afterwards.

import { request } from 'node:http'
import { deflateSync, gzipSync } from 'node:zlib'

import { expect } from 'chai'

import { agent, holding } from '../examples.js'
import { resources, unique, useCatalogue } from '../http/catalogue.js'
import type { Ask } from '../service.js'
import { processorTime } from '../waiting.js'

const LONG = 'x'.repeat(12_000)

/** Values for parameters, identifiers and headers that have a special meaning in some language. */
// prettier-ignore
const texts = [
  `' OR '1'='1`, `" } UNION { ?s ?p ?o } #`, `> <a:b> <c:d`, '\r\nX-Injected: 1', '\n', '\0', '../../../etc/passwd',
  '..\\..\\x', '%2e%2e%2f', '%00', '%zz', '<script>alert(1)</script>', '{{7*7}}', '${7*7}', '(a+)+$', '.*', '[', '\\',
  '=1+1', '__proto__', 'constructor', 'hasOwnProperty', 'toString', 'null', 'undefined', 'NaN', '-1', '1e999', '1.5',
  '9007199254740993', '0x10', '٣', '１', '\ufeff1', '\u202e', '\ud83e\udd84', 'true,false', ',', ',,,', ' ', '-', '--', '*',
]

const parameters = [
  'page',
  'page_size',
  'ordering',
  'search',
  'format',
  'safe',
  'private',
  'subject',
  'genre',
  'creator',
  'language',
  'kind',
  'public',
  'zine_id',
  'repository_id',
  'access_status',
  'digital_available',
  'country',
  'status',
  '__proto__',
  'constructor',
]

/** The resource of a parameter, if it is neither zines nor agents. */
const ofOthers: Readonly<Record<string, string>> = {
  zine_id: 'holdings',
  repository_id: 'holdings',
  access_status: 'holdings',
  digital_available: 'holdings',
  country: 'repositories',
  status: 'repositories',
}

const elsewhere = [
  '/api/zines/export/',
  '/api/vocabularies/subjects/',
  '/api/geography/places/',
  '/api/schema/',
  '/dataset',
  '/explore',
  '/makers',
  '/map',
  '/id/zines/zine',
  '/sparql',
]

describe('a hostile request', () => {
  const { service } = useCatalogue({ SPARQL_WORKERS: '1' })
  let stateBefore: string

  before(async () => {
    await service().post('/api/holdings/', holding('copy'))
    stateBefore = await everything()
  })

  afterEach('writes nothing and leaves the service healthy', async () => {
    expect(await everything()).to.equal(stateBefore)
    expect((await service().get('/healthz')).status).to.equal(200)
    expect(Object.prototype).not.to.have.property('polluted')
  })

  async function everything(): Promise<string> {
    const files = resources.map(({ name }) => service().get(`/api/${name}/export/?format=jsonl`))
    return (await Promise.all(files)).map(({ text }) => text).join('\n')
  }

  /** Checks that the status is below 500, errors are JSON and no header is injected; returns the status. */
  async function expectHandled(method: string, path: string, more: Ask = {}): Promise<number> {
    const { status, headers, text, body } = await service().ask(method, path, more)
    expect(status, `${method} ${path}: ${text}`).to.be.below(500)
    expect(headers.has('x-injected')).to.equal(false)
    expect(headers.get('x-content-type-options')).to.equal('nosniff')
    if (status >= 400 && method !== 'HEAD') {
      expect(headers.get('content-type')).to.match(/^application\/json/)
      expect(body, text).to.be.an('object')
    }
    return status
  }

  for (const name of parameters)
    it(`with any value of the parameter ${name} is answered 200, 400 or 404`, async () => {
      // Each parameter at two lists, and some of them at other endpoints too.
      for (const resource of ['zines', ofOthers[name] ?? 'agents'])
        for (const value of [...texts, LONG]) {
          const query = `?${name}=${encodeURIComponent(value)}`
          const status = await expectHandled('GET', `/api/${resource}/${query}`)
          expect(status, `${resource} ${query}`).to.be.oneOf([200, 400, 404])
        }
      if (['page', 'search', 'format', '__proto__'].includes(name))
        for (const path of elsewhere)
          for (const value of texts)
            await expectHandled('GET', `${path}?${name}=${encodeURIComponent(value)}`)
    })

  it('with any identifier or code is answered 400, 404 or 405', async () => {
    for (const path of [
      '/api/zines/',
      '/api/agents/',
      '/api/vocabularies/subjects/',
      '/api/geography/countries/',
      '/api/geography/places/',
      '/id/holdings/',
    ])
      for (const value of [...texts, LONG].filter((one) => one !== '*'))
        for (const method of ['GET', 'PUT', 'DELETE']) {
          const end = path.startsWith('/id') ? '' : '/'
          const status = await expectHandled(method, `${path}${encodeURIComponent(value)}${end}`)
          expect(status).to.be.oneOf([400, 404, 405])
        }
  })

  // prettier-ignore
  const paths = [
    '/api/zines/..%2f..%2f', '/api/zines/%2e%2e/', '/api/zines/%2e/', '/api/zines/zine%2f', '/api/zines/zine;x=1/',
    '/api/zines/zine%00/', '/api//zines/', '/api/zines//zine/', '/api/zines/zine//', '/api/zines/zine/%2e%2e/', '/%61pi/zinesx/',
    '/api%2fzines/', '/api\\zines\\', '/assets/..%2f..%2fpackage.json', '/assets/%2e%2e/package.json', '/assets/', '/assets/__proto__',
    '/assets/constructor', '/dumps/..%2fdata', '/dumps/2026-11-20-120000/..%2frelease.json', '/vocabularies/..%2fagents', '/.env', '/.git/config', '/data/token.key',
    '/api/__proto__/', '/api/constructor/', '/api/zines/export/export/', '/api/export/__proto__/', '/id/__proto__/x', '/id/zines/',
    '/healthz/', '/healthz%00', '/api/zines/zine/.json', '/api/zines.json', '/api/schema/../zines/x/y/',
  ]

  for (const path of paths)
    it(`to ${path} is redirected or answered 400 or 404`, async () => {
      // fetch would normalize the path.
      const { status, headers } = await raw('GET', path, {})
      expect(status).to.be.oneOf([301, 400, 404])
      expect(headers).to.match(/^X-Content-Type-Options: nosniff$/im)
    })

  // prettier-ignore
  const headers: readonly (readonly [name: string, values: readonly string[], statuses: readonly number[]])[] = [
    ['accept',            ['*/*;q=nope', ';;;', ',,,', 'a/b/c', `${'text/x,'.repeat(500)}*/*`, `application/json;${'a=1;'.repeat(500)}q=0.5`, 'text/html;q=0,*/*;q=0', '"', 'application/json;x="', `text/${'('.repeat(2000)}`], [200, 406]],
    ['accept-encoding',   ['gzip;q=nope', '*;q=0', 'identity;q=0, *;q=0', ','.repeat(2000)],                                       [200, 406]],
    ['accept-language',   ['xx-'.repeat(2000)],                                                                                  [200]],
    ['authorization',     ['Token', 'Token ', 'Token a b', `Token ${'f'.repeat(8000)}`, 'Token __proto__', 'token \u00ff', `Token ' OR 1=1`],  [401]],
    ['authorization',     ['Basic YWRtaW46YWRtaW4=', 'Bearer x', 'Digest username="admin"', '\u00e9', ',', 'x'.repeat(8000)],  [200]],
    ['if-none-match',     ['"', 'W/', '*,*', '"x",'.repeat(2000), '__proto__', '\u00ff'],                                      [200, 304]],
    ['if-modified-since', ['never', '99999999999999', 'Thu, 99 Foo 0000 99:99:99 GMT'],                                           [200]],
    ['range',             ['bytes=0-0', `bytes=${'0-1,'.repeat(1500)}0-1`, 'bytes=-1', 'x'],                                        [200]],
    ['origin',            ['null', 'https://evil.example', 'x', `https://${'x'.repeat(5000)}`, '*'],                              [200]],
    ['host',              ['evil.example', 'evil.example:99', '[::1]'],                                                           [200]],
    ['x-forwarded-for',   ['127.0.0.1', '::1', 'x', '1.1.1.1,'.repeat(900), "' OR 1=1"],                                      [200]],
    ['x-forwarded-host',  ['evil.example', 'evil.example/path', '"><script>', 'a b'],                                             [200]],
    ['x-forwarded-proto', ['https', 'javascript', 'x'],                                                                         [200]],
    ['x-http-method-override', ['DELETE', 'PUT'],                                                                               [200]],
    ['x-original-url',    ['/api/agents/', '/healthz'],                                                                          [200]],
    ['forwarded',         ['for=127.0.0.1;host=evil.example;proto=https'],                                                      [200]],
    ['cookie',            [`zine_session=${'x'.repeat(43)}`, 'zine_session=', '=', ';;;', 'a=1;'.repeat(1500), '__proto__=1'], [200]],
    ['expect',            ['100-continue'],                                                                                      [200]],
    ['te',                ['trailers, deflate;q=0.5'],                                                                          [200]],
    ['user-agent',        ['() { :;}; /bin/sh', '${jndi:ldap://x/a}', ''],                                                      [200]],
  ]

  for (const [name, values, statuses] of headers)
    it(`with any value of the header ${name} is answered ${statuses.join(' or ')}`, async () => {
      for (const value of values) {
        const { status, headers, body } = await raw('GET', '/api/zines/?page_size=1', {
          [name]: value,
        })
        expect(status, value).to.be.oneOf(statuses)
        expect(headers).not.to.match(/^(?:set-cookie|x-injected)/im)
        // Without TRUST_PROXY only Host determines the URLs in responses.
        if (name.startsWith('x-') || name === 'forwarded')
          expect(headers + body).not.to.include('evil.example')
      }
    })

  /** Sends a request with node:http, which changes nothing of it as fetch would. */
  function raw(
    method: string,
    path: string,
    sent: Readonly<Record<string, string>>,
    body?: string | Buffer,
  ) {
    return new Promise<{ status: number; headers: string; body: string }>((resolve, reject) => {
      const { hostname, port } = new URL(service().url)
      const where = { hostname, port, path, method, headers: sent, agent: false as const }
      const asked = request(where, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        answer.on('end', () => {
          const lines = answer.rawHeaders.map((one, at) => (at % 2 ? `${one}\n` : `${one}: `))
          resolve({ status: answer.statusCode ?? 0, headers: lines.join(''), body: text })
        })
      })
      asked.on('error', reject)
      asked.setTimeout(300_000, () => asked.destroy(new Error('no answer')))
      asked.end(body)
    })
  }

  it('with thousands of parameters is answered', async () => {
    // Close to the limit for headers, 16 KiB.
    const query = Array.from({ length: 2500 }, (_, at) => `${at.toString(36)}=&`).join('')
    expect(await expectHandled('GET', `/api/zines/?${query}`)).to.equal(200)
    expect(await expectHandled('GET', `/api/zines/?${'page=1&'.repeat(1500)}`)).to.equal(200)
    expect(await expectHandled('GET', `/api/zines/?${'search=a&'.repeat(1500)}`)).to.equal(200)
    expect(await expectHandled('GET', `/api/zines/?${'&'.repeat(10_000)}`)).to.equal(200)
    expect(await expectHandled('GET', `/api/zines/?search=${'a+'.repeat(6000)}`)).to.be.oneOf([
      200, 400,
    ])
    expect(await expectHandled('GET', `/api/zines/?ordering=${'title,'.repeat(2000)}`)).to.equal(
      200,
    )
    const form = Array.from({ length: 10_000 }, (_, at) => `p${at}=x`).join('&')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await expectHandled('POST', '/sparql', { raw: form, headers, token: null })).to.equal(
      400,
    )
  })

  it('with a too long address is answered 414, and with too long headers 431', async () => {
    expect((await raw('GET', `/api/zines/?x=${'x'.repeat(40_000)}`, {})).status).to.equal(414)
    expect((await raw('GET', '/api/zines/', { 'x-long': 'x'.repeat(40_000) })).status).to.equal(431)
    const many = Object.fromEntries(
      Array.from({ length: 1500 }, (_, at) => [`x-${at}`, 'xxxxxxxxxxxx']),
    )
    expect((await raw('GET', '/api/zines/', many)).status).to.be.oneOf([200, 431])
  })

  const minimal = (more = '') =>
    `{"agent_id": "never", "kind": "x", "display_name": "x", "public": true${more}}`
  const encoded = (encoding: string, body: Buffer | string): Ask => ({
    raw: body,
    headers: { 'content-type': 'application/json', 'content-encoding': encoding },
  })
  const typed = (type: string, body: Buffer | string = minimal()): Ask => ({
    raw: body,
    headers: { 'content-type': type },
  })
  const utf16 = Buffer.from(minimal(), 'utf16le')

  // prettier-ignore
  const bodies: Readonly<Record<string, readonly [ask: Ask, status: number | readonly number[]]>> = {
    '`__proto__` as a key':                [{ raw: '{"__proto__": {"polluted": 1}}' }, 400],
    '`constructor` as a key':              [{ raw: '{"constructor": {"prototype": {"polluted": 1}}}' }, 400],
    '`hasOwnProperty` as a key':           [{ raw: '{"hasOwnProperty": 1, "toString": 2, "valueOf": 3}' }, 400],
    'a record in `__proto__`':             [{ raw: `{"__proto__": ${JSON.stringify(agent('never'))}}` }, 400],
    'keys given twice':                    [{ raw: '{"kind": "Person", "kind": ["x"], "agent_id": "a", "agent_id": {}}' }, 400],
    '100,000 keys':                        [{ raw: `{${Array.from({ length: 50_000 }, (_, at) => `"k${at}":${at}`).join(',')}}` }, 400],
    'a key of 500,000 characters':         [{ raw: `{"${'k'.repeat(500_000)}": 1}` }, 400],
    'nesting in a field, 100 deep':        [{ raw: minimal(`, "biography": ${'['.repeat(100)}${']'.repeat(100)}`) }, 400],
    'nesting in a field, 100,000 deep':    [{ raw: minimal(`, "x": ${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`) }, 400],
    'nesting that does not end':           [{ raw: '{"a":['.repeat(100_000) }, 400],
    '10,000 elements':                     [{ raw: minimal(`, "scope_note": [${'"x",'.repeat(9999)}"x"]`) }, 400],
    '10,000 elements of wrong types':      [{ raw: minimal(`, "roles": [${'{},'.repeat(9999)}[]]`) }, 400],
    '10,000 references':                   [{ raw: minimal(`, "creator": [${'"x",'.repeat(9999)}"x"]`) }, 400],
    '1e999':                               [{ raw: minimal(', "public": 1e999') }, 400],
    '-1e999':                              [{ raw: minimal(', "biography": -1e999') }, 400],
    '2^53+1':                              [{ raw: minimal(', "public": 9007199254740993') }, 400],
    'a number of 100,000 digits':          [{ raw: minimal(`, "public": ${'9'.repeat(100_000)}`) }, 400],
    '-0 for a truth':                      [{ raw: minimal(', "kind": -0, "public": 1.5') }, 400],
    'NaN':                                 [{ raw: minimal(', "public": NaN') }, 400],
    'Infinity':                            [{ raw: minimal(', "public": Infinity') }, 400],
    'a hexadecimal number':                [{ raw: minimal(', "public": 0x10') }, 400],
    'a BOM before the JSON':               [{ raw: `\ufeff${minimal()}` }, 400],
    'UTF-16':                              [{ raw: utf16 }, 400],
    'UTF-16 with its BOM':                 [{ raw: Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]) }, 400],
    'UTF-16 that says so':                 [typed('application/json; charset=utf-16', utf16), 415],
    'UTF-32':                              [{ raw: Buffer.from([0x7b, 0, 0, 0, 0x7d, 0, 0, 0]) }, 400],
    'a charset of Latin-1':                [typed('application/json; charset=latin1', Buffer.from([0x22, 0xe9, 0x22])), 415],
    'an overlong NUL':                     [{ raw: Buffer.concat([Buffer.from('{"a": "'), Buffer.from([0xc0, 0x80]), Buffer.from('"}')]) }, 400],
    'an overlong quote':                   [{ raw: Buffer.concat([Buffer.from('{"a": "'), Buffer.from([0xe0, 0x80, 0xa2]), Buffer.from('"}')]) }, 400],
    'a character beyond Unicode':          [{ raw: Buffer.concat([Buffer.from('{"a": "'), Buffer.from([0xf4, 0x90, 0x80, 0x80]), Buffer.from('"}')]) }, 400],
    'surrogates in UTF-8':                 [{ raw: Buffer.concat([Buffer.from('{"a": "'), Buffer.from([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]), Buffer.from('"}')]) }, 400],
    'NUL bytes alone':                     [{ raw: Buffer.alloc(10_000) }, 400],
    'bytes at random':                     [{ raw: Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 167 + 13) % 256)) }, 400],
    'spaces alone':                        [{ raw: ' '.repeat(500_000) }, 400],
    'JSON after JSON':                     [{ raw: `${minimal()}${minimal()}` }, 400],
    'a comment':                           [{ raw: `/* x */ ${minimal()}` }, 400],
    'lines of JSON':                       [{ raw: `${minimal()}\n${minimal()}\n` }, 400],
    'XML with an entity':                  [typed('application/xml', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'), 415],
    'Turtle':                              [typed('text/turtle', '<a:s> <a:p> <a:o> .'), [400, 415]],
    'JSON-LD with a context of its own':   [typed('application/ld+json', '{"@context": "http://127.0.0.1:1/"}'), [400, 415]],
    'a type that is none':                 [typed('nonsense'), 415],
    'a type with a line of its own':       [typed('application/json, text/plain'), 415],
    'JSON as a form':                      [typed('application/x-www-form-urlencoded', 'agent_id=never&kind=Person'), 415],
    'gzip that is none':                   [encoded('gzip', minimal()), [400, 415]],
    'gzip cut short':                      [encoded('gzip', gzipSync(minimal()).subarray(0, 20)), [400, 415]],
    'gzip with more behind it':            [encoded('gzip', Buffer.concat([gzipSync(minimal()), Buffer.from('x')])), [400, 415]],
    'a bomb of gzip':                      [encoded('gzip', gzipSync(Buffer.alloc(50 * 2 ** 20))), [413, 415]],
    'a bomb of deflate':                   [encoded('deflate', deflateSync(Buffer.alloc(50 * 2 ** 20))), [413, 415]],
    'a bomb in a bomb':                    [encoded('gzip, gzip', gzipSync(gzipSync(Buffer.alloc(20 * 2 ** 20)))), [400, 413, 415]],
    'an encoding that is unknown':         [encoded('x-secret', minimal()), 415],
    'an encoding that is a property':      [encoded('__proto__', minimal()), 415],
    'br that is none':                     [encoded('br', minimal()), [400, 415]],
    'text in place of everything':         [{ raw: JSON.stringify(Object.fromEntries(Object.keys(agent('x')).map((key) => [key, {}]))) }, 400],
    'null in place of everything':         [{ raw: JSON.stringify(Object.fromEntries(Object.keys(agent('x')).map((key) => [key, null]))) }, 400],
    'truth in place of everything':        [{ raw: JSON.stringify(Object.fromEntries(Object.keys(agent('x')).map((key) => [key, true]))) }, 400],
  }

  for (const [what, [sent, expected]] of Object.entries(bodies))
    it(`with ${what} in the body is rejected`, async () => {
      const statuses = [expected].flat()
      for (const { name, idField } of resources)
        for (const [method, path] of [
          ['POST', `/api/${name}/`],
          [
            'PUT',
            `/api/${name}/${{ zine_id: 'zine', agent_id: 'maker', repo_id: 'library', holding_id: 'copy' }[idField] ?? ''}/`,
          ],
        ] as const) {
          // No body is a complete record.
          const status = await expectHandled(method, path, sent)
          expect(status, `${method} ${path}`).to.be.oneOf(statuses)
        }
      const login = await expectHandled('POST', '/api/auth/token/', { ...sent, token: null })
      expect(login, 'login').to.be.oneOf(statuses)
      const query = await expectHandled('POST', '/sparql', { ...sent, token: null })
      expect(query, 'SPARQL').to.be.oneOf([400, 413, 415])
    })

  for (const value of texts)
    it(`cannot change an identifier to ${JSON.stringify(value)}`, async () => {
      for (const { name, idField, minimal } of resources) {
        const id =
          { zine_id: 'zine', agent_id: 'maker', repo_id: 'library', holding_id: 'copy' }[idField] ??
          ''
        for (const method of ['PUT', 'PATCH']) {
          const body = minimal(value)
          expect(await expectHandled(method, `/api/${name}/${id}/`, { body })).to.equal(400)
        }
      }
    })

  it('with very long values for fields with a pattern is answered quickly', async () => {
    const length = 900_000
    const started = processorTime()
    for (const [field, long] of [
      ['website', `http://${'a'.repeat(length)}`],
      ['website', `http://${'a.'.repeat(length / 2)}`],
      ['website', `http://${'1.'.repeat(length / 2)}`],
      ['website', `http://a@${'@'.repeat(length)}`],
      ['email', `${'a.'.repeat(length / 2)}@`],
      ['email', `a@${'a-'.repeat(length / 2)}`],
      ['email', '@'.repeat(length)],
      ['orcid', `https://orcid.org/${'0000-'.repeat(length / 5)}`],
      ['wikidata', `Q${'1'.repeat(length)}`],
      ['agent_id', '-'.repeat(length)],
      ['public', ' '.repeat(length)],
      ['sort_name', `a${' '.repeat(length)},x`],
    ] as const) {
      const body = { ...agent(unique('slow')), [field]: long }
      expect(await expectHandled('POST', '/api/agents/', { body }), field).to.equal(400)
    }
    expect(processorTime() - started).to.be.below(20_000)
  })
})
