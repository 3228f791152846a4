// What this feature adds to the service.

import { type ServicePageDependencies, servicePageEndpoint } from './service.js'

export const servicePageFeature = {
  name: 'service-page',
  pages: (parts: ServicePageDependencies) => [servicePageEndpoint(parts)],
}
