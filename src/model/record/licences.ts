// The licences and rights statements of a zine, as web addresses.

import { matchesOf } from '../vocabulary.js'
import { listValue } from './values.js'
import type { ResolvedRecord } from './views.js'

/** The IRIs of the licences and rights statements of a zine; none for other records. */
export const licensesOf = ({ resource, values }: ResolvedRecord): readonly string[] =>
  listValue(values, 'rights').flatMap((code) => {
    const vocabulary = resource.byName.get('rights')?.vocabulary
    return vocabulary ? matchesOf(vocabulary, code) : []
  })
