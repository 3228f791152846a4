// A link to a record by its title.

import { labelOfReference } from '../../model/record/title.js'
import type { RecordLookup, Reference } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { recordPath } from '../links.js'

/** A record that does not exist is named by its identifier. */
export const RecordLink = ({
  reference,
  resources,
  lookup,
  withholdsNames = false,
}: {
  readonly reference: Reference
  readonly resources: Resources
  readonly lookup: RecordLookup
  /** Whether the identifier of an agent that was deleted is left out, since it may be a name. */
  readonly withholdsNames?: boolean
}) => {
  const label = labelOfReference(resources, lookup, reference)
  if (lookup(reference)) return <a href={recordPath(reference.target, reference.id)}>{label}</a>
  return withholdsNames ? <>{label}</> : <code>{reference.id}</code>
}
