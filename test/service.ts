// Starts a service in the process of the tests, on a free port, with a temporary data directory and an
// account for each role. Tests talk to it over HTTP. A service in its own process: process.ts.

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
  /** A token, or null for no credentials. Without it, writes have the administrator's token. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** The base URL in every test. It differs from the service's own address, as behind a proxy. */
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
const testOptions: StorageOptions = TEST_VALIDATION === 'shacl' ? { validation: 'shacl' } : {}

// A SPARQL worker takes half a second to start, so tests that need one set SPARQL_WORKERS.
const settings = { PORT: '0', BASE_URL, LOG_LEVEL: 'silent', SPARQL_WORKERS: '0' }

export type TestService = Awaited<ReturnType<typeof startService>>

/** Starts a service; `env` adds to the default settings or replaces them. */
export async function startService(
  env: Readonly<Record<string, string>> = {},
  options: StorageOptions = {},
) {
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'zine-catalogue-')))
  const testSettings = { ...listSettings, ...(await storeFor(dataDir)), ...env, DATA_DIR: dataDir }
  const config = readConfig({ ...settings, ...testSettings })
  // A low cost of password hashes keeps the tests fast; the default cost has its own test.
  const service = await openService(config, { passwordCost: 2 ** 10, ...testOptions, ...options })
  const { accounts } = service

  const tokens = {
    admin: await accountToken('admin', { role: 'admin' }),
    editor: await accountToken('editor', { role: 'editor' }),
    viewer: await accountToken('viewer', { role: 'viewer' }),
    zinesEditor: await accountToken('zines-editor', { role: 'editor', restrictedTo: ['zines'] }),
  }

  async function accountToken(
    name: string,
    rights: {
      role: 'admin' | 'editor' | 'viewer'
      restrictedTo?: readonly ('zines' | 'agents' | 'repositories' | 'holdings')[]
    },
  ): Promise<string> {
    if (!accounts.list().some((account) => account.name === name))
      await accounts.add({
        name,
        password: PASSWORD,
        role: rights.role,
        restrictedTo: rights.restrictedTo ?? [],
      })
    return accounts.login(name, PASSWORD)
  }

  return {
    /** The origin that answers, like `http://127.0.0.1:41234`. */
    url: service.url,
    dataDir,
    tokens,
    accounts,
    /** All endpoints except those of health and metrics. */
    endpoints: service.endpoints,
    /** The settings beside those of all tests. */
    env: testSettings,
    ...createClient(service.url, tokens.admin),
    /** Stops the service and keeps its data, so that it can be started again. */
    close: () => service.close(),
    /** Stops the service and removes its data. */
    async stop() {
      await service.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Starts a service that only reads, with the remote store of another service, which writes. */
export async function startReaderProcess(
  writer: TestService,
  env: Readonly<Record<string, string>> = {},
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-reader-'))
  const testSettings = { ...writer.env, WRITER: writer.url, DATA_DIR: dataDir, ...env }
  const service = await openService(readConfig({ ...settings, ...testSettings }))
  return {
    url: service.url,
    ...createClient(service.url, writer.tokens.admin),
    async stop() {
      await service.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** @param adminToken for writes without another token */
function createClient(url: string, adminToken: string) {
  async function ask(method: string, path: string, ask: Ask = {}): Promise<Answer> {
    const headers = new Headers(ask.headers)
    const isWrite = !['GET', 'HEAD', 'OPTIONS'].includes(method)
    const token = ask.token === undefined && isWrite ? adminToken : ask.token
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
