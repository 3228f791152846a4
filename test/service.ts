// A service of its own for each test file: started in this process on a free port, over a data
// directory that is removed afterwards, with an account for each role. What a test sends and what
// it gets back is plain HTTP.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { StorageOptions } from '../src/app/storage.js'
import { openService } from '../src/app/service.js'
import { readConfig } from '../src/config.js'
import { storeFor } from './stores.js'

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; undefined when it is not JSON. */
  readonly body: any
}

export type Ask = {
  /** A value sent as JSON. */
  readonly body?: unknown
  /** Bytes sent as they are, in place of `body`. */
  readonly raw?: string | Uint8Array
  /** A token, or null for no credentials at all. Writes use the administrator's unless told otherwise. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** The base of the IRIs in every test: not the address that answers, as behind a proxy. */
export const BASE_URL = 'https://zines.example'

/** The passwords of the accounts `admin`, `editor`, `viewer` and `zines-editor`. */
export const PASSWORD = 'correct horse battery staple'

/**
 * What `TEST_LIST_INDEX=off` and `TEST_VALIDATION=shacl` change for all tests: lists are answered by
 * SPARQL, records are validated by the SHACL engine alone.
 */
const { TEST_LIST_INDEX, TEST_VALIDATION } = process.env
const listSettings: Readonly<Record<string, string>> = TEST_LIST_INDEX
  ? { LIST_INDEX: TEST_LIST_INDEX }
  : {}

/** Whether words are searched with `q`, and facets counted: by the index in memory alone. */
export const WITH_INDEX = TEST_LIST_INDEX !== 'off'

const testOptions: StorageOptions = TEST_VALIDATION === 'shacl' ? { validation: 'shacl' } : {}

// A worker for SPARQL takes half a second to start, so those who ask it say so.
const settings = { PORT: '0', BASE_URL, LOG_LEVEL: 'silent', SPARQL_WORKERS: '0' }

export type TestService = Awaited<ReturnType<typeof startService>>

/**
 * Starts a service; `env` adds to or replaces the settings (docs/reference/settings.md,
 * "Settings").
 */
export async function startService(
  env: Readonly<Record<string, string>> = {},
  options: StorageOptions = {},
) {
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'zine-catalogue-')))
  const given = { ...listSettings, ...(await storeFor(dataDir)), ...env, DATA_DIR: dataDir }
  const config = readConfig({ ...settings, ...given })
  const service = await openService(config, {
    // Passwords are hashed at a price that a test suite can pay; the real one has its own test.
    passwordCost: 2 ** 10,
    // No release is made unless a test says when: another test may take the minute after which one is due.
    releaseTiming: { now: Date.now, look: 2 ** 31 - 1 },
    ...testOptions,
    ...options,
  })
  const { accounts } = service

  const tokens = {
    admin: await accountToken('admin', { role: 'admin' }),
    editor: await accountToken('editor', { role: 'editor' }),
    viewer: await accountToken('viewer', { role: 'viewer' }),
    zinesEditor: await accountToken('zines-editor', { role: 'editor', only: ['zines'] }),
  }

  async function accountToken(
    name: string,
    rights: {
      role: 'admin' | 'editor' | 'viewer'
      only?: readonly ('zines' | 'agents' | 'repositories' | 'holdings')[]
    },
  ): Promise<string> {
    if (!accounts.list().some((account) => account.name === name))
      await accounts.add({
        name,
        password: PASSWORD,
        role: rights.role,
        restrictedTo: rights.only ?? [],
      })
    return accounts.login(name, PASSWORD)
  }

  return {
    /** The origin that answers, like `http://127.0.0.1:41234`. */
    url: service.url,
    dataDir,
    tokens,
    accounts,
    /** Everything that it answers at, but for its health. */
    endpoints: service.endpoints,
    /** What it was started with besides the settings of all tests. */
    env: given,
    ...clientOf(service.url, tokens.admin),
    /** Stops the service and keeps its data directory, for a test that starts it again. */
    close: () => service.close(),
    /** Stops the service and removes its data. */
    async stop() {
      await service.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A process that only reads, over the store of a service and beside it. */
export async function startReaderProcess(
  writer: TestService,
  env: Readonly<Record<string, string>> = {},
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-reader-'))
  const given = { ...writer.env, WRITER: writer.url, DATA_DIR: dataDir, ...env }
  const service = await openService(readConfig({ ...settings, ...given }))
  return {
    url: service.url,
    dataDir,
    ...clientOf(service.url, writer.tokens.admin),
    async stop() {
      await service.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** @param admin the token of writes that name none */
function clientOf(url: string, admin: string) {
  async function ask(method: string, path: string, ask: Ask = {}): Promise<Answer> {
    const headers = new Headers(ask.headers)
    const write = !['GET', 'HEAD', 'OPTIONS'].includes(method)
    const token = ask.token === undefined && write ? admin : ask.token
    if (token) headers.set('authorization', `Token ${token}`)
    const body = ask.raw ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body))
    if (body !== undefined && !headers.has('content-type'))
      headers.set('content-type', 'application/json')
    const response = await fetch(url + path, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']> }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: asJson(text) }
  }

  return {
    ask,
    get: (path: string, options?: Ask) => ask('GET', path, options),
    post: (path: string, body: unknown, options?: Ask) => ask('POST', path, { body, ...options }),
    put: (path: string, body: unknown, options?: Ask) => ask('PUT', path, { body, ...options }),
    patch: (path: string, body: unknown, options?: Ask) => ask('PATCH', path, { body, ...options }),
    delete: (path: string, options?: Ask) => ask('DELETE', path, options),
  }
}

/** The service of a `describe` block: started before its tests, stopped after them. */
export function useService(
  env?: Readonly<Record<string, string>>,
  options?: StorageOptions,
): () => TestService {
  let service: TestService | undefined
  before(async () => {
    service = await startService(env, options)
  })
  after(() => service?.stop())
  return () => {
    if (!service) throw new Error('the service is started in a before hook')
    return service
  }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
