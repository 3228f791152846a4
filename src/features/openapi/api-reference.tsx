// The page of the API's operations, by tag. How it looks is left to features/openapi/api-reference-page.tsx,
// and its content comes from the OpenAPI document.

import type { Format } from '../../formats/serializer.js'
import { ApiReferencePage, type TagGroup } from './api-reference-page.js'
import type { Handler, RequestContext } from '../../http/context.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'

type ApiReference = {
  readonly title: string
  readonly description: string
  readonly groups: readonly TagGroup[]
  readonly formats: readonly Format[]
  readonly yamlFor: (ctx: RequestContext) => string
}

export const apiReferencePage =
  (assets: AssetUrls) =>
  ({ title, description, groups, formats, yamlFor }: ApiReference): Handler =>
  (ctx) =>
    sendPage(
      ctx,
      <ApiReferencePage
        context={pageContext(ctx, assets)}
        title={`${title} API`}
        description={description}
        tagGroups={groups}
        formats={formats}
        yaml={yamlFor(ctx)}
      />,
    )
