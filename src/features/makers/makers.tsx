// All makers from A to Z, each with the number of zines that they made (docs/api.md, "Makers"). How
// the page looks is left to features/makers/makers-page.tsx.

import { message } from '../../message.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { json } from '../../formats/common-formats.js'
import { ValidationError } from '../../model/record/input.js'
import { makersPath, recordPath } from '../../views/links.js'
import { type Maker, MakersPage } from './makers-page.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
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
      const found = await findMakers(ctx, names, dependencies)
      const { pageQuery, ...list } = found
      const page = { number: pageQuery.page, size: pageQuery.pageSize }
      sendPage(
        ctx,
        <MakersPage
          context={pageContext(ctx, assets)}
          {...list}
          page={page}
          formats={[json]}
          json={JSON.stringify(toJson(ctx, found))}
        />,
      )
    },
    methods: {
      async GET(ctx) {
        ctx.state.isCurrent = catalogue.currentUntilNextWrite()
        ctx.set('Cache-Control', 'no-cache')
        sendJson(ctx, toJson(ctx, await findMakers(ctx, names, dependencies)))
      },
    },
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
    (await statistics.facetCounts('zines', 'creator')).map((one) => [one.value, one.count]),
  )
  const makers = results.map((name): Maker => ({ ...name, zines: zines.get(name.id) ?? 0 }))
  return { letters, letter, count, makers, pageQuery, links: setPageLinks(ctx, pageQuery, count) }
}

function parseLetter(ctx: RequestContext): string | undefined {
  const text = queryParam(ctx, 'letter').trim().toUpperCase()
  if (text === '') return undefined
  if (!/^[A-Z]$/.test(text) && text !== otherLetters)
    throw new ValidationError(new Map([['letter', [message('Enter a letter from A to Z, or #.')]]]))
  return text
}

function toJson(
  ctx: RequestContext,
  { letters, letter, count, makers, links }: Awaited<ReturnType<typeof findMakers>>,
) {
  const origin = requestOrigin(ctx)
  return {
    letters,
    letter,
    count,
    next: links.next,
    previous: links.previous,
    results: makers.map(({ id, displayName, filedAs, zines }) => ({
      agent_id: id,
      display_name: displayName,
      filed_as: filedAs,
      zines,
      url: `${origin}${recordPath('agents', id)}`,
    })),
  }
}
