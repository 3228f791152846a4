// How a browser shows a list of zines: as a wall of covers, or as lines. The parameter `view` says
// so, and a cookie remembers it for the lists that are opened later, with an account and without.

import type { Context } from 'koa'

import { rememberChoice } from '../../http/plain-cookies.js'
import { queryParam } from '../../http/request/url.js'

const listViews = ['list', 'grid'] as const

export type ListView = (typeof listViews)[number]

const cookieName = 'zine_view'

/** The view that is asked for, which is remembered; else the remembered one; else covers. */
export function chooseListView(ctx: Context): ListView {
  const fromQuery = parseView(queryParam(ctx, 'view'))
  const fromCookie = parseView(ctx.cookies.get(cookieName))
  if (fromQuery !== undefined && fromQuery !== fromCookie)
    rememberChoice(ctx, cookieName, fromQuery)
  return fromQuery ?? fromCookie ?? 'grid'
}

const parseView = (value: string | undefined): ListView | undefined =>
  listViews.find((view) => view === value)
