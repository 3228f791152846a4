// What the catalogue reads of the lists that editors make (features/lists/): the records of one, the
// lists that a record is in, and their titles. A list that a reader does not see is as none.

import type { ResourceName } from '../../model/iris.js'
import type { Reference } from '../../model/record/views.js'
import type { ListQuery } from '../lists.js'
import { recordKey } from '../records/record-cache.js'
import type { Redirects } from '../redirects.js'

export type CuratedListLookup = {
  isEmpty(): boolean
  find(slug: string): ListOfEditors | undefined
  /** Those that name a record, in the order of their titles. */
  naming(reference: Reference): readonly ListOfEditors[]
}

export type ListOfEditors = {
  readonly slug: string
  readonly title: string
  readonly isPublic: boolean
  readonly records: readonly { readonly reference: Reference }[]
}

export const noCuratedListLookup: CuratedListLookup = {
  isEmpty: () => true,
  find: () => undefined,
  naming: () => [],
}

export type CuratedListReads = {
  /** The title of a list; undefined where the reader sees none. */
  readonly curatedListTitle: (slug: string, reader: ListReader) => string | undefined
  /** The lists that a record is in, also under a former identifier. */
  readonly curatedListsWith: (
    reference: Reference,
    reader: ListReader,
  ) => Promise<readonly ListOfEditors[]>
}

type ListReader = Pick<ListQuery, 'seesAllLists'>

type CuratedListReadsDependencies = {
  readonly redirects: Redirects
  readonly curatedLists: CuratedListLookup
}

export function createCuratedListReads({ redirects, curatedLists }: CuratedListReadsDependencies) {
  const isSeen = ({ isPublic }: ListOfEditors, { seesAllLists = false }: ListReader): boolean =>
    isPublic || seesAllLists

  function findFor(slug: string, reader: ListReader): ListOfEditors | undefined {
    const list = curatedLists.find(slug)
    return list && isSeen(list, reader) ? list : undefined
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

  const reads: CuratedListReads = {
    curatedListTitle: (slug, reader) => findFor(slug, reader)?.title,
    async curatedListsWith(reference, reader) {
      if (curatedLists.isEmpty()) return []
      const former = await redirects.leadingTo([reference])
      const names = [reference, ...former.map((redirect) => redirect.reference)]
      const lists = new Set(names.flatMap((name) => curatedLists.naming(name)))
      return [...lists].filter((list) => isSeen(list, reader))
    },
  }

  /** The records of a list that are of one kind. */
  const curatedRecords = (slug: string, reader: ListReader, kind: ResourceName) =>
    following(
      (findFor(slug, reader)?.records ?? [])
        .map(({ reference }) => reference)
        .filter(({ target }) => target === kind),
    )

  return { ...reads, curatedRecords }
}
