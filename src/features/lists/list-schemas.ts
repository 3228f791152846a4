// What the addresses of lists read and answer.

import { resourceNames } from '../../model/iris.js'
import * as schema from '../../http/schemas.js'
import type { CuratedList, DeletedList, ListedRecord } from './curated-lists.js'

const slug = schema.text('Its name in addresses, such as `summer-reading`. It never changes.')
const title = schema.text({ minLength: 1 })
const isPublic = schema.boolean('Whether everybody sees it.')

const summary = {
  slug,
  title,
  public: isPublic,
  created_at: schema.time(),
  modified_at: schema.time(),
}

const text = schema.text('What the editors say of the list, in Markdown.')

export const recordsSchema = schema.listOf(
  schema.object({ kind: schema.choice(resourceNames), id: schema.text(), note: schema.text() }),
  'In the order of the list. Who does not edit lists gets those that everybody sees.',
)

export const summarySchema = schema.component('CuratedListSummary', 'A list in short.', summary)

export const listSchema = schema.component('CuratedList', 'A list that editors made.', {
  ...summary,
  text,
  records: recordsSchema,
})

/** What a version has of a list. */
export const formerListSchema = schema.component('FormerCuratedList', 'A list as it was.', {
  slug,
  title,
  public: isPublic,
  text,
  records: recordsSchema,
})

const writable = schema.partial({
  text,
  public: isPublic,
  records: schema.listOf(
    schema.object({
      kind: schema.choice(resourceNames),
      id: schema.text(),
      ...schema.partial({ note: schema.text() }),
    }),
    'In the order of the list, each once.',
  ),
})

export const listToAddSchema = schema.component('CuratedListCreate', 'A list to add.', {
  slug,
  title,
  ...writable,
})

export const listToReplaceSchema = schema.component(
  'CuratedListWrite',
  'All that a list shall have.',
  { title, ...writable },
)

export const deletedListSchema = schema.component(
  'DeletedCuratedList',
  'A list that was deleted and can be restored.',
  {
    slug,
    title: schema.text(),
    public: isPublic,
    created_at: schema.time(),
    version: schema.positive('The version that the deletion made.'),
    at: schema.time('When it was deleted.'),
    account: schema.nullable(schema.text('Who deleted it.')),
  },
)

export const toSummary = (list: CuratedList): schema.ValueOf<typeof summarySchema> => ({
  slug: list.slug,
  title: list.title,
  public: list.isPublic,
  created_at: list.created,
  modified_at: list.modified,
})

export const toRecords = (records: readonly ListedRecord[]): schema.ValueOf<typeof recordsSchema> =>
  records.map(({ reference: { target, id }, note }) => ({ kind: target, id, note }))

export const describeDeleted = (list: DeletedList): schema.ValueOf<typeof deletedListSchema> => ({
  slug: list.slug,
  title: list.title,
  public: list.isPublic,
  created_at: list.created,
  version: list.version,
  at: list.at,
  account: list.account ?? null,
})
