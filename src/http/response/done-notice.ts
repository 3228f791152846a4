// Says on the next page what a form did: a form answers with a redirect, so the message is carried by a
// cookie, which is removed when it is shown.

import type { Context } from 'koa'

const messages = {
  created: 'Created.',
  saved: 'Saved.',
  unchanged: 'Nothing was changed.',
  deleted: 'Deleted.',
  batch: 'The batch was written.',
  undone: 'The batch was undone.',
  'signed-in': 'You are signed in.',
  'signed-out': 'You are signed out.',
} as const

export type DoneNotice = keyof typeof messages

const cookieName = 'zine_done'

/** Has the next page say what was done. */
export function setDone(ctx: Context, done: DoneNotice): void {
  ctx.cookies.set(cookieName, done, { ...cookieOptions, maxAge: 60_000 })
}

/** What the last form did, once; undefined when there is nothing to say. */
export function takeDone(ctx: Context): string | undefined {
  const done = ctx.cookies.get(cookieName)
  if (done === undefined) return undefined
  ctx.cookies.set(cookieName, null, cookieOptions)
  return Object.hasOwn(messages, done) ? messages[done as DoneNotice] : undefined
}

// The content is no secret, so the cookie needs no HTTPS.
const cookieOptions = {
  httpOnly: true,
  sameSite: 'lax',
  path: '/',
  secure: false,
  overwrite: true,
} as const
