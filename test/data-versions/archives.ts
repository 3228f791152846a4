// The data directories of earlier releases, and what is expected of each. make.ts makes them.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { expect } from 'chai'

import { openKeyValueStore } from '../../src/lib/key-value/key-value-store.js'
import { currentVersion, versionText } from '../../src/store/key-value/data-version.js'
import { type Client, clientAt } from '../faults/client.js'
import type { Expected } from './make.js'

const archives = 'test/data-versions'

/** The commits of the releases. */
export const releases = readdirSync(archives).flatMap(
  (name) => /^(.+)\.tar\.gz$/.exec(name)?.[1] ?? [],
)

/** The name of the copy that an upgrade makes. */
export const upgradeBackup = `backup-before-${versionText(currentVersion)}`

/** Unpacks the data directory of a release into an empty directory. */
export function unpack(
  release: string,
  directory: string,
): { readonly dataDir: string; readonly expected: Expected } {
  const archive = join(archives, `${release}.tar.gz`)
  const { status } = spawnSync('tar', ['-xzf', archive, '-C', directory], { stdio: 'inherit' })
  expect(status).to.equal(0)
  // The cast: make.ts wrote it.
  const expected = JSON.parse(readFileSync(join(directory, 'expected.json'), 'utf8')) as Expected
  return { dataDir: join(directory, 'data'), expected }
}

/** All entries of a store that nobody has open. */
export async function entriesOf(store: string): Promise<ReadonlyMap<string, string>> {
  const opened = await openKeyValueStore(store)
  try {
    const entries = new Map<string, string>()
    for await (const [key, value] of opened.entries('')) entries.set(key, value)
    return entries
  } finally {
    await opened.close()
  }
}

/** Asks for everything that the release answered, with its token. @returns a client that logged in */
export async function expectAnswers(
  url: string,
  { token, answers, redirects, images }: Expected,
): Promise<Client> {
  const headers = { authorization: `Token ${token}` }
  for (const [path, answer] of Object.entries(answers)) {
    const response = await fetch(url + path, { headers })
    expect(response.status, path).to.equal(200)
    expectKept(JSON.parse((await response.text()).replaceAll(url, '')), answer, path)
  }
  for (const [path, to] of Object.entries(redirects)) {
    const { status, headers: answered } = await fetch(url + path, { redirect: 'manual' })
    expect([status, answered.get('location')], path).to.deep.equal([301, url + to])
  }
  for (const [path, hash] of Object.entries(images)) {
    const bytes = new Uint8Array(await (await fetch(url + path)).arrayBuffer())
    expect(createHash('sha256').update(bytes).digest('hex'), path).to.equal(hash)
  }
  return clientAt(url)
}

/** Every member is there as it was; a later release may add members. */
function expectKept(actual: any, expected: any, path: string): void {
  if (expected === null || typeof expected !== 'object') {
    expect(actual, path).to.equal(expected)
    return
  }
  expect(actual, path).to.be.an(Array.isArray(expected) ? 'array' : 'object')
  if (Array.isArray(expected)) expect(actual, path).to.have.lengthOf(expected.length)
  for (const [name, value] of Object.entries(expected))
    expectKept(actual[name], value, `${path} ${name}`)
}
