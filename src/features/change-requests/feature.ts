// What this feature adds to the service.

import { changeRequestEndpoints } from './change-requests-form.js'

export const changeRequestsFeature = {
  name: 'change-requests',
  pages: changeRequestEndpoints,
}
