// The JSON of a search of all kinds (docs/reference/lists.md, "Search"), which its page shows too.

import type { SearchPage } from '../../catalogue/lists.js'
import type { PageLinks } from '../../formats/serializer.js'
import { labelOfReference } from '../../model/record/title.js'
import type { RecordLookup } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { encodeSegment } from '../../rdf/terms.js'

type SearchResults = {
  readonly resources: Resources
  /** Has the records that were found. */
  readonly lookup: RecordLookup
  readonly origin: string
  readonly matches: SearchPage
  readonly links: PageLinks
}

export function serializeSearch({ resources, lookup, origin, matches, links }: SearchResults) {
  const { count, results, didYouMean } = matches
  const items = results.map(({ reference, json: record }) => {
    const { target: kind, id } = reference
    const label = labelOfReference(resources, lookup, reference)
    const url = `${origin}/api/${kind}/${encodeSegment(id)}/`
    return `${JSON.stringify({ kind, id, label, url }).slice(0, -1)},"record":${record}}`
  })
  const page = { count, next: links.next, previous: links.previous, did_you_mean: didYouMean }
  return `${JSON.stringify(page).slice(0, -1)},"results":[${items.join(',')}]}`
}
