// What is said of a zine in a line or two where there is no room for its page: who made it and when,
// and which libraries have it under which call number.

import type { HoldingLibrary } from '../../model/libraries.js'
import { labelOfReference } from '../../model/record/title.js'
import { textValue } from '../../model/record/values.js'
import { type ResolvedRecord, valuesIn } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'

/** Who made it, and when. */
export function makersAndDates(
  { resource, values, lookup }: ResolvedRecord,
  resources: Resources,
): string {
  return ['creator', 'date']
    .flatMap((name) => {
      const field = resource.byName.get(name)
      if (!field) return []
      const texts = valuesIn(field, values)
      const { target } = field
      return target ? texts.map((id) => labelOfReference(resources, lookup, { target, id })) : texts
    })
    .join(' · ')
}

/** A library with the call number of its first copy. */
export function libraryWithCallNumber({ name, copies: [first] }: HoldingLibrary): string {
  const callNumber = first ? textValue(first.values, 'call_number') : ''
  return callNumber === '' ? name : `${name} (${callNumber})`
}
