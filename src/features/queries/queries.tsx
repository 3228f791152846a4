// The endpoints of named queries (docs/reference/queries.md): the list of all with their
// descriptions, each query at its own address in every format of results, and the form with which
// administrators save one.

import { json } from '../../formats/common-formats.js'
import { type RdfContext, jsonAndRdfFormats, serializeRdf } from '../../formats/rdf/documents.js'
import { message } from '../../message.js'
import { ConflictError, InvalidError, RequestError } from '../../errors.js'
import type { Endpoint } from '../../http/endpoint.js'
import type { RequestContext } from '../../http/context.js'
import {
  type FormDependencies,
  type Redirect,
  type SignedInRequest,
  type SubmittedForm,
  createFormEndpoint,
} from '../../http/form-endpoint.js'
import { negotiate } from '../../http/request/content-negotiation.js'
import { recordIdParam } from '../../http/request/list-query.js'
import { queryParam } from '../../http/request/url.js'
import { requestOrigin } from '../../http/origin.js'
import { sendJson } from '../../http/response/conditional.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import { slugPattern } from '../../lib/names/folding.js'
import type { Places } from '../../model/places.js'
import { prefixesUnder } from '../../rdf/namespaces.js'
import { editingRoutes, queriesPath, queryPath } from '../../views/links.js'
import { type Frames, sendResult, toFormatName } from '../sparql/endpoint.js'
import { bindParameters, variablesOf } from '../sparql/pre-binding.js'
import { parsePublicQuery } from '../sparql/query-checks.js'
import { graphFormats, tableFormats } from '../sparql/result-formats.js'
import { answerQuery } from '../sparql/sparql.js'
import type { SparqlRequest } from '../sparql/sparql-query.js'
import type { QueryRunner } from '../sparql/worker-pool.js'
import {
  type NamedQuery,
  type QueryParameter,
  describeQuery,
  parameterTypes,
  questionOf,
} from '../sparql/named-query.js'
import { readParameters } from './parameters.js'
import {
  QueriesPage,
  QueryForm,
  type QueryInput,
  QueryPage,
  maxParameters,
} from './queries-page.js'
import { type QueryFiles, queriesUnder } from './query-files.js'
import { barsOf, pointsOf } from './result-drawings.js'

export type QueriesDependencies = FormDependencies & {
  readonly assets: AssetUrls
  readonly namedQueries: QueryFiles
  readonly sparql: {
    readonly queries: QueryRunner
    readonly settings: { readonly base: string; readonly workers: number }
  }
  readonly documents: { readonly frame: Frames }
  readonly places: Pick<Places, 'find'>
}

export const queryEndpoints = (dependencies: QueriesDependencies): Endpoint[] => [
  listEndpoint(dependencies),
  queryForm(dependencies, editingRoutes.newQuery),
  queryForm(dependencies, editingRoutes.editQuery),
  // Without workers nothing is answered.
  ...(dependencies.sparql.settings.workers > 0 ? [queryEndpoint(dependencies)] : []),
]

const mayEdit = ({ state: { session } }: RequestContext): boolean =>
  session?.account.role === 'admin'

