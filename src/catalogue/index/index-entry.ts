// What the index keeps of a record: the keys that it is ordered by, the values that filters take, and
// the texts that are searched. Made from what everybody may see of it, so nothing else is ever found.

import type { Iris } from '../../model/iris.js'
import { type Field, type Filter, type Resource, filtersOf } from '../../model/resources.js'
import type { RdfMapper, Statement } from '../../model/record/rdf-mapper.js'
import { toMicroseconds } from '../clock.js'

/** Compares as SPARQL compares the value: a text by code point, a time or a number as a number. */
export type Key = string | number

export type IndexEntry = {
  readonly id: string
  /** By the place of the field among those that lists are ordered by. */
  readonly keys: readonly (Key | undefined)[]
  /** The values of terms, by the place of the filter. */
  readonly values: readonly (readonly string[])[]
  /** In small letters. */
  readonly texts: readonly string[]
}

/** The fields that the index has orders for: also all times, which say when the catalogue changed. */
export const orderedFields = ({ fields }: Resource): readonly Field[] =>
  fields.filter(({ sortable, kind }) => sortable ?? kind === 'time')

export type EntryBuilder = ReturnType<typeof createEntryBuilder>

export function createEntryBuilder(
  resource: Resource,
  { iris, mapper }: { readonly iris: Iris; readonly mapper: RdfMapper },
) {
  const uses = [
    ...orderedFields(resource).map((field, place) => ({
      field,
      take: collectSortKey(field, place),
    })),
    ...filtersOf(resource).map((filter, place) => ({
      field: filter,
      take: collectValue(filter, place),
    })),
    ...resource.fields
      .filter(({ searchable }) => searchable)
      .map((field) => ({ field, take: takeText })),
  ]
  const byProperty = new Map<string, (typeof uses)[number][]>()
  for (const use of uses) {
    const property = use.field.path.at(-1)?.value ?? ''
    byProperty.set(property, [...(byProperty.get(property) ?? []), use])
  }

  return {
    /** The properties of the statements that an entry is made from. */
    properties: new Set(byProperty.keys()),
    entryOf(id: string, statements: readonly Statement[]): IndexEntry {
      const thing = iris.thing(resource.name, id)
      const record = iris.record(resource.name, id)
      const entry: EntryDraft = {
        id,
        keys: orderedFields(resource).map(() => undefined),
        values: filtersOf(resource).map(() => []),
        texts: [],
      }
      for (const { s, p, o } of statements)
        for (const { field, take } of byProperty.get(p) ?? [])
          if (mapper.subjectOf(field, thing, record).value === s) take(entry, o)
      return entry
    },
  }
}

type EntryDraft = {
  readonly id: string
  readonly keys: (Key | undefined)[]
  readonly values: string[][]
  readonly texts: string[]
}

type Collector = (entry: EntryDraft, object: string) => void

const collectSortKey =
  (field: Field, place: number): Collector =>
  ({ keys }, object) => {
    keys[place] = keyOf(field, object)
  }

function keyOf({ kind }: Field, object: string): Key {
  if (kind === 'time') return toMicroseconds(object)
  return kind === 'integer' ? Number(object) : object
}

const collectValue =
  (filter: Filter, place: number): Collector =>
  ({ values }, object) => {
    const found =
      'prefixes' in filter
        ? filter.prefixes.map(({ length, suffix }) => beginningOf(object, length) + suffix)
        : [object]
    for (const value of found) if (!values[place]?.includes(value)) values[place]?.push(value)
  }

/** So many characters, as SPARQL counts them. */
const beginningOf = (text: string, length: number): string =>
  Array.from(text.slice(0, 2 * length))
    .slice(0, length)
    .join('')

const takeText: Collector = ({ texts }, object) => void texts.push(object.toLowerCase())
