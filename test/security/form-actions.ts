// The forms of the pages for editing: what each of them sends, and how a test sees its effect.

import { type Fields, browse } from '../views/browser.js'
import {
  type Resource,
  type recordCreators,
  listPath,
  recordPath,
  resources,
  unique,
} from '../http/catalogue.js'
import { PASSWORD, type TestService } from '../service.js'
import type { Route } from './routes.js'

export type FormAction = {
  /** The path that the form is sent to. */
  readonly at: string
  readonly fields: Fields
  readonly isDone: () => Promise<boolean>
}

/** A new form for a page, to be sent once; undefined for pages without a form. */
export const formActionsOf =
  (service: () => TestService, given: ReturnType<typeof recordCreators>) =>
  async ({ path }: Route): Promise<FormAction | undefined> => {
    const [, name = '', what = ''] = /^\/manage\/(\w+)\/?(\w*|:name)(?:\/:id)?$/.exec(path) ?? []
    if (name === 'batch') return batchEdit(service(), given, what)
    if (path === '/manage/batches/:id') return undoBatch(service())
    const create = formActions[what === '' || what === ':name' ? `${name}${what}` : what]
    return create?.(service(), given, name)
  }

type CreateFormAction = (
  service: TestService,
  given: ReturnType<typeof recordCreators>,
  name: string,
) => Promise<FormAction> | FormAction

const formActions: Readonly<Record<string, CreateFormAction>> = {
  account({ accounts }) {
    const tokens = (): string =>
      accounts
        .list()
        .map(({ name }) => accounts.tokenOf(name))
        .join()
    const before = tokens()
    return {
      at: '/manage/account',
      fields: { do: 'revoke' },
      isDone: () => Promise.resolve(tokens() !== before),
    }
  },
  accounts({ accounts }) {
    const name = unique('made')
    return {
      at: '/manage/accounts',
      fields: { name, password: PASSWORD, role: 'admin' },
      isDone: () => Promise.resolve(accounts.find(name) !== undefined),
    }
  },
  async 'accounts:name'({ accounts }) {
    const name = unique('victim')
    await accounts.add({ name, password: PASSWORD, role: 'viewer', restrictedTo: [] })
    return {
      at: `/manage/accounts/${name}`,
      fields: { do: 'rights', role: 'admin' },
      isDone: () => Promise.resolve(accounts.find(name)?.role === 'admin'),
    }
  },
  new({ get }, _, name) {
    const { idField, minimal } = resourceNamed(name)
    const id = unique(idField)
    return {
      at: `/manage/${name}/new`,
      fields: { ...toFields(minimal(id)), '.confirm': 'yes' },
      isDone: async () => (await get(recordPath(resourceNamed(name).name, id))).status === 200,
    }
  },
  async edit({ url, get }, given, name) {
    const resource = resourceNamed(name)
    const { idField, textField, minimal } = resource
    const { [idField]: id } = await given.record(resource)
    const at = `/manage/${name}/edit/${id}`
    return {
      at,
      fields: {
        ...toFields(minimal(id)),
        [textField]: 'Changed',
        '.opened': await openedAt(url, at),
      },
      isDone: async () => (await get(recordPath(resource.name, id))).body[textField] === 'Changed',
    }
  },
  async remove({ get }, given, name) {
    const resource = resourceNamed(name)
    const { [resource.idField]: id, updated_at: version } = await given.record(resource)
    return {
      at: `/manage/${name}/remove/${id}`,
      fields: { '.version': version },
      isDone: async () => (await get(recordPath(resource.name, id))).status === 404,
    }
  },
}

/** Undoes a batch that created a zine, for which the right to write zines is needed. */
async function undoBatch({ ask, get }: TestService): Promise<FormAction> {
  const id = unique('batched')
  const line = { op: 'create', kind: 'zines', body: resourceNamed('zines').minimal(id) }
  const { body } = await ask('POST', '/api/batches/', {
    raw: JSON.stringify(line),
    headers: { 'content-type': 'application/x-ndjson' },
  })
  return {
    at: `/manage/batches/${body.id}`,
    fields: { do: 'undo' },
    isDone: async () => (await get(recordPath('zines', id))).status === 404,
  }
}

/** Edits one record as a batch. */
async function batchEdit(
  { get }: TestService,
  given: ReturnType<typeof recordCreators>,
  name: string,
): Promise<FormAction> {
  const resource = resourceNamed(name)
  const { idField, textField } = resource
  const { [idField]: id } = await given.record(resource)
  const change = { field: textField, chosen: textField, action: 'set', value: 'Changed' }
  return {
    at: `/manage/batch/${name}`,
    fields: { ...change, id: [id], query: '', do: 'write', expected: '1' },
    isDone: async () => (await get(recordPath(resource.name, id))).body[textField] === 'Changed',
  }
}

/** What the form at this path carries of the record that it was opened with. */
export async function openedAt(url: string, path: string): Promise<string> {
  const browser = browse(url)
  await browser.signIn('admin')
  const value = /name="\.opened" value="([^"]*)"/.exec((await browser.get(path)).text)?.[1] ?? ''
  return value.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/** An attempt to write a record with a form; `isDone` says whether any record of the resource changed. */
export async function attemptAt(service: TestService, { at, writes }: Route): Promise<FormAction> {
  const fields = { username: 'viewer', password: PASSWORD, title: 'x', query: 'ASK {}' }
  if (!writes) return { at, fields, isDone: () => Promise.resolve(false) }
  const snapshot = async (): Promise<string> => (await service.get(listPath(writes.name))).text
  const before = await snapshot()
  return {
    at,
    fields: toFields(writes.minimal(unique(writes.idField))),
    isDone: async () => (await snapshot()) !== before,
  }
}

function resourceNamed(name: string): Resource {
  const found = resources.find((resource) => resource.name === name)
  if (!found) throw new Error(`no resource ${name}`)
  return found
}

const toFields = (record: object): Fields =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(String) : String(value),
    ]),
  )
