// Tests that /api/schema/ is OpenAPI 3.0.3 and has the operations and parameters that clients rely
// on. That it matches real answers is tested in openapi.test.ts.

import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'chai'
import { parse } from 'yaml'

import { useService } from '../../service.js'
import { resources, type Resource } from '../../http/catalogue.js'

const PAGING = ['page', 'page_size', 'cursor', 'ordering', 'updated_since', 'updated_before']

const PARAMETERS: Readonly<Record<Resource['name'], readonly string[]>> = {
  zines: [...PAGING, 'search', 'subject', 'genre', 'creator', 'language'],
  agents: [...PAGING, 'search', 'kind', 'public'],
  repositories: [...PAGING, 'search', 'repository_kind', 'country', 'status'],
  holdings: [...PAGING, 'zine_id', 'repository_id', 'access_status', 'digital_available'],
}

const OPERATIONS = [
  ['list', 'get', false],
  ['create', 'post', false],
  ['retrieve', 'get', true],
  ['update', 'put', true],
  ['partial_update', 'patch', true],
  ['destroy', 'delete', true],
] as const

const SUCCESS_STATUSES: Readonly<Record<string, string>> = { create: '201', destroy: '204' }

const REFERENCE_LISTS = [
  '/api/vocabularies/subjects/',
  '/api/vocabularies/genres/',
  '/api/vocabularies/agent-kinds/',
  '/api/vocabularies/agent-roles/',
  '/api/vocabularies/repository-kinds/',
  '/api/vocabularies/access-status/',
  '/api/vocabularies/rights-status/',
  '/api/vocabularies/formats/',
  '/api/vocabularies/content-advice/',
  '/api/geography/places/',
  '/api/geography/countries/',
  '/api/geography/languages/',
]

describe('GET /api/schema/', () => {
  const service = useService()
  const PATH = '/api/schema/'
  const asJson = { headers: { accept: 'application/json' } }
  const schema = async () => (await service().get(`${PATH}?format=json`)).body

  it('answers YAML by default', async () => {
    const { status, headers, text, body } = await service().get(PATH)
    expect(status).to.equal(200)
    expect(headers.get('content-type')).to.match(/yaml|openapi(?!\+json)/)
    expect(body).to.equal(undefined)
    expect(parse(text).openapi).to.equal('3.0.3')
  })

  it('answers YAML for ?format=yaml', async () => {
    const { text } = await service().get(`${PATH}?format=yaml`, asJson)
    expect(text).to.match(/^openapi: ['"]?3\.0\.3/m)
  })

  for (const accept of ['application/json', 'application/vnd.oai.openapi+json'])
    it(`answers JSON for Accept: ${accept}`, async () => {
      const { status, headers, body } = await service().get(PATH, { headers: { accept } })
      expect(status).to.equal(200)
      expect(headers.get('content-type')).to.match(/json/)
      expect(body.openapi).to.equal('3.0.3')
    })

  it('answers JSON for ?format=json', async () => {
    const { headers, body } = await service().get(`${PATH}?format=json`)
    expect(headers.get('content-type')).to.match(/json/)
    expect(body.openapi).to.equal('3.0.3')
  })

  it('answers the same document in YAML and JSON', async () => {
    expect(parse((await service().get(PATH)).text)).to.deep.equal(await schema())
  })

  it('answers valid OpenAPI', async () => {
    const { valid, errors } = await new Validator().validate(await schema())
    expect(valid, JSON.stringify(errors)).to.be.true
  })

  for (const { name, idField, required } of resources)
    describe(`describes ${name}:`, () => {
      for (const [operation, method, isOnRecord] of OPERATIONS) {
        const path = isOnRecord ? `/api/${name}/{${idField}}/` : `/api/${name}/`
        const findOperation = async () => (await schema()).paths[path]?.[method]

        it(`${method} ${path} has the operationId ${name}_${operation}`, async () => {
          expect((await findOperation())?.operationId).to.equal(`${name}_${operation}`)
        })

        it(`${name}_${operation} has an answer with status ${SUCCESS_STATUSES[operation] ?? '200'}`, async () => {
          const { responses } = await findOperation()
          expect(responses).to.include.keys(SUCCESS_STATUSES[operation] ?? '200')
        })

        if (method === 'get')
          it(`${name}_${operation} needs no token`, async () => {
            const { security } = await findOperation()
            expect(security?.some((way: object) => Object.keys(way).length === 0) ?? true).to.be
              .true
          })
        else
          it(`${name}_${operation} needs a token`, async () => {
            const document = await schema()
            const { security = document.security } = await findOperation()
            const schemes = security.map((way: object) => Object.keys(way)[0])
            expect(schemes).to.have.length.above(0)
            for (const scheme of schemes)
              expect(document.components.securitySchemes[scheme]).to.include({
                in: 'header',
                name: 'Authorization',
              })
          })
      }

      it('the list has its paging, search and filter parameters', async () => {
        const document = await schema()
        const { parameters } = document.paths[`/api/${name}/`].get
        const queries = parameters
          .map((parameter: object) => resolve(document, parameter))
          .filter((parameter: any) => parameter.in === 'query')
          .map((parameter: any) => parameter.name)
        expect(queries).to.include.members([...PARAMETERS[name]])
      })

      for (const [method, requiredFields] of [
        ['post', required],
        ['put', required],
        ['patch', []],
      ] as const)
        it(`${method} requires ${requiredFields.length > 0 ? requiredFields.join(', ') : 'no field'}`, async () => {
          const document = await schema()
          const path = method === 'post' ? `/api/${name}/` : `/api/${name}/{${idField}}/`
          const body = resolve(document, document.paths[path][method].requestBody)
          const sent = resolve(document, body.content['application/json'].schema)
          expect(sent.required ?? []).to.have.members([...requiredFields])
        })
    })

  it('describes auth_token_create', async () => {
    const { paths } = await schema()
    expect(paths['/api/auth/token/'].post.operationId).to.equal('auth_token_create')
  })

  for (const path of REFERENCE_LISTS)
    it(`describes GET ${path}`, async () => {
      expect((await schema()).paths[path]?.get).to.be.an('object')
    })

  it('gives each operation its own operationId', async () => {
    const operations = Object.values((await schema()).paths).flatMap(operationsOf)
    const names = operations.map(({ operationId }) => operationId)
    expect(new Set(names).size).to.equal(names.length)
  })

  it('declares the parameters of every path', async () => {
    const document = await schema()
    for (const [path, item] of Object.entries<any>(document.paths))
      for (const operation of operationsOf(item)) {
        const declared = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
          .map((parameter) => resolve(document, parameter))
          .filter((parameter) => parameter.in === 'path' && parameter.required)
          .map((parameter) => parameter.name)
        const named = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name)
        expect(declared, path).to.have.members(named)
      }
  })
})

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

const operationsOf = (item: any): any[] =>
  METHODS.map((method) => item[method]).filter((operation) => operation)

/** The object that a `$ref` of the schema refers to, or the object itself. */
function resolve(schema: any, object: any): any {
  if (typeof object.$ref !== 'string') return object
  const names: string[] = object.$ref.replace(/^#\//, '').split('/')
  return resolve(
    schema,
    names.reduce((at, name) => at[name], schema),
  )
}
