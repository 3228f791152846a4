// The reference lists as pages: what is counted and looked up for them beside their entries.

import type { Catalogue } from '../../catalogue/catalogue.js'
import { formatsOfData } from '../../formats/rdf/documents.js'
import type { Around } from '../../formats/rdf/documents.js'
import { printPlace, printPlaces } from '../../formats/places.js'
import { printEntries, printEntry } from '../../formats/vocabularies.js'
import { entryPath, listPath, placesPath, titled, withParameters } from '../../views/links.js'
import { PlacePage, PlacesPage } from '../../views/pages/place.js'
import type { Related } from '../../views/pages/record.js'
import {
  EntryPage,
  OverviewPage,
  type Told,
  type Use,
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
import { firstOf } from '../request/list-query.js'
import type { Assets } from '../middleware/static-files.js'
import type { Handler } from '../endpoint.js'
import { json } from '../request/content-negotiation.js'
import type { Numbers } from './cached-statistics.js'
import { lastOf } from '../request/url.js'
import { entryAt, foundIn, placeAt, placesFound } from '../api/reference-lists.js'
import { geographyLinks, vocabularyLinks } from '../api/root.js'
import { showPage, visitOf } from '../response/html.js'

export type Consulting = {
  readonly assets: Assets
  readonly catalogue: Catalogue
  readonly numbers: Numbers
  readonly resources: Resources
  readonly vocabularies: Readonly<Record<VocabularyName, Vocabulary>>
  readonly places: Places
  readonly around: Around
}

/** The pages of the reference lists, to be put beside what their addresses answer as data. */
export const consult = (consulting: Consulting) => ({
  vocabularies: vocabulariesPage(consulting),
  geography: geographyPage(consulting),
  list: (vocabulary: Vocabulary): Handler => listPage(consulting, vocabulary),
  entry: (vocabulary: Vocabulary): Handler => entryPage(consulting, vocabulary),
  places: placesPage(consulting),
  place: placePage(consulting),
})

function vocabulariesPage(consulting: Consulting): Handler {
  const { assets, vocabularies } = consulting
  return (ctx) =>
    showPage(
      ctx,
      <OverviewPage
        visit={visitOf(ctx, assets)}
        title="Vocabularies"
        lead="The words that records share: whoever catalogues picks from these lists, so that whoever searches finds."
        groups={[
          {
            title: 'Vocabularies',
            lists: vocabularyNames.map((name) => toldOf(vocabularies[name])),
          },
          { title: 'Geography', lists: geographyTold(consulting) },
        ]}
        formats={[json]}
        json={JSON.stringify(vocabularyLinks(ctx))}
      />,
    )
}

function geographyPage(consulting: Consulting): Handler {
  return (ctx) =>
    showPage(
      ctx,
      <OverviewPage
        visit={visitOf(ctx, consulting.assets)}
        title="Geography"
        lead="Where zines are made and kept, and in what languages they are."
        groups={[{ title: 'Geography', lists: geographyTold(consulting) }]}
        formats={[json]}
        json={JSON.stringify(geographyLinks(ctx))}
      />,
    )
}

const toldOf = (vocabulary: Vocabulary): Told => ({
  title: vocabulary.title,
  path: entryPath(vocabulary),
  count: vocabulary.entries.length,
  description: descriptionOf(vocabulary),
})

const geographyTold = ({ vocabularies, places }: Consulting): readonly Told[] => [
  ...geographyNames.map((name) => toldOf(vocabularies[name])),
  {
    title: 'Places',
    path: placesPath,
    count: places.all.length,
    description: 'Countries, their first-level regions and larger cities, from GeoNames.',
  },
]

function listPage(consulting: Consulting, vocabulary: Vocabulary): Handler {
  const { assets, around, resources } = consulting
  return async (ctx) => {
    const entries = foundIn(ctx, vocabulary)
    const page = (
      <VocabularyPage
        visit={visitOf(ctx, assets)}
        vocabulary={vocabulary}
        entries={entries}
        search={lastOf(ctx, 'search')}
        uses={await usesOf(consulting, vocabulary)}
        resources={resources}
        formats={formatsOfData}
        json={printEntries(json, vocabulary, entries, around)}
      />
    )
    showPage(ctx, page)
  }
}

/** The filters that take the codes of a vocabulary, with what they would find. */
async function usesOf(
  { numbers, resources }: Consulting,
  vocabulary: Vocabulary,
): Promise<readonly Use[]> {
  const uses: Use[] = []
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

function entryPage(consulting: Consulting, vocabulary: Vocabulary): Handler {
  const { assets, around, resources } = consulting
  return async (ctx) => {
    const entry = entryAt(ctx, vocabulary)
    const page = (
      <EntryPage
        visit={visitOf(ctx, assets)}
        vocabulary={vocabulary}
        entry={entry}
        related={await relatedTo(consulting, vocabulary, entry.code)}
        resources={resources}
        {...(vocabulary.name === 'countries' && {
          places: withParameters(placesPath, '', { country_code: entry.code }),
        })}
        formats={formatsOfData}
        json={printEntry(json, vocabulary, entry, around)}
      />
    )
    showPage(ctx, page)
  }
}

const shownRecords = 8

async function relatedTo(
  { catalogue, resources }: Consulting,
  vocabulary: Vocabulary,
  code: string,
): Promise<readonly Related[]> {
  const related: Related[] = []
  for (const { name, filter } of filtersBy(resources, vocabulary)) {
    const filters = { [filter]: code }
    const request = firstOf(shownRecords, { filters })
    const { count, sheets } = await catalogue.list(name, request, 'list')
    related.push({ title: titled(name), path: listPath(name, filters), count, sheets })
  }
  return related
}

function placesPage({ assets, around, places, vocabularies }: Consulting): Handler {
  return (ctx) => {
    const { request, count, links, results } = placesFound(ctx, places)
    showPage(
      ctx,
      <PlacesPage
        visit={visitOf(ctx, assets)}
        countries={vocabularies.countries}
        places={results}
        count={count}
        page={{ number: request.page, size: request.pageSize }}
        links={links}
        search={lastOf(ctx, 'search')}
        country={lastOf(ctx, 'country_code')}
        level={lastOf(ctx, 'level')}
        formats={formatsOfData}
        json={printPlaces(json, { count, links, places: results }, around)}
      />,
    )
  }
}

function placePage({ assets, around, places, vocabularies }: Consulting): Handler {
  return (ctx) => {
    const place = placeAt(ctx, places)
    showPage(
      ctx,
      <PlacePage
        visit={visitOf(ctx, assets)}
        countries={vocabularies.countries}
        place={place}
        above={above(places, place)}
        below={below(places, place)}
        formats={formatsOfData}
        json={printPlace(json, place, around)}
      />,
    )
  }
}

function above(places: Places, { parent }: Place): readonly Place[] {
  const next = parent === null ? undefined : places.find(String(parent))
  return next ? [...above(places, next), next] : []
}

const below = (places: Places, { geoname_id }: Place): readonly Place[] =>
  places.all
    .filter(({ parent }) => parent === geoname_id)
    .sort((a, b) => (b.population ?? 0) - (a.population ?? 0))
