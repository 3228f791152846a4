// Makes a list of a client's query. The filter `list` names a list that editors made, whose records
// are looked up first: only their identifiers become a condition.

import type { RdfMapper } from '../../model/record/rdf-mapper.js'
import type { Resource, Resources } from '../../model/resources.js'
import type { ListSpec } from '../../queries/list-queries.js'
import { curatedListFilter } from '../list-conditions.js'
import { type ListCursorQuery, type ListQuery, buildListSpec } from '../lists.js'
import type { createCuratedListReads } from './curated-list-reads.js'

export type ListSpecs = {
  /** @throws ValidationError */
  readonly specOf: (resource: Resource, query: ListQuery | ListCursorQuery) => Promise<ListSpec>
}

type ListSpecsDependencies = {
  readonly resources: Resources
  readonly mapper: RdfMapper
} & Pick<ReturnType<typeof createCuratedListReads>, 'curatedRecords'>

export const createListSpecs = ({
  resources,
  mapper,
  curatedRecords,
}: ListSpecsDependencies): ListSpecs => ({
  async specOf(resource, query) {
    const slug = query.filters.get(curatedListFilter)?.trim() ?? ''
    const listed = slug === '' ? [] : await curatedRecords(slug, query, resource.name)
    const listedIds = listed.map(({ id }) => id)
    return buildListSpec(resource, query, { resources, mapper, listedIds })
  },
})
