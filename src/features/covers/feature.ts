// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import { coverEndpoint } from './covers-api.js'
import { drawCover } from './draw-cover.js'

export const coversFeature = {
  name: 'covers',
  api: ({ catalogue }: Pick<PartsOf<typeof coverEndpoint>, 'catalogue'>) => [
    coverEndpoint({ catalogue, drawCover }),
  ],
}
