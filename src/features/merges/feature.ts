// What this feature adds to the service.

import { mergeFormEndpoints } from './merge.js'
import { mergeEndpoints } from './merges-api.js'

export const mergesFeature = {
  name: 'merges',
  api: mergeEndpoints,
  pages: mergeFormEndpoints,
}
