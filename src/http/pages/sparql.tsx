// What a browser sees of the SPARQL endpoint: the query that is in its address, answered on the page,
// or why it is not.

import type {
  QueryOutcome,
  ResultRow,
  SubmittedQuery,
  QueryTerms,
} from '../../views/pages/sparql.js'
import { SparqlPage } from '../../views/pages/sparql.js'
import { prefixesUnder, rdf, rdfs } from '../../rdf/namespaces.js'
import type { Quad } from '../../rdf/terms.js'
import { examplesOf } from '../../sparql/examples.js'
import { graphFormats, tableFormats } from '../../sparql/result-formats.js'
import type { Pool } from '../../sparql/worker-pool.js'
import type { Assets } from '../middleware/static-files.js'
import type { RequestContext, Handler } from '../endpoint.js'
import { toErrorResponse } from '../response/http-errors.js'
import { sendPage, pageContext } from '../response/html.js'
import { hasQuery, parseUrlQuery, runQuery } from '../sparql/endpoint.js'

export type SparqlPageDependencies = {
  readonly assets: Assets
  readonly base: string
  readonly examples: readonly Quad[]
  readonly ontology: readonly Quad[]
}

// The handles with which the columns of YASGUI's tables are dragged bring a style sheet that they write
// into the page: let through by what it says, as nothing else is.
const styles = ["'sha256-zCK2EVMoPc04mRF/g5CotUvxbJPWS+8V0b+s9ptqQIk='"]

export function sparqlPage(
  pool: Pool,
  { assets, base, examples, ontology }: SparqlPageDependencies,
): Handler {
  const shown = {
    examples: examplesOf(examples),
    prefixes: prefixesUnder(base),
    terms: termsOf(ontology),
  }
  return async (ctx) => {
    const { query, outcome, sent, status, headers } = await answerOn(ctx, pool)
    ctx.set(headers)
    const page = (
      <SparqlPage
        visit={pageContext(ctx, assets)}
        query={query ?? shown.examples[0]?.query ?? ''}
        outcome={outcome}
        sent={sent}
        {...shown}
      />
    )
    sendPage(ctx, page, status, styles)
  }
}

type QueryAnswer = {
  readonly query: string | undefined
  readonly outcome?: QueryOutcome
  readonly sent?: SubmittedQuery
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

async function answerOn(ctx: RequestContext, pool: Pool): Promise<QueryAnswer> {
  const query = new URLSearchParams(ctx.querystring).get('query') ?? undefined
  try {
    if (!hasQuery(ctx)) return { query, status: 200, headers: {} }
    const { type, bytes } = await runQuery(ctx, pool, parseUrlQuery(ctx), {
      table: tableFormats[0],
      graph: graphFormats[0],
    })
    const sent = { type, text: new TextDecoder().decode(bytes) }
    return { query, outcome: outcomeOf(sent), sent, status: 200, headers: {} }
  } catch (error) {
    const answer = toErrorResponse(error)
    if (!answer || !('detail' in answer.body)) throw error
    const { status, headers = {}, body } = answer
    return { query, outcome: { kind: 'refused', why: String(body.detail) }, status, headers }
  }
}

function outcomeOf({ type, text }: SubmittedQuery): QueryOutcome {
  if (!type.startsWith(tableFormats[0].type)) return { kind: 'graph' }
  const { head, boolean, results } = JSON.parse(text) as {
    readonly head: { readonly vars?: readonly string[] }
    readonly boolean?: boolean
    readonly results?: { readonly bindings: readonly ResultRow[] }
  }
  if (boolean !== undefined) return { kind: 'truth', is: boolean }
  return { kind: 'table', columns: head.vars ?? [], rows: results?.bindings ?? [] }
}

/** What the ontology says a word about: the terms that are used in the catalogue. */
function termsOf(ontology: readonly Quad[]): QueryTerms {
  const of = (kind: Quad['object']): string[] =>
    ontology
      .filter(({ predicate, object }) => predicate.equals(rdf('type')) && object.equals(kind))
      .map(({ subject }) => subject.value)
      .sort()
  return { properties: of(rdf('Property')), classes: of(rdfs('Class')) }
}
