// What this feature adds to the service.

import { nameRemovalEndpoints } from './name-removal.js'

export const nameRemovalFeature = {
  name: 'name-removal',
  pages: nameRemovalEndpoints,
}
