// Keeps private fields when somebody replaces a record without seeing them
// (docs/reference/accounts.md, "Privacy").

import type { RecordValues } from '../../model/record/values.js'
import { isPrivate } from '../../model/record/views.js'
import type { Resource } from '../../model/resources.js'

/**
 * The values of the replaced record. Private fields that were not sent keep their values, as long
 * as they stay private. A record that becomes public has only what was sent, so that a hidden name
 * is never published because a request left it out.
 */
export function preservePrivateValues(
  resource: Resource,
  before: RecordValues,
  after: RecordValues,
  sent: ReadonlyMap<string, unknown>,
): RecordValues {
  const hidden = resource.inputFields.filter(
    (field) => isPrivate(field, before) && isPrivate(field, after) && !sent.has(field.name),
  )
  return {
    ...after,
    ...Object.fromEntries(hidden.map(({ name }) => [name, before[name] ?? ''])),
  }
}
