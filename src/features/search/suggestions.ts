// Suggestions as one types, for the search box of the pages and for browsers
// (docs/reference/explore.md, "Suggestions").

import { message } from '../../message.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { json, openSearch } from '../../formats/common-formats.js'
import type { Format } from '../../formats/serializer.js'
import type { Place, Places } from '../../model/places.js'
import { foldLetters } from '../../lib/text-folding.js'
import { wordsOf } from '../../lib/text-index/text-tokens.js'
import type { Resources } from '../../model/resources.js'
import { labelOfReference } from '../../model/record/title.js'
import { type RecordValues, listValue, textValue } from '../../model/record/values.js'
import type { Reference } from '../../model/record/views.js'
import { escapeAttribute, escapeText } from '../../rdf/xml.js'
import { encodeSegment } from '../../rdf/terms.js'
import { labelOfCode, labelOfPlace } from '../../messages/labels.js'
import { languages } from '../../messages/languages.js'
import { type Translator, translatorFor } from '../../messages/translator.js'
import { createYielder } from '../../lib/scheduling.js'
import { kindTexts } from '../../views/kind-texts.js'
import type { Endpoint } from '../../http/endpoint.js'
import { inQuery } from '../../http/operation.js'
import { requestOrigin } from '../../http/origin.js'
import { choiceParam, queryParam } from '../../http/request/url.js'
import { sendJson, sendText } from '../../http/response/conditional.js'
import * as schema from '../../http/schemas.js'
import {
  type TermHit,
  type TermKind,
  type TermSearches,
  findUsedTerms,
  rankOf,
} from './term-hits.js'

/** The resources whose records have a name of their own. */
const namedResources = ['zines', 'agents', 'repositories'] as const

type NamedResource = (typeof namedResources)[number]

const suggestionKinds = [...namedResources, 'subjects', 'genres', 'places'] as const

type SuggestionKind = (typeof suggestionKinds)[number]

const suggestionSchema = schema.component('Suggestion', 'What a search may be about.', {
  kind: schema.choice(suggestionKinds),
  id: schema.text('The identifier or code.'),
  label: schema.text('The title or name.'),
  note: schema.text('What tells it from others of the same name.'),
  url: schema.url(),
})

type Suggestion = schema.ValueOf<typeof suggestionSchema>

const maxSuggestions = 10
/** How many of each are among those of all kinds. */
const maxTerms = 2
const maxMakers = 4
/** So many records that a search finds are ranked once more by their names. */
const maxRanked = 30

const openSearchDescription: Format = {
  name: 'opensearch',
  type: 'application/opensearchdescription+xml',
}

type SuggestionDependencies = {
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly termSearches: TermSearches
  readonly places: Places
}

export function suggestionEndpoint(dependencies: SuggestionDependencies): Endpoint {
  const suggest = createSuggestions(dependencies)
  return {
    path: '/api/suggest/',
    name: 'Suggestion List',
    description: 'What a search may be about while it is typed: ten at most, the best first.',
    formats: [json, openSearch],
    methods: {
      async GET(ctx) {
        const q = queryParam(ctx, 'q').trim()
        const kind = choiceParam(ctx, 'kind', suggestionKinds)
        ctx.state.isCurrent = dependencies.catalogue.currentUntilNextWrite()
        const origin = requestOrigin(ctx)
        const translator = translatorFor(choiceParam(ctx, 'lang', languages) ?? 'en')
        const typed = q.slice(0, maxLength)
        const ranked = q === '' ? [] : await suggest({ q: typed, kind, translator })
        const suggestions = ranked.map((suggestion) => ({
          ...suggestion,
          url: `${origin}${suggestion.url}`,
        }))
        ctx.set('Cache-Control', 'no-cache')
        if (ctx.state.format === openSearch)
          sendJson(ctx, [
            q,
            suggestions.map(({ label }) => label),
            suggestions.map(({ note }) => note),
            suggestions.map(({ url }) => url),
          ])
        else sendJson(ctx, suggestions)
      },
    },
    operations: {
      GET: {
        response: schema.listOf(suggestionSchema),
        parameters: [
          inQuery('q', 'What has been typed, of which the last word may go on.'),
          inQuery('kind', 'Only suggestions of this kind.', schema.choice(suggestionKinds)),
          inQuery('lang', 'The language of labels and notes.', schema.choice(languages)),
        ],
        errors: [400, 501],
      },
    },
  }
}

