// What this feature adds to the service.

import { importEndpoints } from './imports-api.js'
import { importPageEndpoints } from './imports-form.js'

export const importsFeature = {
  name: 'imports',
  api: importEndpoints,
  pages: importPageEndpoints,
}
