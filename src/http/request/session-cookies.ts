// Sessions of browsers: the session cookie, and the CSRF tokens of forms. They count for HTML pages
// only; requests to the API are authenticated by authentication.ts.

import type { Context } from 'koa'

import type { Account } from '../../accounts/accounts.js'
import {
  type Session,
  type Sessions,
  createSessionKey,
  csrfOf,
  isCsrfTokenValid,
} from '../../accounts/sessions.js'
import { requestOrigin } from '../origin.js'
import { httpErrors } from '../errors.js'

/** The form field that holds the CSRF token. */
export const csrfField = 'csrf_token'

export type BrowserSessions = {
  /** The session of the browser; undefined if nobody is signed in. */
  sessionOf: (ctx: Context) => Session | undefined
  /**
   * The CSRF token for the forms on a page. Sets a cookie if there is none, so call it only for
   * forms.
   */
  csrfOf: (ctx: Context) => string
  /**
   * Checks that a form was sent from a page that this service gave to this browser. To be called
   * before a form has any effect. It does not check that somebody is signed in.
   * @throws HttpError 403
   */
  verifyCsrf(ctx: Context, form: FormFields): void
  /** Whether the browser says that a request was sent from a page of this service. */
  isOwnPage(ctx: Context): boolean
  /**
   * Opens a session with a new key, also if the browser has one, such as after a change of
   * password.
   */
  logIn(ctx: Context, account: Account): Promise<Session>
  logOut(ctx: Context): Promise<void>
}

/** The fields of a form, as a Map or URLSearchParams. */
type FormFields = { get(name: string): string | null | undefined }

/** @param baseUrl if it is https, cookies are sent over https only, whatever a proxy says */
export function createBrowserSessions(sessions: Sessions, baseUrl: string): BrowserSessions {
  const { origin, protocol } = new URL(baseUrl)
  const isSecure = (ctx: Context): boolean => protocol === 'https:' || ctx.secure

  /**
   * With the `__Host-` prefix browsers accept the cookie from this host only, not from other
   * subdomains.
   */
  const cookieName = (ctx: Context): string =>
    isSecure(ctx) ? '__Host-zine_session' : 'zine_session'

  function readKey(ctx: Context): string | undefined {
    ctx.vary('Cookie')
    const key = ctx.cookies.get(cookieName(ctx))
    return key !== undefined && /^[\w-]{43}$/.test(key) ? key : undefined
  }

  /**
   * Sets a cookie until the browser is closed, or removes it (null). Sessions expire on the server.
   */
  function setKey(ctx: Context, key: string | null): void {
    const secure = isSecure(ctx)
    // Behind a proxy the request may look like http, and Koa would refuse to set a secure cookie.
    ctx.cookies.secure = secure
    ctx.cookies.set(cookieName(ctx), key, {
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
      secure,
      overwrite: true,
    })
  }

  return {
    sessionOf(ctx) {
      const key = readKey(ctx)
      return key === undefined ? undefined : sessions.find(key)
    },
    csrfOf(ctx) {
      // A page with a token must not be stored, also the login page, which is for nobody yet.
      ctx.set('Cache-Control', 'private, no-store')
      const existing = readKey(ctx)
      if (existing !== undefined) return csrfOf(existing)
      const key = createSessionKey()
      setKey(ctx, key)
      return csrfOf(key)
    },
    verifyCsrf(ctx, form) {
      const key = readKey(ctx)
      const isOwnForm = isSameOrigin(ctx, [origin, requestOrigin(ctx)])
      if (!isOwnForm || key === undefined || !isCsrfTokenValid(key, form.get(csrfField) ?? ''))
        throw httpErrors.forged()
    },
    isOwnPage: (ctx) =>
      isSameOrigin(ctx, [origin, requestOrigin(ctx)]) &&
      (ctx.get('Origin') !== '' || ctx.get('Sec-Fetch-Site') === 'same-origin'),
    async logIn(ctx, account) {
      const session = await sessions.open(account, readKey(ctx))
      setKey(ctx, session.key)
      return session
    },
    async logOut(ctx) {
      const key = readKey(ctx)
      setKey(ctx, null)
      if (key !== undefined) await sessions.close(key)
    },
  }
}

/**
 * Whether the browser says that a form comes from one of the origins, or says nothing. Browsers
 * send `Origin: null` for pages with the referrer policy `no-referrer`, so pages have
 * `same-origin`.
 */
function isSameOrigin(ctx: Context, origins: readonly string[]): boolean {
  const origin = ctx.get('Origin')
  const site = ctx.get('Sec-Fetch-Site')
  return (origin === '' || origins.includes(origin)) && ['', 'same-origin', 'none'].includes(site)
}
