// What this feature adds to the service.

import type { AssetUrls } from '../../http/response/html.js'
import { myListEndpoint } from './my-list-page.js'

export const myListFeature = {
  name: 'my-list',
  pages: ({ assets }: { readonly assets: AssetUrls }) => [myListEndpoint(assets)],
}
