// The description of the service is a valid document, describes every endpoint and nothing else, and
// what the service really answers is what it describes.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'chai'
import { parse } from 'yaml'

import { openBackend } from '../../src/app/backend.js'
import { createApiEndpoints } from '../../src/app/routes.js'
import { openPackageAssets } from '../../src/app/package-files.js'
import { readConfig } from '../../src/config.js'
import type { Endpoint } from '../../src/http/endpoint.js'
import { buildDocument } from '../../src/http/api/openapi/document-builder.js'
import type { Field, Resources } from '../../src/model/resources.js'
import { agent, holding, repository, zine } from '../examples.js'
import { type Checker, checkerOf, methods, operationsOf } from './openapi-schemas.js'
import { type Ask, PASSWORD, startService, useService } from '../service.js'

// fetch itself adds `Cache-Control: no-cache` to such a request, which asks for the whole answer again.
const unlessMatching = (tag: string) => ({ 'if-none-match': tag, 'cache-control': 'max-age=0' })

/** What is answered before any endpoint is asked. */
const watched = ['/healthz', '/readyz', '/metrics']

/** What makes an agent a private one. */
const hidden = {
  public: false,
  legal_name: 'Not To Be Shown',
  email: 'hidden@example.org',
  phone: '+44 1632 960000',
}

