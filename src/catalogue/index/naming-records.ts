// What is asked of the records that name others, such as the holdings of zines: which records are
// named, under which conditions, and by how many with each value.

import type { Iris, ResourceName } from '../../model/iris.js'
import { type Resource, countedValuesOf } from '../../model/resources.js'
import type { NamingRecords, ThroughCondition } from '../../queries/conditions.js'
import type { NamedFacet } from '../../queries/list-queries.js'
import type { RecordLinks } from '../search/record-links.js'
import type { DocsByValue } from './cross-counts.js'
import type { DocSet } from '../../lib/text-index/postings.js'
import { type ResourceIndex, markDocs } from './resource-index.js'

type NamingRecordsDependencies = {
  readonly iris: Iris
  readonly links: Pick<RecordLinks, 'get'>
  readonly indexes: Readonly<
    Record<ResourceName, Pick<ResourceIndex, 'documents' | 'values' | 'docsWith'>>
  >
}

type NamedValueVisitor = {
  readonly onDoc: (doc: number) => void
  /** Called after all records of a value. */
  readonly onValue: (value: string) => void
}

export class NamingIndex {
  readonly #iris: Iris
  readonly #links: NamingRecordsDependencies['links']
  readonly #indexes: NamingRecordsDependencies['indexes']

  constructor({ iris, links, indexes }: NamingRecordsDependencies) {
    this.#iris = iris
    this.#links = links
    this.#indexes = indexes
  }

  /** Marks the records that others name, where these match all filters or, if asked, do not. */
  mark(naming: NamingRecords, marks: DocSet): void {
    const { resource, by, areOthers = false } = naming
    const { ids } = this.#indexes[resource.name].documents
    const isMatching = this.#matchingTest(naming)
    const namedBy = this.#links.get(resource.name, by.name).namedBy()
    const target = by.target && this.#indexes[by.target].documents
    for (let other = 0; other < ids.length; other += 1) {
      const doc = namedBy[other] ?? -1
      if (doc < 0 || ids[other] === undefined || !target?.isAlive(doc)) continue
      if (isMatching(other) !== areOthers) marks[doc] = 1
    }
  }

  /** How many of these records are named by records with each value. */
  countByValue(name: ResourceName, docs: Int32Array, facet: NamedFacet) {
    const counts = new Map<string, number>()
    let count = 0
    this.#forEachValue(name, docs, facet, {
      onDoc() {
        count += 1
      },
      onValue(value) {
        if (count > 0) counts.set(value, count)
        count = 0
      },
    })
    return counts
  }

  /** Those of these records that are named by records with each value. */
  docsByValue(name: ResourceName, docs: Int32Array, facet: NamedFacet): DocsByValue {
    const byValue = new Map<string, readonly number[]>()
    let having: number[] = []
    this.#forEachValue(name, docs, facet, {
      onDoc: (doc) => void having.push(doc),
      onValue(value) {
        if (having.length > 0) byValue.set(value, having)
        having = []
      },
    })
    return byValue
  }

  /**
   * Goes through those of these records that are named by records with each value: its records,
   * then the value.
   */
  #forEachValue(
    name: ResourceName,
    docs: Int32Array,
    { resource, by, filter, further }: NamedFacet,
    { onDoc, onValue }: NamedValueVisitor,
  ): void {
    const index = this.#indexes[resource.name]
    const values = index.values[countedValuesOf(resource).indexOf(filter)]
    const { ids } = index.documents
    const namedBy = this.#links.get(resource.name, by.name).namedBy()
    const marks = markDocs(docs, this.#indexes[name].documents.ids.length)
    const byLabel = new Map<string, number[]>()
    values?.texts.forEach((text, number) => {
      for (const label of further ? this.#valuesOfNamed(text, further) : [text]) {
        const numbers = byLabel.get(label)
        if (numbers) numbers.push(number)
        else byLabel.set(label, [number])
      }
    })
    // For each record, which label it was found with last.
    const lastStep = new Int32Array(marks.length)
    let step = 0
    for (const [label, numbers] of byLabel) {
      step += 1
      for (const number of numbers)
        values?.forEachDoc(number, (other) => {
          const doc = namedBy[other] ?? -1
          if (marks[doc] !== 1 || lastStep[doc] === step || ids[other] === undefined) return
          lastStep[doc] = step
          onDoc(doc)
        })
      onValue(label)
    }
  }

  #valuesOfNamed(text: string, { resource, filter }: NonNullable<NamedFacet['further']>) {
    const index = this.#indexes[resource.name]
    const doc = index.documents.numberOf(this.#iris.idFromIri(text))
    const postings = index.values[countedValuesOf(resource).indexOf(filter)]
    const values: string[] = []
    if (doc !== undefined)
      postings?.texts.forEach((value) => {
        if (postings.docsWith(value).includes(doc)) values.push(value)
      })
    return values
  }

  /** Whether a record that names others matches all filters. */
  #matchingTest({ resource, filters, through }: NamingRecords): (doc: number) => boolean {
    const index = this.#indexes[resource.name]
    const matching = index.docsWith({ resource, filters, terms: [], order: [] })
    const marks = matching && markDocs(matching, index.documents.ids.length)
    const naming = through && this.#docsNaming(resource, through)
    return (doc) => (!marks || marks[doc] === 1) && (!naming || naming.has(doc))
  }

  /** The records that name others which match these filters. */
  #docsNaming(naming: Resource, { by, resource, filters }: ThroughCondition): Set<number> {
    const index = this.#indexes[resource.name]
    const candidates = index.docsWith({ resource, filters, terms: [], order: [] }) ?? []
    const matching = new Set(candidates.filter((doc) => index.documents.isAlive(doc)))
    const postings = this.#indexes[naming.name].values[countedValuesOf(naming).indexOf(by)]
    const docs = new Set<number>()
    postings?.texts.forEach((text, number) => {
      const doc = index.documents.numberOf(this.#iris.idFromIri(text))
      if (doc !== undefined && matching.has(doc))
        postings.forEachDoc(number, (other) => docs.add(other))
    })
    return docs
  }
}
