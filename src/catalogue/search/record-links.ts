// Which records name which, by their numbers, for the fields by whose links words are searched
// (text-fields.ts).

import { type Iris, type ResourceName, resourceNames } from '../../model/iris.js'
import { type Resources, filtersOf } from '../../model/resources.js'
import { withRoom } from '../../lib/typed-arrays.js'
import type { Documents } from '../index/documents.js'
import type { Postings } from '../../lib/text-index/postings.js'
import { textFields } from './text-fields.js'

/** The links by a field that names records. */
export type RecordLink = {
  /** By the texts of the field, which are the IRIs of what the named records describe. */
  readonly postings: Postings
  /** The numbers of these texts, by the number of the record that each names. */
  readonly numbers: readonly number[]
  /**
   * The record that each record names, by the numbers of both; -1 or nothing where there is none.
   * For fields that have one value. Records that are dead by now may be among them.
   */
  readonly namedBy: () => Int32Array
}

export type RecordLinks = {
  /** @throws Error for a field by which no words are searched */
  get(name: ResourceName, field: string): RecordLink
  /**
   * Has to be called when a record got a number.
   * @param values of its filters, unless it comes from a file
   */
  onAdd(name: ResourceName, id: string, doc: number, values?: FilterValues): void
  /** Has to be called when a filter has a value for the first time. */
  onNewValue(name: ResourceName, filter: number, text: string, number: number): void
  /** Has to be called when the number of a record is dead. */
  onRemove(name: ResourceName, doc: number): void
}

/** The values of each filter, by its position. */
type FilterValues = readonly (readonly string[] | undefined)[]

/** What the links take from the index of a resource. */
export type LinkedResource = {
  /** By the position of the filter. */
  readonly values: readonly Postings[]
  readonly documents: Pick<Documents, 'ids' | 'numberOf' | 'count' | 'isAlive'>
}

type RecordLinksDependencies = {
  readonly resources: Resources
  readonly iris: Iris
  readonly indexes: Readonly<Record<ResourceName, LinkedResource>>
}

type Link = {
  /** The resource whose records name others, and its field. */
  readonly name: ResourceName
  readonly field: string
  readonly target: ResourceName
  readonly position: number
  readonly numbers: number[]
  /** Made when it is first needed. */
  namedBy: Int32Array | undefined
}

export function createRecordLinks({
  resources,
  iris,
  indexes,
}: RecordLinksDependencies): RecordLinks {
  const known = new Map<string, Link>()
  for (const name of resourceNames)
    for (const { field, target, by } of textFields[name].linked) {
      const link =
        by === undefined ? { name, field, target } : { name: target, field: by, target: name }
      const position = filtersOf(resources[link.name]).findIndex(
        (filter) => filter.name === link.field,
      )
      if (position < 0) throw new Error(`${link.name}.${link.field} is no filter`)
      const key = `${link.name}.${link.field}`
      if (!known.has(key)) known.set(key, { ...link, position, numbers: [], namedBy: undefined })
    }
  const linksTo = groupLinks(known, ({ target }) => target)
  const linksFrom = groupLinks(known, ({ name }) => name)

  const postingsOf = ({ name, position }: Link): Postings | undefined =>
    indexes[name].values[position]

  const docOfIri = ({ target }: Link, iri: string): number =>
    indexes[target].documents.numberOf(iris.idFromIri(iri)) ?? -1

  function makeNamedBy(link: Link): Int32Array {
    const { numbers } = link
    const { ids } = indexes[link.target].documents
    const namedBy = new Int32Array(indexes[link.name].documents.ids.length).fill(-1)
    for (let doc = 0; doc < numbers.length; doc += 1)
      if (ids[doc] !== undefined) setNamed(link, namedBy, numbers[doc] ?? -1, doc)
    return namedBy
  }

  /** Has the records that have the text of a number name a record. */
  function setNamed(link: Link, namedBy: Int32Array, number: number, doc: number): void {
    if (number < 0) return
    postingsOf(link)?.forEachDoc(number, (other) => {
      namedBy[other] = doc
    })
  }

  return {
    get(name, field) {
      const link = known.get(`${name}.${field}`)
      const postings = link && postingsOf(link)
      if (!postings) throw new Error(`${name}.${field} is no link`)
      return {
        postings,
        numbers: link.numbers,
        namedBy: () => (link.namedBy ??= makeNamedBy(link)),
      }
    },
    onAdd(name, id, doc, values) {
      for (const link of linksTo.get(name) ?? []) {
        const number = postingsOf(link)?.find(iris.thing(name, id).value) ?? -1
        link.numbers[doc] = number
        if (link.namedBy) setNamed(link, link.namedBy, number, doc)
      }
      for (const link of linksFrom.get(name) ?? []) {
        if (!link.namedBy) continue
        link.namedBy = withRoom(link.namedBy, doc + 1, -1)
        const [iri] = values?.[link.position] ?? []
        link.namedBy[doc] = iri === undefined ? -1 : docOfIri(link, iri)
      }
    },
    onNewValue(name, filter, text, number) {
      for (const link of linksFrom.get(name) ?? []) {
        if (link.position !== filter) continue
        const doc = docOfIri(link, text)
        if (doc >= 0) link.numbers[doc] = number
      }
    },
    onRemove(name, doc) {
      // The number may be given to another record, which these do not name.
      for (const link of linksTo.get(name) ?? [])
        if (link.namedBy) setNamed(link, link.namedBy, link.numbers[doc] ?? -1, -1)
    },
  }
}

function groupLinks(
  links: ReadonlyMap<string, Link>,
  nameOf: (link: Link) => ResourceName,
): ReadonlyMap<ResourceName, readonly Link[]> {
  const groups = new Map<ResourceName, Link[]>()
  for (const link of links.values())
    groups.set(nameOf(link), [...(groups.get(nameOf(link)) ?? []), link])
  return groups
}
