// The pages of named queries: the list of all, a query with its parameters and its result, and the
// form that saves one.

import type { Format } from '../../formats/serializer.js'
import type { Prefixes } from '../../rdf/namespaces.js'
import { ApiRequest, FormatLinks } from '../../views/components/api-request.js'
import { LabelledSelect } from '../../views/components/select.js'
import { Panel } from '../../views/components/panel.js'
import { Form } from '../../views/form.js'
import {
  CancelLink,
  FormPage,
  InputRow,
  LabelledField,
  type Notice,
} from '../../views/form-layout.js'
import { Layout, type PageContext } from '../../views/layout.js'
import {
  editingLinks,
  queriesPath,
  queryPath,
  sparqlPath,
  withParameters,
} from '../../views/links.js'
import { languageUnlessOfPage, numberText, pageTranslator, t } from '../../views/translate.js'
import { MapDrawing } from '../places/map-page.js'
import { type MapPoint, closeViewOf } from '../places/map-projection.js'
import type { QueryAnswer } from '../sparql/sparql.js'
import {
  type NamedQuery,
  type ParameterType,
  parameterTypes,
  questionOf,
} from '../sparql/named-query.js'
import { QueryResult } from '../sparql/sparql-page.js'
import type { Bar } from './result-drawings.js'

type QueriesPageProps = {
  readonly context: PageContext
  readonly queries: readonly NamedQuery[]
  readonly mayEdit: boolean
  readonly formats: readonly Format[]
  /** The API's JSON for the same address. */
  readonly json: string
}

export const QueriesPage = ({ context, queries, mayEdit, formats, json }: QueriesPageProps) => (
  <Layout context={context} title={t('Queries')}>
    <header class="page-head">
      <div>
        <p class="kicker">
          <a href={sparqlPath}>SPARQL</a>
        </p>
        <h1>{t('Queries')}</h1>
      </div>
    </header>
    <p class="lead">
      {t('Questions to the data of this catalogue. Each has an address of its own.')}
    </p>
    {mayEdit && (
      <p class="actions">
        <a class="button" href={editingLinks.newQuery()}>
          {t('New query')}
        </a>
      </p>
    )}
    <ul class="records">
      {queries.map((query) => (
        <li key={query.name}>
          <Question query={query} />
        </li>
      ))}
    </ul>
    <FormatLinks context={context} formats={formats} />
    <ApiRequest context={context} json={json} />
  </Layout>
)

/** In the language of the page, where it is known. */
const questionIn = (query: NamedQuery) => questionOf(query, pageTranslator().language)

const Question = ({ query }: { readonly query: NamedQuery }) => {
  const { text, language } = questionIn(query)
  return (
    <a href={queryPath(query.name)} lang={languageUnlessOfPage(language)}>
      {text}
    </a>
  )
}

type QueryPageProps = QueryAnswer & {
  readonly context: PageContext
  readonly query: NamedQuery
  /** What is in the fields, by the names of the parameters. */
  readonly values: ReadonlyMap<string, string>
  readonly prefixes: Prefixes
  readonly bars: readonly Bar[]
  readonly points: readonly MapPoint[]
  readonly mayEdit: boolean
}

export const QueryPage = (props: QueryPageProps) => {
  const { context, query, values, outcome, sent, prefixes, bars, points, mayEdit } = props
  const { text, language } = questionIn(query)
  return (
    <Layout
      context={context}
      title={text}
      styles={['reference.css', 'explore.css', 'sparql.css']}
      head={<meta name="robots" content="noindex" />}
    >
      <header class="page-head">
        <div>
          <p class="kicker">
            <a href={queriesPath}>{t('Queries')}</a>
          </p>
          <h1 lang={languageUnlessOfPage(language)}>{text}</h1>
        </div>
      </header>
      {query.parameters.length > 0 && (
        <Form method="get" class="controls" action={queryPath(query.name)}>
          {query.parameters.map(({ name, label, type, isOptional }) => (
            <label key={name} class="grow">
              <span>{label || name}</span>
              <input
                name={name}
                value={values.get(name) ?? ''}
                inputMode={type === 'number' ? 'numeric' : undefined}
                required={!isOptional}
                autocomplete="off"
              />
            </label>
          ))}
          <button>{t('Show')}</button>
        </Form>
      )}
      <section class="answer" aria-label={t('Answer')}>
        <BarChart bars={bars} />
        <PointMap context={context} points={points} />
        {outcome && (
          <QueryResult
            {...{ outcome, sent, prefixes }}
            hrefOf={(more = {}) => withParameters(queryPath(query.name), context.query, more)}
          />
        )}
      </section>
      <details>
        <summary>{t('The query in SPARQL')}</summary>
        <pre class="code" tabIndex={0}>
          {query.query}
        </pre>
      </details>
      {mayEdit && (
        <p class="actions">
          <a class="button quiet" href={editingLinks.editQuery(query.name)}>
            {t('Edit')}
          </a>
          <a class="button quiet" href={editingLinks.newQuery(query.name)}>
            {t('Create a similar query')}
          </a>
        </p>
      )}
    </Layout>
  )
}

