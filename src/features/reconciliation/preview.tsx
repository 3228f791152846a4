// A short page about an agent, a zine or another entity, for the frame in which programs such as
// OpenRefine show it. It has no navigation and no scripts, and its link leads out of the frame.

import { type Entity, typeLabels, writeKey } from './entities.js'
import type { Handler } from '../../http/context.js'
import { type AssetUrls, sendFramedPage } from '../../http/response/html.js'

/** Creates the handler that shows an entity, whose page has the address. */
export const previewPage =
  (assets: AssetUrls) =>
  (entity: Entity, address: string): Handler =>
  (ctx) =>
    sendFramedPage(ctx, <PreviewPage {...{ entity, address }} assetUrl={assets.urlOf} />)

const PreviewPage = ({
  entity,
  address,
  assetUrl,
}: {
  readonly entity: Entity
  readonly address: string
  readonly assetUrl: AssetUrls['urlOf']
}) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <title>{entity.name}</title>
      <link rel="stylesheet" href={assetUrl('site.css')} />
    </head>
    <body class="preview">
      <main>
        <h1>
          <a href={address} target="_blank" rel="noopener">
            {entity.name}
          </a>
        </h1>
        {entity.description !== '' && <p>{entity.description}</p>}
        <p>
          {typeLabels[entity.type]} · <code>{writeKey(entity)}</code>
        </p>
      </main>
    </body>
  </html>
)
