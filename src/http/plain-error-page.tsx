// Errors that are answered before the application sees a request: a plain page for a GET or HEAD
// that prefers HTML, else JSON. All others: middleware/error-responses.ts.

import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Message } from '../message.js'
import type { Language } from '../messages/languages.js'
import { translatorFor } from '../messages/translator.js'
import { homePath } from '../views/links.js'
import { renderPage } from '../views/render.js'
import { messageText, pageTranslator, t } from '../views/translate.js'
import { type ErrorResponse, messageOf } from './errors.js'
import { acceptedLanguage } from './language.js'
import { type RequestHead, prefersErrorPage } from './request/content-negotiation.js'

/** The headers and the content of the answer. */
export function describePlainError({ body, headers }: ErrorResponse, request: RequestHead) {
  const { contentHeaders, content } = prefersErrorPage(request)
    ? pageOf(body, acceptedLanguage(request))
    : { contentHeaders: { 'Content-Type': 'application/json' }, content: JSON.stringify(body) }
  return {
    content,
    headers: {
      ...headers,
      ...contentHeaders,
      'Content-Length': Buffer.byteLength(content),
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept, Accept-Language',
    },
  }
}

export function sendPlainError(
  request: IncomingMessage,
  response: ServerResponse,
  error: ErrorResponse,
): void {
  const { headers, content } = describePlainError(error, request)
  response.writeHead(error.status, headers)
  response.end(content)
}

function pageOf(body: object, language: Language) {
  const page = <PlainErrorPage message={messageOf(body)} />
  return {
    contentHeaders: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': language,
      'Content-Security-Policy': "default-src 'none'",
    },
    content: renderPage(page, translatorFor(language)),
  }
}

/** It needs no style sheet and knows nothing of the catalogue. */
const PlainErrorPage = ({ message }: { readonly message: Message }) => (
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
