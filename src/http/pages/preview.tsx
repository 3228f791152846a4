// The preview of an entity for the frame of a reconciliation client. How it looks is left to
// views/pages/preview.tsx.

import { type Entity, typeLabels, writeKey } from '../../reconciliation/entities.js'
import { PreviewPage } from '../../views/pages/preview.js'
import type { Handler } from '../context.js'
import { type AssetUrls, sendFramedPage } from '../response/html.js'

/** Creates the handler that shows an entity, whose page has the address. */
export const previewPage =
  (assets: AssetUrls) =>
  (entity: Entity, address: string): Handler =>
  (ctx) =>
    sendFramedPage(
      ctx,
      <PreviewPage
        name={entity.name}
        type={typeLabels[entity.type]}
        description={entity.description}
        id={writeKey(entity)}
        address={address}
        assetUrl={assets.urlOf}
      />,
    )