/** Longer texts are not typed. */
const maxLength = 200

/** How browsers search the catalogue from their address bar. */
export const openSearchEndpoint: Endpoint = {
  path: '/opensearch.xml',
  name: 'OpenSearch Description',
  description: 'How browsers search the catalogue.',
  formats: [openSearchDescription],
  methods: {
    GET(ctx) {
      const origin = escapeAttribute(requestOrigin(ctx))
      const name = ctx.state.site.name
      sendText(
        ctx,
        `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>${escapeText(name.slice(0, maxShortName))}</ShortName>
  <LongName>${escapeText(name.slice(0, maxLongName))}</LongName>
  <Description>Search zines, who made them, and where they are.</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <Url type="text/html" template="${origin}/api/search/?format=html&amp;q={searchTerms}"/>
  <Url type="application/json" template="${origin}/api/search/?q={searchTerms}"/>
  <Url type="application/x-suggestions+json" template="${origin}/api/suggest/?format=opensearch&amp;q={searchTerms}"/>
</OpenSearchDescription>
`,
      )
    },
  },
}

/** OpenSearch 1.1 allows so many characters. */
const maxShortName = 16
const maxLongName = 48

type SuggestionQuery = {
  readonly q: string
  readonly kind: SuggestionKind | undefined
  readonly translator: Translator
}

/** A suggestion, and how well its name matches what was typed: 0 is best. */
type RankedSuggestion = { readonly suggestion: Suggestion; readonly rank: number }

type Suggest = (query: SuggestionQuery) => Promise<readonly Suggestion[]>

function createSuggestions(dependencies: SuggestionDependencies): Suggest {
  const { termSearches, places } = dependencies
  const suggestPlaces = createPlaceSuggestions(places)
  const isTermKind = (kind: SuggestionKind): kind is TermKind => kind in termSearches
  return async ({ q, kind, translator }) => {
    if (kind === 'places') return suggestPlaces(q, translator)
    if (kind && isTermKind(kind)) {
      const hits = await termSearches[kind](q, translator)
      return hits.slice(0, maxSuggestions).map((hit) => suggestionOf(hit, translator))
    }
    const names = kind ? [kind] : namedResources
    const records = await suggestRecords(dependencies, { q, names, translator })
    if (kind) return records.slice(0, maxSuggestions).map(({ suggestion }) => suggestion)
    const hits = await findUsedTerms(termSearches, { q, translator, most: maxTerms })
    const terms = hits.map((hit) => ({
      suggestion: suggestionOf(hit, translator),
      rank: hit.rank,
    }))
    return bestOfAllKinds([...terms, ...records])
  }
}

/**
 * Those that match best, of equal ones first those that lead to many zines: terms, then makers,
 * then libraries. One kind does not keep out the others.
 */
function bestOfAllKinds(ranked: readonly RankedSuggestion[]): readonly Suggestion[] {
  const order: readonly string[] = ['subjects', 'genres', 'agents', 'repositories', 'zines']
  const ofKind = (kind: string): readonly RankedSuggestion[] =>
    ranked
      .filter(({ suggestion }) => suggestion.kind === kind)
      .sort((a, b) => a.rank - b.rank)
      .slice(0, kind === 'agents' ? maxMakers : maxSuggestions)
  return order
    .flatMap(ofKind)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, maxSuggestions)
    .map(({ suggestion }) => suggestion)
}

const { noun } = kindTexts.zines

const suggestionOf = (
  { kind, code, label, count }: TermHit,
  translator: Translator,
): Suggestion => ({
  kind,
  id: code,
  label,
  note: `${translator.number(count)} ${translator.pluralPattern(count, noun.one, noun.other)}`,
  url: `/api/vocabularies/${kind}/${encodeSegment(code)}/`,
})

type RecordQuery = {
  readonly q: string
  readonly names: readonly NamedResource[]
  readonly translator: Translator
}

