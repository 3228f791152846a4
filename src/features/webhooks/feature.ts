// What this feature adds to the service.

import { webhookEndpoints } from './webhooks-api.js'

export const webhooksFeature = {
  name: 'webhooks',
  api: webhookEndpoints,
}
