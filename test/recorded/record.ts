// `npm run record`: asks a service with a fixed collection, clock and random bytes for everything that it answers, and
// keeps the answers (CONTRIBUTING.md, "Recorded answers").

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { BASE_URL, PASSWORD } from '../service.js'
import { createAsk } from './client.js'
import { fillCollection } from './collection.js'
import { differences, openRecording } from './recording.js'
import { requestAll } from './requests.js'

const admin = 'admin'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { compare: { type: 'string' } },
})
const [directory = 'recorded/now'] = positionals
await record(directory)
if (values.compare !== undefined) process.exitCode = await compare(values.compare, directory)

async function record(directory: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
  const recording = await openRecording(directory)
  const service = await startService(dataDir)
  try {
    const ask = createAsk(service.url, recording, { authorization: await tokenOf(service.url) })
    await requestAll(ask, await fillCollection(ask, admin))
  } finally {
    await service.stop()
    await recording.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function startService(dataDir: string) {
  await mkdir(join(dataDir, 'site'))
  await writeFile(join(dataDir, 'site', 'about.md'), '# About\n\nA recorded catalogue.\n')
  const child = spawn(
    process.execPath,
    ['--import', new URL('fixed.js', import.meta.url).href, 'build/src/main.js'],
    {
      env: {
        PORT: '0',
        BASE_URL,
        DATA_DIR: dataDir,
        ADMIN_USERNAME: admin,
        ADMIN_PASSWORD: PASSWORD,
        SPARQL_WORKERS: '1',
        WEBHOOKS: 'on',
        IMPORT_HOSTS: '127.0.0.1',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const listening = /listening at (http:\/\/[^,"]+)/.exec(text)?.[1]
      if (listening) resolve(listening)
    })
    child.on('exit', () => reject(new Error('the service ended')))
  })
  return {
    url,
    async stop(): Promise<void> {
      const ended = once(child, 'exit')
      if (child.kill()) await ended
    },
  }
}

/** The value of the administrator's Authorization header. */
async function tokenOf(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: admin, password: PASSWORD }),
  })
  // The cast: the service answers so, or nothing is recorded.
  return `Token ${((await answer.json()) as { token: string }).token}`
}

/** Prints what differs. @returns the exit code */
async function compare(before: string, after: string): Promise<0 | 1> {
  let count = 0
  for await (const difference of differences(before, after)) {
    if (count++ < 50) process.stdout.write(`${difference}\n`)
  }
  process.stdout.write(`${count} answers differ\n`)
  return count === 0 ? 0 : 1
}
