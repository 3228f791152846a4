// Sessions as browsers have them: a cookie that only this service reads, and forms that only its own
// pages send. JSON knows nothing of them.

import type { Context } from 'koa'

import type { Account } from '../../accounts/accounts.js'
import {
  type Session,
  type Sessions,
  createSessionKey,
  csrfOf,
  isCsrfTokenValid,
} from '../../accounts/sessions.js'
import { requestOrigin } from './url.js'
import { httpErrors } from '../response/http-errors.js'

/** The field of a form that holds its CSRF token. */
export const csrfField = 'csrf_token'

export type BrowserSessions = {
  /** Who is logged in; undefined for a visitor. */
  sessionOf: (ctx: Context) => Session | undefined
  /** The CSRF token for the forms on a page. A visitor gets a cookie for it, so ask only where there is a form. */
  csrfOf: (ctx: Context) => string
  /**
   * To be asked before anything that a form says is done. Whether somebody is logged in is another question.
   * @throws Refused 403 when the form did not come from a page that we gave to this browser
   */
  verifyCsrf(ctx: Context, form: FormFields): void
  /** Opens a session with a new key, also for who has one already: after a change of password, say. */
  logIn(ctx: Context, account: Account): Promise<Session>
  logOut(ctx: Context): Promise<void>
}

/** What a form sent: a Map or URLSearchParams. */
export type FormFields = { get(name: string): string | null | undefined }

/** @param base the catalogue's; where it is https, cookies are for https alone, whatever a proxy tells us */
export function createBrowserSessions(sessions: Sessions, base: string): BrowserSessions {
  const { origin, protocol } = new URL(base)
  const isSecure = (ctx: Context): boolean => protocol === 'https:' || ctx.secure

  /** The `__Host-` prefix has browsers take the cookie from this very host only, not from its neighbours. */
  const nameOf = (ctx: Context): string => (isSecure(ctx) ? '__Host-zine_session' : 'zine_session')

  function keyOf(ctx: Context): string | undefined {
    ctx.vary('Cookie')
    const key = ctx.cookies.get(nameOf(ctx))
    return key !== undefined && /^[\w-]{43}$/.test(key) ? key : undefined
  }

  /** Kept until the browser is closed, or forgotten at once; how long it is good for is told by the session. */
  function setKey(ctx: Context, key: string | null): void {
    const secure = isSecure(ctx)
    // Behind a proxy we may not see that the browser speaks https; Koa would refuse a cookie for it.
    ctx.cookies.secure = secure
    ctx.cookies.set(nameOf(ctx), key, {
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
      secure,
      overwrite: true,
    })
  }

  return {
    sessionOf(ctx) {
      const key = keyOf(ctx)
      return key === undefined ? undefined : sessions.find(key)
    },
    csrfOf(ctx) {
      const known = keyOf(ctx)
      if (known !== undefined) return csrfOf(known)
      const key = createSessionKey()
      setKey(ctx, key)
      return csrfOf(key)
    },
    verifyCsrf(ctx, form) {
      const key = keyOf(ctx)
      const isOurs = isSameOrigin(ctx, [origin, requestOrigin(ctx)])
      if (!isOurs || key === undefined || !isCsrfTokenValid(key, form.get(csrfField) ?? ''))
        throw httpErrors.forged()
    },
    async logIn(ctx, account) {
      const session = await sessions.open(account, keyOf(ctx))
      setKey(ctx, session.key)
      return session
    },
    async logOut(ctx) {
      const key = keyOf(ctx)
      setKey(ctx, null)
      if (key !== undefined) await sessions.close(key)
    },
  }
}

/**
 * What the browser itself says of where a form comes from, when it says it. It says `Origin: null` of
 * pages whose referrer policy is `no-referrer`: ours have `same-origin`, or none.
 */
function isSameOrigin(ctx: Context, origins: readonly string[]): boolean {
  const origin = ctx.get('Origin')
  const site = ctx.get('Sec-Fetch-Site')
  return (origin === '' || origins.includes(origin)) && ['', 'same-origin', 'none'].includes(site)
}
