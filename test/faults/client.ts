// Shared by the tests of faults: an administrator's client of a service that may end at any moment,
// and a check whether a system program is installed.

import { spawnSync } from 'node:child_process'

import { expect } from 'chai'

import { agent, repository } from '../examples.js'
import { adminSettings, tokenAt } from '../process.js'

export type Answer = {
  readonly status: number
  readonly headers: Headers
  /** The body as JSON; undefined when it is not JSON. */
  readonly body: any
}

export type Client = Awaited<ReturnType<typeof clientAt>>

/**
 * The settings of a service for these tests: no thread that is not asked, no log but of what fails.
 */
export const settingsOf = (directory: string) => ({
  DATA_DIR: directory,
  SPARQL_WORKERS: '0',
  ...adminSettings,
})

/** Asks as the administrator. It fails as `fetch` does where there is no answer. */
export async function clientAt(url: string) {
  const token = await tokenAt(url)

  async function ask(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: asJson(text) }
  }

  return {
    url,
    token,
    ask,
    get: (path: string) => ask('GET', path),
    post: (resource: string, record: object) => ask('POST', `/api/${resource}/`, record),
    /** Makes what other records refer to. */
    async prepare(): Promise<void> {
      expect((await ask('POST', '/api/agents/', agent('maker'))).status).to.equal(201)
      expect((await ask('POST', '/api/repositories/', repository('library'))).status).to.equal(201)
    },
  }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a program is installed and does what is asked of it here. */
export const canRun = (program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0
