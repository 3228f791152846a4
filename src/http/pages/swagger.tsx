// The description of the API as Swagger UI shows it, which no client of the API needs to be told of.

import { schemaPath } from '../../views/links.js'
import { SwaggerPage } from '../../views/pages/swagger.js'
import type { Assets } from '../middleware/static-files.js'
import type { Endpoint } from '../endpoint.js'
import { html } from '../request/content-negotiation.js'
import { sendPage, pageContext } from '../response/html.js'

export const swaggerEndpoint = (assets: Assets): Endpoint => ({
  path: schemaPath,
  name: 'Swagger UI',
  description: 'The description of the service, to read and to try out.',
  formats: [html],
  methods: {
    GET(ctx) {
      sendPage(ctx, <SwaggerPage visit={pageContext(ctx, assets)} />)
    },
  },
})