/** The records that a search finds, in its order. */
async function suggestRecords(
  { catalogue, resources }: SuggestionDependencies,
  { q, names, translator }: RecordQuery,
): Promise<readonly RankedSuggestion[]> {
  const { results } = await catalogue.searchAll({ names, q, page: 1, pageSize: maxRanked })
  const references = results.map(({ reference }) => reference)
  const lookup = await catalogue.find(references)
  const makers = await catalogue.find(
    references.flatMap((reference) => makersOf(lookup(reference))).map(toAgent),
  )
  const queryWords = wordsOf(q)
  return references.map((reference) => {
    const { target, id } = reference
    const values = lookup(reference) ?? {}
    // The cast: no other resource is searched.
    const kind = target as NamedResource
    const label = labelOfReference(resources, lookup, reference)
    const note = notes[kind](values, {
      labelOf: (other) => labelOfReference(resources, makers, other),
      codeLabelOf: (field) =>
        labelOfCode(
          translator,
          resources[kind].byName.get(field)?.vocabulary,
          textValue(values, field),
        ),
    })
    return {
      suggestion: {
        kind,
        id,
        label: withIssue(label, values),
        note: note.filter(Boolean).join(', '),
        url: `/api/${target}/${encodeSegment(id)}/`,
      },
      rank: Math.min(
        ...[label, ...otherNamesOf[kind](values)].map((name) => rankOf(wordsOf(name), queryWords)),
      ),
    }
  })
}

/** The names of a record that everybody may see, besides its title. */
const otherNamesOf: Readonly<Record<NamedResource, (values: RecordValues) => readonly string[]>> = {
  zines: (values) => listValue(values, 'alternative_title'),
  agents: (values) => {
    const sortName = textValue(values, 'sort_name')
    // A family name alone is what a maker is called, as a title is what a zine is.
    const [familyName = ''] = sortName.split(',')
    return [...listValue(values, 'alternative_names'), sortName, familyName]
  },
  repositories: (values) => listValue(values, 'alternative_names'),
}

const makersOf = (values: RecordValues | undefined): readonly string[] =>
  values ? listValue(values, 'creator').slice(0, 2) : []

const toAgent = (id: string): Reference => ({ target: 'agents', id })

function withIssue(title: string, values: RecordValues): string {
  const issue = textValue(values, 'issue_designation')
  return issue === '' ? title : `${title}, ${issue}`
}

type Labels = {
  readonly labelOf: (reference: Reference) => string
  /** What the code of a field is called. */
  readonly codeLabelOf: (field: string) => string
}

/** What tells a record from others of the same name. */
const notes: Readonly<
  Record<NamedResource, (values: RecordValues, labels: Labels) => readonly string[]>
> = {
  zines: (values, { labelOf }) => [
    ...makersOf(values).map((id) => labelOf(toAgent(id))),
    ...listValue(values, 'date').slice(0, 1),
  ],
  agents: (values, { codeLabelOf }) => [codeLabelOf('kind'), textValue(values, 'pronouns')],
  repositories: (values, { codeLabelOf }) => [textValue(values, 'city'), codeLabelOf('country')],
}

function createPlaceSuggestions({ all }: Places) {
  let folding: Promise<readonly string[]> | undefined
  return async (q: string, translator: Translator): Promise<readonly Suggestion[]> => {
    // Folding takes a while, and is not done before somebody asks.
    const names = await (folding ??= foldInSteps(all))
    const foldedQuery = foldLetters(q)
    const countries = new Map(
      all.flatMap((place) => (place.level === 'country' ? [[place.country_code, place]] : [])),
    )
    const nameOf = (place: Place): string => labelOfPlace(translator, place) ?? place.name
    return all
      .filter((_, index) => names[index]?.startsWith(foldedQuery))
      .sort((a, b) => (b.population ?? 0) - (a.population ?? 0))
      .slice(0, maxSuggestions)
      .map((place) => ({
        kind: 'places',
        id: String(place.geoname_id),
        label: nameOf(place),
        note:
          place.level === 'country'
            ? translator.t(message('Country')).toLowerCase()
            : nameOf(countries.get(place.country_code) ?? place),
        url: `/api/geography/places/${place.geoname_id}/`,
      }))
  }
}

async function foldInSteps(places: readonly Place[]): Promise<readonly string[]> {
  const maybeYield = createYielder()
  const names: string[] = []
  for (const { name } of places) {
    names.push(foldLetters(name))
    await maybeYield()
  }
  return names
}