/** The table has the same for those who do not see it. */
const BarChart = ({ bars }: Pick<QueryPageProps, 'bars'>) => {
  if (bars.length === 0) return null
  const longest = Math.max(...bars.map(({ number }) => number), 1)
  return (
    <figure class="stacked" aria-hidden="true">
      <ol class="bars">
        {bars.map(({ label, number }, index) => (
          <li key={index}>
            <span class="bar-row">
              <span class="bar-label">{label}</span>{' '}
              <span class="bar-count">{numberText(number)}</span>
            </span>
            <svg class="stack" width="100%" height="18" focusable="false">
              <rect
                class="stack-0"
                width={`${Math.round((1000 * number) / longest) / 10}%`}
                height="18"
              />
            </svg>
          </li>
        ))}
      </ol>
    </figure>
  )
}

const PointMap = ({ context, points }: Pick<QueryPageProps, 'context' | 'points'>) => {
  const view = closeViewOf(points.map((point) => ({ point, weight: 1 })))
  if (!view) return null
  return (
    <figure>
      <MapDrawing context={context} view={view}>
        {points.map(({ x, y }, index) => (
          <circle key={index} class="city" cx={x} cy={y} r={view.width * 0.006} />
        ))}
      </MapDrawing>
    </figure>
  )
}

/** What is in the fields of the form, by their names. */
export type QueryInput = Pick<URLSearchParams, 'get'>

type QueryFormProps = {
  readonly context: PageContext
  /** Undefined for a new one. */
  readonly query: NamedQuery | undefined
  readonly input: QueryInput
  readonly former: readonly NamedQuery[]
  readonly notice?: Notice | undefined
}

/** So many parameters can be described in the form; a file may have more. */
export const maxParameters = 5

const typeTexts = (): Readonly<Record<ParameterType, string>> => ({
  text: t('Text'),
  number: t('Whole number'),
  iri: t('IRI'),
})

export const QueryForm = ({ context, query, input, former, notice }: QueryFormProps) => {
  const valueOf = (name: string): string => input.get(name) ?? ''
  return (
    <FormPage
      context={context}
      title={query ? t('Edit query') : t('New query')}
      notice={notice}
      styles={['sparql.css']}
    >
      <Form
        context={context}
        action={query ? editingLinks.editQuery(query.name) : editingLinks.newQuery()}
      >
        <input type="hidden" name=".version" value={query?.version ?? 0} />
        {!query && (
          <InputRow
            name="name"
            label={t('Name')}
            hint={t('For the address: small letters, digits and hyphens, such as by-decade.')}
            value={valueOf('name')}
            required
          />
        )}
        <InputRow
          name="question.en"
          label={t('Question in English')}
          value={valueOf('question.en')}
          required
        />
        <InputRow
          name="question.es"
          label={t('Question in Spanish')}
          value={valueOf('question.es')}
        />
        <InputRow
          name="question.fr"
          label={t('Question in French')}
          value={valueOf('question.fr')}
        />
        <LabelledField id="query" label={t('The query in SPARQL')}>
          <textarea class="code" id="query" name="query" rows={14} spellcheck={false} required>
            {valueOf('query')}
          </textarea>
        </LabelledField>
        <p class="hint" id="parameters-hint">
          {t(
            'A parameter is a variable of the query that readers choose. It needs a value, unless it may stay free.',
          )}
        </p>
        {Array.from({ length: maxParameters }, (_, index) => (
          <fieldset key={index} class="controls" aria-describedby="parameters-hint">
            <legend>{t('Parameter {number}', { number: numberText(index + 1) })}</legend>
            {(
              [
                ['variable', t('Variable')],
                ['label', t('Label')],
                ['default', t('Value at first')],
              ] as const
            ).map(([part, label]) => (
              <label key={part}>
                <span>{label}</span>
                <input
                  name={`${part}.${index}`}
                  value={valueOf(`${part}.${index}`)}
                  autocomplete="off"
                />
              </label>
            ))}
            <LabelledSelect
              name={`type.${index}`}
              label={t('Kind')}
              value={valueOf(`type.${index}`)}
              options={parameterTypes.map((type) => [type, typeTexts()[type]])}
            />
            <label class="tick">
              <input
                type="checkbox"
                name={`free.${index}`}
                value="true"
                checked={valueOf(`free.${index}`) === 'true'}
              />{' '}
              {t('May stay free')}
            </label>
          </fieldset>
        ))}
        <p class="actions">
          <button>{t('Save')}</button>
          <CancelLink href={query ? queryPath(query.name) : queriesPath} />
        </p>
      </Form>
      {query && former.length > 0 && (
        <Panel id="former" title={t('Former versions')}>
          <ul>
            {former.map(({ version, at, account }) => (
              <li key={version}>
                <a href={editingLinks.editQuery(query.name, version)}>
                  {t('Version {number}', { number: numberText(version) })}
                </a>{' '}
                {[at.slice(0, 16).replace('T', ' '), account].filter(Boolean).join(' · ')}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </FormPage>
  )
}
