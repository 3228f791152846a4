// Keeps the private fields of a private agent when somebody replaces the record without seeing them
// (docs/reference/accounts.md, "Privacy").

import type { RecordValues } from '../../model/record/values.js'
import type { Resource } from '../../model/resources.js'

/**
 * The values of the replaced record. Private fields that were not sent keep their values, as long
 * as the record stays private. A record that becomes public has only what was sent, so that a
 * hidden name is never published because a request left it out.
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
