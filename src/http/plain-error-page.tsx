// Errors that are answered before the application sees a request: a plain page for a GET or HEAD
// that prefers HTML, else JSON. All others: middleware/error-responses.ts.

import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Language } from '../messages/languages.js'
import { translatorFor } from '../messages/translator.js'
import { PlainErrorPage } from '../views/plain-error-page.js'
import { renderPage } from '../views/render.js'
import { type ErrorResponse, messageOf } from './errors.js'
import { acceptedLanguage } from './language.js'
import { type RequestHead, prefersErrorPage } from './request/content-negotiation.js'

/** The headers and the content of the answer. */
export function describePlainError({ body, headers }: ErrorResponse, request: RequestHead) {
  const { own, content } = prefersErrorPage(request)
    ? pageOf(body, acceptedLanguage(request))
    : { own: { 'Content-Type': 'application/json' }, content: JSON.stringify(body) }
  return {
    content,
    headers: {
      ...headers,
      ...own,
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
    own: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': language,
      'Content-Security-Policy': "default-src 'none'",
    },
    content: renderPage(page, translatorFor(language)),
  }
}
