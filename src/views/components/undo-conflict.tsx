// Says which record keeps a change from being undone, and why.

import type { RecordLookup, Reference } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { fieldText, plural, rich, t } from '../translate.js'
import { RecordLink } from './record-link.js'

/** A record that keeps a change from being undone. */
export type ShownConflict = {
  readonly reference: Reference
  /** Those that were changed since, or cannot be what they were. */
  readonly fields: readonly string[]
  /** The records that were added since, and cannot be without this one. */
  readonly dependents: readonly Reference[]
}

type UndoConflictProps = {
  readonly conflict: ShownConflict
  readonly resources: Resources
  /** Has the record of the conflict. */
  readonly lookup: RecordLookup
}

export const UndoConflictText = ({ conflict, resources, lookup }: UndoConflictProps) => (
  <>
    {rich('{label}: {value}', {
      label: <RecordLink {...{ reference: conflict.reference, resources, lookup }} />,
      value: reasonsOf(conflict, resources).join('; '),
    })}
  </>
)

/** A notice on the page where a change was to be undone. */
export const NotUndone = (props: UndoConflictProps) => (
  <>
    {t('Not undone.')} <UndoConflictText {...props} />
  </>
)

function reasonsOf(
  { reference, fields, dependents }: ShownConflict,
  resources: Resources,
): readonly string[] {
  const reasons: string[] = []
  if (fields.length > 0)
    reasons.push(
      t('fields that were changed since, or cannot be what they were: {fields}', {
        fields: fields.map((name) => fieldText(resources[reference.target], name)).join(', '),
      }),
    )
  if (dependents.length > 0)
    reasons.push(
      plural(dependents.length, '{count} record links to it', '{count} records link to it'),
    )
  return reasons.length > 0 ? reasons : [t('it does not exist any more')]
}