describe('The description at /api/schema/', () => {
  const service = useService()
  const schema = (query = '', accept = '') =>
    service().get(`/api/schema/${query}`, { headers: accept ? { accept } : {} })

  it('is YAML for those who do not ask for JSON', async () => {
    for (const accept of ['', '*/*', 'application/yaml']) {
      const answer = await schema('', accept)
      expect(answer.headers.get('content-type')).to.match(/^application\/yaml\b/)
      expect(parse(answer.text).openapi).to.equal('3.0.3')
    }
    const { headers } = await schema('', 'application/vnd.oai.openapi')
    expect(headers.get('content-type')).to.match(/^application\/vnd\.oai\.openapi\b/)
  })

  it('is JSON by parameter or header, and the parameter wins', async () => {
    expect((await schema('?format=json', 'application/yaml')).body.openapi).to.equal('3.0.3')
    expect((await schema('', 'application/json')).body.openapi).to.equal('3.0.3')
    expect((await schema('', 'application/vnd.oai.openapi+json')).body.openapi).to.equal('3.0.3')
    expect((await schema('?format=yaml', 'application/json')).body).to.equal(undefined)
  })

  it('is the same document in both', async () => {
    expect(parse((await schema()).text)).to.deep.equal((await schema('?format=json')).body)
  })

  it('refuses other formats as every endpoint does', async () => {
    expect((await schema('?format=csv')).status).to.equal(406)
    expect((await schema('?format=nothing')).status).to.equal(404)
    expect((await schema('', 'text/csv')).status).to.equal(406)
  })

  it('names the address that the client used as the server', async () => {
    expect((await schema('?format=json')).body.servers).to.deep.equal([{ url: service().url }])
  })

  it('has an ETag of its own in each format, and 304', async () => {
    const [yaml, json] = [await schema(), await schema('?format=json')]
    const tag = yaml.headers.get('etag') ?? ''
    expect(tag).to.match(/^"/).and.not.equal(json.headers.get('etag'))
    const again = await service().get('/api/schema/', { headers: unlessMatching(tag) })
    expect(again.status).to.equal(304)
  })

  it('is valid OpenAPI 3.0, and all of its references lead somewhere', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate((await schema('?format=json')).body)
    expect(errors).to.equal(undefined)
    expect(valid).to.equal(true)
    expect(validator.version).to.equal('3.0')
    expect(JSON.stringify(validator.resolveRefs())).not.to.include('"$ref"')
  })

  it('describes at each address the methods that OPTIONS names', async () => {
    const { body: document } = await schema('?format=json')
    for (const [path, item] of Object.entries<any>(document.paths)) {
      if (watched.includes(path)) continue
      const { headers } = await service().ask('OPTIONS', path.replace(/{.*?}/g, 'x'))
      const allowed = (headers.get('allow') ?? '').toLowerCase().split(', ')
      const described = Object.keys(item).filter((key) => methods.includes(key))
      expect(described, path).to.have.members(allowed.filter((name) => methods.includes(name)))
    }
  })

  it('names its operations as DRF would', async () => {
    const { body: document } = await schema('?format=json')
    const ids = operationsOf(document).map(([, , { operationId }]) => operationId)
    expect(new Set(ids).size).to.equal(ids.length)
    const actions = ['list', 'create', 'retrieve', 'update', 'partial_update', 'destroy']
    for (const name of ['zines', 'agents', 'repositories', 'holdings'])
      expect(ids).to.include.members(actions.map((action) => `${name}_${action}`))
    expect(ids).to.include.members([
      'auth_token_create',
      'vocabularies_subjects_list',
      'vocabularies_agent_kinds_retrieve',
      'geography_places_list',
      'geography_countries_retrieve',
      'root_retrieve',
      'schema_retrieve',
      'healthz_retrieve',
      'readyz_retrieve',
      'metrics_retrieve',
    ])
  })

  it('asks for a token where the service does', async () => {
    const { body: document } = await schema('?format=json')
    for (const [method, path, { security }] of operationsOf(document)) {
      const isOpen = ['/api/auth/token/', '/healthz', '/readyz'].includes(path)
      const expected = method === 'GET' ? [{}, { tokenAuth: [] }] : [{ tokenAuth: [] }]
      expect(security, `${method} ${path}`).to.deep.equal(isOpen ? [] : expected)
    }
  })

  it('says what is only read and what is only written', async () => {
    const { HoldingWrite, HoldingDetail, ZineList, TokenRequest, Token } = (
      await schema('?format=json')
    ).body.components.schemas
    expect(HoldingWrite.properties.zine_id.writeOnly).to.equal(true)
    expect(HoldingWrite.properties).not.to.have.any.keys('zine', 'created_at', 'updated_at')
    expect(HoldingDetail.properties.zine.readOnly).to.equal(true)
    expect(ZineList.properties.created_at).to.include({ readOnly: true, format: 'date-time' })
    expect(TokenRequest.properties.password.writeOnly).to.equal(true)
    expect(Token.properties.token.readOnly).to.equal(true)
  })

  it('gives the limits of the fields that clients write', async () => {
    const { ZineWrite, AgentWrite, HoldingWrite, RepositoryWrite } = (await schema('?format=json'))
      .body.components.schemas
    expect(ZineWrite.required).to.have.members(Object.keys(zine('x')))
    expect(AgentWrite.required).to.have.members(Object.keys(agent('x')))
    expect(RepositoryWrite.required).to.have.members(Object.keys(repository('x')))
    expect(HoldingWrite.required).to.have.members(Object.keys(holding('x')))
    expect(ZineWrite.properties.title).to.include({ maxLength: 500, minLength: 1 })
    expect(ZineWrite.properties.series_title.items).to.include({ maxLength: 500 })
    expect(ZineWrite.properties.creator).to.include({ minItems: 1 })
    expect(ZineWrite.properties.genre).not.to.have.property('minItems')
    expect(AgentWrite.properties.kind.enum).to.have.members([
      'Person',
      'Collective',
      'Organization',
    ])
    expect(AgentWrite.properties.wikidata.pattern).to.equal('^$|^Q[0-9]{1,49}$')
    expect(HoldingWrite.properties.copy_count).to.include({
      minimum: 0,
      default: 1,
      nullable: true,
    })
    // What is unset is an empty text, which is neither.
    expect(RepositoryWrite.properties.website.anyOf[0].format).to.equal('uri')
    expect(RepositoryWrite.properties.email.anyOf[0].format).to.equal('email')
    expect(RepositoryWrite.properties.email.anyOf[1]).to.deep.equal({
      type: 'string',
      maxLength: 0,
    })
    expect(RepositoryWrite.properties.status.default).to.equal('active')
  })
})

