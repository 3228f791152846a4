// The page of an error: what went wrong, a search, and a link to the home page.

import type { Message } from '../message.js'
import { Layout, type PageContext } from './layout.js'
import { homePath } from './links.js'
import { CatalogueSearch } from './search-form.js'
import { messageText, t } from './translate.js'

type ErrorPageProps = {
  readonly context: PageContext
  readonly title: string
  readonly message: Message
}

export const ErrorPage = ({ context, title, message }: ErrorPageProps) => (
  <Layout context={context} title={t(title)}>
    <h1>{t(title)}</h1>
    <p class="lead">{messageText(message)}</p>
    <CatalogueSearch context={context} />
    <p>
      <a href={homePath}>{t('Go to the home page')}</a>
    </p>
  </Layout>
)
