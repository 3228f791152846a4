// The page about the catalogue, and its logo, where the institution has them.

import type { AboutPage as AboutText, Logo, SiteFiles } from '../../branding/site-files.js'
import type { Format } from '../../formats/serializer.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { aboutPath } from '../../views/links.js'
import { t } from '../../views/translate.js'
import type { Endpoint } from '../../http/endpoint.js'
import { queryParam } from '../../http/request/url.js'
import { sendText } from '../../http/response/conditional.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'

/** The endpoints of what there is. */
export const siteEndpoints = ({ about, logo }: SiteFiles, assets: AssetUrls): Endpoint[] => [
  ...(about ? [aboutEndpoint(about, assets)] : []),
  ...(logo ? [logoEndpoint(logo)] : []),
]

const markdown: Format = { name: 'markdown', type: 'text/markdown' }

const aboutEndpoint = ({ title, html, ...text }: AboutText, assets: AssetUrls): Endpoint => ({
  path: aboutPath,
  name: 'About',
  description: 'What the institution says of its catalogue.',
  formats: [markdown],
  htmlHandler: (ctx) =>
    sendPage(ctx, <AboutPage context={pageContext(ctx, assets)} title={title} html={html} />),
  methods: { GET: (ctx) => sendText(ctx, text.markdown) },
})

// An SVG image may have scripts and load other files. In a page it cannot run them, and when it is
// opened by itself, this policy keeps it from that.
const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

const logoEndpoint = ({ name, type, content, hash }: Logo): Endpoint => ({
  path: `/${name}`,
  name: 'Logo',
  description: 'The logo of the institution.',
  formats: [{ name: 'image', type }],
  methods: {
    GET(ctx) {
      const isThisVersion = queryParam(ctx, 'v') === hash
      ctx.status = 200
      ctx.set('Cache-Control', isThisVersion ? 'public, max-age=31536000, immutable' : 'no-cache')
      ctx.set('Content-Security-Policy', imagePolicy)
      ctx.set('ETag', `"${hash}"`)
      ctx.set('Content-Type', type)
      ctx.body = content
    },
  },
})

/** The address of the logo, which changes with it. */
export const logoUrl = ({ name, hash }: Pick<Logo, 'name' | 'hash'>): string => `/${name}?v=${hash}`

const AboutPage = ({
  context,
  title,
  html,
}: Pick<AboutText, 'title' | 'html'> & { readonly context: PageContext }) => (
  <Layout context={context} title={title ?? t('About')}>
    <header class="page-head">
      <h1>{title}</h1>
    </header>
    <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />
  </Layout>
)
