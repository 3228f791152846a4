// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import { reconciliationEndpoints } from './endpoints.js'
import { type EntitySources, Entities } from './entities.js'
import { type ExtensionSources, Extension } from './extension.js'
import { previewPage } from './preview.js'
import { type ReconcilerSources, Reconciler } from './reconciler.js'

type Parts = EntitySources &
  Omit<ReconcilerSources, 'entities'> &
  Omit<ExtensionSources, 'entities'> &
  Omit<
    PartsOf<typeof reconciliationEndpoints>,
    'entities' | 'reconciler' | 'extension' | 'preview'
  > & {
    readonly assets: PartsOf<typeof previewPage>
  }

export const reconciliationFeature = {
  name: 'reconciliation',
  api(parts: Parts) {
    const entities = new Entities(parts)
    return reconciliationEndpoints({
      ...parts,
      entities,
      reconciler: new Reconciler({ ...parts, entities }),
      extension: new Extension({ ...parts, entities }),
      preview: previewPage(parts.assets),
    })
  },
}
