// The requests for changes in the data directory.

import type { DataPart } from '../../store/data-part.js'
import { prefixes } from '../../store/key-value/keys.js'
import { isChangeRequest, parseChangeRequest } from './change-requests.js'

export const changeRequestsPart: DataPart = {
  createChecks: () => ({
    entries: {
      [prefixes.changeRequests]: (value, key) => isChangeRequest(parseChangeRequest(key, value)),
    },
  }),
}
