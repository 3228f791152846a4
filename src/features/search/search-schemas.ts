// The parameters and schemas of the search of all kinds, of suggestions and of facets.

import { resourceNames } from '../../model/iris.js'
import {
  exploreDefaults,
  exploreLimits,
  exploredFacets,
  noColumns,
} from '../explore/explore-query.js'
import { facetLimits, facetNames } from './facets.js'
import { suggestionKinds } from './suggestions.js'
import { inQuery, type Parameter } from '../../http/operation.js'
import type { Schema } from '../../http/schemas.js'
import {
  pageProperties,
  pageSchema,
  searchedPageSchema,
} from '../../http/openapi/reference-schemas.js'

export const suggestionParameters: readonly Parameter[] = [
  inQuery('q', 'What has been typed, of which the last word may go on.', { type: 'string' }),
  inQuery('kind', 'Only suggestions of this kind.', { type: 'string', enum: [...suggestionKinds] }),
]

export const facetParameters: readonly Parameter[] = [
  inQuery(
    'facet',
    `The facets to count, joined by commas: ${facetNames.join(', ')}. Without it, the first eight.`,
    { type: 'string' },
  ),
  inQuery('limit', 'How many values each facet has at most.', {
    type: 'integer',
    minimum: 1,
    maximum: facetLimits.max,
    default: facetLimits.default,
  }),
]

const exploredNames = exploredFacets.map(({ name }) => name)

export const exploreParameters: readonly Parameter[] = [
  inQuery('rows', 'The facet that has a row for each value.', {
    type: 'string',
    enum: exploredNames,
    default: exploreDefaults.rows,
  }),
  inQuery('columns', `The facet that has a column for each value; \`${noColumns}\` for none.`, {
    type: 'string',
    enum: [...exploredNames, noColumns],
    default: exploreDefaults.columns,
  }),
  inQuery(
    'limit',
    `How many rows there are at most: those of the most frequent values. Without it, ${exploreLimits.shown.rows}, and ${exploreLimits.file.rows} in CSV. Columns are at most ${exploreLimits.shown.columns}, and ${exploreLimits.file.columns} in CSV.`,
    {
      type: 'integer',
      minimum: 1,
      maximum: exploreLimits.file.rows,
    },
  ),
]

export const makerParameters: readonly Parameter[] = [
  inQuery('letter', 'The first letter of the names, or `#` for those that begin with none.', {
    type: 'string',
    pattern: '^[A-Za-z#]$',
  }),
]

export const seriesListParameters: readonly Parameter[] = [
  inQuery('search', 'Words of the title, all of which have to occur.', { type: 'string' }),
  inQuery('ordering', 'The longest series first. Without it, by title.', {
    type: 'string',
    enum: ['-issues'],
  }),
]

export const seriesParameters: readonly Parameter[] = [
  inQuery('lacked_by', 'Only the issues that this repository lacks, by its identifier.', {
    type: 'string',
  }),
]

const text = (description: string): Schema => ({ type: 'string', description })

const count = (description: string): Schema => ({ type: 'integer', minimum: 0, description })

const seriesProperties: Readonly<Record<string, Schema>> = {
  series: text('The last part of the IRI.'),
  url: { type: 'string', format: 'uri', description: 'The IRI.' },
  title: text('The title, as one of its zines has it.'),
}

const facetValue: Schema = {
  type: 'object',
  required: ['value', 'label', 'count'],
  properties: {
    value: text('As the filter takes it.'),
    label: text('What people call it.'),
    count: { type: 'integer', minimum: 0, description: 'How many zines have it.' },
  },
}

const exploredFacet: Schema = {
  type: 'object',
  required: ['facet', 'values'],
  properties: {
    facet: { type: 'string', enum: exploredNames },
    values: { type: 'array', items: facetValue },
  },
}

/** What has a number of zines. */
function counted(
  id: string,
): Schema & { readonly required: readonly string[]; readonly properties: object } {
  return {
    type: 'object',
    required: ['id', 'name', 'zines', 'url'],
    properties: {
      id: text(id),
      name: text('What people call it.'),
      zines: { type: 'integer', minimum: 0 },
      url: { type: 'string', format: 'uri', description: 'The list of these zines.' },
    },
  }
}

function circle(id: string): Schema {
  const { required, properties } = counted(id)
  const degrees: Schema = { type: 'number', description: 'Decimal degrees, WGS 84.' }
  return {
    type: 'object',
    required: [...required, 'latitude', 'longitude'],
    properties: { ...properties, latitude: degrees, longitude: degrees },
  }
}

