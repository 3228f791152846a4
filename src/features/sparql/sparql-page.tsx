// The page of the SPARQL endpoint: the query, its result, and example queries. Where scripts run,
// client/sparql.ts replaces the editor and the result by YASGUI's; the page contains all that it
// needs.

import type { Phases, QueryPlan } from './worker-protocol.js'
import type { Prefixes } from '../../rdf/namespaces.js'
import { Form } from '../../views/form.js'
import { queriesPath, sparqlPath, withParameters } from '../../views/links.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { ExternalLink, isWebAddress } from '../../views/components/field-value.js'
import { DataTable } from '../../views/components/data-table.js'
import { LabelledSelect } from '../../views/components/select.js'
import { numberText, plural, rich, t } from '../../views/translate.js'
import { maxAddressLength } from '../../http/protocol-errors.js'

/** A value in a table, as in SPARQL's JSON results. */
type ResultValue = {
  readonly type: string
  readonly value: string
  readonly datatype?: string
  readonly 'xml:lang'?: string
}

export type ResultRow = Readonly<Record<string, ResultValue>>

/** The result of a query. */
export type QueryOutcome =
  | {
      readonly kind: 'table'
      readonly columns: readonly string[]
      readonly rows: readonly ResultRow[]
    }
  | { readonly kind: 'truth'; readonly is: boolean }
  | { readonly kind: 'graph' }
  | { readonly kind: 'plan'; readonly plan: QueryPlan }
  | { readonly kind: 'refused'; readonly why: string }

/** The result in its own media type, for the script. */
export type RawResult = { readonly type: string; readonly text: string }

/** The terms that the editor completes, as IRIs. */
export type QueryTerms = {
  readonly properties: readonly string[]
  readonly classes: readonly string[]
}

type SparqlPageProps = {
  readonly context: PageContext
  readonly query: string
  readonly outcome: QueryOutcome | undefined
  readonly sent: RawResult | undefined
  readonly examples: readonly { readonly question: string; readonly query: string }[]
  readonly prefixes: Prefixes
  readonly terms: QueryTerms
}

export const SparqlPage = ({
  context,
  query,
  outcome,
  sent,
  examples,
  prefixes,
  terms,
}: SparqlPageProps) => (
  <Layout
    context={context}
    title="SPARQL"
    styles={['sparql.css']}
    scripts={['sparql.js']}
    head={<meta name="robots" content="noindex" />}
  >
    <header class="page-head">
      <h1>SPARQL</h1>
    </header>
    <div class="with-side right sparql">
      <div>
        <p class="lead">
          {rich('Query all public data with SPARQL. {program}', {
            program: <a href="#programs">{t('Use it from a program')}</a>,
          })}
        </p>
        <Form
          context={context}
          class="query"
          action={sparqlPath}
          data-sparql={sparqlPath}
          data-longest-address={maxAddressLength}
          data-program={context.assetUrl('yasgui.min.js')}
          data-style={context.assetUrl('yasgui.min.css')}
          data-prefixes={JSON.stringify(prefixes)}
          data-terms={JSON.stringify(terms)}
        >
          <div class="field">
            <label for="query">{t('Query')}</label>
            <textarea
              class="code"
              id="query"
              name="query"
              rows={14}
              spellcheck={false}
              autocapitalize="none"
              required
            >
              {query}
            </textarea>
          </div>
          <div class="controls">
            <LabelledSelect
              name="format"
              label={t('Answer as')}
              options={[
                ['html', t('a page')],
                { label: t('SELECT and ASK'), options: formatsFor.table },
                { label: t('CONSTRUCT and DESCRIBE'), options: formatsFor.graph },
              ]}
            />
            <button>{t('Run the query')}</button>
          </div>
        </Form>
        <section class="answer" aria-label={t('Answer')} aria-live="polite">
          {outcome && (
            <QueryResult
              {...{ outcome, sent, prefixes }}
              hrefOf={
                addressOfQuery(query) === undefined
                  ? undefined
                  : (more = {}) => withParameters(sparqlPath, '', { query, ...more })
              }
            />
          )}
        </section>
      </div>
      <aside>
        <Examples examples={examples} current={query} />
        <Programs context={context} />
      </aside>
    </div>
  </Layout>
)

