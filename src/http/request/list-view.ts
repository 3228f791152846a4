// How a browser shows a list: as lines, or as a wall of covers. The parameter `view` says so, and a cookie remembers it
// for the lists that are opened later, with an account and without.

import type { Context } from 'koa'

import { queryParam } from './url.js'

export const listViews = ['list', 'grid'] as const

export type ListView = (typeof listViews)[number]

const cookieName = 'zine_view'

const oneYear = 365 * 24 * 60 * 60 * 1000

/** The view that is asked for, which is remembered; else the remembered one. */
export function chooseListView(ctx: Context): ListView {
  const wanted = parseView(queryParam(ctx, 'view'))
  const remembered = parseView(ctx.cookies.get(cookieName))
  if (wanted !== undefined && wanted !== remembered)
    // It is no secret, so the cookie needs no HTTPS.
    ctx.cookies.set(cookieName, wanted, {
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
      secure: false,
      overwrite: true,
      maxAge: oneYear,
    })
  return wanted ?? remembered ?? 'list'
}

const parseView = (value: string | undefined): ListView | undefined =>
  listViews.find((view) => view === value)
