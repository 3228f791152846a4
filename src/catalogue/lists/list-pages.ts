// Pages of lists, and records as lists show them.

import type { ResourceName } from '../../model/iris.js'
import type { RecordValues } from '../../model/record/values.js'
import type { Reference, ResolvedRecord, ViewName } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import type { ListSpec } from '../../queries/list-queries.js'
import { noSuchPage } from '../errors.js'
import type { ListSpecs } from './list-specs.js'
import { readCursor, writeCursor } from '../list-cursor.js'
import {
  type AnyPageQuery,
  type JsonPage,
  type ListCursorQuery,
  type ListPage,
  type ListPageQuery,
  type Lists,
  referencesTo,
} from '../lists.js'
import type { JsonCache } from '../records/json-cache.js'
import type { RecordReader } from '../records/record-cache.js'
import type { ResolveReferences } from '../records/resolve-references.js'
import type { RecordIndex } from '../sparql-record-index.js'

type ListPagesDependencies = {
  readonly recordIndex: RecordIndex
  readonly resources: Resources
  readonly records: RecordReader
  readonly resolve: ResolveReferences
  readonly jsonCache: JsonCache
} & ListSpecs

export function createListPages({
  recordIndex,
  resources,
  records,
  resolve,
  jsonCache,
  specOf,
}: ListPagesDependencies): Pick<Lists, 'list' | 'listJson' | 'readForLists'> {
  async function list(
    name: ResourceName,
    query: AnyPageQuery,
    view: ViewName = 'list',
  ): Promise<ListPage> {
    const { references, ...page } = await findPage(name, query)
    const lookup = await records.get(references)
    const values = references.map(lookup).filter((values) => values !== undefined)
    return { ...page, records: await resolve(resources[name], values, view, 'again') }
  }

  async function listJson(name: ResourceName, query: AnyPageQuery): Promise<JsonPage> {
    const { references, ...page } = await findPage(name, query)
    return { ...page, items: await jsonCache.listItems(references) }
  }

  async function findPage(name: ResourceName, query: AnyPageQuery) {
    const listSpec = await specOf(resources[name], query)
    const { ids, ...page } =
      'cursor' in query
        ? await findPageFrom(listSpec, query)
        : await findPageByNumber(listSpec, query)
    const didYouMean = listSpec.text && (await recordIndex.correct(listSpec))
    return { ...page, didYouMean, references: referencesTo(name, ids) }
  }

  async function findPageByNumber(listSpec: ListSpec, { page, pageSize }: ListPageQuery) {
    const range = { limit: pageSize, offset: (page - 1) * pageSize }
    const { count, ids } = await recordIndex.page(listSpec, range)
    // The first page of an empty list is an empty page.
    if (range.offset > 0 && range.offset >= count) throw noSuchPage()
    return { count, ids, nextCursor: undefined }
  }

  async function findPageFrom(listSpec: ListSpec, { cursor, pageSize }: ListCursorQuery) {
    const start = cursor === '' ? undefined : readCursor(listSpec, cursor)
    const { count, ids, next } = await recordIndex.pageFrom(listSpec, { limit: pageSize, start })
    return { count, ids, nextCursor: next && writeCursor(listSpec, next) }
  }

  async function readForLists(references: readonly Reference[]) {
    const lookup = await records.get(references)
    const present = references.flatMap(({ target, id }) => {
      const values = lookup({ target, id })
      return values ? [{ target, values }] : []
    })
    const resolved = new Map<RecordValues, ResolvedRecord>()
    for (const resource of Object.values(resources)) {
      const ofKind = present.filter(({ target }) => target === resource.name)
      const values = ofKind.map((record) => record.values)
      for (const record of await resolve(resource, values, 'list', 'again'))
        resolved.set(record.values, record)
    }
    return present.flatMap(({ values }) => resolved.get(values) ?? [])
  }

  return { list, listJson, readForLists }
}
