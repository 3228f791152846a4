// Says on the next page what a form did: a form answers with a redirect, so the message is carried
// by a cookie, which is removed when it is shown. The notice of a merge leads to the form that
// undoes it, and so does that of a record that was hidden because somebody asked for it.

import type { Context } from 'koa'

import { message } from '../../message.js'
import { plainCookie } from '../plain-cookies.js'

// In English; the page translates them.
const messages = {
  created: message('Created.'),
  saved: message('Saved.'),
  unchanged: message('Nothing was changed.'),
  deleted: message('Deleted.'),
  hidden: message('The record is hidden.'),
  shown: message('Everyone sees the record.'),
  restored: message('Restored.'),
  undone: message('Undone.'),
  done: message('The request is marked as done.'),
  declined: message('The request is marked as declined.'),
  merged: message('Merged.'),
  renamed: message('The identifier was changed.'),
  unmerged: message('The merge was undone.'),
  batch: message('The batch was written.'),
  'picture-added': message('The picture was added.'),
  'picture-removed': message('The picture was removed.'),
  'profile-saved': message('The profile was saved.'),
  'profile-removed': message('The profile was removed.'),
  'signed-in': message('You are signed in.'),
  'signed-out': message('You are signed out.'),
} as const

export type DoneNotice = keyof typeof messages

const cookieName = 'zine_done'

/**
 * Has the next page say what was done.
 * @param undo the path of the form that undoes it
 */
export function setDone(ctx: Context, done: DoneNotice, undo = ''): void {
  ctx.cookies.set(cookieName, done + undo, { ...plainCookie, maxAge: 60_000 })
}

/** What the last form did, once, and the path of the form that undoes it. */
export type Done = { readonly text: string; readonly undo: string | undefined }

/** What the last form did; undefined when there is nothing to say. */
export function takeDone(ctx: Context): Done | undefined {
  const cookie = ctx.cookies.get(cookieName)
  if (cookie === undefined) return undefined
  ctx.cookies.set(cookieName, null, plainCookie)
  const [, done = '', undo] = cookiePattern.exec(cookie) ?? []
  return Object.hasOwn(messages, done) ? { text: messages[done as DoneNotice], undo } : undefined
}

// A cookie can come from another site of the domain, so it leads to these forms only.
const cookiePattern = /^([a-z-]+)(\/manage\/(?:[a-z]+\/unmerge\/[\w.~%-]+|requests\/\d+\?undo))?$/
