// The schemas of everything but records: vocabulary entries, places, tokens, links, health and
// errors. Where there is a type of the response, the compiler checks that the schema has its
// properties.

import type { VocabularyEntry } from '../../model/vocabulary.js'
import { resourceNames } from '../../model/iris.js'
import type { Place } from '../../model/places.js'
import { notReadyReasons } from '../response/health-status.js'
import type { Schema } from '../schemas.js'

type Properties<Of> = { readonly [key in keyof Required<Of>]: Schema }

const text: Schema = { type: 'string' }
const url: Schema = { type: 'string', format: 'uri' }

const entryProperties: Properties<VocabularyEntry> = {
  code: { ...text, description: 'The code by which records and clients name the entry.' },
  label: { ...text, description: 'The words by which the entry is shown to people.' },
  uri: { ...url, description: 'The IRI of the entry.' },
  definition: { ...text, description: 'What the entry covers, where that is said.' },
}

/** A vocabulary entry; records show the same or a part of it. */
export const entrySchema = {
  type: 'object',
  properties: entryProperties,
  required: ['code', 'label', 'uri'] as readonly string[],
  description: 'An entry of a vocabulary, or a country or language.',
} satisfies Schema

const placeProperties: Properties<Place> = {
  geoname_id: { type: 'integer', description: 'The identifier in GeoNames.' },
  name: text,
  country_code: { ...text, description: 'ISO 3166-1 alpha-2.' },
  admin1_code: {
    ...text,
    description: 'The first-level region, as GeoNames codes it; may be empty.',
  },
  latitude: { type: 'number', nullable: true, description: 'Decimal degrees, WGS 84.' },
  longitude: { type: 'number', nullable: true, description: 'Decimal degrees, WGS 84.' },
  population: { type: 'integer', nullable: true },
  level: { ...text, enum: ['country', 'admin1', 'city'] satisfies Place['level'][] },
  parent: {
    type: 'integer',
    nullable: true,
    description: 'The GeoNames identifier of the region of a city, or of the country of a region.',
  },
}

export const referenceSchemas: Readonly<Record<string, Schema>> = {
  Entry: entrySchema,
  Place: objectSchema(placeProperties, 'A country, a first-level region or a city.'),
  PaginatedPlaceList: pageSchema('Place'),
  TokenRequest: objectSchema(
    {
      username: { ...text, minLength: 1 },
      password: { ...text, minLength: 1, format: 'password', writeOnly: true },
    },
    'The name and password of an account.',
  ),
  Token: objectSchema(
    {
      token: {
        ...text,
        pattern: '^[0-9a-f]{40}$',
        readOnly: true,
        description: 'To be sent in the Authorization header. It does not expire.',
      },
    },
    'The token that the logins of an account give.',
  ),
  Me: objectSchema(
    {
      username: text,
      role: { ...text, enum: ['admin', 'editor', 'viewer'] },
      only: {
        type: 'array',
        items: { ...text, enum: resourceNames },
        description: 'The only lists that may be written; empty for all.',
      },
      repository: {
        ...text,
        nullable: true,
        description:
          'The identifier of the only repository whose holdings may be written; null for any.',
      },
      token: objectSchema(
        {
          label: { ...text, description: '`login` for the token that logins give.' },
          expires: { ...text, format: 'date-time', nullable: true },
        },
        'The token of the request.',
      ),
    },
    'An account, and what may be done with the token of the request.',
  ),
  Root: {
    type: 'object',
    additionalProperties: url,
    description: 'The addresses of the lists, by their names.',
  },
  Health: objectSchema(
    { status: { ...text, enum: ['ok', 'starting'] } },
    'Whether the service answers.',
  ),
  Readiness: objectSchema(
    { status: { ...text, enum: ['ready', ...notReadyReasons] } },
    'Whether the service can be used, or why not.',
  ),
  Failure: objectSchema({ detail: text }, 'Why a request was not answered.'),
  Conflict: {
    type: 'object',
    properties: { detail: text },
    required: ['detail'],
    additionalProperties: true,
    description:
      'Why something was not done. Where records were changed since, it names them and their fields.',
  },
  ValidationFailure: {
    type: 'object',
    additionalProperties: { type: 'array', items: text },
    description:
      'All messages of every field that fails, by its name; those of no single field are under `non_field_errors`.',
  },
}

/** The schema of a page of a list (docs/api.md, "Lists"). */
export function pageSchema(component: string): Schema {
  return objectSchema(pageProperties(component), 'One page of a list.')
}

/** The same of a list that is searched with `q`. */
export const searchedPageSchema = (component: string): Schema => ({
  ...pageSchema(component),
  properties: {
    ...pageProperties(component),
    did_you_mean: {
      type: 'string',
      description: 'With `q`, where few are found: a search with the words that were likely meant.',
    },
  },
})

export function pageProperties(component: string): Readonly<Record<string, Schema>> {
  return {
    count: { type: 'integer', minimum: 0, description: 'The number of matching records.' },
    next: { ...url, nullable: true, description: 'The next page; null on the last.' },
    previous: { ...url, nullable: true, description: 'The page before; null on the first.' },
    results: { type: 'array', items: { $ref: `#/components/schemas/${component}` } },
  }
}

/** An object whose properties are all required. */
export function objectSchema(
  properties: Readonly<Record<string, Schema>>,
  description: string,
): Schema {
  return { type: 'object', properties, required: Object.keys(properties), description }
}
