// Makes a list of a client's query. The filter `list` names a list that editors made, whose records
// are looked up first: only its identifiers become a condition. What a reader does not see is as
// if there were no such list.

import type { RdfMapper } from '../../model/record/rdf-mapper.js'
import type { Reference } from '../../model/record/views.js'
import type { Resource, Resources } from '../../model/resources.js'
import type { ListSpec } from '../../queries/list-queries.js'
import { curatedListFilter } from '../list-conditions.js'
import { type ListCursorQuery, type ListQuery, buildListSpec } from '../lists.js'
import { recordKey } from '../records/record-cache.js'
import type { Redirects } from '../redirects.js'

/** The lists that editors make (features/lists/), as the filter `list` needs them. */
export type CuratedListLookup = {
  find(slug: string): ListOfEditors | undefined
}

type ListOfEditors = {
  readonly title: string
  readonly isPublic: boolean
  readonly records: readonly { readonly reference: Reference }[]
}

export const noCuratedListLookup: CuratedListLookup = { find: () => undefined }

export type ListSpecs = {
  /** @throws ValidationError */
  readonly specOf: (resource: Resource, query: ListQuery | ListCursorQuery) => Promise<ListSpec>
}

/** What the filter `list` is shown as. */
export type CuratedListTitles = {
  /** The title of a list; undefined where the reader sees none. */
  readonly curatedListTitle: (slug: string, reader: ListReader) => string | undefined
}

type ListReader = Pick<ListQuery, 'seesAllLists'>

type ListSpecsDependencies = {
  readonly resources: Resources
  readonly mapper: RdfMapper
  readonly redirects: Redirects
  readonly curatedLists: CuratedListLookup
}

export function createListSpecs({
  resources,
  mapper,
  redirects,
  curatedLists,
}: ListSpecsDependencies): ListSpecs & CuratedListTitles {
  const findFor = (slug: string, { seesAllLists = false }: ListReader) => {
    const list = curatedLists.find(slug)
    return list && (list.isPublic || seesAllLists) ? list : undefined
  }

  async function listedIds({ name }: Resource, query: ListQuery): Promise<readonly string[]> {
    const slug = query.filters.get(curatedListFilter)?.trim() ?? ''
    const listed = findFor(slug, query)?.records.map(({ reference }) => reference) ?? []
    const present = await following(listed.filter(({ target }) => target === name))
    return present.map(({ id }) => id)
  }

  /** Those that were merged or renamed under the identifiers that they have now. */
  async function following(references: readonly Reference[]): Promise<readonly Reference[]> {
    const into = await redirects.intoOf(references)
    if (into.size === 0) return references
    return following(
      references.map(({ target, id }) => ({
        target,
        id: into.get(recordKey({ target, id })) ?? id,
      })),
    )
  }

  return {
    specOf: async (resource, query) =>
      buildListSpec(resource, query, {
        resources,
        mapper,
        listedIds: await listedIds(resource, query),
      }),
    curatedListTitle: (slug, reader) => findFor(slug, reader)?.title,
  }
}