/** The address that has a query; undefined where it would be longer than is taken. */
export function addressOfQuery(query: string): string | undefined {
  const address = withParameters(sparqlPath, '', { query })
  return address.length + roomForFormat <= maxAddressLength ? address : undefined
}

/** Links to downloads have a format too. */
const roomForFormat = 20

type ResultFormatLink = readonly [name: string, title: string]

const formatsFor: Readonly<Record<'table' | 'graph', readonly ResultFormatLink[]>> = {
  table: [
    ['csv', 'CSV'],
    ['tsv', 'TSV'],
    ['json', 'JSON'],
    ['xml', 'XML'],
  ],
  graph: [
    ['turtle', 'Turtle'],
    ['ntriples', 'N-Triples'],
    ['rdfxml', 'RDF/XML'],
    ['jsonld', 'JSON-LD'],
  ],
}

/** The longest table on the page; browsers are slow with longer ones. The download has all rows. */
const maxShownRows = 1000

type QueryResultProps = Pick<SparqlPageProps, 'sent' | 'prefixes'> & {
  readonly outcome: QueryOutcome
  /** The address of the query, with more parameters; undefined where it would be too long. */
  readonly hrefOf: ((more?: Readonly<Record<string, string>>) => string) | undefined
}

/** The result of a query, with links to it in other formats. */
export const QueryResult = ({ outcome, sent, prefixes, hrefOf }: QueryResultProps) => {
  if (outcome.kind === 'refused')
    return (
      <div class="notice wrong" role="alert">
        <p>{outcome.why}</p>
      </div>
    )
  if (outcome.kind === 'plan') return <Plan {...outcome} hrefOf={hrefOf} />
  const { kind } = outcome
  const isWhole = kind !== 'table' || outcome.rows.length <= maxShownRows
  return (
    <>
      {kind === 'table' && (
        <Table columns={outcome.columns} rows={outcome.rows} {...{ prefixes }} />
      )}
      {kind === 'truth' && <p class="truth">{outcome.is ? t('Yes.') : t('No.')}</p>}
      {sent && isWhole && (
        <pre class="code raw" data-type={sent.type} hidden={kind !== 'graph'} tabIndex={0}>
          {sent.text}
        </pre>
      )}
      {hrefOf ? (
        <nav class="formats" aria-label={t('Formats')}>
          <h2>{t('Download')}</h2>
          <ul>
            {formatsFor[kind === 'graph' ? 'graph' : 'table'].map(([name, title]) => (
              <li key={name}>
                <a href={hrefOf({ format: name })}>{title}</a>
              </li>
            ))}
            <li>
              <a href={hrefOf({ explain: 'true' })}>{t('How the query was answered')}</a>
            </li>
          </ul>
        </nav>
      ) : (
        <p>
          {t(
            'The query is too long for the address of a link. To download the answer, choose a format under “Answer as”.',
          )}
        </p>
      )}
    </>
  )
}

const Plan = ({
  plan,
  hrefOf,
}: Pick<QueryResultProps, 'hrefOf'> & { readonly plan: QueryPlan }) => (
  <>
    <h2>{t('How the query was answered')}</h2>
    <DataTable label={t('Phases')} columns={[t('Phase'), t('Milliseconds')]}>
      {phases.map((phase) => (
        <tr key={phase}>
          <th scope="row">{phaseName(phase)}</th>
          <td>{numberText(Math.ceil(plan.phases[phase]))}</td>
        </tr>
      ))}
    </DataTable>
    {plan.patterns.length > 0 && (
      <DataTable label={t('Patterns')} columns={[t('Pattern'), t('Triples')]}>
        {plan.patterns.map(({ pattern, triples }) => (
          <tr key={pattern}>
            <td>
              <code>{pattern}</code>
            </td>
            <td>{triples === undefined ? '' : numberText(triples)}</td>
          </tr>
        ))}
      </DataTable>
    )}
    {hrefOf && (
      <p>
        <a href={hrefOf()}>{t('Show the result')}</a>
      </p>
    )}
  </>
)

