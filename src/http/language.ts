// Chooses the language of a page: the parameter `lang`, the cookie that remembers it, the languages
// of the browser, English (docs/reference/formats.md, "Languages of pages").

import type { IncomingMessage } from 'node:http'

import type { Context } from 'koa'
import Negotiator from 'negotiator'

import { isLanguage, type Language, languages } from '../messages/languages.js'
import { type Translator, translatorFor } from '../messages/translator.js'
import type { RequestContext } from './context.js'
import { rememberChoice } from './plain-cookies.js'

const cookieName = 'zine_language'

const parameter = 'lang'

function chooseLanguage(ctx: Context): Language {
  const fromCookie = ctx.cookies.get(cookieName) ?? ''
  return (
    wantedLanguage(ctx) ??
    (isLanguage(fromCookie) ? fromCookie : undefined) ??
    acceptedLanguage(ctx.req)
  )
}

/** The translator of the request's page. */
export const translatorOf = (ctx: RequestContext): Translator =>
  (ctx.state.translator ??= translatorFor(chooseLanguage(ctx)))

/** The first language of Accept-Language that pages have; English without one. */
export function acceptedLanguage(request: Pick<IncomingMessage, 'headers'>): Language {
  const header = request.headers['accept-language']
  if (header === undefined || header === '*') return 'en'
  const [language = 'en'] = new Negotiator({
    headers: { 'accept-language': withoutRegions(header) },
  }).languages([...languages])
  return isLanguage(language) ? language : 'en'
}

/** `es-MX;q=0.8` as `es;q=0.8`: pages have no variants for regions. */
const withoutRegions = (header: string): string =>
  header.replace(/(^|,)\s*([a-z]{2,3})-[\w-]*/gi, '$1$2')

/** The language that a link asks for; undefined for none, and for one that pages do not have. */
function wantedLanguage(ctx: Context): Language | undefined {
  // The short way for nearly all requests.
  if (!ctx.querystring.includes(parameter)) return undefined
  const fromQuery = new URLSearchParams(ctx.querystring).get(parameter) ?? ''
  return isLanguage(fromQuery) ? fromQuery : undefined
}

/**
 * Remembers the language that a link asks for.
 * @returns the address without the parameter; undefined where no language is asked for
 */
export function rememberLanguage(ctx: Context): string | undefined {
  const language = wantedLanguage(ctx)
  if (language === undefined) return undefined
  rememberChoice(ctx, cookieName, language)
  const params = new URLSearchParams(ctx.querystring)
  params.delete(parameter)
  const query = params.toString()
  return query === '' ? ctx.path : `${ctx.path}?${query}`
}
