// The preview of an entity for the frame of a reconciliation client. How it looks is left to
// features/reconciliation/preview-page.tsx.

import { type Entity, typeLabels, writeKey } from './entities.js'
import { PreviewPage } from './preview-page.js'
import type { Handler } from '../../http/context.js'
import { type AssetUrls, sendFramedPage } from '../../http/response/html.js'

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
