// Tests that the OpenAPI document is valid, that it describes every endpoint and no other, and that
// real answers match it. What clients rely on in it is tested in schema.test.ts.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'chai'
import { parse } from 'yaml'

import { openBackend } from '../../../src/app/backend.js'
import { createCitationService } from '../../../src/features/citations/citation-service.js'
import { createEndpoints } from '../../../src/app/features.js'
import { loadPackageAssets } from '../../../src/app/package-assets.js'
import { readConfig } from '../../../src/config.js'
import type { Endpoint } from '../../../src/http/endpoint.js'
import { buildDocument } from '../../../src/features/openapi/document-builder.js'
import { createJobs } from '../../../src/lib/jobs.js'
import { neverAborted } from '../../../src/lib/scheduling.js'
import type { Field, Resources } from '../../../src/model/resources.js'
import { agent, holding, repository, zine } from '../../examples.js'
import {
  type AnswerChecker,
  createAnswerChecker,
  methods,
  operationsOf,
} from './openapi-schemas.js'
import { type Ask, PASSWORD, startService, useService } from '../../service.js'

// fetch adds `Cache-Control: no-cache` to a request with If-None-Match, which would prevent a 304.
const ifNoneMatch = (tag: string) => ({ 'if-none-match': tag, 'cache-control': 'max-age=0' })

/** Paths that a middleware answers, not an endpoint. */
const monitoringPaths = ['/healthz', '/readyz', '/metrics']

/** The fields of a private agent. */
const privateFields = {
  public: false,
  legal_name: 'Not To Be Shown',
  email: 'hidden@example.org',
  phone: '+44 1632 960000',
}