describe('The description of the endpoints', () => {
  const about = { version: '1.2.3', description: 'A catalogue', license: 'MIT' }
  let dataDir: string
  let endpoints: readonly Endpoint[]
  let resources: Resources

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    const collection = await openBackend(readConfig({ DATA_DIR: dataDir }))
    endpoints = await createApiEndpoints(collection, await openPackageAssets())
    resources = collection.resources
    await collection.close()
  })
  after(() => rm(dataDir, { recursive: true, force: true }))

  it('has every one of them and no other, but for what watches', () => {
    const template = ({ path, resource }: Endpoint): string =>
      path.replace(
        /:(\w+)/g,
        (_, name: string) => `{${resource ? resources[resource].id.name : name}}`,
      )
    const registered = endpoints.flatMap((endpoint) =>
      Object.keys(endpoint.methods).map((method) => `${method} ${template(endpoint)}`),
    )
    const described = operationsOf(buildDocument({ about, endpoints, resources })).map(
      ([method, path]) => `${method} ${path}`,
    )
    expect(described).to.have.members([...registered, ...watched.map((path) => `GET ${path}`)])
  })

  it('says closely what each of them gives', () => {
    for (const [method, path, { responses }] of operationsOf(
      buildDocument({ about, endpoints, resources }),
    ))
      for (const status of ['200', '201'].filter((one) => one in responses))
        for (const [type, { schema }] of Object.entries<any>(responses[status].content))
          expect(schema, `${method} ${path} ${type}`).not.to.deep.equal({})
  })

  it('takes a new field in unasked', () => {
    const { zines } = resources
    const colour = {
      ...zines.byName.get('issue_designation'),
      name: 'colour',
      outputName: 'colour',
      inLists: true,
      filterable: true,
      sortable: true,
      searchable: true,
    } as Field
    const document: any = buildDocument({
      about,
      endpoints,
      resources: {
        ...resources,
        zines: {
          ...zines,
          fields: [...zines.fields, colour],
          inputFields: [...zines.inputFields, colour],
        },
      },
    })
    const shapes = ['ZineWrite', 'PatchedZineWrite', 'ZineList', 'ZineDetail']
    for (const shape of shapes)
      expect(document.components.schemas[shape].properties, shape).to.have.property('colour')
    const parameters: any[] = document.paths['/api/zines/'].get.parameters
    expect(parameters.map(({ name }) => name)).to.include('colour')
    for (const name of ['ordering', 'search'])
      expect(parameters.find((one) => one.name === name).description).to.include('`colour`')
  })

  it('takes a new endpoint in unasked', () => {
    const fresh: Endpoint = {
      path: '/api/vocabularies/moods/',
      name: 'Moods List',
      description: 'How zines feel.',
      formats: [
        { name: 'json', type: 'application/json' },
        { name: 'csv', type: 'text/csv' },
      ],
      methods: { GET: () => undefined },
    }
    const document: any = buildDocument({ about, endpoints: [...endpoints, fresh], resources })
    const { get } = document.paths['/api/vocabularies/moods/']
    expect(get).to.include({ summary: 'Moods List', description: 'How zines feel.' })
    expect(get.responses[200].content['text/csv'].schema).to.deep.equal({ type: 'string' })
    expect(get.parameters[0].schema.enum).to.deep.equal(['json', 'csv'])
  })
})

