// The page of an error: what went wrong, a search, and a link to the home page.

import { Layout, type PageContext } from '../layout.js'
import { homePath, listPath } from '../links.js'

type ErrorPageProps = {
  readonly context: PageContext
  readonly title: string
  readonly message: string
}

export const ErrorPage = ({ context, title, message }: ErrorPageProps) => (
  <Layout context={context} title={title}>
    <h1>{title}</h1>
    <p class="lead">{message}</p>
    <form class="controls" method="get" action={listPath('zines')} role="search">
      <label class="grow">
        <span>Search zines</span>
        <input type="search" name="search" autocomplete="off" />
      </label>
      <button>Search</button>
    </form>
    <p>
      <a href={homePath}>Go to the home page</a>
    </p>
  </Layout>
)
