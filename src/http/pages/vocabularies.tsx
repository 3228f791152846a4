// The reference lists as pages: what is counted and looked up for them beside their entries.

import type { Catalogue } from '../../catalogue/catalogue.js'
import { jsonAndRdfFormats } from '../../formats/rdf/documents.js'
import type { RdfContext } from '../../formats/rdf/documents.js'
import { serializePlace, serializePlaces } from '../../formats/places.js'
import { serializeEntries, serializeEntry } from '../../formats/vocabularies.js'
import { entryPath, listPath, placesPath, titleCase, withParameters } from '../../views/links.js'
import { PlacePage, PlacesPage } from '../../views/pages/place.js'
import type { RelatedRecords } from '../../views/pages/record.js'
import {
  EntryPage,
  VocabulariesPage,
  type VocabularyOverview,
  type FieldUsage,
  VocabularyPage,
  descriptionOf,
} from '../../views/pages/vocabulary.js'
import { resourceNames } from '../../model/iris.js'
import {
  type VocabularyName,
  geographyNames,
  vocabularyNames,
} from '../../model/declarations/read-files.js'
import { type Resources, filtersOf } from '../../model/resources.js'
import type { Place, Places } from '../../model/places.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import { firstPageQuery } from '../request/list-query.js'
import type { Assets } from '../middleware/static-files.js'
import type { Handler } from '../endpoint.js'
import { json } from '../request/content-negotiation.js'
import type { CachedStatistics } from './cached-statistics.js'
import { queryParam } from '../request/url.js'
import { requireEntry, searchEntries, requirePlace, searchPlaces } from '../api/reference-lists.js'
import { geographyLinks, vocabularyLinks } from '../api/root.js'
import { sendPage, pageContext } from '../response/html.js'

export type VocabularyPagesDependencies = {
  readonly assets: Assets
  readonly catalogue: Catalogue
  readonly numbers: CachedStatistics
  readonly resources: Resources
  readonly vocabularies: Readonly<Record<VocabularyName, Vocabulary>>
  readonly places: Places
  readonly around: RdfContext
}

/** The pages of the reference lists, to be put beside what their addresses answer as data. */
export const createVocabularyPages = (consulting: VocabularyPagesDependencies) => ({
  vocabularies: vocabulariesPage(consulting),
  geography: geographyPage(consulting),
  list: (vocabulary: Vocabulary): Handler => listPage(consulting, vocabulary),
  entry: (vocabulary: Vocabulary): Handler => entryPage(consulting, vocabulary),
  places: placesPage(consulting),
  place: placePage(consulting),
})

function vocabulariesPage(consulting: VocabularyPagesDependencies): Handler {
  const { assets, vocabularies } = consulting
  return (ctx) =>
    sendPage(
      ctx,
      <VocabulariesPage
        visit={pageContext(ctx, assets)}
        title="Vocabularies"
        lead="The words that records share: whoever catalogues picks from these lists, so that whoever searches finds."
        groups={[
          {
            title: 'Vocabularies',
            lists: vocabularyNames.map((name) => overviewOf(vocabularies[name])),
          },
          { title: 'Geography', lists: geographyOverview(consulting) },
        ]}
        formats={[json]}
        json={JSON.stringify(vocabularyLinks(ctx))}
      />,
    )
}

function geographyPage(consulting: VocabularyPagesDependencies): Handler {
  return (ctx) =>
    sendPage(
      ctx,
      <VocabulariesPage
        visit={pageContext(ctx, consulting.assets)}
        title="Geography"
        lead="Where zines are made and kept, and in what languages they are."
        groups={[{ title: 'Geography', lists: geographyOverview(consulting) }]}
        formats={[json]}
        json={JSON.stringify(geographyLinks(ctx))}
      />,
    )
}

const overviewOf = (vocabulary: Vocabulary): VocabularyOverview => ({
  title: vocabulary.title,
  path: entryPath(vocabulary),
  count: vocabulary.entries.length,
  description: descriptionOf(vocabulary),
})

const geographyOverview = ({
  vocabularies,
  places,
}: VocabularyPagesDependencies): readonly VocabularyOverview[] => [
  ...geographyNames.map((name) => overviewOf(vocabularies[name])),
  {
    title: 'Places',
    path: placesPath,
    count: places.all.length,
    description: 'Countries, their first-level regions and larger cities, from GeoNames.',
  },
]

