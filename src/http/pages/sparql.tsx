// What a browser sees of the SPARQL endpoint: the query that is in its address, answered on the page,
// or why it is not.

import type { Outcome, Row, Sent, Terms } from '../../views/pages/sparql.js'
import { SparqlPage } from '../../views/pages/sparql.js'
import { prefixesUnder, rdf, rdfs } from '../../rdf/namespaces.js'
import type { Quad } from '../../rdf/terms.js'
import { examplesOf } from '../../sparql/examples.js'
import { graphFormats, tableFormats } from '../../sparql/result-formats.js'
import type { Pool } from '../../sparql/worker-pool.js'
import type { Assets } from '../middleware/static-files.js'
import type { Context, Handler } from '../endpoint.js'
import { answerTo } from '../response/http-errors.js'
import { showPage, visitOf } from '../response/html.js'
import { asks, askedIn, pose } from '../sparql/endpoint.js'

export type Shown = {
  readonly assets: Assets
  readonly base: string
  readonly examples: readonly Quad[]
  readonly ontology: readonly Quad[]
}

// The handles with which the columns of YASGUI's tables are dragged bring a style sheet that they write
// into the page: let through by what it says, as nothing else is.
const styles = ["'sha256-zCK2EVMoPc04mRF/g5CotUvxbJPWS+8V0b+s9ptqQIk='"]

export function sparqlPage(pool: Pool, { assets, base, examples, ontology }: Shown): Handler {
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
        visit={visitOf(ctx, assets)}
        query={query ?? shown.examples[0]?.query ?? ''}
        outcome={outcome}
        sent={sent}
        {...shown}
      />
    )
    showPage(ctx, page, status, styles)
  }
}

type Answered = {
  readonly query: string | undefined
  readonly outcome?: Outcome
  readonly sent?: Sent
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

async function answerOn(ctx: Context, pool: Pool): Promise<Answered> {
  const query = new URLSearchParams(ctx.querystring).get('query') ?? undefined
  try {
    if (!asks(ctx)) return { query, status: 200, headers: {} }
    const { type, bytes } = await pose(ctx, pool, askedIn(ctx), {
      table: tableFormats[0],
      graph: graphFormats[0],
    })
    const sent = { type, text: new TextDecoder().decode(bytes) }
    return { query, outcome: outcomeOf(sent), sent, status: 200, headers: {} }
  } catch (error) {
    const answer = answerTo(error)
    if (!answer || !('detail' in answer.body)) throw error
    const { status, headers = {}, body } = answer
    return { query, outcome: { kind: 'refused', why: String(body.detail) }, status, headers }
  }
}

function outcomeOf({ type, text }: Sent): Outcome {
  if (!type.startsWith(tableFormats[0].type)) return { kind: 'graph' }
  const { head, boolean, results } = JSON.parse(text) as {
    readonly head: { readonly vars?: readonly string[] }
    readonly boolean?: boolean
    readonly results?: { readonly bindings: readonly Row[] }
  }
  if (boolean !== undefined) return { kind: 'truth', is: boolean }
  return { kind: 'table', columns: head.vars ?? [], rows: results?.bindings ?? [] }
}

/** What the ontology says a word about: the terms that are used in the catalogue. */
function termsOf(ontology: readonly Quad[]): Terms {
  const of = (kind: Quad['object']): string[] =>
    ontology
      .filter(({ predicate, object }) => predicate.equals(rdf('type')) && object.equals(kind))
      .map(({ subject }) => subject.value)
      .sort()
  return { properties: of(rdf('Property')), classes: of(rdfs('Class')) }
}
