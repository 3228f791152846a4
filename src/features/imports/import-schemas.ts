// The schemas of imports: what is sent and answered in each step. Profiles and decisions are
// described in docs/reference/import-profiles.md, "Profiles"; here they are objects.

import { type ImportState, importStates, maxSourceName } from './import-state.js'
import { duplicateDecisions } from './profile.js'
import { sourceTypes } from '../../lib/sources/source.js'
import { resourceNames } from '../../model/iris.js'
import {
  anyObject,
  boolean,
  choice,
  component,
  count,
  integer,
  listOf,
  mapOf,
  nullable,
  number,
  object,
  partial,
  positive,
  text,
  time,
  url,
  uuid,
} from '../../http/schemas.js'

// The cast: the keys are all states.
const stateNames = Object.keys(importStates) as ImportState[]

const anything = anyObject({ additionalProperties: true })
const texts = listOf(text())
/** Any value: a schema without a type has null too (OpenAPI 3.0.3, 4.7.24.1). */
const anyValue = { description: 'Any JSON value; null where there is none.' }
const reference = { kind: choice(resourceNames), id: text() }
const duplicateDecision = choice(duplicateDecisions)
const counts = mapOf(
  mapOf(count()),
  'How many records of each kind are created, updated or unchanged.',
)

export const matchSchema = choice(['exact', 'suggested', 'none'])
export const outcomeSchema = choice(['written', 'skipped', 'refused'])

const decisions = {
  decided: nullable(anyObject({ additionalProperties: true, description: 'What was decided.' })),
  decision: nullable(
    anyObject({
      additionalProperties: true,
      description:
        'What is done: what was decided, or else is proposed; null if that has to be decided.',
    }),
  ),
}

export const harvestSchema = component(
  'HarvestRequest',
  'Another catalogue from which records are fetched by OAI-PMH.',
  {
    url: url('The base address of OAI-PMH.'),
    ...partial({
      metadata_prefix: text({ default: 'oai_dc' }),
      set: text(),
      from: text('Only what changed since.'),
    }),
  },
)

export const profileSchema = component(
  'ImportProfile',
  'Where the fields of a source go, and what was decided about names and terms.',
  partial({
    version: integer({ enum: [1] }),
    name: text(),
    description: text(),
    source: object(
      partial({
        type: choice(sourceTypes),
        encoding: text(),
        repair: boolean(),
        delimiter: text(),
        sheet: text(),
        skipRows: count(),
      }),
    ),
    identifiers: object(partial({ zines: text(), holdings: text(), agents: text() })),
    items: text(),
    shelves: anything,
    others: anything,
    rules: listOf(anything),
    defaults: anything,
    emptyCells: choice(['clear'], 'Empty cells clear fields.'),
    newRecords: choice(['draft'], 'New records are drafts, which only editors see.'),
    names: anything,
    terms: anything,
    duplicates: object(
      partial({
        catalogue: duplicateDecision,
        again: duplicateDecision,
        source: duplicateDecision,
        different: duplicateDecision,
        rows: anything,
      }),
    ),
  }),
)

export const importSchema = component('Import', 'An import of a file or of another catalogue.', {
  id: text(),
  created_at: time(),
  account: nullable(text()),
  name: text('The name of the file, or the address.'),
  source_name: text('What the file comes from: an import updates what others of its source made.'),
  bytes: count(),
  harvest: nullable(anything),
  state: choice(stateNames),
  message: nullable(text('Why it stopped or failed.')),
  progress: nullable(object({ done: count(), total: count('0 if it is not known.') })),
  source: nullable(text('What the source was recognized as.')),
  rows: count(),
  revision: positive('Raised by every decision.'),
  preview: nullable(
    object({
      revision: count(),
      position: count(),
      hash: text('To be sent as `preview` when it is written.'),
      counts,
      rows: object({ written: count(), skipped: count(), refused: count() }),
    }),
  ),
  batch: nullable(uuid('The batch that it wrote.')),
  undo: nullable(uuid('The batch that took it back.')),
  written: counts,
  kept: listOf(
    object({ ...reference, fields: texts, dependents: listOf(object(reference)) }),
    'What the undo kept, since it was changed since or others refer to it.',
  ),
  profile: profileSchema,
})

