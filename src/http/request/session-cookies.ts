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

/** The fields of a form, as a Map or URLSearchParams. */
type FormFields = { get(name: string): string | null | undefined }

/** @param baseUrl if it is https, cookies are sent over https only, whatever a proxy says */
export class BrowserSessions {
  readonly #sessions: Sessions
  readonly #origin: string
  readonly #protocol: string

  constructor(sessions: Sessions, baseUrl: string) {
    this.#sessions = sessions
    const { origin, protocol } = new URL(baseUrl)
    this.#origin = origin
    this.#protocol = protocol
  }

  /** The session of the browser; undefined if nobody is signed in. */
  sessionOf(ctx: Context): Session | undefined {
    const key = this.#readKey(ctx)
    return key === undefined ? undefined : this.#sessions.find(key)
  }

  /**
   * The CSRF token for the forms on a page. Sets a cookie if there is none, so call it only for
   * forms.
   */
  csrfOf(ctx: Context): string {
    // A page with a token must not be stored, also the login page, which is for nobody yet.
    ctx.set('Cache-Control', 'private, no-store')
    const cookieKey = this.#readKey(ctx)
    if (cookieKey !== undefined) return csrfOf(cookieKey)
    const key = createSessionKey()
    this.#setKey(ctx, key)
    return csrfOf(key)
  }

  /**
   * Checks that a form was sent from a page that this service gave to this browser. To be called
   * before a form has any effect. It does not check that somebody is signed in.
   * @throws HttpError 403
   */
  verifyCsrf(ctx: Context, form: FormFields): void {
    const key = this.#readKey(ctx)
    const isOwnForm = isSameOrigin(ctx, [this.#origin, requestOrigin(ctx)])
    if (!isOwnForm || key === undefined || !isCsrfTokenValid(key, form.get(csrfField) ?? ''))
      throw httpErrors.forged()
  }

  /** Whether the browser says that a request was sent from a page of this service. */
  isOwnPage(ctx: Context): boolean {
    return (
      isSameOrigin(ctx, [this.#origin, requestOrigin(ctx)]) &&
      (ctx.get('Origin') !== '' || ctx.get('Sec-Fetch-Site') === 'same-origin')
    )
  }

  /**
   * Opens a session with a new key, also if the browser has one, such as after a change of
   * password.
   */
  async logIn(ctx: Context, account: Account): Promise<Session> {
    const session = await this.#sessions.open(account, this.#readKey(ctx))
    this.#setKey(ctx, session.key)
    return session
  }

  async logOut(ctx: Context): Promise<void> {
    const key = this.#readKey(ctx)
    this.#setKey(ctx, null)
    if (key !== undefined) await this.#sessions.close(key)
  }

  #isSecure(ctx: Context): boolean {
    return this.#protocol === 'https:' || ctx.secure
  }

  /**
   * With the `__Host-` prefix browsers accept the cookie from this host only, not from other
   * subdomains.
   */
  #cookieName(ctx: Context): string {
    return this.#isSecure(ctx) ? '__Host-zine_session' : 'zine_session'
  }

  #readKey(ctx: Context): string | undefined {
    ctx.vary('Cookie')
    const key = ctx.cookies.get(this.#cookieName(ctx))
    return key !== undefined && /^[\w-]{43}$/.test(key) ? key : undefined
  }

  /**
   * Sets a cookie until the browser is closed, or removes it (null). Sessions expire on the server.
   */
  #setKey(ctx: Context, key: string | null): void {
    const secure = this.#isSecure(ctx)
    // Behind a proxy the request may look like http, and Koa would refuse to set a secure cookie.
    ctx.cookies.secure = secure
    ctx.cookies.set(this.#cookieName(ctx), key, {
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
      secure,
      overwrite: true,
    })
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
