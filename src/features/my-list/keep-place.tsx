// The place of the button with which readers keep a zine in a list of their own, and what is kept of
// it. Public: rows of lists and the page of a zine have one. The button itself is made by
// views/client/keep.ts, so that a page without scripts has none.

import { librariesOf } from '../../model/libraries.js'
import { textValue } from '../../model/record/values.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { libraryWithCallNumber, makersAndDates } from '../../views/components/record-lines.js'
import { languageOf, titleWithIssue } from '../../views/components/record-summary.js'

type KeepPlaceProps = { readonly record: ResolvedRecord; readonly resources: Resources }

/** So many libraries are kept with a zine. */
const maxLibraries = 5

/** A hidden zine may have none: what a browser keeps stays there when its editor signs out. */
export const KeepPlace = ({ record, resources }: KeepPlaceProps) =>
  record.resource.name !== 'zines' ? null : (
    <div
      class="keep"
      data-keep={JSON.stringify(keptValues(record, resources))}
      data-needs-service
    />
  )

/** Read by views/client/kept-zines.ts. Without `libraries`, the page does not know them. */
function keptValues(record: ResolvedRecord, resources: Resources): object {
  const libraries = record.holdings && librariesOf(record.holdings).map(libraryWithCallNumber)
  return {
    id: textValue(record.values, 'zine_id'),
    title: titleWithIssue(record, resources),
    line: makersAndDates(record, resources),
    language: languageOf(record),
    libraries: libraries?.slice(0, maxLibraries),
    more: libraries && Math.max(0, libraries.length - maxLibraries),
  }
}
