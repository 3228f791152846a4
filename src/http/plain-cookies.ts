// Cookies that hold no secret: a choice of a reader, or what a form did. The cookies of sessions
// are in editing/.

import type { Context } from 'koa'

/** They need no HTTPS. Scripts have no use for them. */
export const plainCookie = {
  httpOnly: true,
  sameSite: 'lax',
  path: '/',
  secure: false,
  overwrite: true,
} as const

const oneYear = 365 * 24 * 60 * 60 * 1000

/** Remembers a choice of a reader for a year. */
export function rememberChoice(ctx: Context, cookieName: string, value: string): void {
  ctx.cookies.set(cookieName, value, { ...plainCookie, maxAge: oneYear })
}
