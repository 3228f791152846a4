// The page of the SPARQL endpoint: runs the query in the URL, and shows its result or its error.
// How it looks is left to features/sparql/sparql-page.tsx.

import { prefixesUnder, rdf, rdfs } from '../../rdf/namespaces.js'
import type { Quad } from '../../rdf/terms.js'
import { examplesOf } from './examples.js'
import { graphFormats, tableFormats } from './result-formats.js'
import type { QueryRunner } from './worker-pool.js'
import type { QueryOutcome, QueryTerms, ResultRow, RawResult } from './sparql-page.js'
import { SparqlPage } from './sparql-page.js'
import type { Handler, RequestContext } from '../../http/context.js'
import { graphResponses, hasQuery, parseUrlQuery, runQuery } from './sparql-query.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import { toErrorResponse } from '../../http/response/http-errors.js'

type SparqlPageDependencies = {
  readonly assets: AssetUrls
  /** The base URL of the IRIs. */
  readonly base: string
  readonly examples: readonly Quad[]
  readonly ontology: readonly Quad[]
}

// The column handles of YASGUI's tables insert this style sheet into the page. Only it is allowed,
// by its hash.
const styleHashes = ["'sha256-zCK2EVMoPc04mRF/g5CotUvxbJPWS+8V0b+s9ptqQIk='"]

export function sparqlPage(
  pool: QueryRunner,
  { assets, base, examples, ontology }: SparqlPageDependencies,
): Handler {
  const content = {
    examples: examplesOf(examples),
    prefixes: prefixesUnder(base),
    terms: termsOf(ontology),
  }
  return async (ctx) => {
    const { query, outcome, sent, status, headers } = await answerUrlQuery(ctx, pool)
    ctx.set(headers)
    const page = (
      <SparqlPage
        context={pageContext(ctx, assets)}
        query={query ?? content.examples[0]?.query ?? ''}
        outcome={outcome}
        sent={sent}
        {...content}
      />
    )
    sendPage(ctx, page, status, { styles: styleHashes })
  }
}

type QueryAnswer = {
  /** The query in the URL; undefined without one. */
  readonly query: string | undefined
  readonly outcome?: QueryOutcome
  readonly sent?: RawResult
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

async function answerUrlQuery(ctx: RequestContext, pool: QueryRunner): Promise<QueryAnswer> {
  const query = new URLSearchParams(ctx.querystring).get('query') ?? undefined
  try {
    if (!hasQuery(ctx)) {
      ctx.state.offered = graphResponses
      return { query, status: 200, headers: {} }
    }
    const { type, bytes } = await runQuery(ctx, pool, parseUrlQuery(ctx), {
      table: tableFormats[0],
      graph: graphFormats[0],
    })
    const sent = { type, text: new TextDecoder().decode(bytes) }
    return { query, outcome: parseOutcome(sent), sent, status: 200, headers: {} }
  } catch (error) {
    const response = toErrorResponse(error)
    if (!response || !('detail' in response.body)) throw error
    const { status, headers = {}, body } = response
    return { query, outcome: { kind: 'refused', why: String(body.detail) }, status, headers }
  }
}

function parseOutcome({ type, text }: RawResult): QueryOutcome {
  if (!type.startsWith(tableFormats[0].type)) return { kind: 'graph' }
  const { head, boolean, results } = JSON.parse(text) as {
    readonly head: { readonly vars?: readonly string[] }
    readonly boolean?: boolean
    readonly results?: { readonly bindings: readonly ResultRow[] }
  }
  if (boolean !== undefined) return { kind: 'truth', is: boolean }
  return { kind: 'table', columns: head.vars ?? [], rows: results?.bindings ?? [] }
}

/** The properties and classes of the ontology, which has all terms that the catalogue uses. */
function termsOf(ontology: readonly Quad[]): QueryTerms {
  const subjectsOfType = (type: Quad['object']): string[] =>
    ontology
      .filter(({ predicate, object }) => predicate.equals(rdf('type')) && object.equals(type))
      .map(({ subject }) => subject.value)
      .sort()
  return { properties: subjectsOfType(rdf('Property')), classes: subjectsOfType(rdfs('Class')) }
}
