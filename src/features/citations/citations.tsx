// The page with the citations of a record. How it looks is left to features/citations/citations-page.tsx.

import { CitationsPage } from './citations-page.js'
import type { Resources } from '../../model/resources.js'
import type { RequestContext } from '../../http/context.js'
import type { CitedRecord } from './cited-record.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'

type CitationPageDependencies = { readonly assets: AssetUrls; readonly resources: Resources }

export const citationPage =
  ({ assets, resources }: CitationPageDependencies) =>
  (ctx: RequestContext, cited: CitedRecord): void =>
    sendPage(
      ctx,
      <CitationsPage context={pageContext(ctx, assets)} resources={resources} {...cited} />,
    )
