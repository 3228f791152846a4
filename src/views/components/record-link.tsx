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
}: {
  readonly reference: Reference
  readonly resources: Resources
  readonly lookup: RecordLookup
}) =>
  lookup(reference) ? (
    <a href={recordPath(reference.target, reference.id)}>
      {labelOfReference(resources, lookup, reference)}
    </a>
  ) : (
    <code>{reference.id}</code>
  )
