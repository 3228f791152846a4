// Random requests generated from the OpenAPI document, valid and invalid ones: every response has a status
// and a body that the document describes. A failure prints its seed; `FUZZ_SEED=… FUZZ_RUNS=…` repeats a
// run or makes it longer.

import { expect } from 'chai'
import fc from 'fast-check'

import { seriesOf } from '../../src/model/series.js'
import { holding, zine } from '../examples.js'
import { type Resource, resources, unique, useCatalogue } from '../http/catalogue.js'
import {
  type AnswerChecker,
  createAnswerChecker,
  operationsOf,
} from '../features/openapi/openapi-schemas.js'
import { type Ask, PASSWORD } from '../service.js'

/** `id` is the identifier or code in the path; if undefined, that of an existing record. */
type Request = {
  readonly method: string
  readonly template: string
  readonly id: string | undefined
  readonly search: string
  readonly ask: Ask
}

const runs = Number(process.env.FUZZ_RUNS ?? 300)
const seed = process.env.FUZZ_SEED ? { seed: Number(process.env.FUZZ_SEED) } : {}

/** Groups of operations by the first two segments of their paths, such as `/api/zines/`. */
// prettier-ignore
const groups = [
  '/api/zines/', '/api/agents/', '/api/repositories/', '/api/holdings/', '/api/export/',
  '/api/vocabularies/', '/api/geography/', '/api/auth/', '/reconcile', 'others',
]

const groupOf = (path: string): string => groups.find((group) => path.startsWith(group)) ?? 'others'

describe('a random request', () => {
  const { service, given } = useCatalogue()
  let document: any
  let check: AnswerChecker

  before(async () => {
    await service().post('/api/holdings/', holding('copy'))
    document = (await service().get('/api/schema/?format=json')).body
    check = createAnswerChecker(document)
  })

  for (const group of groups)
    it(`to ${group} is answered as the OpenAPI document says`, async () => {
      const operations = operationsOf(document).filter(([, path]) => groupOf(path) === group)
      expect(operations).not.to.be.empty
      const tokens = [service().tokens.admin, service().tokens.viewer, null]
      const requests = fc.oneof(
        ...operations.map(([method, path, operation]) =>
          requestTo(method, path, operation, document, tokens),
        ),
      )
      await fc.assert(
        fc.asyncProperty(requests, async (request) => {
          const { method, ask } = request
          const path = (await pathFor(request)) + request.search
          const answer = await service().ask(method, path, ask)
          // 501: webhooks are switched off.
          if (answer.status !== 501) expect(answer.status, answer.text).to.be.below(500)
          check(method, path, answer)
        }),
        { numRuns: group === 'others' ? runs / 5 : runs, ...seed },
      )
      expect((await service().get('/healthz')).status).to.equal(200)
    })

  /** A record that may go is created for it, so that later requests find the others. */
  async function pathFor({ method, template, id }: Request): Promise<string> {
    const resource = resourceAt(template)
    const there =
      resource && mayRemove(method, template)
        ? (await given.record(resource))[resource.idField]
        : known(template)
    const path = template.replace(/{.*?}/, encodeURIComponent(id ?? there))
    // What follows the record, such as the number of a version.
    return path.replace(/{.*?}/g, '1')
  }
})

/** Deleting, merging, renaming, and undoing a creation. */
const mayRemove = (method: string, template: string): boolean =>
  method === 'DELETE' || (method === 'POST' && template.includes('{'))

const resourceAt = (template: string): Resource | undefined =>
  resources.find(({ name }) => template.startsWith(`/api/${name}/`))

