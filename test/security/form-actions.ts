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
    if (path === '/requests/new') return askForChange(service())
    if (path === '/manage/lists/new') return newList(service())
    if (path === '/manage/queries/new') return newQuery(service())
    if (path === '/manage/queries/edit/:id') return changedQuery(service())
    if (path === '/manage/requests/:number') return answerRequest(service())
    const [, name = '', what = ''] = /^\/manage\/(\w+)\/?(\w*|:name)(?:\/:id)?$/.exec(path) ?? []
    if (name === 'batch') return batchEdit(service(), given, what)
    if (path === '/manage/batches/:id') return undoBatch(service())
    if (path === '/manage/imports') return harvest(service())
    const [, step] = /^\/manage\/imports\/:id(?:\/(\w+))?$/.exec(path) ?? [undefined, undefined]
    if (path.startsWith('/manage/imports/')) return importForm(service(), step ?? '')
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
  async invitation({ url, accounts }) {
    const name = unique('invited')
    const browser = browse(url)
    await browser.signIn('admin')
    const form = { do: 'invite', name, role: 'viewer' }
    const { text } = await browser.send('/manage/accounts', form)
    const key = /invitation\?key=([\w-]{43})/.exec(text)?.[1] ?? ''
    return {
      at: '/manage/invitation',
      fields: { key, password: PASSWORD, again: PASSWORD },
      isDone: () => Promise.resolve(accounts.find(name) !== undefined),
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
  async history({ get, patch }, given, name) {
    const resource = resourceNamed(name)
    const { idField, textField } = resource
    const { [idField]: id, [textField]: before } = await given.record(resource)
    const path = recordPath(resource.name, id)
    await patch(path, { [textField]: 'Changed' })
    return {
      at: `/manage/${name}/history/${id}`,
      fields: { version: '2', action: 'undo' },
      isDone: async () => (await get(path)).body[textField] === before,
    }
  },
  async merge({ get }, given, name) {
    const resource = resourceNamed(name)
    const [goes, stays] = [await given.record(resource), await given.record(resource)]
    const { [resource.idField]: id, updated_at } = goes
    return {
      at: `/manage/${name}/merge/${id}`,
      fields: {
        into: stays[resource.idField],
        '.version': `${updated_at} ${stays.updated_at}`,
      },
      isDone: async () => (await get(recordPath(resource.name, id))).status === 301,
    }
  },
  async pictures({ get }, given, name) {
    const resource = resourceNamed(name)
    const { [resource.idField]: id } = await given.record(resource)
    const path = `${recordPath(resource.name, id)}pictures/`
    return {
      at: `/manage/${name}/pictures/${id}`,
      fields: { do: 'elsewhere', url: 'https://iiif.example/image', iiif: 'image', public: 'true' },
      isDone: async () => (await get(path)).body.count === 1,
    }
  },
  async unmerge({ get, post }, given, name) {
    const resource = resourceNamed(name)
    const [goes, stays] = [await given.record(resource), await given.record(resource)]
    const path = recordPath(resource.name, goes[resource.idField])
    await post(`${path}merge/`, { into: stays[resource.idField] })
    return {
      at: `/manage/${name}/unmerge/${goes[resource.idField]}`,
      fields: {},
      isDone: async () => (await get(path)).status === 200,
    }
  },
  async rename({ get }, given, name) {
    const resource = resourceNamed(name)
    const { [resource.idField]: id } = await given.record(resource)
    return {
      at: `/manage/${name}/rename/${id}`,
      fields: { id: unique('renamed') },
      isDone: async () => (await get(recordPath(resource.name, id))).status === 301,
    }
  },
  async visibility({ get }, given, name) {
    const resource = resourceNamed(name)
    const { [resource.idField]: id } = await given.record(resource)
    return {
      at: `/manage/${name}/visibility/${id}`,
      fields: { visibility: 'hidden' },
      isDone: async () => (await get(recordPath(resource.name, id))).status === 404,
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

function askForChange(service: TestService): FormAction {
  const text = unique('Please correct this')
  return {
    at: '/requests/new?kind=agents&id=maker',
    fields: { topic: 'correct', text, answer: '' },
    isDone: async () => (await seenByAdmin(service, '/manage/requests')).includes(text),
  }
}

/** The note of the first request, which asks to change an agent. */
async function answerRequest(service: TestService): Promise<FormAction> {
  const at = '/manage/requests/1'
  const note = unique('Note')
  const version = /name="\.version" value="(\d+)"/.exec(await seenByAdmin(service, at))?.[1] ?? ''
  return {
    at,
    fields: { do: 'note', note, '.version': version },
    isDone: async () => (await seenByAdmin(service, at)).includes(note),
  }
}

/** Asks for a change of the agent `maker`. */
export async function sendRequest(service: TestService): Promise<void> {
  const { at, fields } = askForChange(service)
  await browse(service.url).send(at, fields)
}

async function seenByAdmin(service: TestService, path: string): Promise<string> {
  const browser = browse(service.url)
  await browser.signIn('admin')
  return (await browser.get(path)).text
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

function newList({ get }: TestService): FormAction {
  const slug = unique('list')
  return {
    at: '/manage/lists/new',
    fields: { slug, title: 'A list', text: '', public: 'true', more: '' },
    isDone: async () => (await get(`/api/lists/${slug}/`)).status === 200,
  }
}

function newQuery({ get }: TestService): FormAction {
  const name = unique('query')
  return {
    at: '/manage/queries/new',
    fields: { name, '.version': '0', 'question.en': 'Is it so?', query: 'ASK {}' },
    isDone: async () => (await get(`/queries/${name}?format=json`)).status === 200,
  }
}

async function changedQuery(service: TestService): Promise<FormAction> {
  const { at: path, fields } = newQuery(service)
  const browser = browse(service.url)
  await browser.signIn('admin')
  await browser.send(path, fields)
  const question = unique('Is it so?')
  return {
    at: `/manage/queries/edit/${String(fields.name)}`,
    fields: { ...fields, '.version': '1', 'question.en': question },
    isDone: async () =>
      (await service.get('/queries/', { headers: { accept: 'text/turtle' } })).text.includes(
        question,
      ),
  }
}

/** Begins an import from an address in a private network, which is refused when it is fetched. */
function harvest({ get, tokens }: TestService): FormAction {
  const url = `http://127.0.0.1:9/${unique('oai')}`
  return {
    at: '/manage/imports',
    fields: { url, prefix: 'oai_dc', set: '', profile: '' },
    isDone: async () =>
      (await get('/api/imports/?page_size=100', { token: tokens.admin })).text.includes(url),
  }
}

/** Decides something about an import of one row. */
async function importForm({ ask, get, tokens }: TestService, step: string): Promise<FormAction> {
  const { body } = await ask('POST', '/api/imports/?filename=one.csv', {
    raw: 'Title,Author,Tags\nZine,Somebody New,unheard of\n',
    headers: { 'content-type': 'application/octet-stream' },
  })
  const path = `/api/imports/${body.id}/`
  const before = JSON.stringify(body)
  const forms: Readonly<Record<string, Fields>> = {
    '': { do: 'remove' },
    file: { repair: 'yes' },
    fields: { 'constant-field': 'zines.abstract', 'constant-value': 'A zine.' },
    names: { do: 'save', name: 'Somebody New', 'do.0': 'drop' },
    terms: { do: 'rest-note', vocabulary: 'subjects' },
    preview: { do: 'preview' },
    result: { do: 'remove' },
  }
  return {
    at: `/manage/imports/${body.id}${step === '' ? '' : `/${step}`}`,
    fields: { '.revision': String(body.revision), ...forms[step] },
    isDone: async () => (await get(path, { token: tokens.admin })).text !== before,
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
