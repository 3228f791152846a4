// The order of a search with `q`: how well a record matches. It is no field of records, but lists
// are ordered by it, and cursors have it, like any other.

import type { SortField } from '../../model/resources.js'
import { iri } from '../../rdf/terms.js'

export const relevance: SortField = {
  name: 'relevance',
  path: [iri('about:relevance')],
  kind: 'integer',
  nonEmpty: true,
}
