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

type LinksByName = ReadonlyMap<ResourceName, readonly Link[]>

export class RecordLinks {
  readonly #iris: Iris
  readonly #indexes: Readonly<Record<ResourceName, LinkedResource>>
  readonly #known = new Map<string, Link>()
  readonly #linksTo: LinksByName
  readonly #linksFrom: LinksByName

  constructor({ resources, iris, indexes }: RecordLinksDependencies) {
    this.#iris = iris
    this.#indexes = indexes
    for (const name of resourceNames)
      for (const { field, target, by } of textFields[name].linked) {
        const link =
          by === undefined ? { name, field, target } : { name: target, field: by, target: name }
        const position = filtersOf(resources[link.name]).findIndex(
          (filter) => filter.name === link.field,
        )
        if (position < 0) throw new Error(`${link.name}.${link.field} is no filter`)
        const key = `${link.name}.${link.field}`
        if (!this.#known.has(key))
          this.#known.set(key, { ...link, position, numbers: [], namedBy: undefined })
      }
    this.#linksTo = groupLinks(this.#known, ({ target }) => target)
    this.#linksFrom = groupLinks(this.#known, ({ name }) => name)
  }

  /** @throws Error for a field by which no words are searched */
  get(name: ResourceName, field: string): RecordLink {
    const link = this.#known.get(`${name}.${field}`)
    const postings = link && this.#postingsOf(link)
    if (!postings) throw new Error(`${name}.${field} is no link`)
    return {
      postings,
      numbers: link.numbers,
      namedBy: () => (link.namedBy ??= this.#makeNamedBy(link)),
    }
  }

  /**
   * Has to be called when a record got a number.
   * @param values of its filters, unless it comes from a file
   */
  onAdd(name: ResourceName, id: string, doc: number, values?: FilterValues): void {
    for (const link of this.#linksTo.get(name) ?? []) {
      const number = this.#postingsOf(link)?.find(this.#iris.thing(name, id).value) ?? -1
      link.numbers[doc] = number
      if (link.namedBy) this.#setNamed(link, link.namedBy, number, doc)
    }
    for (const link of this.#linksFrom.get(name) ?? []) {
      if (!link.namedBy) continue
      link.namedBy = withRoom(link.namedBy, doc + 1, -1)
      const [iri] = values?.[link.position] ?? []
      link.namedBy[doc] = iri === undefined ? -1 : this.#docOfIri(link, iri)
    }
  }

  /** Has to be called when a filter has a value for the first time. */
  onNewValue(name: ResourceName, filter: number, text: string, number: number): void {
    for (const link of this.#linksFrom.get(name) ?? []) {
      if (link.position !== filter) continue
      const doc = this.#docOfIri(link, text)
      if (doc >= 0) link.numbers[doc] = number
    }
  }

  /** Has to be called when the number of a record is dead. */
  onRemove(name: ResourceName, doc: number): void {
    // The number may be given to another record, which these do not name.
    for (const link of this.#linksTo.get(name) ?? [])
      if (link.namedBy) this.#setNamed(link, link.namedBy, link.numbers[doc] ?? -1, -1)
  }

  #postingsOf({ name, position }: Link): Postings | undefined {
    return this.#indexes[name].values[position]
  }

  #docOfIri({ target }: Link, iri: string): number {
    return this.#indexes[target].documents.numberOf(this.#iris.idFromIri(iri)) ?? -1
  }

  #makeNamedBy(link: Link): Int32Array {
    const { numbers } = link
    const { ids } = this.#indexes[link.target].documents
    const namedBy = new Int32Array(this.#indexes[link.name].documents.ids.length).fill(-1)
    for (let doc = 0; doc < numbers.length; doc += 1)
      if (ids[doc] !== undefined) this.#setNamed(link, namedBy, numbers[doc] ?? -1, doc)
    return namedBy
  }

  /** Has the records that have the text of a number name a record. */
  #setNamed(link: Link, namedBy: Int32Array, number: number, doc: number): void {
    if (number < 0) return
    this.#postingsOf(link)?.forEachDoc(number, (other) => {
      namedBy[other] = doc
    })
  }
}

function groupLinks(
  links: ReadonlyMap<string, Link>,
  nameOf: (link: Link) => ResourceName,
): LinksByName {
  const groups = new Map<ResourceName, Link[]>()
  for (const link of links.values())
    groups.set(nameOf(link), [...(groups.get(nameOf(link)) ?? []), link])
  return groups
}
