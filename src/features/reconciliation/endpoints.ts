// The endpoints of the Reconciliation Service API 0.2 of the W3C community group, which OpenRefine
// speaks (docs/reference/reconciliation.md). Finding and scoring is left to src/reconciliation.

import { NotFoundError } from '../../errors.js'
import { html, json } from '../../formats/common-formats.js'
import type { Iris } from '../../model/iris.js'
import { encodeSegment } from '../../rdf/terms.js'
import {
  type Entities,
  type Entity,
  type EntityKey,
  type EntityType,
  entityTypes,
  isEntityType,
  isRecordType,
  readKey,
} from './entities.js'
import type { Extension } from './extension.js'
import { properties } from './properties.js'
import type { ReconciliationQuery, Reconciler } from './reconciler.js'
import { fold } from '../../lib/names/folding.js'
import type { Handler, RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { httpErrors } from '../../http/errors.js'
import { inQuery } from '../../http/operation.js'
import { requestOrigin } from '../../http/origin.js'
import { formType, readText } from '../../http/request/body.js'
import { choiceParam, parseParameters, queryParam } from '../../http/request/url.js'
import { sendJson } from '../../http/response/conditional.js'
import * as schema from '../../http/schemas.js'
import { candidateJson, extensionJson, manifestOf, suggestionJson, typeObject } from './manifest.js'
import {
  parseBatch,
  parseExtension,
  parseSingle,
  reconciliationLimits,
} from './reconciliation-queries.js'
import { redirectToOther } from '../../http/response/redirect.js'

type ReconciliationDependencies = {
  readonly about: { readonly version: string }
  readonly iris: Pick<Iris, 'base'>
  readonly entities: Entities
  readonly reconciler: Reconciler
  readonly extension: Extension
  /** Shows what is known of an entity, in the frame of another site. */
  readonly preview: (entity: Entity, address: string) => Handler
}

const typeSchema = schema.object({ id: schema.choice(entityTypes), name: schema.text() })

const servicePathSchema = schema.object({ service_url: schema.text(), service_path: schema.text() })

const manifestSchema = schema.component(
  'ReconciliationManifest',
  'What the service can do, and where.',
  {
    versions: schema.listOf(schema.text()),
    name: schema.text(),
    identifierSpace: schema.text(),
    schemaSpace: schema.text(),
    ...schema.partial({
      serviceVersion: schema.text(),
      documentation: schema.text(),
      defaultTypes: schema.listOf(typeSchema),
      view: schema.object({ url: schema.text() }),
      preview: schema.object({
        url: schema.text(),
        width: schema.integer(),
        height: schema.integer(),
      }),
      suggest: schema.object(
        schema.partial({
          entity: servicePathSchema,
          property: servicePathSchema,
          type: servicePathSchema,
        }),
      ),
      extend: schema.object(
        schema.partial({
          propose_properties: servicePathSchema,
          property_settings: schema.listOf({}),
        }),
      ),
    }),
  },
)

const candidateSchema = schema.object({
  id: schema.text('The type and the identifier, such as `agents/jackie-wang`.'),
  name: schema.text(),
  type: schema.listOf(typeSchema),
  score: schema.number({ minimum: 0, maximum: 100 }),
  features: schema.listOf(
    schema.object({ id: schema.text(), value: { oneOf: [schema.number(), schema.boolean()] } }),
  ),
  match: schema.boolean('Whether it is certain enough to be taken.'),
  ...schema.partial({ description: schema.text() }),
})

const resultSchema = schema.component(
  'ReconciliationResult',
  'The candidates of one query, the best first.',
  { result: schema.listOf(candidateSchema) },
)

const batchSchema = schema.mapOf(resultSchema, {
  $id: 'ReconciliationResultBatch',
  description: 'The candidates of each query, by its key.',
})

const cellSchema = schema.object(
  schema.partial({
    id: schema.text(),
    name: schema.text(),
    str: schema.text(),
    int: schema.integer(),
    float: schema.number(),
    date: schema.text(),
  }),
  'One of a text, a number, a time, or an entity with `id` and `name`.',
)

const named = { id: schema.text(), name: schema.text() }

const extensionSchema = schema.component(
  'ReconciliationExtension',
  'The values of properties of entities.',
  {
    meta: schema.listOf(schema.object({ ...named, ...schema.partial({ type: typeSchema }) })),
    rows: schema.mapOf(schema.mapOf(schema.listOf(cellSchema))),
  },
)

const suggestionsSchema = schema.component(
  'ReconciliationSuggestions',
  'What a name that begins like this may stand for.',
  {
    result: schema.listOf(
      schema.object({
        ...named,
        ...schema.partial({ description: schema.text(), notable: schema.listOf(typeSchema) }),
      }),
    ),
  },
)

const propertiesSchema = schema.component(
  'ReconciliationProperties',
  'The properties that entities of a type have.',
  {
    properties: schema.listOf(schema.object(named)),
    ...schema.partial({ type: schema.text(), limit: schema.integer() }),
  },
)

const answerSchema = { oneOf: [manifestSchema, batchSchema, resultSchema, extensionSchema] }

const queriesText = `A batch of at most ${reconciliationLimits.queries} queries, as JSON.`
const extendText = 'A data extension query, as JSON.'

const typeParameter = inQuery('type', 'Only for this type.')

const prefixParameters = [
  inQuery('prefix', 'The beginning of a name.'),
  inQuery('cursor', 'How many suggestions to skip.', schema.count()),
]

/** What is said of an operation that is about one entity. */
const ofEntity = {
  errors: [400],
  parameters: [inQuery('id', 'The identifier, such as `agents/jackie-wang`.')],
}

/** How many suggestions there are. */
const suggestionCount = 20

export const reconciliationEndpoints = (
  dependencies: ReconciliationDependencies,
): readonly Endpoint[] => [
  serviceEndpoint(dependencies),
  ...suggestEndpoints(dependencies),
  {
    path: '/reconcile/properties',
    name: 'Reconciliation Properties',
    description: 'The properties that data extension has of the entities of a type.',
    formats: [json],
    methods: { GET: (ctx) => sendProperties(ctx, dependencies) },
    operations: {
      GET: {
        response: propertiesSchema,
        errors: [400],
        parameters: [typeParameter, inQuery('limit', 'The most properties.', schema.positive())],
      },
    },
  },
  {
    path: '/reconcile/view',
    name: 'Reconciliation View',
    description: 'Redirects to the page of an entity.',
    formats: [json],
    ignoresAccept: true,
    methods: {
      GET(ctx) {
        redirectToOther(ctx, `${requestOrigin(ctx)}${pathOf(requireKey(ctx))}`)
      },
    },
    operations: { GET: { ...ofEntity, redirects: true } },
  },
  {
    path: '/reconcile/preview',
    name: 'Reconciliation Preview',
    description: 'A short page about an entity, which other sites may show in a frame.',
    formats: [html],
    methods: {
      async GET(ctx) {
        const key = requireKey(ctx)
        const [entity] = (await dependencies.entities.read([key])).values()
        if (!entity) throw new NotFoundError()
        await dependencies.preview(entity, `${requestOrigin(ctx)}${pathOf(key)}`)(ctx)
      },
    },
    operations: { GET: ofEntity },
  },
]

function serviceEndpoint(dependencies: ReconciliationDependencies): Endpoint {
  return {
    path: '/reconcile',
    name: 'Reconciliation',
    description:
      'The Reconciliation Service API 0.2 of the W3C community group: without parameters its manifest; ' +
      'with `queries` the candidates for each name, with `extend` values of entities.',
    formats: [json],
    consumes: [formType],
    anonymousWrite: true,
    methods: {
      GET: (ctx) => answer(ctx, parseParameters(ctx.querystring), dependencies),
      async POST(ctx) {
        const parameters = parseParameters(await readText(ctx, formType))
        await answer(ctx, parameters, dependencies)
      },
    },
    operations: {
      GET: {
        response: answerSchema,
        errors: [400],
        parameters: [
          inQuery('queries', queriesText),
          inQuery('query', 'One name, or one query as JSON.'),
          inQuery('extend', extendText),
        ],
      },
      POST: {
        response: answerSchema,
        form: schema.object(
          schema.partial({
            queries: schema.text(queriesText),
            query: schema.text(),
            extend: schema.text(extendText),
          }),
        ),
      },
    },
  }
}

async function answer(
  ctx: RequestContext,
  parameters: URLSearchParams,
  { about, iris, reconciler, extension }: ReconciliationDependencies,
): Promise<void> {
  const [queries, query, extend] = ['queries', 'query', 'extend'].map((name) =>
    parameters.get(name),
  )
  ctx.set('Cache-Control', 'no-cache')
  if (typeof queries === 'string') {
    sendJson(ctx, await answerBatch(reconciler, parseBatch(queries)))
  } else if (typeof extend === 'string') {
    const { ids, properties: names } = parseExtension(extend)
    sendJson(
      ctx,
      extensionJson(names, await extension.extend(ids, names), (id) => extension.find(id)),
    )
  } else if (typeof query === 'string') {
    const answers = await answerBatch(reconciler, new Map([['q', parseSingle(query)]]))
    sendJson(ctx, answers.q)
  } else if (ctx.method === 'POST') {
    throw httpErrors.badRequest('The form has neither `queries` nor `extend`.')
  } else
    sendJson(
      ctx,
      manifestOf({
        name: ctx.state.site.name,
        origin: requestOrigin(ctx),
        base: iris.base,
        version: about.version,
      }),
    )
}

async function answerBatch(
  reconciler: Reconciler,
  queries: ReadonlyMap<string, ReconciliationQuery | undefined>,
) {
  const validQueries = [...queries].flatMap(([key, query]) =>
    query ? [[key, query] as const] : [],
  )
  const answers = await reconciler.reconcileAll(validQueries.map(([, query]) => query))
  const byKey = new Map(validQueries.map(([key], index) => [key, answers[index] ?? []]))
  return Object.fromEntries(
    [...queries.keys()].map((key) => [key, { result: (byKey.get(key) ?? []).map(candidateJson) }]),
  )
}

function suggestEndpoints({
  reconciler,
  extension,
}: ReconciliationDependencies): readonly Endpoint[] {
  const endpoint = (name: string, description: string, GET: Handler): Endpoint => ({
    path: `/reconcile/suggest/${name}`,
    name: `Reconciliation Suggestions: ${name}`,
    description,
    formats: [json],
    methods: { GET },
    operations: {
      GET: {
        response: suggestionsSchema,
        errors: [400],
        parameters: name === 'type' ? prefixParameters : [...prefixParameters, typeParameter],
      },
    },
  })
  return [
    endpoint('entity', 'Entities whose names begin with a text, or are like it.', async (ctx) => {
      const prefix = prefixOf(ctx)
      const type = queryParam(ctx, 'type')
      const types = isEntityType(type) ? [type] : type === '' ? entityTypes : []
      const start = cursorOf(ctx)
      const entities =
        prefix.trim() === ''
          ? []
          : await reconciler.suggest(prefix, types, Math.min(start, 1000) + suggestionCount)
      sendSuggestions(ctx, entities.map(suggestionJson), start)
    }),
    endpoint('property', 'Properties whose names contain a text.', (ctx) => {
      const type = queryParam(ctx, 'type')
      const types: readonly EntityType[] = isEntityType(type) ? [type] : entityTypes
      const describedProperties = properties.filter((property) =>
        property.types.some((entityType) => types.includes(entityType)),
      )
      const fields = types
        .flatMap((entityType) => extension.propertiesOf(entityType))
        .map(({ id, name }) => ({ id, name }))
      const all = new Map([
        ...fields.map((field) => [field.id, field] as const),
        ...describedProperties.map(
          ({ id, name, description }) => [id, { id, name, description }] as const,
        ),
      ])
      const known = new Set(describedProperties.map(({ id }) => id))
      // Those that tell namesakes apart come first.
      const inOrder = [...all.values()].sort(
        (a, b) => Number(known.has(b.id)) - Number(known.has(a.id)),
      )
      sendMatching(ctx, inOrder)
    }),
    endpoint('type', 'Types whose names contain a text.', (ctx) =>
      sendMatching(ctx, entityTypes.map(typeObject)),
    ),
  ]
}

type Suggestion = { readonly id: string; readonly name: string }

function sendMatching(ctx: RequestContext, all: readonly Suggestion[]): void {
  const prefix = fold(prefixOf(ctx))
  const suggestions = all.filter(({ id, name }) =>
    [id, name].some((text) => ` ${fold(text)}`.includes(` ${prefix}`)),
  )
  sendSuggestions(ctx, suggestions, cursorOf(ctx))
}

function sendSuggestions(ctx: RequestContext, all: readonly Suggestion[], start: number): void {
  ctx.set('Cache-Control', 'no-cache')
  sendJson(ctx, { result: all.slice(start, start + suggestionCount) })
}

function prefixOf(ctx: RequestContext): string {
  const prefix = queryParam(ctx, 'prefix')
  if (prefix.length > reconciliationLimits.characters)
    throw httpErrors.badRequest(
      `\`prefix\` may have ${reconciliationLimits.characters} characters at most.`,
    )
  return prefix
}

function cursorOf(ctx: RequestContext): number {
  const cursor = queryParam(ctx, 'cursor')
  if (cursor === '') return 0
  if (!/^\d{1,6}$/.test(cursor)) throw httpErrors.badRequest('`cursor` has to be a number from 0.')
  return Number(cursor)
}

function sendProperties(ctx: RequestContext, { extension }: ReconciliationDependencies): void {
  const type = choiceParam(ctx, 'type', entityTypes)
  const limit = queryParam(ctx, 'limit')
  const all = (type ? [type] : entityTypes).flatMap((entityType) =>
    extension.propertiesOf(entityType),
  )
  const distinct = [...new Map(all.map(({ id, name }) => [id, { id, name }])).values()]
  const most = /^[1-9]\d{0,5}$/.test(limit) ? Number(limit) : undefined
  ctx.set('Cache-Control', 'no-cache')
  sendJson(ctx, {
    ...(type ? { type } : {}),
    ...(most === undefined ? {} : { limit: most }),
    properties: distinct.slice(0, most),
  })
}

/** @throws HttpError 400, 404 */
function requireKey(ctx: RequestContext): EntityKey {
  const id = queryParam(ctx, 'id')
  if (id === '') throw httpErrors.badRequest('The parameter `id` is missing.')
  const key = readKey(id)
  if (!key) throw new NotFoundError()
  return key
}

/** The path of the page of an entity. */
function pathOf({ type, id }: EntityKey): string {
  if (isRecordType(type)) return `/api/${type}/${encodeSegment(id)}/`
  const list = type === 'places' ? 'geography/places' : `vocabularies/${type}`
  return `/api/${list}/${encodeSegment(id)}/`
}
