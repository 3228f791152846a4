// The page of an error: what went wrong, a search, and a link to the home page.

import { Layout, type PageContext } from '../layout.js'
import { homePath } from '../links.js'
import { CatalogueSearch } from '../search-form.js'

type ErrorPageProps = {
  readonly context: PageContext
  readonly title: string
  readonly message: string
}

export const ErrorPage = ({ context, title, message }: ErrorPageProps) => (
  <Layout context={context} title={title}>
    <h1>{title}</h1>
    <p class="lead">{message}</p>
    <CatalogueSearch context={context} />
    <p>
      <a href={homePath}>Go to the home page</a>
    </p>
  </Layout>
)
