// The page of a search of all kinds of records: the subjects and genres that are meant, one ranked
// list, how many there are of each kind, and the filters of the zines among them.

import type { Catalogue } from '../../catalogue/catalogue.js'
import { kindTexts } from '../../views/kind-texts.js'
import { json } from '../../formats/common-formats.js'
import { resourceNames } from '../../model/iris.js'
import { textValue } from '../../model/record/values.js'
import type { Resources } from '../../model/resources.js'
import { type Facet, Facets, resultsId } from '../../views/components/facets.js'
import { ApiRequest } from '../../views/components/api-request.js'
import { RecordSummary } from '../../views/components/record-summary.js'
import { DidYouMean, SearchHelp } from '../../views/components/search-help.js'
import type { Translator } from '../../messages/translator.js'
import { Layout, type PageContext } from '../../views/layout.js'
import {
  entryPath,
  explorePath,
  listPath,
  makersPath,
  mapPath,
  searchPath,
  seriesListPath,
  titleCase,
} from '../../views/links.js'
import { type Covers, SmallCover } from '../covers/cover.js'
import { KeepPlace } from '../my-list/keep-place.js'
import { findFilters } from '../records/list-facets.js'
import { Pager } from '../records/list-page.js'
import {
  kindTitle,
  languageUnlessOfPage,
  message,
  nounText,
  numberText,
  plural,
  recordCount,
  t,
} from '../../views/translate.js'
import type { Handler, RequestContext } from '../../http/context.js'
import { requestOrigin } from '../../http/origin.js'
import { toListQuery } from '../../http/request/list-query.js'
import { parsePageQuery, setPageLinks } from '../../http/request/pagination.js'
import { queryParam } from '../../http/request/url.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import { translatorOf } from '../../http/language.js'
import { serializeSearch } from './search-results.js'
import { type TermHit, type TermSearches, findUsedTerms } from './term-hits.js'

type SearchPageDependencies = {
  readonly assets: AssetUrls
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly termSearches: TermSearches
  readonly pictures: Covers
}

export const searchPage =
  (dependencies: SearchPageDependencies): Handler =>
  async (ctx) => {
    const { assets, resources, pictures: covers } = dependencies
    const results = await search(ctx, dependencies)
    sendPage(
      ctx,
      <SearchPage context={pageContext(ctx, assets)} {...{ resources, covers, ...results }} />,
    )
  }

/** So many subjects and so many genres are shown at most. */
const maxTerms = 2

async function search(ctx: RequestContext, dependencies: SearchPageDependencies) {
  const { catalogue, resources, termSearches } = dependencies
  const translator = translatorOf(ctx)
  const pageQuery = parsePageQuery(ctx)
  /** What is searched; empty before anything is. */
  const q = queryParam(ctx, 'q').trim()
  const matches = await catalogue.searchAll({ names: resourceNames, q, ...pageQuery })
  const links = setPageLinks(ctx, pageQuery, matches.count)
  const references = matches.results.map(({ reference }) => reference)
  const lookup = await catalogue.find(references)
  const records = await catalogue.withHoldings(await catalogue.readForLists(references))
  const origin = requestOrigin(ctx)
  const isFirstPage = pageQuery.page === 1
  return {
    q,
    matches,
    records,
    terms: isFirstPage ? await findUsedTerms(termSearches, { q, translator, most: maxTerms }) : [],
    facets: matches.counts.zines > 0 ? await zineFacets(dependencies, q, translator) : [],
    singleWords: matches.count === 0 ? await findSingleWords(catalogue, q) : [],
    marks: await catalogue.markWords(records, q),
    page: { number: pageQuery.page, size: pageQuery.pageSize },
    links,
    /** The API's answer for the same address. */
    text: serializeSearch({ resources, lookup, origin, matches, links }),
  }
}

/** The filters of the list of zines with the same search. */
async function zineFacets(
  { catalogue, resources }: SearchPageDependencies,
  q: string,
  translator: Translator,
): Promise<readonly Facet[]> {
  const query = toListQuery(new Map([['q', q]]))
  const shown = { query, whole: '', isWriter: false, translator }
  const { zines: resource } = resources
  return (await findFilters({ catalogue, resources, resource, ...shown })).facets
}

/** A word of a search, and how much it finds alone. */
type SingleWord = { readonly word: string; readonly count: number }

const maxSingleWords = 6

/** The words of a search that finds nothing, as far as they find something alone. */
async function findSingleWords(catalogue: Catalogue, q: string): Promise<readonly SingleWord[]> {
  const words = [...new Set(q.match(/[\p{L}\p{M}\p{N}]{2,}/gu))].slice(0, maxSingleWords)
  if (words.length < 2) return []
  const counts: SingleWord[] = []
  for (const word of words) {
    const query = { names: resourceNames, q: `"${word}"`, page: 1, pageSize: 1 }
    counts.push({ word, count: (await catalogue.searchAll(query)).count })
  }
  return counts.filter(({ count }) => count > 0)
}

