// The processes that are measured: the service, with a probe inside, and the reference.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import type { Probed } from './probe.js'

const built = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export type Running = {
  readonly url: string
  /** The seconds until it answered. */
  readonly started: number
  /** Fails when the process ends. */
  readonly ended: Promise<never>
  /** What the probe has to say since it was asked last. */
  probe(): Promise<Probed>
  end(): Promise<void>
}

export type Service = Running & { readonly token: string }

type How = {
  /** The directory for a CPU profile of the process, if one is wanted. */
  readonly profile?: string | undefined
  /** Whether the probe collects all garbage before it says what is held. */
  readonly isCollecting?: boolean
  readonly env: Readonly<Record<string, string>>
}

export const admin = { username: 'admin', password: 'a long pass phrase' }

/** The service as a user would start it, with a token of its administrator's. */
export async function startService(dataDir: string, how: How): Promise<Service> {
  const env = {
    DATA_DIR: dataDir,
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: admin.password,
    SPARQL_WORKERS: '1',
    ...how.env,
  }
  const running = await start('../src/main.js', { ...how, env })
  const answer = await fetch(`${running.url}/api/auth/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  const { token } = (await answer.json()) as { token: string }
  // While the replica loads it takes a processor of two.
  while ((await fetch(`${running.url}/sparql?query=ASK%7B%7D`)).status !== 200) await sleep(500)
  return { ...running, token }
}

/** @param answer what it answers to every GET */
export const startReference = (dataDir: string, answer: string, profile?: string) =>
  start('reference.js', { profile, env: { DATA_DIR: dataDir, ANSWER: answer } })

async function start(program: string, { profile, isCollecting, env }: How): Promise<Running> {
  const before = performance.now()
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const options = [
    ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]),
    ...(isCollecting ? ['--expose-gc'] : []),
  ]
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(
    process.execPath,
    [...options, '--import', built('probe.js'), built(program)],
    {
      env: { PATH, HOME, PORT: port, ...env },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  )
  const closed = once(child, 'close')
  const ended = closed.then(([code]) => {
    throw new Error(`the process ended with ${String(code)}`)
  })
  ended.catch(() => undefined)
  if (child.stdout) showErrors(child.stdout)
  await Promise.race([answering(url), ended])
  const started = (performance.now() - before) / 1000
  return {
    url,
    started,
    ended,
    async probe() {
      const told = once(child, 'message') as Promise<[Probed]>
      child.send('probe')
      return (await told)[0]
    },
    async end() {
      child.kill('SIGTERM')
      await closed
    },
  }
}

/** Reads a log to its end, and passes on what it says of errors. */
function showErrors(log: Readable): void {
  createInterface(log).on('line', (line) => {
    if (/"level":[56]0/.test(line)) console.error(line)
  })
}

/** Waits until the process says that it is well. */
async function answering(url: string): Promise<void> {
  while (!(await fetch(`${url}/healthz`).catch(() => ({ ok: false }))).ok) await sleep(50)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
