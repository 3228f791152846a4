// All makers from A to Z, each with the number of zines that they made (docs/reference/explore.md,
// "Makers").

import { message } from '../../message.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { json } from '../../formats/common-formats.js'

import { ValidationError } from '../../model/record/input.js'
import { ApiRequest, FormatLinks } from '../../views/components/api-request.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { listPath, makersPath, recordPath, withParameters } from '../../views/links.js'
import { Pager } from '../records/list-page.js'
import { kindTitle, recordCount, t } from '../../views/translate.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { inQuery, pageOperation } from '../../http/operation.js'
import { requestOrigin } from '../../http/origin.js'
import {
  type PageQuery,
  paginate,
  parsePageQuery,
  setPageLinks,
} from '../../http/request/pagination.js'
import { queryParam, queryParams } from '../../http/request/url.js'
import { sendJson } from '../../http/response/conditional.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import type { CachedStatistics } from '../../http/response/cached-statistics.js'
import { type MakerNames, createMakerNames, otherLetters } from './maker-names.js'
import * as schema from '../../http/schemas.js'

const makerSchema = schema.component('Maker', 'An agent in the list of makers from A to Z.', {
  agent_id: schema.text('The identifier of the agent.'),
  display_name: schema.text('The public name.'),
  filed_as: schema.text('The name that it is sorted by: `sort_name`, or else `display_name`.'),
  zines: schema.count('How many zines it made.'),
  url: schema.url(),
})

const listSchema = schema.page('MakerList', makerSchema, {
  letter: schema.text('The letter of these makers.'),
  letters: schema.listOf(
    schema.object({
      letter: schema.text('From A to Z, or `#`.'),
      count: schema.positive('How many names begin with it.'),
    }),
    'All letters that names begin with.',
  ),
})

const letterParameter = inQuery(
  'letter',
  'The first letter of the names, or `#` for those that begin with none.',
  schema.text({ pattern: '^[A-Za-z#]$' }),
)

type MakersDependencies = {
  readonly assets: AssetUrls
  readonly catalogue: Catalogue
  readonly statistics: CachedStatistics
}

/** A page of names takes little room. */
const usualSize = 100

export function makersEndpoint(dependencies: MakersDependencies): Endpoint {
  const { assets, catalogue } = dependencies
  const names = createMakerNames(catalogue)
  return {
    path: makersPath,
    name: 'Makers',
    description: 'All agents from A to Z, with the number of zines that each made.',
    formats: [json],
    async htmlHandler(ctx) {
      const props = await findMakers(ctx, names, dependencies)
      const text = JSON.stringify(toJson(ctx, props))
      sendPage(ctx, <MakersPage context={pageContext(ctx, assets)} {...props} json={text} />)
    },
    methods: {
      async GET(ctx) {
        ctx.state.isCurrent = catalogue.currentUntilNextWrite()
        ctx.set('Cache-Control', 'no-cache')
        sendJson(ctx, toJson(ctx, await findMakers(ctx, names, dependencies)))
      },
    },
    operations: { GET: { ...pageOperation(listSchema, letterParameter), errors: [400] } },
  }
}

/** @throws ValidationError for no letter @throws NotFoundError */
async function findMakers(
  ctx: RequestContext,
  names: MakerNames,
  { statistics }: MakersDependencies,
) {
  const letters = await names.letters()
  const letter = parseLetter(ctx) ?? letters[0]?.letter ?? 'A'
  const pageQuery: PageQuery = {
    ...parsePageQuery(ctx),
    ...(!queryParams(ctx).has('page_size') && { pageSize: usualSize }),
  }
  const { count, results } = paginate(await names.of(letter), pageQuery)
  const zines = new Map(
    (await statistics.facetCounts('zines', 'creator')).map((facet) => [facet.value, facet.count]),
  )
  const makers = results.map((name): Maker => ({ ...name, zines: zines.get(name.id) ?? 0 }))
  return {
    letters,
    /** The letter of the makers that are shown. */
    letter,
    /** How many makers the letter has. */
    count,
    makers,
    page: { number: pageQuery.page, size: pageQuery.pageSize },
    links: setPageLinks(ctx, pageQuery, count),
  }
}

type FoundMakers = Awaited<ReturnType<typeof findMakers>>

function parseLetter(ctx: RequestContext): string | undefined {
  const text = queryParam(ctx, 'letter').trim().toUpperCase()
  if (text === '') return undefined
  if (!/^[A-Z]$/.test(text) && text !== otherLetters)
    throw new ValidationError(new Map([['letter', [message('Enter a letter from A to Z, or #.')]]]))
  return text
}

function toJson(ctx: RequestContext, { letters, letter, count, makers, links }: FoundMakers) {
  const origin = requestOrigin(ctx)
  return {
    letters,
    letter,
    count,
    next: links.next,
    previous: links.previous,
    results: makers.map(
      ({ id, displayName, filedAs, zines }): schema.ValueOf<typeof makerSchema> => ({
        agent_id: id,
        display_name: displayName,
        filed_as: filedAs,
        zines,
        url: `${origin}${recordPath('agents', id)}`,
      }),
    ),
  }
}

type Maker = {
  readonly id: string
  readonly displayName: string
  /** The name that they are filed under. */
  readonly filedAs: string
  /** How many zines they made. */
  readonly zines: number
}

type MakersPageProps = FoundMakers & {
  readonly context: PageContext
  /** The API's JSON for the same address. */
  readonly json: string
}

const MakersPage = (props: MakersPageProps) => {
  const { context, letters, letter, makers, count, page, links } = props
  return (
    <Layout context={context} title={t('Makers: {letter}', { letter })} styles={['reference.css']}>
      <header class="page-head">
        <div>
          <p class="kicker">
            <a href={listPath('agents')}>{kindTitle('agents')}</a>
          </p>
          <h1>{t('Makers A–Z')}</h1>
        </div>
      </header>
      <p class="lead">
        {t('Everyone who made, wrote for or published a zine, in alphabetical order.')}
      </p>
      <nav class="letters" aria-label={t('Letters')}>
        <ul>
          {letters.map((entry) => (
            <li key={entry.letter}>
              <a
                href={withParameters(makersPath, '', { letter: entry.letter })}
                aria-current={entry.letter === letter ? 'page' : undefined}
                aria-label={`${entry.letter === '#' ? t('Others') : entry.letter}: ${recordCount('agents', entry.count)}`}
              >
                {entry.letter}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <section aria-labelledby="letter">
        <h2 id="letter">
          {letter} <span class="count">{recordCount('agents', count)}</span>
        </h2>
        <ul class="entries-list terse names">
          {makers.map(({ id, displayName, filedAs, zines }) => (
            <li key={id}>
              <a class="term" dir="auto" href={recordPath('agents', id)}>
                {filedAs}
              </a>
              {filedAs !== displayName && <span class="shown-name"> {displayName}</span>}
              {zines > 0 && (
                <>
                  {' '}
                  <span class="used">
                    <a href={listPath('zines', { creator: id })}>{recordCount('zines', zines)}</a>
                  </span>
                </>
              )}
            </li>
          ))}
        </ul>
        <Pager {...{ context, count, page, links }} />
      </section>
      <FormatLinks context={context} formats={[json]} />
      <ApiRequest context={context} json={props.json} />
    </Layout>
  )
}