/** The identifier or code of something that exists, for a path template. */
const known = (template: string): string => {
  const [, segment = ''] = /([^/]+)\/{/.exec(template) ?? []
  return examples[segment] ?? 'none'
}

// prettier-ignore
const examples: Readonly<Record<string, string>> = {
  zines: 'zine', agents: 'maker', repositories: 'library', holdings: 'copy', subjects: 'punk', genres: 'perzine',
  'agent-kinds': 'Person', 'agent-roles': 'creator', 'repository-kinds': 'archive', 'access-status': 'restricted',
  'rights-status': 'unknown', formats: 'mini', 'content-advice': 'nudity', countries: 'US', languages: 'en', places: '2950159', batches: 'none',
  imports: 'none', feeds: 'none', 'import-profiles': 'LibraryThing', webhooks: 'none', series: seriesOf(zine('zine'))[0]?.slug ?? '',
}

function requestTo(
  method: string,
  template: string,
  operation: any,
  document: any,
  tokens: readonly (string | null)[],
): fc.Arbitrary<Request> {
  const parameters: any[] = (operation.parameters ?? []).map((one: any) => resolve(one, document))
  const inQuery = parameters.filter((one) => one.in === 'query')
  const inHeader = parameters.filter((one) => one.in === 'header')
  const types = Object.values<any>(operation.responses).flatMap((response) =>
    Object.keys(resolve(response, document).content ?? {}),
  )
  return fc
    .record({
      id: segments,
      query: fc.tuple(...inQuery.map((one) => pairs(one))),
      extra: fc.option(fc.tuple(texts, texts), { freq: 2 }),
      conditions: fc.tuple(...inHeader.map((one) => fc.tuple(fc.constant(one.name), tags))),
      accept: fc.option(fc.oneof(fc.constantFrom(...types, '*/*', 'text/*;q=0.5'), visible), {
        freq: 2,
      }),
      token: fc.oneof({ weight: 8, arbitrary: fc.constant(tokens[0]) }, fc.constantFrom(...tokens)),
      body: operation.requestBody ? bodiesFor(template, operation, document) : fc.constant<Ask>({}),
    })
    .map(({ id, query, extra, conditions, accept, token, body }) => {
      const search = new URLSearchParams([...query, extra].filter((pair) => pair !== null))
      const headers = Object.fromEntries([
        ...conditions.filter(([, tag]) => tag !== null),
        ...(accept === null ? [] : [['accept', accept]]),
      ]) as Record<string, string>
      return {
        method,
        template,
        id,
        search: search.size > 0 ? `?${search.toString()}` : '',
        ask: { ...body, headers: { ...body.headers, ...headers }, token: token ?? null },
      }
    })
}

const resolve = (value: any, document: any): any =>
  value.$ref
    ? value.$ref
        .slice(2)
        .split('/')
        .reduce((at: any, step: string) => at[step], document)
    : value

const odd = fc.constantFrom(
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'null',
  'NaN',
  '-1',
  '1e999',
  '9007199254740993',
  `' OR 1=1 --`,
  '"} . ?s ?p ?o {"',
  '<script>alert(1)</script>',
  '\\',
  '%00',
  '../../etc/passwd',
  '{{7*7}}${7*7}',
  '=1+1',
  '\r\nX-Injected: 1',
)

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
  odd,
)

const visible = fc.string({ minLength: 1, maxLength: 30 }).map((text) => text.trim())

/** Mostly an existing identifier, else any text that a URL can contain. */
const segments = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  texts.filter((text) => !['', '.', '..'].includes(text)),
)

const tags = fc.option(fc.oneof(fc.constantFrom('*', '"x"', 'W/"x"', '"'), visible), { freq: 2 })

/** A parameter: left out, valid, or any text. */
const pairs = (parameter: any): fc.Arbitrary<[string, string] | null> =>
  fc.option(
    fc
      .oneof({ weight: 3, arbitrary: valuesOf(parameter.schema) }, texts)
      .map((value): [string, string] => [parameter.name, String(value)]),
    { freq: 2 },
  )

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  odd,
  texts,
  fc.double(),
  fc.maxSafeInteger(),
)

/** Bodies: mostly a record with a few changed fields, else any JSON or any text. */
function bodiesFor(template: string, operation: any, document: any): fc.Arbitrary<Ask> {
  const form = operation.requestBody.content[formType]
  if (form) return formsWith(Object.keys(form.schema.properties))
  const schema = resolve(operation.requestBody.content['application/json'].schema, document)
  const resource = resourceAt(template)
  const right = (): object => {
    if (!resource) return { username: 'viewer', password: PASSWORD }
    const { idField, full } = resource
    return full(operation.operationId.endsWith('_create') ? unique(idField) : known(template))
  }
  const changes = Object.entries(schema.properties).map(([name, one]) =>
    fc.record({
      name: fc.constant(name),
      value: fc.oneof({ weight: 4, arbitrary: valuesOf(one) }, anything),
    }),
  )
  const near = fc.array(fc.oneof(...changes), { maxLength: 3 }).map((changed) => ({
    body: { ...right(), ...Object.fromEntries(changed.map(({ name, value }) => [name, value])) },
  }))
  const other = anything.map((body) => ({ body }))
  const broken = texts.map((raw) => ({ raw }))
  const types = Object.keys(operation.requestBody.content).filter((type) => rdfTypes.includes(type))
  const documents = types.length > 0 ? [{ weight: 3, arbitrary: rdfDocuments(types, near) }] : []
  return fc.oneof({ weight: 8, arbitrary: near }, other, broken, ...documents)
}

const rdfTypes = ['application/ld+json', 'text/turtle', 'application/n-triples']

const base = 'https://zines.example'

