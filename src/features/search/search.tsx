// The page of a search of all kinds of records: one ranked list, and how many there are of each
// kind.

import type { Catalogue } from '../../catalogue/catalogue.js'
import { kindTexts } from '../../views/kind-texts.js'
import { json } from '../../formats/common-formats.js'

import { resourceNames } from '../../model/iris.js'

import { textValue } from '../../model/record/values.js'

import type { Resources } from '../../model/resources.js'
import { ApiRequest } from '../../views/components/api-request.js'
import { RecordSummary } from '../../views/components/record-summary.js'
import { DidYouMean, SearchHelp } from '../../views/components/search-help.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { listPath, searchPath, titleCase } from '../../views/links.js'
import { Pager } from '../records/list-page.js'
import { kindTitle, nounText, numberText, plural, t } from '../../views/translate.js'
import type { Handler, RequestContext } from '../../http/context.js'
import { requestOrigin } from '../../http/origin.js'
import { parsePageQuery, setPageLinks } from '../../http/request/pagination.js'
import { queryParam } from '../../http/request/url.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import { serializeSearch } from './search-results.js'

type SearchPageDependencies = {
  readonly assets: AssetUrls
  readonly catalogue: Catalogue
  readonly resources: Resources
}

export const searchPage =
  (dependencies: SearchPageDependencies): Handler =>
  async (ctx) => {
    const { assets, resources } = dependencies
    const found = await search(ctx, dependencies)
    sendPage(ctx, <SearchPage context={pageContext(ctx, assets)} {...{ resources, ...found }} />)
  }

async function search(ctx: RequestContext, { catalogue, resources }: SearchPageDependencies) {
  const pageQuery = parsePageQuery(ctx)
  /** What is searched; empty before anything is. */
  const q = queryParam(ctx, 'q').trim()
  const found = await catalogue.searchAll({ names: resourceNames, q, ...pageQuery })
  const links = setPageLinks(ctx, pageQuery, found.count)
  const references = found.results.map(({ reference }) => reference)
  const lookup = await catalogue.find(references)
  const records = await catalogue.readForLists(references)
  const origin = requestOrigin(ctx)
  return {
    q,
    found,
    records,
    marks: await catalogue.markWords(records, q),
    page: { number: pageQuery.page, size: pageQuery.pageSize },
    links,
    /** The API's answer for the same address. */
    text: serializeSearch({ resources, lookup, origin, found, links }),
  }
}

type SearchPageProps = Awaited<ReturnType<typeof search>> & {
  readonly context: PageContext
  readonly resources: Resources
}

const SearchPage = (props: SearchPageProps) => {
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
      <ApiRequest context={context} json={props.text} formats={[json]} />
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