describe('What the service answers', () => {
  const service = useService({ ADMIN_USERNAME: 'root', ADMIN_PASSWORD: PASSWORD })
  let check: Checker

  before(async () => {
    const { body } = await service().get('/api/schema/?format=json')
    check = checkerOf(body)
    await service().post('/api/agents/', agent('maker'))
    await service().post('/api/agents/', agent('hidden', hidden))
    await service().post('/api/repositories/', repository('library'))
    await service().post('/api/zines/', zine('zine', { creator: ['maker', 'hidden'] }))
    await service().post('/api/holdings/', holding('copy'))
  })

  /** Asks, checks the answer against the description, and what was sent where it was taken. */
  async function ask(status: number, method: string, path: string, more: Ask = {}) {
    const answer = await service().ask(method, path, more)
    expect(answer.status, `${method} ${path}: ${answer.text}`).to.equal(status)
    check(method, path, answer, more.body)
    return answer
  }

  for (const [list, record, sent] of [
    ['/api/agents/', '/api/agents/new/', agent('new')],
    ['/api/agents/', '/api/agents/secret/', agent('secret', hidden)],
    ['/api/repositories/', '/api/repositories/new/', repository('new')],
    ['/api/zines/', '/api/zines/new/', zine('new')],
    ['/api/holdings/', '/api/holdings/new/', holding('new')],
  ] as const)
    it(`is as described when ${record} is created, listed, read, replaced, changed and deleted`, async () => {
      await ask(201, 'POST', list, { body: sent })
      await ask(200, 'GET', `${list}?page_size=1`)
      await ask(200, 'GET', list)
      const read = await ask(200, 'GET', record)
      const tag = read.headers.get('etag') ?? ''
      await ask(304, 'GET', record, { headers: unlessMatching(tag) })
      await ask(200, 'PUT', record, { body: sent })
      await ask(200, 'PATCH', record, { body: {} })
      await ask(412, 'PATCH', record, { body: {}, headers: { 'if-match': tag } })
      await ask(204, 'DELETE', record)
      await ask(404, 'GET', record)
    })

  it('is as described for every record of the sample catalogue, sent and read', async () => {
    for (const [name, id] of [
      ['agents', 'agent_id'],
      ['repositories', 'repo_id'],
      ['zines', 'zine_id'],
      ['holdings', 'holding_id'],
    ] as const) {
      const lines = (await readFile(`sample/${name}.jsonl`, 'utf8')).trim().split('\n')
      for (const line of lines) {
        const body = JSON.parse(line)
        await ask(201, 'POST', `/api/${name}/`, { body })
        await ask(200, 'GET', `/api/${name}/${body[id]}/`)
      }
      await ask(200, 'GET', `/api/${name}/?page_size=100`)
    }
  })

  it('is as described of a private agent, to all and to an editor who asks', async () => {
    const open = await ask(200, 'GET', '/api/agents/hidden/')
    expect(open.body).not.to.have.any.keys('legal_name', 'email', 'phone')
    const token = service().tokens.editor
    const whole = await ask(200, 'GET', '/api/agents/hidden/?private=true', { token })
    expect(whole.body).to.include.keys('legal_name', 'email', 'phone')
  })

  it('is as described of a zine whose maker is gone', async () => {
    await ask(201, 'POST', '/api/agents/', { body: agent('gone') })
    await ask(201, 'POST', '/api/zines/', { body: zine('left', { creator: ['gone'] }) })
    await ask(201, 'POST', '/api/holdings/', { body: holding('left', { zine_id: 'left' }) })
    await ask(204, 'DELETE', '/api/agents/gone/')
    await ask(200, 'GET', '/api/zines/left/')
    await ask(200, 'GET', '/api/zines/')
    await ask(200, 'GET', '/api/holdings/left/')
  })

  it('is as described of all else that can be read', async () => {
    const { body: document } = await service().get('/api/schema/?format=json')
    const lists = operationsOf(document).filter(
      ([method, path]) => method === 'GET' && !path.includes('{'),
    )
    for (const [, path] of lists) await ask(200, 'GET', path)
    await ask(200, 'GET', '/api/vocabularies/subjects/punk/')
    await ask(200, 'GET', '/api/geography/countries/US/')
    await ask(200, 'GET', '/api/geography/places/?search=berlin&page_size=1')
    const { body } = await service().get('/api/geography/places/')
    await ask(200, 'GET', `/api/geography/places/${body.results[0].geoname_id}/`)
  })

  it('is as described of tokens', async () => {
    const credentials = { username: 'root', password: PASSWORD }
    await ask(200, 'POST', '/api/auth/token/', { body: credentials, token: null })
    const wrong = { ...credentials, password: 'wrong' }
    await ask(400, 'POST', '/api/auth/token/', { body: wrong, token: null })
    await ask(400, 'POST', '/api/auth/token/', { raw: '{}', token: null })
  })

  it('is as described where it refuses', async () => {
    const list = '/api/zines/'
    await ask(400, 'POST', list, { raw: '{}' })
    await ask(400, 'POST', list, { raw: '[]' })
    await ask(400, 'POST', list, { raw: '{' })
    await ask(401, 'POST', list, { token: null })
    await ask(401, 'GET', list, { token: 'f'.repeat(40) })
    await ask(403, 'POST', list, { token: service().tokens.viewer })
    await ask(404, 'GET', `${list}?page=99`)
    await ask(404, 'GET', `${list}?format=none`)
    await ask(404, 'PUT', '/api/zines/none/')
    await ask(404, 'GET', '/api/vocabularies/subjects/none/')
    await ask(406, 'GET', list, { headers: { accept: 'image/png' } })
    await ask(413, 'POST', list, { raw: JSON.stringify({ title: 'x'.repeat(2 ** 20) }) })
    await ask(415, 'POST', list, { raw: 'title', headers: { 'content-type': 'text/plain' } })
  })

  it('is as described where figures are not for everybody', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    await ask(404, 'GET', '/metrics', { headers })
    await ask(401, 'GET', '/metrics', { headers, token: 'f'.repeat(40) })
    await ask(200, 'GET', '/metrics', { headers, token: service().tokens.viewer })
  })

  it('is as described where it is asked too often', async () => {
    const throttled = await startService({ THROTTLE_ANON: '1/hour' })
    try {
      await throttled.get('/api/zines/')
      const answer = await throttled.get('/api/zines/')
      expect(answer.status).to.equal(429)
      check('GET', '/api/zines/', answer)
    } finally {
      await throttled.stop()
    }
  })
})
