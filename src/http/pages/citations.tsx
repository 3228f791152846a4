// The page with the citations of a record. How it looks is left to views/pages/citations.tsx.

import { CitationsPage } from '../../views/pages/citations.js'
import type { Resources } from '../../model/resources.js'
import type { RequestContext } from '../context.js'
import type { CitedRecord } from '../response/cited-record.js'
import { type AssetUrls, pageContext, sendPage } from '../response/html.js'

type CitationPageDependencies = { readonly assets: AssetUrls; readonly resources: Resources }

export const citationPage =
  ({ assets, resources }: CitationPageDependencies) =>
  (ctx: RequestContext, cited: CitedRecord): void =>
    sendPage(
      ctx,
      <CitationsPage context={pageContext(ctx, assets)} resources={resources} {...cited} />,
    )
