// What waits for somebody: open requests for changes, invitations, imports that are not written, and a
// backup that failed.
// Of each only the kind, the time and the page are told, so that nothing of a requester or of an
// invited person leaves the service by a feed or a webhook.

import type { Account } from '../../accounts/accounts.js'
import type { Invitations } from '../../accounts/invitations.js'
import { editingLinks } from '../../views/links.js'
import { answeredKinds } from '../change-requests/change-requests-form.js'
import type { ChangeRequests } from '../change-requests/change-requests.js'
import { rulesOf } from '../imports/import-state.js'
import type { Imports } from '../imports/imports.js'
import { visibleImports } from '../imports/visible-imports.js'

export type Task = {
  readonly kind: 'request' | 'invitation' | 'import' | 'backup'
  /** One of its own among all tasks. */
  readonly id: string
  /** Since when it waits, as an ISO 8601 time. */
  readonly at: string
  /** The path of the page where it is done. */
  readonly path: string
}

export type TaskSources = {
  readonly changeRequests: Pick<ChangeRequests, 'countOpen' | 'list'>
  readonly invitations: Pick<Invitations, 'open'>
  readonly imports: Imports
  readonly backups: { failure(): { readonly at: string } | undefined }
}

/** What tasks are called. */
export const taskTitles: Readonly<Record<Task['kind'], string>> = {
  request: 'A request for a change is open',
  invitation: 'An invitation is open',
  import: 'An import waits for decisions',
  backup: 'A backup failed',
}

/** So many of the newest are told, of each kind. */
const maxTasks = 100

/** The tasks that an account may see, the newest first. */
export async function visibleTasks(
  sources: TaskSources,
  account: Account,
): Promise<readonly Task[]> {
  const tasks = [
    ...(await requestTasks(sources, account)),
    ...invitationTasks(sources, account),
    ...(await importTasks(sources, account)),
    ...backupTasks(sources, account),
  ]
  return tasks.sort((a, b) => (a.at < b.at ? 1 : -1))
}

async function requestTasks(
  { changeRequests }: TaskSources,
  account: Account,
): Promise<readonly Task[]> {
  const kinds = answeredKinds(account)
  const open = changeRequests.countOpen(kinds)
  const count = Math.min(open, maxTasks)
  // The open ones come first, the oldest of them before the others.
  const { requests } = await changeRequests.list(kinds, { first: open - count, count })
  return requests.map(({ number, at }) => ({
    kind: 'request',
    id: `request-${number}`,
    at,
    path: editingLinks.changeRequest(number),
  }))
}

const invitationTasks = ({ invitations }: TaskSources, { role }: Account): readonly Task[] =>
  role === 'admin'
    ? invitations
        .open()
        .slice(-maxTasks)
        .map(({ created }) => ({
          kind: 'invitation',
          id: `invitation-${created}`,
          at: created,
          path: editingLinks.accounts,
        }))
    : []

async function importTasks({ imports }: TaskSources, account: Account): Promise<readonly Task[]> {
  const visible = account.role === 'viewer' ? [] : await visibleImports(imports, account)
  return visible
    .filter((job) => !rulesOf(job).work && !rulesOf(job).isDone)
    .slice(0, maxTasks)
    .map(({ id, createdAt }) => ({
      kind: 'import',
      id: `import-${id}`,
      at: createdAt,
      path: editingLinks.importOf(id),
    }))
}

function backupTasks({ backups }: TaskSources, { role }: Account): readonly Task[] {
  const failure = role === 'admin' ? backups.failure() : undefined
  return failure
    ? [{ kind: 'backup', id: `backup-${failure.at}`, at: failure.at, path: editingLinks.service }]
    : []
}

/**
 * Tasks as webhooks send them: a text that chats and phones show, and the same as data.
 * @param base that of all URLs
 */
export const taskMessage = (tasks: readonly Task[], base: string): string =>
  JSON.stringify({
    text: tasks.map(({ kind, path }) => `${taskTitles[kind]}: ${base}${path}`).join('\n'),
    tasks: tasks.map(({ kind, at, path }) => ({ kind, at, url: base + path })),
  })
