// The schemas of imports: what is sent and answered in each step. Profiles and decisions are
// described in docs/import.md, "Profiles"; here they are objects.

import { importStates, maxSourceName } from './import-state.js'
import { duplicateDecisions } from './profile.js'
import { sourceTypes } from '../../lib/sources/source.js'
import { resourceNames } from '../../model/iris.js'
import { type Parameter, type Schema, refer } from '../../http/openapi/document.js'
import { inQuery, sharedParameter } from '../../http/openapi/parameters.js'
import type { PayloadsByMethod } from '../../http/openapi/payload-types.js'
import { objectSchema, pageSchema } from '../../http/openapi/reference-schemas.js'

const text: Schema = { type: 'string' }
const texts: Schema = { type: 'array', items: text }
const count: Schema = { type: 'integer', minimum: 0 }
const anything: Schema = { type: 'object', additionalProperties: true }
const kind: Schema = { ...text, enum: resourceNames }
const counts: Schema = {
  type: 'object',
  additionalProperties: { type: 'object', additionalProperties: count },
  description: 'How many records of each kind are created, updated or unchanged.',
}
const listOf = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'array',
  items: { type: 'object', properties, required: Object.keys(properties) },
})
/** Any value: a schema without a type has null too (OpenAPI 3.0.3, 4.7.24.1). */
const value: Schema = { description: 'Any JSON value; null where there is none.' }
const nullable = (schema: Schema): Schema => ({ ...schema, nullable: true })
const objectOf = (
  properties: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema => ({
  type: 'object',
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
})

const decisions: Readonly<Record<string, Schema>> = {
  decided: nullable({ ...anything, description: 'What was decided.' }),
  decision: nullable({
    ...anything,
    description:
      'What is done: what was decided, or else is proposed; null if that has to be decided.',
  }),
}

const suspicion = objectOf({ rows: count, texts: count })

export const importSchemas: Readonly<Record<string, Schema>> = {
  HarvestRequest: {
    type: 'object',
    required: ['url'],
    properties: {
      url: { ...text, format: 'uri', description: 'The base address of OAI-PMH.' },
      metadata_prefix: { ...text, default: 'oai_dc' },
      set: text,
      from: { ...text, description: 'Only what changed since.' },
    },
    description: 'Another catalogue from which records are fetched by OAI-PMH.',
  },
  Import: objectSchema(
    {
      id: text,
      created_at: { ...text, format: 'date-time' },
      account: nullable(text),
      name: { ...text, description: 'The name of the file, or the address.' },
      source_name: {
        ...text,
        description: 'What the file comes from: an import updates what others of its source made.',
      },
      bytes: count,
      harvest: nullable(anything),
      state: { ...text, enum: Object.keys(importStates) },
      message: nullable({ ...text, description: 'Why it stopped or failed.' }),
      progress: nullable(
        objectOf({ done: count, total: { ...count, description: '0 if it is not known.' } }),
      ),
      source: nullable({ ...text, description: 'What the source was recognized as.' }),
      rows: count,
      revision: { type: 'integer', minimum: 1, description: 'Raised by every decision.' },
      preview: nullable(
        objectOf({
          revision: count,
          position: count,
          hash: { ...text, description: 'To be sent as `preview` when it is written.' },
          counts,
          rows: objectOf({ written: count, skipped: count, refused: count }),
        }),
      ),
      batch: nullable({ ...text, format: 'uuid', description: 'The batch that it wrote.' }),
      undo: nullable({ ...text, format: 'uuid', description: 'The batch that took it back.' }),
      written: counts,
      kept: {
        ...listOf({ kind, id: text, fields: texts, dependents: listOf({ kind, id: text }) }),
        description: 'What the undo kept, since it was changed since or others refer to it.',
      },
      profile: refer('schemas', 'ImportProfile'),
    },
    'An import of a file or of another catalogue.',
  ),
  ChangedImport: {
    allOf: [
      refer('schemas', 'Import'),
      objectOf({
        overwritten: {
          ...listOf({ path: texts, before: value }),
          description: 'What was decided before and is decided otherwise now.',
        },
      }),
    ],
  },
  PaginatedImportList: pageSchema('Import'),
  ImportProfile: {
    type: 'object',
    properties: {
      version: { type: 'integer', enum: [1] },
      name: text,
      description: text,
      source: {
        type: 'object',
        properties: {
          type: { ...text, enum: sourceTypes },
          encoding: text,
          repair: { type: 'boolean' },
          delimiter: text,
          sheet: text,
          skipRows: count,
        },
      },
      identifiers: {
        type: 'object',
        properties: { zines: text, holdings: text, agents: text },
      },
      items: text,
      shelves: anything,
      others: anything,
      rules: { type: 'array', items: anything },
      defaults: anything,
      emptyCells: { ...text, enum: ['clear'], description: 'Empty cells clear fields.' },
      names: anything,
      terms: anything,
      duplicates: {
        type: 'object',
        properties: {
          catalogue: { ...text, enum: duplicateDecisions },
          again: { ...text, enum: duplicateDecisions },
          source: { ...text, enum: duplicateDecisions },
          different: { ...text, enum: duplicateDecisions },
          rows: anything,
        },
      },
    },
    description: 'Where the fields of a source go, and what was decided about names and terms.',
  },
  PaginatedImportProfileList: pageSchema('ImportProfile'),
  ImportChange: {
    type: 'object',
    properties: {
      revision: { type: 'integer', description: 'That the client saw.' },
      source_name: { ...text, maxLength: maxSourceName, description: 'What the file comes from.' },
    },
    additionalProperties: true,
    description:
      'Members of the profile. Of decisions and defaults only those that are sent change; `"none"` removes one.',
  },
  ImportAction: {
    type: 'object',
    properties: {
      preview: { ...text, description: 'The hash of the preview that the client saw.' },
    },
  },
  ImportSource: objectSchema(
    {
      recognized: nullable(
        objectOf(
          { options: anything, description: text, sheets: texts, columns: texts },
          { hiddenColumns: { ...texts, description: 'Those that a spreadsheet program hides.' } },
        ),
      ),
      rows: count,
      brokenRows: count,
      repaired: suspicion,
      damaged: suspicion,
      shortRows: count,
      deletedRows: count,
      samples: { type: 'array', items: anything },
      broken: { type: 'array', items: anything },
    },
    'What a source was recognized as, and what is suspicious in it.',
  ),
  ImportField: objectSchema(
    {
      name: text,
      columns: count,
      rows: count,
      samples: texts,
      rules: { type: 'array', items: anything },
    },
    'A field of the source.',
  ),
  PaginatedImportFieldList: pageSchema('ImportField'),
  ImportName: objectSchema(
    {
      name: text,
      count,
      spellings: listOf({ name: text, count }),
      fields: texts,
      kind: { ...text, description: 'The guessed kind of a new agent.' },
      found: { ...texts, description: 'Agents of the same name.' },
      similar: listOf({ id: text, score: { type: 'number' }, reason: text }),
      parts: { ...texts, description: 'The names that it may be parted into.' },
      remarks: { ...texts, description: 'What should be known before it is decided.' },
      ...decisions,
    },
    'A name of the source.',
  ),
  PaginatedImportNameList: pageSchema('ImportName'),
  ImportTerm: objectSchema(
    {
      vocabulary: text,
      field: text,
      value: text,
      count,
      match: { ...text, enum: ['exact', 'suggested', 'none'] },
      suggestions: listOf({ vocabulary: text, code: text, label: text, reason: text }),
      ...decisions,
    },
    'A value of a coded field.',
  ),
  PaginatedImportTermList: pageSchema('ImportTerm'),
  ImportShelf: objectSchema(
    { value: text, count, owned: nullable({ type: 'boolean' }) },
    'A collection or shelf of the source. `owned` is null until it is decided.',
  ),
  PaginatedImportShelfList: pageSchema('ImportShelf'),
  ImportIssue: objectSchema(
    {
      kind: text,
      field: text,
      message: text,
      count,
      examples: listOf({ row: count, value: text }),
    },
    'What was not understood of a source, or is lacking in it.',
  ),
  PaginatedImportIssueList: pageSchema('ImportIssue'),
  ImportPreviewRow: {
    type: 'object',
    properties: {
      number: count,
      outcome: { ...text, enum: ['written', 'skipped', 'refused'] },
      fields: { type: 'array', items: texts },
      reasons: texts,
      notes: texts,
      duplicates: { type: 'array', items: anything },
      duplicateDecision: { ...text, enum: duplicateDecisions },
      changes: {
        ...listOf({ kind, id: text, field: text, before: value, after: value }),
        description: 'The fields of records that are there, as they are and as they would be.',
      },
      records: { type: 'array', items: anything },
    },
    required: ['number', 'outcome', 'fields', 'reasons', 'notes', 'duplicates', 'changes'],
    description: 'A row that the preview lists.',
  },
  PaginatedImportPreviewRowList: pageSchema('ImportPreviewRow'),
  ImportRow: {
    type: 'object',
    properties: {
      number: count,
      fields: { type: 'array', items: texts, description: 'Pairs of name and text.' },
      records: texts,
      refused: texts,
      notes: texts,
    },
    required: ['number', 'fields', 'records'],
    description: 'A row of the source, as it was.',
  },
}

const schema = (name: string): Schema => refer('schemas', name)
const paging = [sharedParameter('Page'), sharedParameter('PageSize')]

const page = (
  path: string,
  name: string,
  parameters: readonly Parameter[] = [],
): PayloadsByMethod[number] => [
  'GET',
  path,
  {
    response: schema(`Paginated${name}List`),
    parameters: [...paging, ...parameters],
    paged: true,
    errors: [409],
  },
]

const one = '/api/imports/:import/'
const action = {
  isRequestOptional: true,
  response: schema('Import'),
  errors: [409],
  begins: true,
} as const
const bytes: Schema = { ...text, format: 'binary' }

// prettier-ignore
export const importPayloads: PayloadsByMethod = [
  page('/api/imports/', 'Import'),
  ['POST', '/api/imports/', {
    request: schema('HarvestRequest'), bytes, response: schema('Import'), creates: true, errors: [404],
    parameters: [
      inQuery('filename', 'The name of the file that is sent.', text),
      inQuery('profile', 'The name of a profile; without it one is proposed.', text),
      inQuery('source_name', 'What the file comes from; without it a name is proposed.', text),
    ],
  }],
  ['GET', one, { response: schema('Import') }],
  ['PATCH', one, { request: schema('ImportChange'), response: schema('ChangedImport'), errors: [409], begins: true }],
  ['DELETE', one, { errors: [409] }],
  ['GET', `${one}source/`, { response: schema('ImportSource') }],
  page(`${one}fields/`, 'ImportField'),
  page(`${one}names/`, 'ImportName'),
  page(`${one}terms/`, 'ImportTerm', [
    inQuery('vocabulary', 'Only values of this vocabulary.', text),
    inQuery('match', 'Only values that match like this.', { ...text, enum: ['exact', 'suggested', 'none'] }),
  ]),
  page(`${one}shelves/`, 'ImportShelf'),
  page(`${one}issues/`, 'ImportIssue'),
  page(`${one}preview/`, 'ImportPreviewRow', [
    inQuery('outcome', 'Only rows with this outcome.', { ...text, enum: ['written', 'skipped', 'refused'] }),
    inQuery('change', 'Only rows that change records that are there.', { ...text, enum: ['updated'] }),
  ]),
  ['POST', `${one}preview/`, { request: schema('ImportAction'), ...action }],
  ['POST', `${one}commit/`, { request: schema('ImportAction'), ...action }],
  ['POST', `${one}undo/`, { request: schema('ImportAction'), ...action }],
  ['GET', `${one}rows/`, { response: schema('ImportRow'), parameters: [inQuery('record', 'The record, such as `zines/clp-1`.', text)] }],
  ['GET', `${one}report/`, { response: text, file: true }],
  page('/api/import-profiles/', 'ImportProfile'),
  ['GET', '/api/import-profiles/:profile/', { response: schema('ImportProfile') }],
  ['PUT', '/api/import-profiles/:profile/', { request: schema('ImportProfile'), response: schema('ImportProfile') }],
]
