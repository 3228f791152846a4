// The page that shows the OpenAPI document in Swagger UI where scripts run, and links to the same
// description where they do not. It is not listed in that document.

import { html } from '../../formats/common-formats.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { descriptionPath, schemaPath, withParameters } from '../../views/links.js'
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

const SwaggerPage = ({ context }: { readonly context: PageContext }) => (
  <Layout
    context={context}
    title="API"
    styles={['swagger-ui.css', 'swagger.css']}
    scripts={['swagger.js']}
  >
    <header class="page-head">
      <h1>API</h1>
      <nav class="formats" aria-label="Formats">
        <ul>
          <li>
            <a href={descriptionPath}>To read</a>
          </li>
          <li>
            <a href={withParameters(descriptionPath, '', { format: 'json' })}>JSON</a>
          </li>
          <li>
            <a href={withParameters(descriptionPath, '', { format: 'yaml' })}>YAML</a>
          </li>
        </ul>
      </nav>
    </header>
    <p class="lead">
      Every operation, to read and to try out on this service. What you try here is done: sign in
      with <em>Authorize</em> and <code>Token</code> followed by your token to write.
    </p>
    <div
      class="swagger"
      data-program={context.assetUrl('swagger-ui-bundle.js')}
      data-description={withParameters(descriptionPath, '', { format: 'json' })}
    >
      <p class="notice">
        Trying out takes JavaScript. The same description is there{' '}
        <a href={descriptionPath}>to read</a>.
      </p>
    </div>
  </Layout>
)
