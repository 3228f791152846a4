// Writes the JSON of a view of a record as text, without making the view first: the same text as
// JSON.stringify(toView(…)) in a fraction of the time. What a view shows is decided in views.ts.

import type { NestedFields } from '../declarations/field-declaration.js'
import { type Field, type Resource, type Resources, unsetValue } from '../resources.js'
import type { VocabularyEntry } from '../vocabulary.js'
import type { RecordValues } from './values.js'
import {
  type RecordLookup,
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

type WriteField = (values: RecordValues, lookup: RecordLookup) => string

type Member = {
  readonly field: Field
  /** The name as JSON, with the colon. */
  readonly start: string
  readonly write: WriteField
}

export function createJsonWriter(resources: Resources): WriteRecordJson {
  const membersOf = compileMembers(resources)
  return ({ resource, values, lookup }, view) => {
    const parts: string[] = []
    for (const { field, start, write } of membersOf(resource, view))
      if (isVisible(field, values, view))
        parts.push(parts.length === 0 ? '{' : ',', start, write(values, lookup))
    parts.push(parts.length === 0 ? '{}' : '}')
    // What `+` makes is a tree of its parts, which takes several times the memory and is walked
    // through at each use. What `join` makes is not.
    return parts.join('')
  }
}

/** @returns the members of the JSON of a resource in a view, in their order */
function compileMembers(
  resources: Resources,
): (resource: Resource, view: ViewName) => readonly Member[] {
  const members = new Map<ViewName, Map<Resource, readonly Member[]>>()

  function membersOf(resource: Resource, view: ViewName): readonly Member[] {
    const ofView = members.get(view) ?? new Map<Resource, readonly Member[]>()
    members.set(view, ofView)
    const known = ofView.get(resource)
    if (known) return known
    const viewMembers = resource.fields
      .filter((field) => view !== 'list' || field.inLists)
      .map((field) => ({
        field,
        start: `${JSON.stringify(field.outputName)}:`,
        write: compileField(field, nestedIn(field, view)),
      }))
    ofView.set(resource, viewMembers)
    return viewMembers
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
    const present = compileKeys(resource, nested)
    const missing = compileKeys(resource, shownOfMissing(field, nested))
    return (id, lookup) => {
      const values = lookup({ target, id })
      return values ? present(values, lookup) : missing({ [resource.id.name]: id }, lookup)
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

/**
 * The text of an entry is kept until the entry is another one, as after the vocabulary was
 * extended.
 */
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
