// Keeps the references of a record to hidden ones when somebody writes it who was not told of them
// (docs/reference/records.md, "Hidden records").

import type { ResourceName } from '../../model/iris.js'
import { withheld } from '../../model/record/rdf-mapper.js'
import type { RecordValues } from '../../model/record/values.js'
import { type Reference, valuesIn } from '../../model/record/views.js'
import type { Field, Resource } from '../../model/resources.js'

type SentBody = ReadonlyMap<string, unknown>

type WithheldOf = {
  readonly resource: Resource
  readonly before: RecordValues
  /** Whether readers are not told of a record. */
  readonly isWithheld: (reference: Reference) => boolean
  /** The kinds of which the writer may name hidden records. */
  readonly mayName: (kind: ResourceName) => boolean
}

/**
 * What a client sent, with the references that it was not told of: in the places that it left for
 * them, as they are shown, and else where they were.
 * @returns also the identifiers that it names although it may not know them
 */
export function restoreWithheld(
  { resource, before, isWithheld, mayName }: WithheldOf,
  sent: SentBody,
): { readonly body: SentBody; readonly guessed: ReadonlySet<string> } {
  const restored: (readonly [string, readonly unknown[]])[] = []
  const guessed = new Set<string>()
  for (const field of resource.inputFields) {
    const { target } = field
    const items = sent.get(field.name)
    if (!target || !field.repeatable || !Array.isArray(items)) continue
    const hidden = valuesIn(field, before).filter((id) => isWithheld({ target, id }))
    if (hidden.length === 0) continue
    const named = hidden.filter((id) => items.includes(id))
    if (named.length > 0 && !mayName(target)) for (const id of named) guessed.add(id)
    else restored.push([field.name, putBack(field, before, hidden, items)])
  }
  return { body: restored.length > 0 ? new Map([...sent, ...restored]) : sent, guessed }
}

function putBack(
  field: Field,
  before: RecordValues,
  hidden: readonly string[],
  sent: readonly unknown[],
): readonly unknown[] {
  const left = hidden.filter((id) => !sent.includes(id))
  const items = sent.flatMap((item) => (item === withheld ? (left.shift() ?? []) : [item]))
  const positions = valuesIn(field, before)
  for (const id of left) items.splice(positions.indexOf(id), 0, id)
  return items
}
