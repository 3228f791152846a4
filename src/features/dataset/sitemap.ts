// The sitemap and robots.txt, for search engines: the addresses of all pages that everybody may
// see, and those that need not be asked for (docs/reference/formats.md, "Search engines").

import { NotFoundError } from '../../errors.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import type { Format } from '../../formats/serializer.js'
import { type Iris, type ResourceName, resourceNames } from '../../model/iris.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import { encodeSegment } from '../../rdf/terms.js'
import { escapeText } from '../../rdf/xml.js'
import { collectInSteps, createSerialQueue } from '../../lib/scheduling.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { sendText } from '../../http/response/conditional.js'

type SitemapDependencies = {
  readonly iris: Iris
  readonly catalogue: Pick<Catalogue, 'list' | 'updateTimes' | 'currentUntilNextWrite'>
  /** The vocabularies whose entries have pages. */
  readonly vocabularies: Readonly<Record<string, Vocabulary>>
}

/** The protocol allows so many addresses in a file (sitemaps.org). */
const maxUrls = 50_000

const formats: readonly Format[] = [
  { name: 'xml', type: 'application/xml' },
  { name: 'xml', type: 'text/xml' },
]

const plainText: Format = { name: 'text', type: 'text/plain' }

export const sitemapEndpoints = (dependencies: SitemapDependencies): Endpoint[] => {
  const queue = createSerialQueue()
  const send = async (ctx: RequestContext, write: () => Promise<string>): Promise<void> => {
    // A shared store is looked at again after a minute.
    ctx.state.isCurrent = dependencies.catalogue.currentUntilNextWrite(60_000)
    ctx.set('Cache-Control', 'no-cache')
    sendText(ctx, await queue(write))
  }
  return [
    {
      path: '/sitemap.xml',
      name: 'Sitemap',
      description: 'The sitemaps of the pages of the catalogue.',
      formats,
      methods: { GET: (ctx) => send(ctx, () => sitemapIndex(dependencies)) },
    },
    {
      path: '/sitemaps/:file',
      name: 'Sitemap Part',
      description: 'Addresses of pages, with the times of their last changes.',
      formats,
      methods: {
        GET: (ctx) => send(ctx, () => sitemapPart(ctx, dependencies, ctx.params.file ?? '')),
      },
    },
    {
      path: '/robots.txt',
      name: 'Robots',
      description: 'What crawlers need not ask for, and where the sitemap is.',
      formats: [plainText],
      methods: { GET: (ctx) => sendText(ctx, robotsText(dependencies.iris)) },
    },
  ]
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

const pagesFile = 'pages.xml'

const fileOf = (name: ResourceName, number: number): string => `${name}-${number}.xml`

/**
 * The records with pages for everybody: the identifiers of agents who are not public may be names.
 */
const publicFilters = (name: ResourceName): ReadonlyMap<string, string> =>
  new Map(name === 'agents' ? [['public', 'true']] : [])

async function sitemapIndex({ iris, catalogue }: SitemapDependencies): Promise<string> {
  const entries = [entryOf('sitemap', `${iris.base}/sitemaps/${pagesFile}`)]
  for (const name of resourceNames) {
    const { count, lastChange } = await lastChangeOf(catalogue, name)
    for (let number = 1; (number - 1) * maxUrls < count; number += 1)
      entries.push(entryOf('sitemap', `${iris.base}/sitemaps/${fileOf(name, number)}`, lastChange))
  }
  return `${declaration}<sitemapindex xmlns="${namespace}">\n${entries.join('')}</sitemapindex>\n`
}

async function lastChangeOf(catalogue: SitemapDependencies['catalogue'], name: ResourceName) {
  const { count, records } = await catalogue.list(name, {
    filters: publicFilters(name),
    search: '',
    ordering: [],
    newestBy: 'updated_at',
    page: 1,
    pageSize: 1,
  })
  const [newest] = records
  return { count, lastChange: newest && String(newest.values.updated_at) }
}

/** @throws HttpError 404 for a file that there is none of */
async function sitemapPart(
  ctx: RequestContext,
  dependencies: SitemapDependencies,
  file: string,
): Promise<string> {
  if (file === pagesFile) return urlSet(pagePaths(ctx, dependencies).map(pathEntry(dependencies)))
  const { iris, catalogue } = dependencies
  const [, kind, digits] = /^([a-z]+)-([1-9]\d{0,5})\.xml$/.exec(file) ?? []
  const name = resourceNames.find((resourceName) => resourceName === kind)
  if (!name) throw new NotFoundError()
  const range = { limit: maxUrls, offset: (Number(digits) - 1) * maxUrls }
  const records = await catalogue.updateTimes(name, { filters: publicFilters(name) }, range)
  if (records.length === 0) throw new NotFoundError()
  const entries = await collectInSteps(entriesOf(iris, name, records))
  return urlSet(entries)
}

function* entriesOf(
  iris: Iris,
  name: ResourceName,
  records: Awaited<ReturnType<Catalogue['updateTimes']>>,
): Generator<string> {
  for (const { id, updated } of records) yield entryOf('url', iris.record(name, id).value, updated)
}

const urlSet = (entries: readonly string[]): string =>
  `${declaration}<urlset xmlns="${namespace}">\n${entries.join('')}</urlset>\n`

/** The times are those of the records: the format of W3C has them as they are. */
const entryOf = (element: 'url' | 'sitemap', location: string, time?: string): string =>
  `<${element}><loc>${escapeText(location)}</loc>` +
  `${time === undefined ? '' : `<lastmod>${time}</lastmod>`}</${element}>\n`

const pathEntry =
  ({ iris }: SitemapDependencies) =>
  (path: string): string =>
    entryOf('url', iris.base + path)

/** The pages that are not of records, in the order of the navigation. */
const staticPaths = [
  '/api/',
  '/about',
  '/about/privacy',
  ...resourceNames.map((name) => `/api/${name}/`),
  '/series',
  '/makers',
  '/map',
  '/explore',
  '/api/vocabularies/',
  '/api/geography/',
  '/api/geography/places/',
  '/sparql',
  '/api/schema/',
  '/dataset',
  '/ns',
  '/shapes',
]

function pagePaths(ctx: RequestContext, { iris, vocabularies }: SitemapDependencies): string[] {
  const vocabularyPaths = Object.values(vocabularies).flatMap(({ name, scheme, entries }) => {
    const list = `/api${scheme.value.slice(iris.base.length).slice(0, -name.length)}${name}/`
    return [list, ...entries.map(({ code }) => `${list}${encodeSegment(code)}/`)]
  })
  // What is switched off has no page.
  return [...staticPaths, ...vocabularyPaths].filter((path) => ctx.router.match(path, 'GET').route)
}

/** Every query makes another address of the same pages; the sitemap has each record once. */
const disallowed = [
  '/*?',
  '/manage/',
  '/requests/',
  '/api/auth/',
  '/api/batches/',
  '/api/changes/',
  '/api/deleted/',
  '/api/export/',
  '/api/*/export/',
  '/api/*/facets/',
  '/api/*/history/',
  '/api/import-profiles/',
  '/api/imports/',
  '/api/search/',
  '/api/suggest/',
  '/activity/',
  '/dumps/',
  '/ldes',
  '/oai',
  '/reconcile',
]

function robotsText({ base }: Iris): string {
  const path = new URL(base).pathname.replace(/\/$/, '')
  return [
    'User-agent: *',
    ...disallowed.map((disallowedPath) => `Disallow: ${path}${disallowedPath}`),
    // Their addresses have a version, and pages need them.
    `Allow: ${path}/assets/`,
    '',
    `Sitemap: ${base}/sitemap.xml`,
    '',
  ].join('\n')
}
