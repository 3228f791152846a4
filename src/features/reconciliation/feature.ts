// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import { reconciliationEndpoints } from './endpoints.js'
import { createExtension } from './extension.js'
import { previewPage } from './preview.js'
import { createReconciler } from './reconciler.js'

type Parts = PartsOf<typeof createReconciler> &
  Omit<PartsOf<typeof createExtension>, 'entities'> &
  Omit<PartsOf<typeof reconciliationEndpoints>, 'reconciler' | 'extension' | 'preview'> & {
    readonly assets: PartsOf<typeof previewPage>
  }

export const reconciliationFeature = {
  name: 'reconciliation',
  api(parts: Parts) {
    const reconciler = createReconciler(parts)
    return reconciliationEndpoints({
      ...parts,
      reconciler,
      extension: createExtension({ ...parts, entities: reconciler }),
      preview: previewPage(parts.assets),
    })
  },
}
