// Suggestions as one types, for the search box of the pages and for browsers
// (docs/reference/explore.md, "Suggestions").

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
import { type Vocabulary, altLabelsOf } from '../../model/vocabulary.js'
import { escapeAttribute, escapeText } from '../../rdf/xml.js'
import { encodeSegment } from '../../rdf/terms.js'
import { createYielder } from '../../lib/scheduling.js'
import type { Endpoint } from '../../http/endpoint.js'
import { inQuery } from '../../http/operation.js'
import { requestOrigin } from '../../http/origin.js'
import { choiceParam, queryParam } from '../../http/request/url.js'
import { sendJson, sendText } from '../../http/response/conditional.js'
import * as schema from '../../http/schemas.js'

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

const openSearchDescription: Format = {
  name: 'opensearch',
  type: 'application/opensearchdescription+xml',
}

type SuggestionDependencies = {
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly vocabularies: Readonly<Record<'subjects' | 'genres', Vocabulary>>
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
        const found = q === '' ? [] : await suggest(q.slice(0, maxLength), kind)
        const suggestions = found.map((one) => ({ ...one, url: `${origin}${one.url}` }))
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

type Suggest = (q: string, kind: SuggestionKind | undefined) => Promise<readonly Suggestion[]>

function createSuggestions(dependencies: SuggestionDependencies): Suggest {
  const { vocabularies, places } = dependencies
  const suggestPlaces = createPlaceSuggestions(places)
  const terms = {
    subjects: createTermSuggestions(vocabularies.subjects, 'subject', dependencies),
    genres: createTermSuggestions(vocabularies.genres, 'genre', dependencies),
  }
  return async (q, kind) => {
    if (kind === 'places') return suggestPlaces(q)
    if (kind === 'subjects' || kind === 'genres') return terms[kind](q)
    if (kind) return suggestRecords(dependencies, q, [kind])
    const found = [
      ...(await terms.subjects(q)).slice(0, maxTerms),
      ...(await terms.genres(q)).slice(0, maxTerms),
    ]
    const records = await suggestRecords(dependencies, q, namedResources)
    return [...records.slice(0, maxSuggestions - found.length), ...found]
  }
}

async function suggestRecords(
  { catalogue, resources }: SuggestionDependencies,
  q: string,
  names: readonly NamedResource[],
): Promise<readonly Suggestion[]> {
  const search = { names, q, page: 1, pageSize: maxSuggestions }
  const { results } = await catalogue.searchAll(search)
  const references = results.map(({ reference }) => reference)
  const lookup = await catalogue.find(references)
  const makers = await catalogue.find(
    references.flatMap((one) => makersOf(lookup(one))).map(toAgent),
  )
  return references.map((reference) => {
    const { target, id } = reference
    const values = lookup(reference) ?? {}
    // The cast: no other resource is searched.
    const kind = target as NamedResource
    return {
      kind,
      id,
      label: withIssue(labelOfReference(resources, lookup, reference), values),
      note: notes[kind](values, (one) => labelOfReference(resources, makers, one))
        .filter(Boolean)
        .join(', '),
      url: `/api/${target}/${encodeSegment(id)}/`,
    }
  })
}

const makersOf = (values: RecordValues | undefined): readonly string[] =>
  values ? listValue(values, 'creator').slice(0, 2) : []

const toAgent = (id: string): Reference => ({ target: 'agents', id })

function withIssue(title: string, values: RecordValues): string {
  const issue = textValue(values, 'issue_designation')
  return issue === '' ? title : `${title}, ${issue}`
}

type Note = (values: RecordValues, labelOf: (reference: Reference) => string) => readonly string[]

/** What tells a record from others of the same name. */
const notes: Readonly<Record<NamedResource, Note>> = {
  zines: (values, labelOf) => [
    ...makersOf(values).map((id) => labelOf(toAgent(id))),
    ...listValue(values, 'date').slice(0, 1),
  ],
  agents: (values) => [textValue(values, 'kind'), textValue(values, 'pronouns')],
  repositories: (values) => [textValue(values, 'city'), textValue(values, 'country')],
}

/**
 * Suggests the entries of a vocabulary that have all words, those first that begin with what was
 * typed.
 */
function createTermSuggestions(
  vocabulary: Vocabulary,
  filter: 'subject' | 'genre',
  { catalogue }: Pick<SuggestionDependencies, 'catalogue'>,
) {
  let entries: Vocabulary['entries'] | undefined
  let folded: readonly (readonly (readonly string[])[])[] = []
  return async (q: string): Promise<readonly Suggestion[]> => {
    if (entries !== vocabulary.entries) {
      entries = vocabulary.entries
      folded = entries.map(({ code, label }) =>
        [label, ...altLabelsOf(vocabulary, code)].map(wordsOf),
      )
    }
    const wanted = wordsOf(q)
    const found = entries.flatMap((entry, index) => {
      const rank = Math.min(...(folded[index] ?? []).map((words) => rankOf(words, wanted)))
      return rank < Infinity ? [{ ...entry, rank }] : []
    })
    if (found.length === 0) return []
    const uses = new Map(
      (await catalogue.facetCounts('zines', filter)).map(({ value, count }) => [value, count]),
    )
    const usesOf = (code: string): number => uses.get(code) ?? 0
    return found
      .sort((a, b) => a.rank - b.rank || usesOf(b.code) - usesOf(a.code))
      .slice(0, maxSuggestions)
      .map(({ code, label }) => ({
        kind: `${filter}s`,
        id: code,
        label,
        note: usesOf(code) === 1 ? '1 zine' : `${usesOf(code)} zines`,
        url: `/api/vocabularies/${filter}s/${encodeSegment(code)}/`,
      }))
  }
}

/**
 * How well words match what was typed, of which the last may go on: 0 is best, Infinity not at all.
 */
function rankOf(words: readonly string[], wanted: readonly string[]): number {
  const last = wanted.at(-1)
  if (last === undefined) return Infinity
  const isBeginning = wanted.every((word, index) =>
    index === wanted.length - 1 ? words[index]?.startsWith(word) : words[index] === word,
  )
  if (isBeginning) return words.length === wanted.length && words.at(-1) === last ? 0 : 1
  const hasAll = wanted.every((word) =>
    words.some((own) => (word === last ? own.startsWith(word) : own === word)),
  )
  return hasAll ? 2 : Infinity
}

function createPlaceSuggestions({ all }: Places) {
  let folding: Promise<readonly string[]> | undefined
  return async (q: string): Promise<readonly Suggestion[]> => {
    // Folding takes a while, and is not done before somebody asks.
    const names = await (folding ??= foldInSteps(all))
    const wanted = foldLetters(q)
    const countries = new Map(
      all.flatMap((place) => (place.level === 'country' ? [[place.country_code, place.name]] : [])),
    )
    return all
      .filter((_, index) => names[index]?.startsWith(wanted))
      .sort((a, b) => (b.population ?? 0) - (a.population ?? 0))
      .slice(0, maxSuggestions)
      .map((place) => ({
        kind: 'places',
        id: String(place.geoname_id),
        label: place.name,
        note: place.level === 'country' ? 'country' : (countries.get(place.country_code) ?? ''),
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
