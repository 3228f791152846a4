// What this feature adds to the service.

import { lookUpEndpoints } from './look-up.js'

export const copyCataloguingFeature = {
  name: 'copy-cataloguing',
  pages: lookUpEndpoints,
}
