// The page of a search of all kinds of records: one ranked list, and how many there are of each
// kind.

import type { Format, PageLinks } from '../../formats/serializer.js'
import { type ResourceName, resourceNames } from '../../model/iris.js'
import type { WordMarks } from '../../model/marked-text.js'
import { textValue } from '../../model/record/values.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { ApiRequest } from '../../views/components/api-request.js'
import { DidYouMean, SearchHelp } from '../../views/components/search-help.js'
import { RecordSummary } from '../../views/components/record-summary.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { listPath, searchPath, titleCase } from '../../views/links.js'
import { Pager } from '../records/list-page.js'
import { kindTitle, nounText, numberText, plural, t } from '../../views/translate.js'
import { kindTexts } from '../../views/kind-texts.js'

type SearchPageProps = {
  readonly context: PageContext
  readonly resources: Resources
  /** What is searched; empty before anything is. */
  readonly q: string
  readonly found: {
    readonly count: number
    readonly counts: Readonly<Record<ResourceName, number>>
    /** A search with other words, which were likely meant. */
    readonly didYouMean: string | undefined
  }
  readonly records: readonly ResolvedRecord[]
  /** Where each record has the words. */
  readonly marks: readonly WordMarks[]
  readonly page: { readonly number: number; readonly size: number }
  readonly links: PageLinks
  readonly formats: readonly Format[]
  /** The API's JSON for the same address. */
  readonly json: string
}

export const SearchPage = (props: SearchPageProps) => {
  const { context, q, found, page, links } = props
  const title = q === '' ? t('Search') : t('Search: {q}', { q })
  const { count, didYouMean } = found
  return (
    <Layout
      context={context}
      title={page.number > 1 ? t('{title}, page {number}', { title, number: page.number }) : title}
    >
      <header class="page-head">
        <h1 dir="auto">{q === '' ? t('Search the catalogue') : t('Results for “{q}”', { q })}</h1>
      </header>
      {q === '' && <Start context={context} />}
      {q !== '' && (
        <p class="count" role="status">
          <strong>{numberText(count)}</strong> {plural(count, 'result', 'results')}
        </p>
      )}
      {count > 0 && <Kinds {...props} />}
      {didYouMean !== undefined && <DidYouMean q={didYouMean} href={searchPath(didYouMean)} />}
      {q !== '' && count === 0 && <SearchHelp q={q} />}
      {count > 0 && <Results {...props} />}
      <Pager context={context} count={count} page={page} links={links} />
      <ApiRequest context={context} json={props.json} formats={props.formats} />
    </Layout>
  )
}

const Start = ({ context }: { readonly context: PageContext }) => (
  <div class="lead">
    {context.findsWords ? (
      <p>
        {t(
          'Type into the box above: a title, a maker, a subject, a call number. Words in quotation marks have to follow each other, and a word with a minus before it must not occur.',
        )}
      </p>
    ) : (
      <p>{t('The whole catalogue cannot be searched here, only each list:')}</p>
    )}
    <ul class="tags">
      {resourceNames.map((name) => (
        <li key={name}>
          <a href={listPath(name)}>{t(kindTexts[name].all)}</a>
        </li>
      ))}
    </ul>
  </div>
)

/** How many results are of each kind, as links to the lists that are searched for the same. */
const Kinds = ({ q, found: { counts } }: SearchPageProps) => (
  <nav class="kinds" aria-label={t('Results by kind')}>
    <ul class="chosen">
      {resourceNames
        .filter((name) => counts[name] > 0)
        .map((name) => (
          <li key={name}>
            <a href={listPath(name, { q })}>
              {kindTitle(name)} <strong>{numberText(counts[name])}</strong>
            </a>
          </li>
        ))}
    </ul>
  </nav>
)

const Results = ({ records, marks, resources, page }: SearchPageProps) => (
  <section>
    <h2 class="visually-hidden">{t('Results')}</h2>
    <ol class="records" start={(page.number - 1) * page.size + 1}>
      {records.map((record, index) => {
        const { name, id } = record.resource
        return (
          <li key={`${name} ${textValue(record.values, id.name)}`}>
            <p class="kind">{titleCase(nounText(name))}</p>
            <RecordSummary record={record} resources={resources} marks={marks[index]} />
          </li>
        )
      })}
    </ol>
  </section>
)
