// The lists of editors in the data directory.

import type { DataPart } from '../../store/data-part.js'
import { prefixes } from '../../store/key-value/keys.js'
import { isCuratedList, parseCuratedList } from './curated-lists.js'

export const listsPart: DataPart = {
  createChecks: () => ({
    entries: { [prefixes.lists]: (value) => isCuratedList(parseCuratedList(value)) },
  }),
}
