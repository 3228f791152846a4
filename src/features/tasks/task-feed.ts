// The Atom feed of what waits for somebody (docs/reference/accounts.md, "Feed of open tasks"). Feed
// readers send no header, so the token is in the address. It is good for this alone.

import { NotFoundError, RequestError } from '../../errors.js'
import type { Account, Accounts } from '../../accounts/accounts.js'
import { atom, atomElement, atomLink, feedEnd, feedStart } from '../../formats/atom.js'
import { html } from '../../formats/common-formats.js'
import type { Iris } from '../../model/iris.js'
import { taskFeedRoute } from '../../views/links.js'
import type { Endpoint } from '../../http/endpoint.js'
import { queryParam } from '../../http/request/url.js'
import { sendText } from '../../http/response/conditional.js'
import { type Task, type TaskSources, taskTitles, visibleTasks } from './tasks.js'

export type TaskFeedDependencies = TaskSources & {
  readonly accounts: Pick<Accounts, 'authenticateFeed'>
  readonly iris: Pick<Iris, 'base'>
  readonly siteName: string
}

export const taskFeedEndpoint = (dependencies: TaskFeedDependencies): Endpoint => ({
  path: taskFeedRoute,
  name: 'Open Tasks',
  description: 'The open requests, invitations and imports that the account of a token may see.',
  formats: [atom],
  methods: {
    async GET(ctx) {
      ctx.set('Cache-Control', 'private, no-store')
      const account = accountOf(dependencies, queryParam(ctx, 'token'))
      sendText(ctx, feedOf(dependencies, await visibleTasks(dependencies, account)))
    },
  },
})

/** @throws NotFoundError for a token that is void: a feed reader has no password to ask for */
function accountOf({ accounts }: TaskFeedDependencies, token: string): Account {
  try {
    return accounts.authenticateFeed(token)
  } catch (error) {
    if (error instanceof RequestError) throw new NotFoundError()
    throw error
  }
}

const feedOf = (
  { iris: { base }, siteName }: TaskFeedDependencies,
  tasks: readonly Task[],
): string =>
  feedStart({
    id: base + taskFeedRoute,
    title: `${siteName}: open tasks`,
    updated: tasks[0]?.at,
    author: siteName,
  }) +
  tasks.map((task) => `${entryOf(base, task)}\n`).join('') +
  feedEnd

const entryOf = (base: string, { kind, id, at, path }: Task): string =>
  `  <entry>${[
    atomElement('id', `${base}${taskFeedRoute}#${id}`),
    atomElement('title', taskTitles[kind]),
    atomElement('updated', at),
    atomLink('alternate', html.type, base + path),
  ].join('')}</entry>`