function listEndpoint({ assets, namedQueries, sparql }: QueriesDependencies): Endpoint {
  const { base } = sparql.settings
  const rdfContext: RdfContext = { base, prefixes: prefixesUnder(base) }
  const toJson = (ctx: RequestContext) => ({
    count: namedQueries.list().length,
    results: namedQueries.list().map((query) => ({
      name: query.name,
      question: questionOf(query, 'en').text,
      url: requestOrigin(ctx) + queryPath(query.name),
      parameters: query.parameters.map(({ name, label, type, isOptional, default: value }) => ({
        ...{ name, label, type, optional: isOptional, default: value },
      })),
      query: query.query,
    })),
  })
  return {
    path: queriesPath,
    name: 'Queries',
    description: 'The queries that have a name, with their parameters.',
    formats: jsonAndRdfFormats,
    htmlHandler: (ctx) =>
      sendPage(
        ctx,
        <QueriesPage
          context={pageContext(ctx, assets)}
          queries={namedQueries.list()}
          mayEdit={mayEdit(ctx)}
          formats={jsonAndRdfFormats}
          json={JSON.stringify(toJson(ctx))}
        />,
      ),
    methods: {
      GET(ctx) {
        const format = negotiate(ctx, jsonAndRdfFormats, queryParam(ctx, 'format'))
        ctx.state.format = format
        ctx.set('Cache-Control', 'no-cache')
        if (format.name === json.name) {
          sendJson(ctx, toJson(ctx))
          return
        }
        const quads = namedQueries
          .list()
          .flatMap((query) => describeQuery(query, queriesUnder(base)))
        ctx.type = format.type
        ctx.body = serializeRdf(format, quads, rdfContext)
      },
    },
  }
}

const endpointOf = (base: string): string => `${base}/sparql`

function queryEndpoint({
  assets,
  documents,
  namedQueries,
  places,
  sparql: { queries: pool, settings },
}: QueriesDependencies): Endpoint {
  const { base } = settings
  const queryOf = (ctx: RequestContext): NamedQuery => namedQueries.get(recordIdParam(ctx))

  /** Undefined where a parameter has no value yet. */
  function requestOf(query: NamedQuery, sent: URLSearchParams): SparqlRequest | undefined {
    const values = readParameters(query, sent)
    if (!values) return undefined
    const asked = ['format', 'explain', 'frame'].flatMap((name) => {
      const value = sent.get(name)
      return value === null ? [] : [[name, value]]
    })
    return {
      query: bindParameters(query.query, values, endpointOf(base)),
      parameters: new URLSearchParams(asked),
    }
  }

  return {
    path: `${queriesPath}:id`,
    name: 'Query',
    description: 'The result of a query that has a name, with the values of its parameters.',
    formats: [...tableFormats, ...graphFormats],
    formatName: toFormatName,
    async htmlHandler(ctx) {
      const query = queryOf(ctx)
      const sent = new URLSearchParams(ctx.querystring)
      const answer = await answerQuery(ctx, pool, () => requestOf(query, sent))
      ctx.set(answer.headers)
      const values = new Map(
        query.parameters.map(({ name, default: value }) => [name, sent.get(name) ?? value]),
      )
      const page = (
        <QueryPage
          context={pageContext(ctx, assets)}
          {...{ query, values, ...answer }}
          prefixes={prefixesUnder(base)}
          bars={barsOf(answer.outcome)}
          points={pointsOf(answer.outcome, places)}
          mayEdit={mayEdit(ctx)}
        />
      )
      sendPage(ctx, page, answer.status)
    },
    methods: {
      async GET(ctx) {
        const query = queryOf(ctx)
        const request = requestOf(query, new URLSearchParams(ctx.querystring))
        if (!request) {
          const names = query.parameters.map(({ name }) => name).join(', ')
          throw new InvalidError(message('A parameter has no value: {names}.', { names }))
        }
        await sendResult(ctx, pool, documents.frame, request)
      },
    },
  }
}

