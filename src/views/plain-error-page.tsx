// The page of an error that is answered before the service can make other pages, such as while it
// starts. It needs no style sheet and knows nothing of the catalogue.

import type { Message } from '../message.js'
import { homePath } from './links.js'
import { messageText, pageTranslator, t } from './translate.js'

export const PlainErrorPage = ({ message }: { readonly message: Message }) => (
  <html lang={pageTranslator().language}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{t('That did not work')}</title>
    </head>
    <body>
      <h1>{t('That did not work')}</h1>
      <p>{messageText(message)}</p>
      <p>
        <a href={homePath}>{t('Go to the home page')}</a>
      </p>
    </body>
  </html>
)
