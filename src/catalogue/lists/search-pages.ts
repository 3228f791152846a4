// Searches with words: pages of several resources, and the best records of one.

import { type ResourceName, forEachResource } from '../../model/iris.js'
import type { RdfMapper } from '../../model/record/rdf-mapper.js'
import type { Resources } from '../../model/resources.js'
import { type TextQuery, parseTextQuery } from '../../queries/text-query.js'
import { noSuchPage } from '../errors.js'
import {
  type Lists,
  type SearchPage,
  type SearchQuery,
  buildListSpec,
  wholeList,
} from '../lists.js'
import type { JsonCache } from '../records/json-cache.js'
import { textFieldNames } from '../search/text-fields.js'
import type { RecordIndex } from '../sparql-record-index.js'

type SearchPagesDependencies = {
  readonly recordIndex: RecordIndex
  readonly resources: Resources
  readonly mapper: RdfMapper
  readonly jsonCache: JsonCache
}

/**
 * Up to so many results that have the words as they were typed, a search of all resources gets a
 * correction.
 */
const maxCorrected = 3

const noCounts = forEachResource(() => 0)

export function createSearchPages({
  recordIndex,
  resources,
  mapper,
  jsonCache,
}: SearchPagesDependencies): Pick<Lists, 'searchAll' | 'bestMatches'> {
  async function bestMatches(name: ResourceName, q: string, limit: number) {
    const listSpec = buildListSpec(resources[name], { ...wholeList, q }, { resources, mapper })
    return recordIndex.best(listSpec, limit)
  }

  async function searchAll({ names, q, page, pageSize }: SearchQuery): Promise<SearchPage> {
    if (q.trim() === '') return { count: 0, counts: noCounts, results: [], didYouMean: undefined }
    const text = parseTextQuery(q, textFieldNames)
    const range = { limit: pageSize, offset: (page - 1) * pageSize }
    const { count, counts, isFuzzy, references } = await recordIndex.ranked(names, text, range)
    if (range.offset > 0 && range.offset >= count) throw noSuchPage()
    const results = await Promise.all(
      references.map(async (reference) => {
        const [json] = await jsonCache.listItems([reference])
        // One that is removed meanwhile is left out.
        return json === undefined ? [] : [{ reference, json }]
      }),
    )
    const isRare = isFuzzy || count <= maxCorrected
    const didYouMean = isRare ? await correctAll(names, text) : undefined
    return { count, counts, results: results.flat(), didYouMean }
  }

  /** The first correction that there is. */
  async function correctAll(names: readonly ResourceName[], text: TextQuery) {
    for (const name of names) {
      const listSpec = { resource: resources[name], filters: [], terms: [], order: [], text }
      const corrected = await recordIndex.correct(listSpec)
      if (corrected !== undefined) return corrected
    }
    return undefined
  }

  return { searchAll, bestMatches }
}