type SearchPageProps = Awaited<ReturnType<typeof search>> & {
  readonly context: PageContext
  readonly resources: Resources
  readonly covers: Covers
}

const SearchPage = (props: SearchPageProps) => {
  const { context, q, page } = props
  const title = q === '' ? t('Search') : t('Search: {q}', { q })
  return (
    <Layout
      context={context}
      title={page.number > 1 ? t('{title}, page {number}', { title, number: page.number }) : title}
    >
      <header class="page-head">
        <h1 dir="auto">{q === '' ? t('Search the catalogue') : t('Results for “{q}”', { q })}</h1>
      </header>
      {q === '' && <Start context={context} />}
      {q !== '' && <Found {...props} />}
      <ApiRequest context={context} json={props.text} formats={[json]} />
    </Layout>
  )
}

/** Filters lead to the list of zines with the same search. */
const zineContext = (context: PageContext, q: string): PageContext => ({
  ...context,
  path: listPath('zines'),
  query: String(new URLSearchParams({ q })),
})

const Found = (props: SearchPageProps) => {
  const { q, matches, terms } = props
  const { count, didYouMean } = matches
  return (
    <>
      <p class="count" role="status">
        <strong>{numberText(count)}</strong> {plural(count, 'result', 'results')}
      </p>
      {count > 0 && <Kinds {...props} />}
      {didYouMean !== undefined && <DidYouMean q={didYouMean} href={searchPath(didYouMean)} />}
      <TermHits terms={terms} />
      {count > 0 ? <ResultsAndFilters {...props} /> : <SearchHelp q={q} />}
      {count === 0 && <SingleWords {...props} />}
      {count === 0 && <Browse />}
    </>
  )
}

const ResultsAndFilters = (props: SearchPageProps) => {
  const { context, q, matches, page, links, facets } = props
  const results = (
    <section class="results" id={resultsId} tabIndex={-1} aria-label={t('Records')}>
      <Results {...props} />
      <Pager context={context} count={matches.count} page={page} links={links} />
    </section>
  )
  if (facets.length === 0) return results
  return (
    <div class="with-side">
      <Facets context={zineContext(context, q)} facets={facets} chosen={0} />
      {results}
    </div>
  )
}

const SingleWords = ({ singleWords }: SearchPageProps) =>
  singleWords.length === 0 ? null : (
    <section class="related">
      <h2>{t('Each word alone')}</h2>
      <ul class="tags">
        {singleWords.map(({ word, count }) => (
          <li key={word}>
            <a href={searchPath(word)}>
              <span dir="auto">{word}</span> <strong>{numberText(count)}</strong>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )

const Start = ({ context }: { readonly context: PageContext }) => (
  <>
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
    <Browse />
  </>
)

const browsable = [
  [entryPath({ name: 'subjects' }), message('Subjects')],
  [entryPath({ name: 'genres' }), message('Genres')],
  [makersPath, message('Makers from A to Z')],
  [seriesListPath, message('Series')],
  [mapPath, message('Map')],
  [explorePath, message('Charts')],
] as const

/** Other ways into the catalogue than words. */
const Browse = () => (
  <nav class="related" aria-label={t('Browse instead')}>
    <h2>{t('Browse instead')}</h2>
    <ul class="tags">
      {browsable.map(([path, title]) => (
        <li key={path}>
          <a href={path}>{t(title)}</a>
        </li>
      ))}
    </ul>
  </nav>
)

const termNouns = { subjects: message('Subject'), genres: message('Genre') } as const

/** The subjects and genres that are meant: each stands for many zines. */
const TermHits = ({ terms }: { readonly terms: readonly TermHit[] }) =>
  terms.length === 0 ? null : (
    <section>
      <h2 class="visually-hidden">{t('Subjects and genres')}</h2>
      <ul class="records term-hits">
        {terms.map(({ kind, code, label, language, count }) => (
          <li key={`${kind} ${code}`}>
            <p class="kind">{t(termNouns[kind])}</p>
            <article class="summary">
              <h3>
                <a href={entryPath({ name: kind }, code)} lang={languageUnlessOfPage(language)}>
                  {label}
                </a>
              </h3>
              <p class="line">
                <span>{recordCount('zines', count)}</span>
              </p>
            </article>
          </li>
        ))}
      </ul>
    </section>
  )

/** How many results are of each kind, as links to the lists that are searched for the same. */
const Kinds = ({ q, matches: { counts } }: SearchPageProps) => (
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

const Results = ({ records, marks, resources, covers, page }: SearchPageProps) => (
  <section>
    <h2 class="visually-hidden">{t('Results')}</h2>
    <ol class="records" start={(page.number - 1) * page.size + 1}>
      {records.map((record, index) => {
        const { name, id } = record.resource
        return (
          <li key={`${name} ${textValue(record.values, id.name)}`}>
            <SmallCover {...{ record, resources, covers }} />
            <p class="kind">{titleCase(nounText(name))}</p>
            <RecordSummary record={record} resources={resources} marks={marks[index]} />
            <KeepPlace record={record} resources={resources} />
          </li>
        )
      })}
    </ol>
  </section>
)
