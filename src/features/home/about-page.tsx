// The page with what the institution says of its catalogue.

import { Layout, type PageContext } from '../../views/layout.js'
import { t } from '../../views/translate.js'

export type AboutPageProps = {
  readonly context: PageContext
  /** The first heading of the text, if it has one. */
  readonly title: string | undefined
  /** The text as HTML, made from Markdown without HTML of its own. */
  readonly html: string
}

export const AboutPage = ({ context, title, html }: AboutPageProps) => (
  <Layout context={context} title={title ?? t('About')}>
    <header class="page-head">
      <h1>{title}</h1>
    </header>
    <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />
  </Layout>
)
