// The webhooks in the data directory.

import type { DataPart } from '../../store/data-part.js'
import { prefixes } from '../../store/key-value/keys.js'
import { parseWebhook } from './webhooks.js'

export const webhooksPart: DataPart = {
  createChecks: () => ({
    entries: { [prefixes.webhooks]: (value, key) => key.endsWith(`/${parseWebhook(value).id}`) },
  }),
}