function listPage(consulting: VocabularyPagesDependencies, vocabulary: Vocabulary): Handler {
  const { assets, around, resources } = consulting
  return async (ctx) => {
    const entries = searchEntries(ctx, vocabulary)
    const page = (
      <VocabularyPage
        visit={pageContext(ctx, assets)}
        vocabulary={vocabulary}
        entries={entries}
        search={queryParam(ctx, 'search')}
        uses={await facetCountsFor(consulting, vocabulary)}
        resources={resources}
        formats={jsonAndRdfFormats}
        json={serializeEntries(json, vocabulary, entries, around)}
      />
    )
    sendPage(ctx, page)
  }
}

/** The filters that take the codes of a vocabulary, with what they would find. */
async function facetCountsFor(
  { numbers, resources }: VocabularyPagesDependencies,
  vocabulary: Vocabulary,
): Promise<readonly FieldUsage[]> {
  const uses: FieldUsage[] = []
  for (const { name, filter } of filtersBy(resources, vocabulary)) {
    const counts = await numbers.tally(name, filter)
    uses.push({
      name,
      filter,
      counts: new Map(counts.map(({ value, count }) => [value, count])),
    })
  }
  return uses
}

const filtersBy = (resources: Resources, { name: vocabulary }: Vocabulary) =>
  resourceNames.flatMap((name) =>
    filtersOf(resources[name])
      .filter((filter) => 'vocabulary' in filter && filter.vocabulary?.name === vocabulary)
      .map((filter) => ({ name, filter: filter.name })),
  )

function entryPage(consulting: VocabularyPagesDependencies, vocabulary: Vocabulary): Handler {
  const { assets, around, resources } = consulting
  return async (ctx) => {
    const entry = requireEntry(ctx, vocabulary)
    const page = (
      <EntryPage
        visit={pageContext(ctx, assets)}
        vocabulary={vocabulary}
        entry={entry}
        related={await relatedTo(consulting, vocabulary, entry.code)}
        resources={resources}
        {...(vocabulary.name === 'countries' && {
          places: withParameters(placesPath, '', { country_code: entry.code }),
        })}
        formats={jsonAndRdfFormats}
        json={serializeEntry(json, vocabulary, entry, around)}
      />
    )
    sendPage(ctx, page)
  }
}

const shownRecords = 8

async function relatedTo(
  { catalogue, resources }: VocabularyPagesDependencies,
  vocabulary: Vocabulary,
  code: string,
): Promise<readonly RelatedRecords[]> {
  const related: RelatedRecords[] = []
  for (const { name, filter } of filtersBy(resources, vocabulary)) {
    const filters = { [filter]: code }
    const request = firstPageQuery(shownRecords, { filters })
    const { count, records } = await catalogue.list(name, request, 'list')
    related.push({ title: titleCase(name), path: listPath(name, filters), count, records })
  }
  return related
}

function placesPage({
  assets,
  around,
  places,
  vocabularies,
}: VocabularyPagesDependencies): Handler {
  return (ctx) => {
    const { request, count, links, results } = searchPlaces(ctx, places)
    sendPage(
      ctx,
      <PlacesPage
        visit={pageContext(ctx, assets)}
        countries={vocabularies.countries}
        places={results}
        count={count}
        page={{ number: request.page, size: request.pageSize }}
        links={links}
        search={queryParam(ctx, 'search')}
        country={queryParam(ctx, 'country_code')}
        level={queryParam(ctx, 'level')}
        formats={jsonAndRdfFormats}
        json={serializePlaces(json, { count, links, places: results }, around)}
      />,
    )
  }
}

function placePage({ assets, around, places, vocabularies }: VocabularyPagesDependencies): Handler {
  return (ctx) => {
    const place = requirePlace(ctx, places)
    sendPage(
      ctx,
      <PlacePage
        visit={pageContext(ctx, assets)}
        countries={vocabularies.countries}
        place={place}
        above={ancestors(places, place)}
        below={children(places, place)}
        formats={jsonAndRdfFormats}
        json={serializePlace(json, place, around)}
      />,
    )
  }
}

function ancestors(places: Places, { parent }: Place): readonly Place[] {
  const next = parent === null ? undefined : places.find(String(parent))
  return next ? [...ancestors(places, next), next] : []
}

const children = (places: Places, { geoname_id }: Place): readonly Place[] =>
  places.all
    .filter(({ parent }) => parent === geoname_id)
    .sort((a, b) => (b.population ?? 0) - (a.population ?? 0))