const nodes = fc.constantFrom(
  '<>',
  '_:a',
  '_:b',
  `<${base}/id/zines/zine>`,
  `<${base}/id/agents/maker>`,
  `<${base}/id/repositories/library#address>`,
  `<${base}/vocabularies/subjects#punk>`,
  '<http://www.w3.org/1999/02/22-rdf-syntax-ns#nil>',
  '<http://example.org/%zz>',
)

const properties = fc.constantFrom(
  ...['identifier', 'title', 'creator', 'subject', 'date', 'language', 'type'].map(
    (name) => `<http://purl.org/dc/terms/${name}>`,
  ),
  ...['first', 'rest', 'type'].map(
    (name) => `<http://www.w3.org/1999/02/22-rdf-syntax-ns#${name}>`,
  ),
  '<http://schema.org/address>',
  '<http://schema.org/addressCountry>',
  '<http://www.w3.org/2007/05/powder-s#describedby>',
  `<${base}/ns#public>`,
)

const literals = fc
  .tuple(
    texts,
    fc.constantFrom('', '@en', '^^<http://www.w3.org/2001/XMLSchema#integer>', '^^<x:>'),
  )
  .map(([text, kind]) => JSON.stringify(text) + kind)

/** Triples that are nearly right, a record as JSON-LD, any JSON, or any text. */
function rdfDocuments(
  types: readonly string[],
  records: fc.Arbitrary<{ readonly body: object }>,
): fc.Arbitrary<Ask> {
  const triples = fc
    .array(fc.tuple(nodes, properties, fc.oneof(nodes, literals)), { maxLength: 12 })
    .map((all) => all.map((triple) => `${triple.join(' ')} .\n`).join(''))
  const contexts = fc.oneof(fc.constant(`${base}/api/context.jsonld`), anything)
  const jsonLd = fc
    .tuple(contexts, records)
    .map(([context, { body }]) => JSON.stringify({ '@context': context, ...body }))
  return fc
    .tuple(
      fc.constantFrom(...types),
      fc.oneof(
        triples,
        jsonLd,
        texts,
        anything.map((value) => JSON.stringify(value)),
      ),
    )
    .map(([type, raw]) => ({ raw, headers: { 'content-type': type } }))
}

const formType = 'application/x-www-form-urlencoded'

/** Forms whose fields have JSON that is nearly right, any JSON, or any text. */
function formsWith(names: readonly string[]): fc.Arbitrary<Ask> {
  const query = fc.record(
    {
      query: fc.oneof(fc.constantFrom('maker', 'zine', 'agents/maker', 'Berlin'), anything),
      type: fc.oneof(fc.constantFrom('agents', 'zines', ['agents', 'places']), anything),
      limit: anything,
      type_strict: fc.oneof(fc.constantFrom('any', 'should', 'all'), anything),
      properties: fc.oneof(
        fc.array(
          fc.record({
            pid: fc.oneof(fc.constantFrom('year', 'zine', 'creator', 'id', 'country'), texts),
            v: fc.oneof(texts, anything, fc.record({ id: texts })),
          }),
          { maxLength: 3 },
        ),
        anything,
      ),
    },
    { requiredKeys: ['query'] },
  )
  const extension = fc.record({
    ids: fc.oneof(fc.array(fc.oneof(fc.constant('agents/maker'), texts)), anything),
    properties: fc.oneof(
      fc.array(fc.record({ id: fc.oneof(fc.constantFrom('legal_name', 'kind'), texts) })),
      anything,
    ),
  })
  const json = fc
    .oneof(fc.dictionary(texts, query, { maxKeys: 4 }), query, extension, anything)
    .map((value) => JSON.stringify(value))
  const fields = fc.array(
    fc.tuple(fc.oneof(fc.constantFrom(...names), texts), fc.oneof(json, texts)),
    { maxLength: 3 },
  )
  return fields.map((pairsOfForm) => ({
    raw: new URLSearchParams(pairsOfForm).toString(),
    headers: { 'content-type': formType },
  }))
}

/** Values that a schema allows. */
function valuesOf(schema: any): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one: any) => valuesOf(one)))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.type === 'array') return fc.array(valuesOf(schema.items), { maxLength: 5 })
  if (schema.type === 'integer') return fc.integer({ min: schema.minimum ?? -3, max: 300 })
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern))
  if (schema.format === 'uri') return fc.webUrl()
  if (schema.format === 'email') return fc.emailAddress()
  const maxLength = Math.min(schema.maxLength ?? 1000, 1000)
  return fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: Math.min(maxLength, 40) }),
    fc.constantFrom(
      'maker',
      'zine',
      'library',
      'punk',
      'perzine',
      'en',
      'US',
      'x'.repeat(maxLength + 1),
    ),
  )
}