export const searchSchemas: Readonly<Record<string, Schema>> = {
  SearchResult: {
    type: 'object',
    description: 'A record of any kind that a search found.',
    required: ['kind', 'id', 'label', 'url', 'record'],
    properties: {
      kind: { type: 'string', enum: [...resourceNames] },
      id: text('The identifier of the record.'),
      label: text('The title or name; the identifier where there is neither.'),
      url: { type: 'string', format: 'uri' },
      record: { type: 'object', description: 'The record as lists of its kind show it.' },
    },
  },
  PaginatedSearchResultList: searchedPageSchema('SearchResult'),
  Suggestion: {
    type: 'object',
    description: 'What a search may be about.',
    required: ['kind', 'id', 'label', 'note', 'url'],
    properties: {
      kind: { type: 'string', enum: [...suggestionKinds] },
      id: text('The identifier or code.'),
      label: text('The title or name.'),
      note: text('What tells it from others of the same name.'),
      url: { type: 'string', format: 'uri' },
    },
  },
  ExploreTable: {
    type: 'object',
    description: 'How many zines of a list have each pair of values of two facets.',
    required: ['count', 'rows', 'columns', 'cells'],
    properties: {
      count: { type: 'integer', minimum: 0, description: 'How many zines the list has.' },
      rows: exploredFacet,
      columns: { ...exploredFacet, nullable: true },
      cells: {
        type: 'array',
        description: 'For each row, a number for each column; none where there are no columns.',
        items: { type: 'array', items: { type: 'integer', minimum: 0 } },
      },
    },
  },
  Maker: {
    type: 'object',
    description: 'An agent in the list of makers from A to Z.',
    required: ['agent_id', 'display_name', 'filed_as', 'zines', 'url'],
    properties: {
      agent_id: text('The identifier of the agent.'),
      display_name: text('The public name.'),
      filed_as: text('The name that it is sorted by: `sort_name`, or else `display_name`.'),
      zines: { type: 'integer', minimum: 0, description: 'How many zines it made.' },
      url: { type: 'string', format: 'uri' },
    },
  },
  MakerList: {
    ...pageSchema('Maker'),
    properties: {
      ...pageProperties('Maker'),
      letter: text('The letter of these makers.'),
      letters: {
        type: 'array',
        description: 'All letters that names begin with.',
        items: {
          type: 'object',
          required: ['letter', 'count'],
          properties: {
            letter: text('From A to Z, or `#`.'),
            count: { type: 'integer', minimum: 1, description: 'How many names begin with it.' },
          },
        },
      },
    },
  },
  SeriesListing: {
    type: 'object',
    description: 'A series in the list of those with several issues.',
    required: ['series', 'url', 'title', 'issue_count'],
    properties: { ...seriesProperties, issue_count: count('How many issues it has here.') },
  },
  SeriesList: pageSchema('SeriesListing'),
  Series: {
    type: 'object',
    description: 'The issues of a series in their order, and which repositories have which.',
    required: [
      ...Object.keys(seriesProperties),
      'stated',
      'issue_count',
      'missing',
      'repositories',
      'issues',
    ],
    properties: {
      ...seriesProperties,
      stated: {
        type: 'boolean',
        description:
          'Whether zines state the series; else it is that of their title and first maker.',
      },
      issue_count: count('How many issues it has here.'),
      missing: {
        type: 'array',
        description: 'The numbers below the highest that no issue has.',
        items: {
          type: 'object',
          required: ['from', 'to'],
          properties: {
            volume: { type: 'integer', description: 'Where numbers begin anew in each volume.' },
            from: { type: 'integer' },
            to: { type: 'integer' },
          },
        },
      },
      repositories: {
        type: 'array',
        items: {
          type: 'object',
          required: ['repo_id', 'repository_name', 'held', 'lacks'],
          properties: {
            repo_id: text('The identifier of the repository.'),
            repository_name: text('Its name.'),
            held: count('How many issues it has.'),
            lacks: { type: 'array', items: text('The identifier of an issue that it has not.') },
          },
        },
      },
      issues: {
        type: 'array',
        description: 'Zines as in lists, with the identifiers of the repositories that have them.',
        items: {
          allOf: [
            { $ref: '#/components/schemas/ZineList' },
            {
              type: 'object',
              required: ['repositories'],
              properties: { repositories: { type: 'array', items: { type: 'string' } } },
            },
          ],
        },
      },
    },
  },
  ZineMap: {
    type: 'object',
    description: 'Where the zines of a list come from, and which repositories have them.',
    required: ['count', 'placed', 'cities', 'countries', 'repositories'],
    properties: {
      count: { type: 'integer', minimum: 0, description: 'How many zines the list has.' },
      placed: { type: 'integer', minimum: 0, description: 'How many of them are in a country.' },
      cities: { type: 'array', items: circle('The identifier in GeoNames.') },
      countries: { type: 'array', items: counted('The identifier in GeoNames.') },
      repositories: { type: 'array', items: circle('The identifier of the repository.') },
    },
  },
  ZineFacets: {
    type: 'object',
    description: 'The values of each facet, the most frequent first; years the latest first.',
    properties: Object.fromEntries(
      facetNames.map((name) => [name, { type: 'array' as const, items: facetValue }]),
    ),
  },
}
