// What becomes of a private agent's private fields when somebody writes the record without seeing them.

import type { RecordValues } from '../model/record/values.js'
import type { Resource } from '../model/resources.js'

/**
 * The card that replaces another one: the private fields that the writer neither saw nor named stay
 * as they are, as long as the record stays private. A record that becomes public is what was sent and
 * nothing else, so that a name that somebody hid is never published by leaving it out.
 */
export function preservePrivateValues(
  resource: Resource,
  before: RecordValues,
  after: RecordValues,
  sent: ReadonlyMap<string, unknown>,
): RecordValues {
  if (before.public !== false || after.public !== false) return after
  const hidden = resource.inputFields.filter((field) => field.private && !sent.has(field.name))
  return {
    ...after,
    ...Object.fromEntries(hidden.map(({ name }) => [name, before[name] ?? ''])),
  }
}
