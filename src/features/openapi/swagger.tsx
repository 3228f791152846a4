// The page that shows the OpenAPI document in Swagger UI. It is not listed in that document. How it
// looks is left to features/openapi/swagger-page.tsx.

import { html } from '../../formats/common-formats.js'
import { schemaPath } from '../../views/links.js'
import { SwaggerPage } from './swagger-page.js'
import type { Endpoint } from '../../http/endpoint.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'

export const swaggerEndpoint = (assets: AssetUrls): Endpoint => ({
  path: schemaPath,
  name: 'Swagger UI',
  description: 'The description of the service, to read and to try out.',
  formats: [html],
  methods: {
    GET: (ctx) => sendPage(ctx, <SwaggerPage context={pageContext(ctx, assets)} />),
  },
})
