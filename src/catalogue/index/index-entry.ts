// What the index has of a record: the keys that it is sorted by, the values that filters take, and
// the texts that are searched. It is made from public statements only, so private values are never
// found.

import type { Iris } from '../../model/iris.js'
import {
  type Field,
  type IndexedValue,
  type Resource,
  type SortField,
  indexedValuesOf,
  ordersOf,
} from '../../model/resources.js'
import type { RdfMapper, Statement } from '../../model/record/rdf-mapper.js'
import { yearsOfAll } from '../../model/dates.js'
import type { YearSpan } from '../../model/edtf.js'
import { textFields } from '../search/text-fields.js'
import type { FieldText } from '../search/text-index.js'
import { fromMicroseconds, toMicroseconds } from '../clock.js'

/** Sorted as SPARQL sorts the value: a text by code point, a time or a number as a number. */
export type Key = string | number

export type IndexEntry = {
  readonly id: string
  /** By the position of the field in `orderedFields`. */
  readonly keys: readonly (Key | undefined)[]
  /** The values of terms, by the position of the filter in `indexedValuesOf`. */
  readonly values: readonly (readonly string[])[]
  /** In lower case. */
  readonly texts: readonly string[]
  /** What a search with `q` looks at. */
  readonly fieldTexts: readonly FieldText[]
}

/**
 * What the index sorts by: also all times, which tell when the catalogue changed, and filing names.
 */
export const orderedFields = (resource: Resource): readonly SortField[] => [
  ...ordersOf(resource),
  ...resource.fields.filter(
    ({ sortable, filing, kind }) => !sortable && (filing ?? kind === 'time'),
  ),
]

export type EntryBuilder = ReturnType<typeof createEntryBuilder>

export function createEntryBuilder(
  resource: Resource,
  { iris, mapper }: { readonly iris: Iris; readonly mapper: RdfMapper },
) {
  const collectors = [
    ...orderedFields(resource).map((field, position) => ({
      field,
      collect: collectSortKey(field, position),
    })),
    ...indexedValuesOf(resource).map((filter, position) => ({
      field: filter,
      collect: collectValue(filter, position),
    })),
    ...resource.fields
      .filter(({ searchable }) => searchable)
      .map((field) => ({ field, collect: collectText })),
    ...textFields[resource.name].ownFields.flatMap(({ field: name }, position) => {
      const field = resource.byName.get(name)
      return field ? [{ field, collect: collectFieldText(field, position, mapper) }] : []
    }),
  ]
  const byProperty = new Map<string, (typeof collectors)[number][]>()
  for (const collector of collectors) {
    const property = collector.field.path.at(-1)?.value ?? ''
    byProperty.set(property, [...(byProperty.get(property) ?? []), collector])
  }

  return {
    /** The properties of the statements that an entry is made from. */
    properties: new Set(byProperty.keys()),
    buildEntry(id: string, statements: readonly Statement[]): IndexEntry {
      const thing = iris.thing(resource.name, id)
      const record = iris.record(resource.name, id)
      const [thingIri, recordIri] = [thing.value, record.value]
      const nodeOf = (field: IndexedValue | SortField): string => {
        if (field.path.length > 1) return mapper.subjectOf(field, thing, record).value
        return 'onRecordNode' in field ? recordIri : thingIri
      }
      const entry: EntryDraft = {
        id,
        keys: orderedFields(resource).map(() => undefined),
        values: indexedValuesOf(resource).map(() => []),
        texts: [],
        fieldTexts: [],
      }
      for (const { s, p, o } of statements)
        for (const { field, collect } of byProperty.get(p) ?? [])
          if (nodeOf(field) === s) collect(entry, o)
      return entry
    },
  }
}

type EntryDraft = {
  readonly id: string
  readonly keys: (Key | undefined)[]
  readonly values: string[][]
  readonly texts: string[]
  readonly fieldTexts: FieldText[]
}

type Collector = (entry: EntryDraft, object: string) => void

const collectSortKey =
  (field: SortField, position: number): Collector =>
  ({ keys }, object) => {
    keys[position] = sortKeyOf(field, object)
  }

/** @param object the value of the field's term */
export function sortKeyOf({ kind }: SortField, object: string): Key {
  if (kind === 'time') return toMicroseconds(object)
  return kind === 'integer' ? Number(object) : object
}

/** Reverses `sortKeyOf`. */
export const termOfSortKey = ({ kind }: SortField, key: Key): string =>
  kind === 'time' ? fromMicroseconds(Number(key)) : String(key)

const collectValue =
  (filter: IndexedValue, position: number): Collector =>
  ({ values }, object) => {
    for (const value of valuesIn(filter, object))
      if (!values[position]?.includes(value)) values[position]?.push(value)
  }

function valuesIn(filter: IndexedValue, object: string): readonly string[] {
  if ('yearsOf' in filter) return [writeYears(filter.yearsOf(object))]
  if (!('prefixes' in filter)) return [object]
  return filter.prefixes.map(({ length, suffix }) => firstCharacters(object, length) + suffix)
}

const writeYears = ({ earliest, latest }: YearSpan): string => `${earliest ?? ''}/${latest ?? ''}`

/** Reverses `writeYears`. */
export function readYears(text: string): YearSpan {
  const [earliest, latest] = text.split('/').map((year) => (year === '' ? undefined : Number(year)))
  return { earliest, latest }
}

/** Counted in code points, as SPARQL does. */
const firstCharacters = (text: string, length: number): string =>
  Array.from(text.slice(0, 2 * length))
    .slice(0, length)
    .join('')

const collectText: Collector = ({ texts }, object) => void texts.push(object.toLowerCase())

const collectFieldText =
  (field: Field, position: number, mapper: RdfMapper): Collector =>
  ({ fieldTexts }, object) => {
    const text = String(mapper.valueOf(field, object))
    fieldTexts.push({ field: position, text: field.name === 'date' ? withDecades(text) : text })
  }

/** A date with the decades of its years, as people write them: `1994-05 1990s`. */
function withDecades(date: string): string {
  const years = yearsOfAll([date])?.named ?? []
  const decades = new Set(years.map((year) => `${year.slice(0, 3)}0s`))
  return [date, ...decades].join(' ')
}
