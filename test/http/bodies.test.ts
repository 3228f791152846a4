// Tests request bodies that are not a JSON object, not UTF-8, not of the right media type or too
// large. What the fields of a body may hold is tested in validation.test.ts.

import { expect } from 'chai'
import { Agent, request } from 'node:http'
import { gzipSync } from 'node:zlib'

import { agent } from '../examples.js'
import { recordPath, unique, useCatalogue } from './catalogue.js'

const MIB = 1024 * 1024
const TOO_LARGE = { detail: 'Request body too large.' }

describe('request bodies:', () => {
  const { service, given } = useCatalogue()

  for (const raw of [
    '{',
    '{"agent_id": "x"',
    '{"agent_id": "x",}',
    "{'agent_id': 'x'}",
    '{agent_id: "x"}',
    'agent_id=x',
    'undefined',
    '{"a": 1} {"b": 2}',
    '{"a": "\n"}',
    '{"a": "\\x"}',
    '{"a": 01}',
    '// {}',
    '<agent/>',
  ])
    it(`a POST of ${JSON.stringify(raw)} answers 400 “JSON parse error”`, async () => {
      const answer = await service().ask('POST', '/api/agents/', { raw })
      expect(answer.status).to.equal(400)
      expect(answer.body).to.have.all.keys('detail')
      expect(answer.body.detail).to.match(/^JSON parse error - ./)
    })

  for (const method of ['PUT', 'PATCH'])
    it(`a ${method} of malformed JSON answers 400 and writes nothing`, async () => {
      const made = await given.agent()
      const path = recordPath('agents', made.agent_id)
      const answer = await service().ask(method, path, { raw: '{"biography": "x"' })
      expect(answer.status).to.equal(400)
      expect((await service().get(path)).body).to.deep.equal(made)
    })

  for (const raw of ['', ' '])
    it(`a POST of ${JSON.stringify(raw)} answers 400`, async () => {
      const answer = await service().ask('POST', '/api/agents/', { raw })
      expect(answer.status).to.equal(400)
    })

  for (const [raw, type] of [
    ['[]', 'list'],
    ['[{"agent_id": "x"}]', 'list'],
    ['"x"', 'str'],
    ['3', 'int'],
    ['3.5', 'float'],
    [' 3.0 ', 'float'],
    ['true', 'bool'],
    ['false', 'bool'],
  ] as const)
    it(`a POST of ${raw} answers 400 “Expected a dictionary, but got ${type}.”`, async () => {
      const answer = await service().ask('POST', '/api/agents/', { raw })
      expect(answer.status).to.equal(400)
      expect(answer.body).to.deep.equal({
        non_field_errors: [`Invalid data. Expected a dictionary, but got ${type}.`],
      })
    })

  it('a POST of null answers 400 with non_field_errors', async () => {
    const answer = await service().ask('POST', '/api/agents/', { raw: 'null' })
    expect(answer.status).to.equal(400)
    expect(answer.body).to.have.all.keys('non_field_errors')
  })

  for (const nested of [
    '['.repeat(10_000),
    '{"a":'.repeat(10_000),
    '['.repeat(20) + ']'.repeat(20),
  ])
    it(`a POST of ${nested.length} characters, nested as ${nested.slice(0, 10)}…, answers 400`, async () => {
      const answer = await service().ask('POST', '/api/agents/', { raw: nested })
      expect(answer.status).to.equal(400)
    })

  it('a POST with a field nested 10,000 levels deep answers 400', async () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000)
    const raw = JSON.stringify(agent(unique('agent'))).replace(/\}$/, `,"biography":${deep}}`)
    expect((await service().ask('POST', '/api/agents/', { raw })).status).to.equal(400)
  })

  describe('text encoding:', () => {
    it('a POST in UTF-8 keeps any character', async () => {
      const made = agent(unique('agent'), { display_name: 'Łódź 🦄' })
      const raw = new TextEncoder().encode(JSON.stringify(made))
      const answer = await service().ask('POST', '/api/agents/', { raw })
      expect(answer.body.display_name, answer.text).to.equal('Łódź 🦄')
    })

    for (const [description, bytes] of [
      ['a byte of Latin-1', [0xe9]],
      ['a truncated character', [0xe2, 0x82]],
      ['an encoded surrogate', [0xed, 0xa0, 0x80]],
      ['an overlong encoding of a slash', [0xc0, 0xaf]],
      ['a byte that never occurs in UTF-8', [0xff]],
    ] as const)
      it(`a POST with ${description} answers 400`, async () => {
        const text = JSON.stringify(agent(unique('agent'), { display_name: 'x@x' }))
        const [head = '', tail = ''] = text.split('@')
        const raw = Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(tail)])
        expect((await service().ask('POST', '/api/agents/', { raw })).status).to.equal(400)
      })
  })

  describe('media types:', () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application/rdf+xml',
      'application/octet-stream',
      'image/png',
    ])
      it(`a POST of ${type} answers 415`, async () => {
        const headers = { 'content-type': type }
        const raw = JSON.stringify(agent(unique('agent')))
        const answer = await service().ask('POST', '/api/agents/', { raw, headers })
        expect(answer.status).to.equal(415)
        expect(answer.body).to.deep.equal({
          detail: `Unsupported media type "${type}" in request.`,
        })
      })

    it('a POST of a form to /api/auth/token/ answers 415', async () => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const raw = 'username=admin&password=x'
      const answer = await service().ask('POST', '/api/auth/token/', { raw, headers, token: null })
      expect(answer.status).to.equal(415)
    })

    for (const type of [
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'Application/JSON',
    ])
      it(`a POST of ${type} is read as JSON`, async () => {
        const headers = { 'content-type': type }
        const raw = JSON.stringify(agent(unique('agent')))
        const answer = await service().ask('POST', '/api/agents/', { raw, headers })
        expect(answer.status, answer.text).to.equal(201)
      })

    it('a POST declared as gzip that is not gzip answers 400 or 415', async () => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
      const raw = JSON.stringify(agent(unique('agent')))
      const answer = await service().ask('POST', '/api/agents/', { raw, headers })
      expect(answer.status).to.be.oneOf([400, 415])
      expect(answer.body).to.have.all.keys('detail')
    })

    it('a POST of a small gzip file that unpacks to a large body answers 413 or 415', async () => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
      const raw = gzipSync(`{"biography": "${'x'.repeat(30 * MIB)}"}`)
      const answer = await service().ask('POST', '/api/agents/', { raw, headers })
      expect(answer.status).to.be.oneOf([413, 415])
    })
  })

  describe('sizes:', () => {
    /** The JSON of an agent, padded to this number of bytes. */
    const agentJson = (bytes: number) => {
      const made = agent(unique('agent'), { biography: '' })
      const rest = bytes - JSON.stringify(made).length
      return JSON.stringify({ ...made, biography: 'x'.repeat(rest) })
    }

    it('a POST of 1 MiB is accepted', async () => {
      const answer = await service().ask('POST', '/api/agents/', { raw: agentJson(MIB) })
      expect(answer.status).to.equal(201)
    })

    it('a POST of 1 MiB and one byte answers 413', async () => {
      const answer = await service().ask('POST', '/api/agents/', { raw: agentJson(MIB + 1) })
      expect(answer.status).to.equal(413)
      expect(answer.body).to.deep.equal(TOO_LARGE)
    })

    for (const [how, chunked] of [
      ['with Content-Length', false],
      ['in chunks', true],
    ] as const)
      it(`a POST of 5 MiB, sent ${how}, answers 413 and leaves the connection usable`, async () => {
        const pool = new Agent({ keepAlive: true, maxSockets: 1 })
        try {
          const first = await send(pool, 'POST', agentJson(5 * MIB), chunked)
          const second = await send(pool, 'GET')
          expect(first.status).to.equal(413)
          expect(JSON.parse(first.text)).to.deep.equal(TOO_LARGE)
          expect(second.status).to.equal(200)
          expect(JSON.parse(second.text)).to.include.all.keys('count', 'results')
        } finally {
          pool.destroy()
        }
      })

    function send(pool: Agent, method: string, body = '', chunked = false) {
      const length = chunked ? {} : { 'content-length': Buffer.byteLength(body) }
      const headers = {
        authorization: `Token ${service().tokens.admin}`,
        ...(body === '' ? {} : { 'content-type': 'application/json', ...length }),
      }
      return new Promise<{ status: number; text: string }>((resolve, reject) => {
        const sent = request(
          `${service().url}/api/agents/`,
          { agent: pool, method, headers },
          (response) => {
            const chunks: Buffer[] = []
            response.on('data', (chunk: Buffer) => chunks.push(chunk))
            response.on('error', reject)
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                text: Buffer.concat(chunks).toString('utf8'),
              }),
            )
          },
        )
        sent.on('error', reject)
        sent.end(body)
      })
    }
  })
})
