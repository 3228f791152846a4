// A link to a record by its title and issue.

import { labelOfReference } from '../../model/record/title.js'
import { textValue } from '../../model/record/values.js'
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
  const values = lookup(reference)
  if (values) {
    const { subtitle } = resources[reference.target].summary
    const issue = subtitle ? textValue(values, subtitle.name) : ''
    return (
      <a href={recordPath(reference.target, reference.id)}>
        {issue === '' ? label : `${label}, ${issue}`}
      </a>
    )
  }
  return withholdsNames ? <>{label}</> : <code>{reference.id}</code>
}
