// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import { citationEndpoints } from './citations-api.js'
import { citationPage } from './citations.js'

type Parts = Omit<PartsOf<typeof citationEndpoints>, 'page'> & PartsOf<typeof citationPage>

export const citationsFeature = {
  name: 'citations',
  api: (parts: Parts) => citationEndpoints({ ...parts, page: citationPage(parts) }),
}