describe('the OpenAPI document at /api/schema/', () => {
  const service = useService()
  const schema = (query = '', accept = '') =>
    service().get(`/api/schema/${query}`, { headers: accept ? { accept } : {} })

  it('is YAML unless JSON is requested', async () => {
    for (const accept of ['', '*/*', 'application/yaml']) {
      const answer = await schema('', accept)
      expect(answer.headers.get('content-type')).to.match(/^application\/yaml\b/)
      expect(parse(answer.text).openapi).to.equal('3.0.3')
    }
    const { headers } = await schema('', 'application/vnd.oai.openapi')
    expect(headers.get('content-type')).to.match(/^application\/vnd\.oai\.openapi\b/)
  })

  it('is JSON by ?format= or Accept, and ?format= takes precedence', async () => {
    expect((await schema('?format=json', 'application/yaml')).body.openapi).to.equal('3.0.3')
    expect((await schema('', 'application/json')).body.openapi).to.equal('3.0.3')
    expect((await schema('', 'application/vnd.oai.openapi+json')).body.openapi).to.equal('3.0.3')
    expect((await schema('?format=yaml', 'application/json')).body).to.equal(undefined)
  })

  it('is the same in YAML and JSON', async () => {
    expect(parse((await schema()).text)).to.deep.equal((await schema('?format=json')).body)
  })

  it('answers 406 for CSV and 404 for an unknown ?format=', async () => {
    expect((await schema('?format=csv')).status).to.equal(406)
    expect((await schema('?format=nothing')).status).to.equal(404)
    expect((await schema('', 'text/csv')).status).to.equal(406)
  })

  it('names as server the origin that the client used', async () => {
    expect((await schema('?format=json')).body.servers).to.deep.equal([{ url: service().url }])
  })

  it('has a different ETag in each format and answers 304 to If-None-Match', async () => {
    const [yaml, json] = [await schema(), await schema('?format=json')]
    const tag = yaml.headers.get('etag') ?? ''
    expect(tag).to.match(/^"/).and.not.equal(json.headers.get('etag'))
    const again = await service().get('/api/schema/', { headers: ifNoneMatch(tag) })
    expect(again.status).to.equal(304)
  })

  it('is valid OpenAPI 3.0 whose references all resolve', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate((await schema('?format=json')).body)
    expect(errors).to.equal(undefined)
    expect(valid).to.equal(true)
    expect(validator.version).to.equal('3.0')
    expect(JSON.stringify(validator.resolveRefs())).not.to.include('"$ref"')
  })

  it('describes at each path the methods that OPTIONS allows', async () => {
    const { body: document } = await schema('?format=json')
    for (const [path, item] of Object.entries<any>(document.paths)) {
      if (monitoringPaths.includes(path)) continue
      const { headers } = await service().ask('OPTIONS', path.replace(/{.*?}/g, 'x'))
      const allowed = (headers.get('allow') ?? '').toLowerCase().split(', ')
      const described = Object.keys(item).filter((key) => methods.includes(key))
      expect(described, path).to.have.members(allowed.filter((name) => methods.includes(name)))
    }
  })

  it('names its operations as Django REST Framework does', async () => {
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

  /** What only accounts read, most of it only those that may write it. */
  const isForWriters =
    /\/history\/|^\/api\/(?:auth\/(?:me|feeds)|batches|deleted|deleted-lists|imports|import-profiles|webhooks)\//

  it('requires a token for writes and for reading the history, and none for other reads', async () => {
    const { body: document } = await schema('?format=json')
    for (const [method, path, { security }] of operationsOf(document)) {
      const isOpen = ['/api/auth/token/', '/healthz', '/readyz', '/reconcile'].includes(path)
      const isRead = method === 'GET' && !isForWriters.test(path)
      const expected = isRead ? [{}, { tokenAuth: [] }] : [{ tokenAuth: [] }]
      expect(security, `${method} ${path}`).to.deep.equal(isOpen ? [] : expected)
    }
  })

  it('marks fields as readOnly and writeOnly', async () => {
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

  it('gives required fields, lengths, patterns and defaults of written fields', async () => {
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
    expect(AgentWrite.properties.wikidata).to.include({ pattern: '^$|^Q[0-9]+$', maxLength: 50 })
    expect(HoldingWrite.properties.copy_count).to.include({ minimum: 0, nullable: true })
    // A default as a keyword would make generated types require the field.
    expect(HoldingWrite.properties.copy_count).not.to.have.property('default')
    expect(HoldingWrite.properties.copy_count.description).to.match(/`1` where it is left out\.$/)
    // An unset field is an empty text, which is no URL and no e-mail address.
    const empty = { type: 'string', maxLength: 0 }
    expect(RepositoryWrite.properties.website).to.deep.include({
      type: 'string',
      maxLength: 255,
      anyOf: [{ type: 'string', format: 'uri' }, empty],
    })
    expect(RepositoryWrite.properties.email).to.deep.include({
      maxLength: 254,
      anyOf: [{ type: 'string', format: 'email' }, empty],
    })
    expect(RepositoryWrite.properties.country.pattern).to.equal('^[A-Z]{2}$')
    for (const [name, schema] of Object.entries<any>(AgentWrite.properties))
      if (schema.enum) expect(schema, name).not.to.have.property('minLength')
    expect(RepositoryWrite.properties.status.description).to.match(
      /`active` where it is left out\.$/,
    )
  })
})

describe('the OpenAPI document for generators of typed clients', () => {
  const service = useService()
  const document = async (query = '') =>
    (await service().get(`/api/schema/?format=json${query}`)).body

  it('lists the codes of single coded fields where they are read', async () => {
    const { schemas } = (await document()).components
    const kinds = ['Collective', 'Organization', 'Person']
    expect(schemas.AgentDetail.properties.kind.enum).to.have.members(kinds)
    expect(schemas.AgentList.properties.kind.enum).to.have.members(kinds)
    expect(schemas.RepositoryDetail.properties.status.enum).to.have.members([
      'active',
      'inactive',
      'defunct',
    ])
    expect(schemas.RepositoryDetail.properties.repository_kind.enum).to.include('distro')
    expect(schemas.HoldingDetail.properties.access_status.enum).to.include.members([
      'circulating',
      '',
    ])
    // The kind of a deleted agent is empty.
    expect(schemas.AgentReference.properties.kind.enum).to.have.members([...kinds, ''])
  })

  it('has names for nested objects', async () => {
    const { schemas } = (await document()).components
    const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    expect(schemas.ZineList.properties.creator.items).to.deep.equal(reference('AgentReference'))
    expect(schemas.ZineDetail.properties.genre.items).to.deep.equal(reference('EntryReference'))
    expect(schemas.HoldingList.properties.zine.allOf).to.deep.equal([reference('ZineReference')])
    expect(schemas.EntryReference.properties).to.have.all.keys('code', 'label', 'uri')
  })

  it('gives the codes of filters, and the bounds of page and page_size', async () => {
    const { paths, components } = await document()
    const parameter = (path: string, name: string) =>
      paths[path].get.parameters.find((one: any) => one.name === name)?.schema
    expect(parameter('/api/agents/', 'kind').enum).to.include('Person')
    expect(parameter('/api/repositories/', 'status').enum).to.include('defunct')
    expect(parameter('/api/repositories/', 'country').pattern).to.equal('^[A-Z]{2}$')
    expect(parameter('/api/geography/places/', 'level').enum).to.include('admin1')
    expect(components.parameters.Page.schema).to.include({ minimum: 1 })
    expect(components.parameters.PageSize.schema).to.include({ minimum: 1, maximum: 100 })
    expect(components.parameters.UpdatedSince.schema.format).to.equal('date-time')
    expect(components.parameters.UpdatedBefore.schema.format).to.equal('date-time')
    expect(components.parameters.Cursor.allowEmptyValue).to.equal(true)
  })

  it('describes JSON alone with ?media=json, and is valid', async () => {
    const only = await document('&media=json')
    for (const [method, path, { responses, parameters = [] }] of operationsOf(only)) {
      for (const response of Object.values<any>(responses))
        expect(Object.keys(response.content ?? {}), `${method} ${path}`).to.deep.equal(
          response.content ? ['application/json'] : [],
        )
      expect(parameters.map(({ name }: any) => name)).not.to.include('format')
    }
    expect(only.paths).to.include.all.keys('/api/zines/', '/api/schema/', '/healthz')
    expect(only.paths).not.to.have.any.keys('/metrics', '/dumps/catalogue.nt.gz')
    const { valid, errors } = await new Validator().validate(only)
    expect(valid, JSON.stringify(errors)).to.equal(true)
  })

  it('describes everything with an unknown ?media=', async () => {
    expect(await document('&media=other')).to.deep.equal(await document())
  })
})

describe('the OpenAPI document of the endpoints', () => {
  const about = { version: '1.2.3', description: 'A catalogue', license: 'MIT' }
  let dataDir: string
  let endpoints: readonly Endpoint[]
  let resources: Resources

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    const backend = await openBackend(readConfig({ DATA_DIR: dataDir }))
    const { described } = await createEndpoints({
      ...backend,
      assets: await loadPackageAssets(),
      citations: createCitationService({ directory: '' }),
      jobs: createJobs(neverAborted),
      otherCatalogues: { areNamed: false },
      siteFiles: {},
      documents: {},
      sparql: { settings: { workers: 0 }, examples: [] },
      // Nothing else is asked for before a request comes.
    } as unknown as Parameters<typeof createEndpoints>[0])
    endpoints = described
    resources = backend.resources
    await backend.close()
  })
  after(() => rm(dataDir, { recursive: true, force: true }))

  it('has all endpoints and the monitoring paths, and no others', () => {
    const template = ({ path, resource }: Endpoint): string =>
      path.replace(
        /:(\w+)/g,
        (_, name: string) => `{${resource && name === 'id' ? resources[resource].id.name : name}}`,
      )
    const registered = endpoints.flatMap((endpoint) =>
      Object.keys(endpoint.methods).map((method) => `${method} ${template(endpoint)}`),
    )
    const described = operationsOf(buildDocument({ about, endpoints, resources })).map(
      ([method, path]) => `${method} ${path}`,
    )
    expect(described).to.have.members([
      ...registered,
      ...monitoringPaths.map((path) => `GET ${path}`),
    ])
  })

  it('has a schema for each successful answer', () => {
    for (const [method, path, { responses }] of operationsOf(
      buildDocument({ about, endpoints, resources }),
    ))
      for (const status of ['200', '201'].filter((one) => one in responses))
        for (const [type, { schema }] of Object.entries<any>(responses[status].content))
          expect(schema, `${method} ${path} ${type}`).not.to.deep.equal({})
  })

  it('includes a new field without further changes', () => {
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
    const schemaNames = ['ZineWrite', 'PatchedZineWrite', 'ZineList', 'ZineDetail']
    for (const schemaName of schemaNames)
      expect(document.components.schemas[schemaName].properties, schemaName).to.have.property(
        'colour',
      )
    const parameters: any[] = document.paths['/api/zines/'].get.parameters
    expect(parameters.map(({ name }) => name)).to.include('colour')
    for (const name of ['ordering', 'search'])
      expect(parameters.find((one) => one.name === name).description).to.include('`colour`')
  })

  it('includes a new endpoint without further changes', () => {
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

describe('the OpenAPI document', () => {
  const service = useService({ ADMIN_USERNAME: 'root', ADMIN_PASSWORD: PASSWORD })
  let check: AnswerChecker

  before(async () => {
    const { body } = await service().get('/api/schema/?format=json')
    check = createAnswerChecker(body)
    await service().post('/api/agents/', agent('maker'))
    await service().post('/api/agents/', agent('hidden', privateFields))
    await service().post('/api/repositories/', repository('library'))
    await service().post('/api/zines/', zine('zine', { creator: ['maker', 'hidden'] }))
    await service().post('/api/holdings/', holding('copy'))
  })

  /** Sends a request; checks its status, and its answer and accepted body against the document. */
  async function sendAndCheck(status: number, method: string, path: string, more: Ask = {}) {
    const answer = await service().ask(method, path, more)
    expect(answer.status, `${method} ${path}: ${answer.text}`).to.equal(status)
    check(method, path, answer, more.body)
    return answer
  }

  for (const [list, record, sent] of [
    ['/api/agents/', '/api/agents/new/', agent('new')],
    ['/api/agents/', '/api/agents/secret/', agent('secret', privateFields)],
    ['/api/repositories/', '/api/repositories/new/', repository('new')],
    ['/api/zines/', '/api/zines/new/', zine('new')],
    ['/api/holdings/', '/api/holdings/new/', holding('new')],
  ] as const)
    it(`matches the answers when ${record} is created, listed, read, replaced, changed and deleted`, async () => {
      await sendAndCheck(201, 'POST', list, { body: sent })
      await sendAndCheck(200, 'GET', `${list}?page_size=1`)
      await sendAndCheck(200, 'GET', list)
      await sendAndCheck(200, 'GET', `${list}?page_size=1&cursor=`)
      await sendAndCheck(400, 'GET', `${list}?cursor=x`)
      await sendAndCheck(400, 'GET', `${list}?updated_since=yesterday`)
      const read = await sendAndCheck(200, 'GET', record)
      const tag = read.headers.get('etag') ?? ''
      await sendAndCheck(304, 'GET', record, { headers: ifNoneMatch(tag) })
      await sendAndCheck(200, 'PUT', record, { body: sent })
      await sendAndCheck(200, 'PATCH', record, { body: {} })
      await sendAndCheck(412, 'PATCH', record, { body: {}, headers: { 'if-match': tag } })
      await sendAndCheck(204, 'DELETE', record)
      await sendAndCheck(404, 'GET', record)
    })

  it('matches every record of the sample catalogue, sent and read', async () => {
    for (const [name, id] of [
      ['agents', 'agent_id'],
      ['repositories', 'repo_id'],
      ['zines', 'zine_id'],
      ['holdings', 'holding_id'],
    ] as const) {
      const lines = (await readFile(`sample/${name}.jsonl`, 'utf8')).trim().split('\n')
      for (const line of lines) {
        const body = JSON.parse(line)
        await sendAndCheck(201, 'POST', `/api/${name}/`, { body })
        await sendAndCheck(200, 'GET', `/api/${name}/${body[id]}/`)
      }
      await sendAndCheck(200, 'GET', `/api/${name}/?page_size=100`)
    }
  })

  it('matches a private agent, as the public and as an editor sees it', async () => {
    const open = await sendAndCheck(200, 'GET', '/api/agents/hidden/')
    expect(open.body).not.to.have.any.keys('legal_name', 'email', 'phone')
    const token = service().tokens.editor
    const whole = await sendAndCheck(200, 'GET', '/api/agents/hidden/?private=true', { token })
    expect(whole.body).to.include.keys('legal_name', 'email', 'phone')
  })

  it('matches a hidden record, as it is sent and as its editors see it', async () => {
    const token = service().tokens.editor
    const path = '/api/zines/not-shown/'
    const hidden = { visibility: 'hidden', hidden_reason: 'At the request of the maker.' }
    const body = { ...zine('not-shown'), ...hidden }
    const created = await sendAndCheck(201, 'POST', '/api/zines/', { body })
    expect(created.body).to.include(hidden)
    const whole = await sendAndCheck(200, 'GET', path, { token })
    expect(whole.body).to.include(hidden)
    await sendAndCheck(200, 'PATCH', path, { body: { visibility: 'public' } })
    const asked = await sendAndCheck(200, 'GET', `${path}?fields=visibility`)
    expect(asked.body).to.deep.equal({ visibility: 'public' })
  })

  it('matches a zine whose creator is deleted', async () => {
    await sendAndCheck(201, 'POST', '/api/agents/', { body: agent('gone') })
    await sendAndCheck(201, 'POST', '/api/zines/', { body: zine('left', { creator: ['gone'] }) })
    await sendAndCheck(201, 'POST', '/api/holdings/', {
      body: holding('left', { zine_id: 'left' }),
    })
    await sendAndCheck(204, 'DELETE', '/api/agents/gone/')
    await sendAndCheck(200, 'GET', '/api/zines/left/')
    await sendAndCheck(200, 'GET', '/api/zines/')
    await sendAndCheck(200, 'GET', '/api/holdings/left/')
  })

  it('matches the history of a record, and what takes it back', async () => {
    const token = service().tokens.admin
    const path = '/api/zines/taken-back/'
    await sendAndCheck(201, 'POST', '/api/zines/', { body: zine('taken-back') })
    await sendAndCheck(200, 'PATCH', path, { body: { title: 'Changed' } })
    await sendAndCheck(200, 'GET', `${path}history/`, { token })
    await sendAndCheck(200, 'GET', `${path}history/1/`, { token })
    await sendAndCheck(409, 'POST', `${path}history/1/undo/`)
    await sendAndCheck(200, 'POST', `${path}history/2/undo/`)
    await sendAndCheck(204, 'DELETE', path)
    await sendAndCheck(200, 'GET', '/api/deleted/', { token })
    await sendAndCheck(200, 'POST', `${path}history/1/restore/`, { body: { private: true } })
    const body = { field: 'title', value: 'Changed' }
    await sendAndCheck(204, 'POST', `${path}redact/`, { body })
  })

  it('matches the answers of all other paths that can be read', async () => {
    const { body: document } = await service().get('/api/schema/?format=json')
    const lists = operationsOf(document).filter(
      ([method, path]) => method === 'GET' && !path.includes('{'),
    )
    const { admin } = service().tokens
    // These need to be told of what, or lead to another address.
    const others = ['/reconcile/view', '/reconcile/preview', '/random']
    for (const [, path] of lists)
      // There is no release yet.
      if (/^\/dumps\/(?!$|catalogue\.(?:nt|ttl)\.gz)/.test(path))
        await sendAndCheck(404, 'GET', path)
      else if (!others.includes(path)) await sendAndCheck(200, 'GET', path, { token: admin })
    await sendAndCheck(303, 'GET', '/random')
    await sendAndCheck(303, 'GET', '/reconcile/view?id=subjects%2Fpunk')
    await sendAndCheck(200, 'GET', '/reconcile/preview?id=subjects%2Fpunk')
    await sendAndCheck(400, 'GET', '/reconcile/view')
    await sendAndCheck(200, 'GET', '/api/vocabularies/subjects/punk/')
    await sendAndCheck(200, 'GET', '/api/geography/countries/US/')
    await sendAndCheck(200, 'GET', '/api/geography/places/?search=berlin&page_size=1')
    const { body } = await service().get('/api/geography/places/')
    await sendAndCheck(200, 'GET', `/api/geography/places/${body.results[0].geoname_id}/`)
  })

  it('matches batches, their results and what undoes them', async () => {
    const edit = { kind: 'zines', ids: ['zine'], edit: { abstract: { set: 'Edited.' } } }
    const { body } = await sendAndCheck(200, 'POST', '/api/batches/', { body: edit })
    const refused = { ...edit, edit: { title: { clear: true } } }
    await sendAndCheck(400, 'POST', '/api/batches/', { body: refused })
    await sendAndCheck(200, 'GET', '/api/batches/', { token: service().tokens.editor })
    const path = `/api/batches/${body.id}/`
    await sendAndCheck(200, 'GET', path, { token: service().tokens.editor })
    await service().patch('/api/zines/zine/', { abstract: 'Later.' })
    await sendAndCheck(409, 'POST', `${path}undo/`, { body: {} })
    await service().patch('/api/zines/zine/', { abstract: 'Edited.' })
    await sendAndCheck(200, 'POST', `${path}undo/`, { body: { private: true } })
  })

  it('matches the answers to requests for a token', async () => {
    const credentials = { username: 'root', password: PASSWORD }
    await sendAndCheck(200, 'POST', '/api/auth/token/', { body: credentials, token: null })
    const wrong = { ...credentials, password: 'wrong' }
    await sendAndCheck(400, 'POST', '/api/auth/token/', { body: wrong, token: null })
    await sendAndCheck(400, 'POST', '/api/auth/token/', { raw: '{}', token: null })
  })

  it('matches the answers to refused requests', async () => {
    const list = '/api/zines/'
    await sendAndCheck(400, 'POST', list, { raw: '{}' })
    await sendAndCheck(400, 'POST', list, { raw: '[]' })
    await sendAndCheck(400, 'POST', list, { raw: '{' })
    await sendAndCheck(401, 'POST', list, { token: null })
    await sendAndCheck(401, 'GET', list, { token: 'f'.repeat(40) })
    await sendAndCheck(403, 'POST', list, { token: service().tokens.viewer })
    await sendAndCheck(404, 'GET', `${list}?page=99`)
    await sendAndCheck(404, 'GET', `${list}?format=none`)
    await sendAndCheck(404, 'PUT', '/api/zines/none/')
    await sendAndCheck(404, 'GET', '/api/vocabularies/subjects/none/')
    await sendAndCheck(406, 'GET', list, { headers: { accept: 'image/png' } })
    await sendAndCheck(413, 'POST', list, { raw: JSON.stringify({ title: 'x'.repeat(2 ** 20) }) })
    await sendAndCheck(415, 'POST', list, {
      raw: 'title',
      headers: { 'content-type': 'text/plain' },
    })
  })

  it('matches the answers of /metrics to forwarded requests', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    await sendAndCheck(404, 'GET', '/metrics', { headers })
    await sendAndCheck(401, 'GET', '/metrics', { headers, token: 'f'.repeat(40) })
    await sendAndCheck(200, 'GET', '/metrics', { headers, token: service().tokens.viewer })
  })

  it('matches the answer to a throttled request', async () => {
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