export const changedImportSchema = {
  $id: 'ChangedImport',
  allOf: [
    importSchema,
    object({
      overwritten: listOf(
        object({ path: texts, before: anyValue }),
        'What was decided before and is decided otherwise now.',
      ),
    }),
  ],
}

export const changeSchema = component(
  'ImportChange',
  'Members of the profile. Of decisions and defaults only those that are sent change; `"none"` removes one.',
  partial({
    revision: integer('That the client saw.'),
    source_name: text({ maxLength: maxSourceName, description: 'What the file comes from.' }),
  }),
  { additionalProperties: true },
)

export const actionSchema = component(
  'ImportAction',
  'What an action on an import may be told.',
  partial({ preview: text('The hash of the preview that the client saw.') }),
)

const suspicion = object({ rows: count(), texts: count() })

export const sourceSchema = component(
  'ImportSource',
  'What a source was recognized as, and what is suspicious in it.',
  {
    recognized: nullable(
      object({
        options: anything,
        description: text(),
        sheets: texts,
        columns: texts,
        ...partial({ hiddenColumns: listOf(text(), 'Those that a spreadsheet program hides.') }),
      }),
    ),
    rows: count(),
    brokenRows: count(),
    repaired: suspicion,
    damaged: suspicion,
    shortRows: count(),
    deletedRows: count(),
    samples: listOf(anything),
    broken: listOf(anything),
  },
)

export const fieldSchema = component('ImportField', 'A field of the source.', {
  name: text(),
  columns: count(),
  rows: count(),
  samples: texts,
  rules: listOf(anything),
})

export const nameSchema = component('ImportName', 'A name of the source.', {
  name: text(),
  count: count(),
  spellings: listOf(object({ name: text(), count: count() })),
  fields: texts,
  kind: text('The guessed kind of a new agent.'),
  found: listOf(text(), 'Agents of the same name.'),
  similar: listOf(object({ id: text(), score: number(), reason: text() })),
  parts: listOf(text(), 'The names that it may be parted into.'),
  remarks: listOf(text(), 'What should be known before it is decided.'),
  ...decisions,
})

export const termSchema = component('ImportTerm', 'A value of a coded field.', {
  vocabulary: text(),
  field: text(),
  value: text(),
  count: count(),
  match: matchSchema,
  suggestions: listOf(object({ vocabulary: text(), code: text(), label: text(), reason: text() })),
  ...decisions,
})

export const shelfSchema = component(
  'ImportShelf',
  'A collection or shelf of the source. `owned` is null until it is decided.',
  { value: text(), count: count(), owned: nullable(boolean()) },
)

export const issueSchema = component(
  'ImportIssue',
  'What was not understood of a source, or is lacking in it.',
  {
    kind: text(),
    field: text(),
    message: text(),
    count: count(),
    examples: listOf(object({ row: count(), value: text() })),
  },
)

export const previewRowSchema = component('ImportPreviewRow', 'A row that the preview lists.', {
  number: count(),
  outcome: outcomeSchema,
  fields: listOf(texts),
  reasons: texts,
  notes: texts,
  duplicates: listOf(anything),
  changes: listOf(
    object({ ...reference, field: text(), before: anyValue, after: anyValue }),
    'The fields of records that are there, as they are and as they would be.',
  ),
  ...partial({ duplicateDecision, records: listOf(anything) }),
})

export const rowSchema = component('ImportRow', 'A row of the source, as it was.', {
  number: count(),
  fields: listOf(texts, 'Pairs of name and text.'),
  records: texts,
  ...partial({ refused: texts, notes: texts }),
})
