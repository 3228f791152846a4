// The pages of the reference lists: their overviews, a vocabulary, one of its entries, and its
// concept scheme. How they look is left to features/vocabularies/vocabulary-page.tsx. Places have their own file,
// place.tsx.

import type { Context } from 'koa'

import { message } from '../../message.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { json } from '../../formats/common-formats.js'
import {
  type RdfContext,
  jsonAndRdfFormats,
  rdfFormats,
  serializeRdf,
} from '../../formats/rdf/documents.js'
import { turtle } from '../../formats/rdf/turtle.js'
import { schemeTriples, serializeEntries, serializeEntry } from '../../formats/vocabularies.js'
import {
  type VocabularyName,
  geographyNames,
  vocabularyNames,
} from '../../model/declarations/read-files.js'
import { resourceNames } from '../../model/iris.js'
import type { Places } from '../../model/places.js'
import { type Resources, filtersOf } from '../../model/resources.js'
import type { Vocabulary, VocabularyEntry } from '../../model/vocabulary.js'
import { entryPath, placesPath, resourceTitle, withParameters } from '../../views/links.js'
import type { Covers } from '../covers/cover.js'
import type { RelatedRecords } from '../records/record-page.js'
import { relatedRecordsFor } from '../records/related-records.js'
import {
  EntryPage,
  type FieldUsage,
  SchemePage,
  VocabulariesPage,
  type VocabularyGroup,
  type VocabularyOverview,
  VocabularyPage,
  descriptionOf,
} from './vocabulary-page.js'
import { entriesIn } from '../../messages/labels.js'
import type { Handler, RequestContext } from '../../http/context.js'
import { translatorOf } from '../../http/language.js'
import { requireEntry, searchEntries } from './reference-query.js'
import { queryParam } from '../../http/request/url.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import type { CachedStatistics } from '../../http/response/cached-statistics.js'

type VocabularyPagesDependencies = {
  readonly assets: AssetUrls
  readonly catalogue: Catalogue
  readonly statistics: CachedStatistics
  readonly resources: Resources
  readonly vocabularies: Readonly<Record<VocabularyName, Vocabulary>>
  readonly places: Places
  readonly pictures: Covers
  readonly rdfContext: RdfContext
  /** The links that the API answers with in place of the overviews. */
  readonly vocabularyLinks: (ctx: RequestContext) => object
  readonly geographyLinks: (ctx: RequestContext) => object
}

export const createVocabularyPages = (dependencies: VocabularyPagesDependencies) => ({
  vocabularies: vocabulariesPage(dependencies),
  geography: geographyPage(dependencies),
  list: (vocabulary: Vocabulary): Handler => vocabularyPage(dependencies, vocabulary),
  entry: (vocabulary: Vocabulary): Handler => entryPage(dependencies, vocabulary),
})

function vocabulariesPage(dependencies: VocabularyPagesDependencies): Handler {
  const { vocabularies, vocabularyLinks } = dependencies
  const lists = vocabularyNames.map((name) => overviewOf(vocabularies[name]))
  const groups = [{ title: message('Vocabularies'), lists }, geographyGroup(dependencies)] as const
  const lead = message('Shared lists of subjects, genres and formats used in every record.')
  return overviewPage(dependencies, { lead, groups, links: vocabularyLinks })
}

const geographyPage = (dependencies: VocabularyPagesDependencies): Handler =>
  overviewPage(dependencies, {
    lead: message('Shared lists of countries, languages and places.'),
    groups: [geographyGroup(dependencies)],
    links: dependencies.geographyLinks,
  })

/** The page of some vocabularies, with the title of their first group. */
const overviewPage =
  (
    { assets }: VocabularyPagesDependencies,
    { lead, groups, links }: VocabularyOverviews,
  ): Handler =>
  (ctx) =>
    sendPage(
      ctx,
      <VocabulariesPage
        context={pageContext(ctx, assets)}
        title={groups[0].title}
        lead={lead}
        groups={groups}
        formats={[json]}
        json={JSON.stringify(links(ctx))}
      />,
    )

type VocabularyOverviews = {
  readonly lead: string
  readonly groups: readonly [VocabularyGroup, ...VocabularyGroup[]]
  /** What the API answers with in place of the page. */
  readonly links: (ctx: RequestContext) => object
}

const overviewOf = (vocabulary: Vocabulary): VocabularyOverview => ({
  title: vocabulary.title,
  path: entryPath(vocabulary),
  count: vocabulary.entries.length,
  description: descriptionOf(vocabulary),
})

