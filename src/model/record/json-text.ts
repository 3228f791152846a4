// Writes the JSON of a view of a record as text, without making the view first: the same text as
// JSON.stringify(toView(…)) in a fraction of the time. What a view shows is decided in views.ts.

import type { NestedFields } from '../declarations/field-declaration.js'
import { type Field, type Resource, type Resources, unsetValue } from '../resources.js'
import type { VocabularyEntry } from '../vocabulary.js'
import { findMembers } from './json-members.js'
import type { FieldValue, RecordValues } from './values.js'
import {
  type RecordLookup,
  type RecordView,
  type ResolvedRecord,
  type ViewName,
  isVisible,
  nestedIn,
  shownOfMissing,
  valuesIn,
  viewEntry,
} from './views.js'

/** Writes the JSON of a view of a record. */
export type WriteRecordJson = (record: ResolvedRecord, view: ViewName) => string

/**
 * Writes the JSON of a view of a record again from what `WriteRecordJson` wrote, in a fraction of the time that reading
 * the record takes. The record has to be as it was; those that it refers to may have changed.
 */
export type RenewRecordJson = (
  json: string,
  options: { readonly resource: Resource; readonly view: ViewName; readonly lookup: RecordLookup },
) => string

type WriteField = (values: RecordValues, lookup: RecordLookup) => string

type Member = {
  readonly field: Field
  /** The name as JSON, with the colon. */
  readonly start: string
  readonly write: WriteField
  /** Of a field that shows records: the key that has the identifier of each. */
  readonly idKey: string | undefined
}

export function createJsonWriter(resources: Resources): WriteRecordJson {
  const membersOf = compileMembers(resources)
  return ({ resource, values, lookup }, view) => {
    const parts: string[] = []
    for (const { field, start, write } of membersOf(resource, view))
      if (isVisible(field, values, view))
        parts.push(parts.length === 0 ? '{' : ',', start, write(values, lookup))
    parts.push(parts.length === 0 ? '{}' : '}')
    // What `+` makes is a tree of its parts, which takes several times the memory and is walked through at each use. What
    // `join` makes is not.
    return parts.join('')
  }
}

export function createJsonRenewer(resources: Resources): RenewRecordJson {
  const membersOf = compileMembers(resources, ({ idKey }) => idKey !== undefined)
  return (json, { resource, view, lookup }) => {
    const members = membersOf(resource, view)
    const places = findMembers(
      json,
      members.map(({ start }) => start),
    )
    const parts: string[] = []
    let copied = 0
    for (const [index, { field, write, idKey = '' }] of members.entries()) {
      const place = places[index]
      if (!place) continue
      // The cast: `WriteRecordJson` wrote it.
      const value = JSON.parse(json.slice(place.begin, place.end)) as RecordView[string]
      parts.push(json.slice(copied, place.begin))
      parts.push(write({ [field.name]: idsIn(value, idKey) }, lookup))
      copied = place.end
    }
    parts.push(json.slice(copied))
    return parts.join('')
  }
}

/** @param value what a view shows of the records that a field refers to, or of the one */
const idsIn = (value: RecordView[string], idKey: string): FieldValue => {
  const idIn = (view: RecordView): string => view[idKey] as string
  // The casts: fields that show records have a view of each; an empty text stands for none.
  if (Array.isArray(value)) return (value as readonly RecordView[]).map(idIn)
  return value === '' ? '' : idIn(value as RecordView)
}

/** @returns the members of the JSON of a resource in a view that are wanted, in their order */
function compileMembers(
  resources: Resources,
  isWanted: (member: Member) => boolean = () => true,
): (resource: Resource, view: ViewName) => readonly Member[] {
  const members = new Map<ViewName, Map<Resource, readonly Member[]>>()

  function membersOf(resource: Resource, view: ViewName): readonly Member[] {
    const ofView = members.get(view) ?? new Map<Resource, readonly Member[]>()
    members.set(view, ofView)
    const known = ofView.get(resource)
    if (known) return known
    const made = resource.fields
      .filter((field) => view !== 'list' || field.inLists)
      .map((field) => {
        const nested = nestedIn(field, view)
        return {
          field,
          start: `${JSON.stringify(field.outputName)}:`,
          write: compileField(field, nested),
          idKey: field.target && nested && resources[field.target].id.name,
        }
      })
      .filter(isWanted)
    ofView.set(resource, made)
    return made
  }

  function compileField(field: Field, nested: NestedFields | undefined): WriteField {
    if (!nested) return compileValue(field)
    const writeOne = field.target ? compileReference(field, nested) : compileEntry(field, nested)
    if (!field.repeatable)
      return (values, lookup) => {
        const [value] = valuesIn(field, values)
        return value === undefined ? '""' : writeOne(value, lookup)
      }
    return (values, lookup) => {
      let text = ''
      for (const value of valuesIn(field, values))
        text += `${text === '' ? '' : ','}${writeOne(value, lookup)}`
      return `[${text}]`
    }
  }

  function compileReference(field: Field, nested: NestedFields): WriteOne {
    const { target } = field
    if (!target) return () => '""'
    const resource = resources[target]
    const found = compileKeys(resource, nested)
    const missing = compileKeys(resource, shownOfMissing(field, nested))
    return (id, lookup) => {
      const values = lookup({ target, id })
      return values ? found(values, lookup) : missing({ [resource.id.name]: id }, lookup)
    }
  }

  function compileKeys(resource: Resource, keys: NestedFields): WriteField {
    const compiled = keys.map((key) => {
      const [name, inner] = typeof key === 'string' ? [key] : key
      const field = resource.byName.get(name)
      const write = field ? compileField(field, inner) : (): string => '""'
      return { start: `${JSON.stringify(name)}:`, write }
    })
    return (values, lookup) => {
      let text = ''
      for (const { start, write } of compiled)
        text += `${text === '' ? '' : ','}${start}${write(values, lookup)}`
      return `{${text}}`
    }
  }

  return membersOf
}

type WriteOne = (value: string, lookup: RecordLookup) => string

function compileValue(field: Field): WriteField {
  const unset = JSON.stringify(unsetValue(field))
  return (values) => {
    const value = values[field.name]
    if (value === undefined || value === null) return unset
    return value === '' ? '""' : JSON.stringify(value)
  }
}

/** The text of an entry is kept until the entry is another one, as after the vocabulary was extended. */
function compileEntry(field: Field, nested: NestedFields): WriteOne {
  const texts = new Map<string, { readonly entry: VocabularyEntry; readonly text: string }>()
  return (code) => {
    const entry = field.vocabulary?.find(code)
    const known = texts.get(code)
    if (known && known.entry === entry) return known.text
    const text = JSON.stringify(viewEntry(field, code, nested))
    if (entry) texts.set(code, { entry, text })
    return text
  }
}
