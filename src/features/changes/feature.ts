// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import { activityEndpoints } from './activity.js'
import { changesEndpoint } from './changes-api.js'
import { eventStreamEndpoints } from './event-stream.js'

type Parts = PartsOf<typeof activityEndpoints> & PartsOf<typeof eventStreamEndpoints>

export const changesFeature = {
  name: 'changes',
  api: ({ changes }: Pick<Parts, 'changes'>) => [changesEndpoint(changes)],
  pages: (parts: Parts) => [...activityEndpoints(parts), ...eventStreamEndpoints(parts)],
}