function queryForm(dependencies: QueriesDependencies, path: string): Endpoint {
  const { namedQueries, sparql } = dependencies
  const isNew = path === editingRoutes.newQuery

  async function page(
    { ctx, context }: SignedInRequest,
    form?: SubmittedForm,
    error?: RequestError,
  ) {
    const query = isNew ? undefined : namedQueries.get(recordIdParam(ctx))
    const former = query ? await namedQueries.formerVersions(query.name) : []
    const like = queryParam(ctx, 'like')
    const version = Number(queryParam(ctx, 'version'))
    const shown =
      former.find((candidate) => candidate.version === version && version > 0) ??
      query ??
      (like === '' ? undefined : namedQueries.get(like))
    const input = form ?? (shown ? inputOf(shown) : new URLSearchParams())
    if (error) ctx.status = error instanceof ConflictError ? 409 : 400
    const notice = error && { tone: 'wrong' as const, text: error.text }
    return <QueryForm {...{ context, query, former, notice }} input={input} />
  }

  return createFormEndpoint(dependencies, {
    path,
    name: isNew ? 'New Query' : 'Edit Query',
    description: 'The form of a query that has a name.',
    isAllowed: ({ role }) => role === 'admin',
    render: (request) => page(request),
    async submit(request, form): Promise<Redirect | Awaited<ReturnType<typeof page>>> {
      const name = isNew ? (form.get('name') ?? '').trim() : recordIdParam(request.ctx)
      try {
        const input = readInput(name, form, endpointOf(sparql.settings.base))
        await namedQueries.save({ ...input, account: request.account.name })
        return { to: queryPath(name), done: 'saved' }
      } catch (error) {
        if (error instanceof RequestError) return page(request, form, error)
        throw error
      }
    },
  })
}

const languages = ['en', 'es', 'fr'] as const

/** What the fields of the form have of a query. */
function inputOf({ questions, query, parameters }: NamedQuery): QueryInput {
  return new URLSearchParams([
    ...Object.entries(questions).map(([language, text]) => [`question.${language}`, text]),
    ['query', query],
    ...parameters.flatMap(({ name, label, type, isOptional, default: value }, index) => [
      [`variable.${index}`, name],
      [`label.${index}`, label],
      [`type.${index}`, type],
      [`default.${index}`, value],
      [`free.${index}`, String(isOptional)],
    ]),
  ])
}

/** @throws InvalidError for a name, a query or a parameter that cannot be */
function readInput(name: string, form: SubmittedForm, endpoint: string) {
  const textOf = (field: string): string => (form.get(field) ?? '').trim()
  if (!slugPattern.test(name) || name.length > maxNameLength)
    throw new InvalidError(
      message('A name has small letters, digits and hyphens, {count} at most.', {
        count: String(maxNameLength),
      }),
    )
  const query = form.get('query') ?? ''
  const parsed = parsePublicQuery(query, endpoint)
  const variables = variablesOf(parsed)
  const parameters: QueryParameter[] = []
  for (let index = 0; index < maxParameters; index += 1) {
    const variable = textOf(`variable.${index}`).replace(/^[?$]/, '')
    if (variable === '') continue
    if (!variables.has(variable))
      throw new InvalidError(message('The query has no variable {variable}.', { variable }))
    const type = parameterTypes.find((candidate) => candidate === textOf(`type.${index}`))
    parameters.push({
      name: variable,
      label: textOf(`label.${index}`),
      type: type ?? 'text',
      default: textOf(`default.${index}`),
      isOptional: form.get(`free.${index}`) === 'true',
    })
  }
  const read = {
    name,
    query,
    parameters,
    form: parsed.queryType,
    questions: Object.fromEntries(
      languages.flatMap((language) => {
        const text = textOf(`question.${language}`)
        return text === '' ? [] : [[language, text]]
      }),
    ),
    seen: Number(form.get('.version')) || 0,
  }
  checkParameters(read, endpoint)
  return read
}

const maxNameLength = 60

/** Binds each parameter once, as readers will, so that a fault is found when it is saved. */
function checkParameters(
  { query, parameters }: Pick<NamedQuery, 'query' | 'parameters'>,
  endpoint: string,
): void {
  const samples = { text: 'text', number: '1', iri: 'https://example.org/' } as const
  const sent = parameters
    .filter(({ default: value }) => value === '')
    .map(({ name, type }) => [name, samples[type]])
  const values = readParameters({ parameters }, new URLSearchParams(sent))
  if (values) parsePublicQuery(bindParameters(query, values, endpoint), endpoint)
}
