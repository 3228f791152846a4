// The order of a search with `q`: how well a record matches. It is no field of records, but lists
// are ordered by it, and cursors have it, like any other.

import type { Field } from '../../model/resources.js'
import { iri } from '../../rdf/terms.js'

const property = iri('about:relevance')

export const relevance: Field = {
  name: 'relevance',
  outputName: 'relevance',
  property,
  path: [property],
  kind: 'integer',
  sortable: true,
  repeatable: false,
  required: false,
  nonEmpty: true,
  maxLength: undefined,
  minimum: undefined,
  pattern: undefined,
  defaultValue: undefined,
  vocabulary: undefined,
  storedAsLiteral: true,
  target: undefined,
  label: 'Relevance',
  comment: 'How well a record matches a search.',
  formLabel: 'Relevance',
  hint: '',
  element: undefined,
}