const phases = ['parse', 'search', 'load', 'run'] as const

function phaseName(phase: keyof Phases): string {
  if (phase === 'parse') return t('Reading the query')
  if (phase === 'search') return t('Searching for words')
  return phase === 'load' ? t('Loading triples') : t('Running the query')
}

const Table = ({
  columns,
  rows,
  prefixes,
}: {
  readonly columns: readonly string[]
  readonly rows: readonly ResultRow[]
  readonly prefixes: Prefixes
}) => (
  <>
    <p class="count">
      <strong>{numberText(rows.length)}</strong> {plural(rows.length, 'row', 'rows')}
      {rows.length > maxShownRows &&
        t(', of which the first {count} are shown; a download has them all', {
          count: numberText(maxShownRows),
        })}
    </p>
    <DataTable label={t('Table of the answer')} columns={columns}>
      {rows.slice(0, maxShownRows).map((row, index) => (
        <tr key={index}>
          {columns.map((name) => (
            <td key={name}>{row[name] && <Cell value={row[name]} prefixes={prefixes} />}</td>
          ))}
        </tr>
      ))}
    </DataTable>
  </>
)

const Cell = ({
  value: { type, value, datatype, 'xml:lang': language },
  prefixes,
}: {
  readonly value: ResultValue
  readonly prefixes: Prefixes
}) => {
  if (type === 'uri') {
    const short = shorten(value, prefixes)
    return isWebAddress(value) ? <ExternalLink href={value}>{short}</ExternalLink> : <>{short}</>
  }
  if (type === 'bnode') return <>{`_:${value}`}</>
  return (
    <>
      <span class="text" lang={language}>
        {value}
      </span>
      {datatype && !plainDatatypes.test(datatype) && (
        <span class="datatype"> {shorten(datatype, prefixes)}</span>
      )}
      {language && language !== 'en' && <span class="datatype"> @{language}</span>}
    </>
  )
}

/** The datatypes that a value shows by itself: numbers, truth values, times and texts. */
const plainDatatypes =
  /^http:\/\/www\.w3\.org\/2001\/XMLSchema#(?:integer|decimal|double|boolean|string|date|dateTime|gYear|gYearMonth)$/

/** The IRI as a prefixed name, where the rest of it needs no escaping. */
function shorten(iri: string, prefixes: Prefixes): string {
  for (const [prefix, namespace] of Object.entries(prefixes))
    if (iri.startsWith(namespace) && /^[\w-]+$/.test(iri.slice(namespace.length)))
      return `${prefix}:${iri.slice(namespace.length)}`
  return iri
}

const Examples = ({
  examples,
  current,
}: Pick<SparqlPageProps, 'examples'> & { readonly current: string }) => (
  <nav class="related examples" aria-label={t('Examples')}>
    <h2>{t('Queries to start from')}</h2>
    <ul>
      {examples.map(({ question, query }) => (
        <li key={question}>
          <a
            href={withParameters(sparqlPath, '', { query })}
            data-query={query}
            aria-current={query === current ? 'true' : undefined}
          >
            {question}
          </a>
        </li>
      ))}
    </ul>
    <p>
      <a href={queriesPath}>{t('Queries with a name')}</a> ·{' '}
      <a href="/.well-known/sparql-examples">{t('The same as RDF')}</a>
    </p>
  </nav>
)

const Programs = ({ context }: { readonly context: PageContext }) => (
  <section class="related" id="programs" tabIndex={-1}>
    <h2>{t('From a program')}</h2>
    <p>
      {rich('The endpoint speaks the {protocol} and {description}.', {
        protocol: <a href="https://www.w3.org/TR/sparql11-protocol/">SPARQL 1.1 Protocol</a>,
        description: (
          <a href={withParameters(sparqlPath, '', { format: 'turtle' })}>{t('describes itself')}</a>
        ),
      })}
    </p>
    <pre class="code" tabIndex={0}>
      {`curl ${context.origin}${sparqlPath} \\\n  -H 'Accept: text/csv' \\\n  --data-urlencode query@query.rq`}
    </pre>
  </section>
)
