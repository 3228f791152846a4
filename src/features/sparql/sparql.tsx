// The page of the SPARQL endpoint: runs the query in the address or in a form that was sent, and
// shows its result or its error.
// How it looks is left to features/sparql/sparql-page.tsx.

import { prefixesUnder, rdf, rdfs } from '../../rdf/namespaces.js'
import type { Quad } from '../../rdf/terms.js'
import { examplesOf, questionOf } from './named-query.js'
import { graphFormats, tableFormats } from './result-formats.js'
import type { QueryRunner } from './worker-pool.js'
import {
  type QueryOutcome,
  type QueryTerms,
  type RawResult,
  type ResultRow,
  SparqlPage,
  addressOfQuery,
} from './sparql-page.js'
import type { Handler, RequestContext } from '../../http/context.js'
import { translatorOf } from '../../http/language.js'
import {
  type SparqlRequest,
  graphResponses,
  hasQuery,
  parseEncodedQuery,
  runQuery,
} from './sparql-query.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import { toErrorResponse } from '../../http/response/http-errors.js'
import { redirectToOther } from '../../http/response/redirect.js'

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

export type SparqlPages = {
  /** For the query in the address, if there is one. */
  readonly linked: Handler
  /** For the query of a form that was sent. */
  readonly sent: (ctx: RequestContext, form: string) => Promise<void>
}

export function sparqlPages(
  pool: QueryRunner,
  { assets, base, examples, ontology }: SparqlPageDependencies,
): SparqlPages {
  const content = { prefixes: prefixesUnder(base), terms: termsOf(ontology) }
  const asked = examplesOf(examples)

  async function sendAnswer(ctx: RequestContext, encoded: string): Promise<void> {
    const query = new URLSearchParams(encoded).get('query')
    const { outcome, sent, status, headers } = await answerQuery(ctx, pool, () => {
      if (hasQuery(encoded)) return parseEncodedQuery(encoded)
      ctx.state.offered = graphResponses
      return undefined
    })
    ctx.set(headers)
    const { language } = translatorOf(ctx)
    const translated = asked.map((example) => ({
      question: questionOf(example, language).text,
      query: example.query,
    }))
    const page = (
      <SparqlPage
        context={pageContext(ctx, assets)}
        query={query ?? translated[0]?.query ?? ''}
        outcome={outcome}
        sent={sent}
        examples={translated}
        {...content}
      />
    )
    sendPage(ctx, page, status, { styles: styleHashes })
  }

  return {
    linked: (ctx) => sendAnswer(ctx, ctx.querystring),
    async sent(ctx, form) {
      const address = addressOfQuery(new URLSearchParams(form).get('query') ?? '')
      if (address === undefined) {
        await sendAnswer(ctx, form)
        return
      }
      // An address can be shared and loaded again.
      redirectToOther(ctx, address)
    },
  }
}

/** What a page shows of the answer to a query. */
export type QueryAnswer = {
  readonly outcome?: QueryOutcome
  readonly sent?: RawResult
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Runs a query for a page. A query that cannot be answered is an answer too.
 * @param readRequest undefined where nothing is asked yet
 */
export async function answerQuery(
  ctx: RequestContext,
  pool: QueryRunner,
  readRequest: () => SparqlRequest | undefined,
): Promise<QueryAnswer> {
  try {
    const request = readRequest()
    if (!request) return { status: 200, headers: {} }
    const formats = { table: tableFormats[0], graph: graphFormats[0] }
    const { type, bytes, plan } = await runQuery(ctx, pool, request, formats)
    if (plan) return { outcome: { kind: 'plan', plan }, status: 200, headers: {} }
    const sent = { type, text: new TextDecoder().decode(bytes) }
    return { outcome: parseOutcome(sent), sent, status: 200, headers: {} }
  } catch (error) {
    const response = toErrorResponse(error)
    if (!response || !('detail' in response.body)) throw error
    const { status, headers = {}, body } = response
    return { outcome: { kind: 'refused', why: String(body.detail) }, status, headers }
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