const geographyGroup = ({
  vocabularies,
  places,
}: VocabularyPagesDependencies): VocabularyGroup => ({
  title: message('Countries, languages and places'),
  lists: [
    ...geographyNames.map((name) => overviewOf(vocabularies[name])),
    {
      title: message('Places'),
      path: placesPath,
      count: places.all.length,
      description: message(
        'Countries, their first-level regions and larger cities, from GeoNames.',
      ),
    },
  ],
})

function vocabularyPage(
  dependencies: VocabularyPagesDependencies,
  vocabulary: Vocabulary,
): Handler {
  const { assets, rdfContext } = dependencies
  return async (ctx) => {
    const entries = searchEntries(ctx, vocabulary)
    const page = (
      <VocabularyPage
        context={pageContext(ctx, assets)}
        vocabulary={vocabulary}
        entries={entriesOfPage(ctx, vocabulary)}
        search={queryParam(ctx, 'search')}
        uses={await countUses(dependencies, vocabulary)}
        formats={jsonAndRdfFormats}
        json={serializeEntries(json, vocabulary, entries, rdfContext)}
      />
    )
    sendPage(ctx, page)
  }
}

/** The entries that match the search, by their labels in the language of the page too. */
function entriesOfPage(ctx: RequestContext, vocabulary: Vocabulary): readonly VocabularyEntry[] {
  const translated = entriesIn(translatorOf(ctx), vocabulary)
  const labels = new Map(translated.map(({ code, label }) => [code, label]))
  return searchEntries(ctx, vocabulary, ({ code }) => labels.get(code) ?? '')
}

/** The facet counts of every filter that takes the codes of a vocabulary. */
async function countUses(
  { statistics, resources }: VocabularyPagesDependencies,
  vocabulary: Vocabulary,
): Promise<readonly FieldUsage[]> {
  const uses: FieldUsage[] = []
  for (const { name, filter } of filtersFor(resources, vocabulary)) {
    const counts = await statistics.facetCounts(name, filter)
    uses.push({
      name,
      filter,
      counts: new Map(counts.map(({ value, count }) => [value, count])),
    })
  }
  return uses
}

/** The filters of all resources that take the codes of a vocabulary. */
const filtersFor = (resources: Resources, { name: vocabularyName }: Vocabulary) =>
  resourceNames.flatMap((name) =>
    filtersOf(resources[name])
      .filter((filter) => 'vocabulary' in filter && filter.vocabulary?.name === vocabularyName)
      .map((filter) => ({ name, filter: filter.name })),
  )

function entryPage(dependencies: VocabularyPagesDependencies, vocabulary: Vocabulary): Handler {
  const { assets, rdfContext, resources } = dependencies
  return async (ctx) => {
    const entry = requireEntry(ctx, vocabulary)
    const page = (
      <EntryPage
        context={pageContext(ctx, assets)}
        vocabulary={vocabulary}
        entry={entry}
        related={await findRecordsWith(ctx, dependencies, vocabulary, entry.code)}
        resources={resources}
        covers={dependencies.pictures}
        {...(vocabulary.name === 'countries' && {
          places: withParameters(placesPath, '', { country_code: entry.code }),
        })}
        formats={jsonAndRdfFormats}
        json={serializeEntry(json, vocabulary, entry, rdfContext)}
      />
    )
    sendPage(ctx, page)
  }
}

const maxRecords = 8

/**
 * The first records of each resource that have the code; of zines, the first page of their list.
 */
async function findRecordsWith(
  ctx: Context,
  dependencies: VocabularyPagesDependencies,
  vocabulary: Vocabulary,
  code: string,
): Promise<readonly RelatedRecords[]> {
  const read = relatedRecordsFor(ctx, dependencies)
  const related: RelatedRecords[] = []
  // The format of zines is no filter of its own, since `format` is that of the answer.
  const ofFormats = { name: 'zines', filter: 'format__in' } as const
  const filtered = filtersFor(dependencies.resources, vocabulary)
  for (const { name, filter } of vocabulary.name === 'formats' ? [ofFormats] : filtered) {
    const atMost = name === 'zines' ? undefined : maxRecords
    const title = resourceTitle(name)
    related.push(await read({ title, from: name, filter, value: code, atMost }))
  }
  return related
}

type SchemePageDependencies = Pick<VocabularyPagesDependencies, 'assets' | 'rdfContext'>

/** The page of a concept scheme, which the IRI of a vocabulary leads to. */
export const schemePage =
  ({ assets, rdfContext }: SchemePageDependencies) =>
  (vocabulary: Vocabulary): Handler =>
  (ctx) =>
    sendPage(
      ctx,
      <SchemePage
        context={pageContext(ctx, assets)}
        vocabulary={vocabulary}
        formats={rdfFormats}
        turtle={serializeRdf(turtle, schemeTriples(vocabulary, vocabulary.entries), rdfContext)}
      />,
    )
