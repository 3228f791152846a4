// Starts the processes that are measured, the service and the reference, each with a probe (probe.ts).

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import type { ProbeSample } from './probe.js'

const built = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export type MeasuredProcess = {
  readonly url: string
  /** The seconds until it responded. */
  readonly started: number
  /** Rejects when the process ends. */
  readonly ended: Promise<never>
  /** What the probe measured since the last call. */
  probe(): Promise<ProbeSample>
  end(): Promise<void>
}

export type Service = MeasuredProcess & { readonly token: string }

type StartOptions = {
  /** The directory for a CPU profile of the process, if one is wanted. */
  readonly profile?: string | undefined
  /** The program; that of this build, unless given. */
  readonly program?: string
  /** A file of this directory that is loaded before the program. */
  readonly preload?: string
  /** Whether the probe collects all garbage before it measures. */
  readonly isCollecting?: boolean
  /** A command that starts the one that follows it, such as one that limits what it may use. */
  readonly within?: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export const admin = { username: 'admin', password: 'a long pass phrase' }

/** Starts the service as a user would, and logs in as its administrator. */
export async function startService(dataDir: string, options: StartOptions): Promise<Service> {
  const env = {
    DATA_DIR: dataDir,
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: admin.password,
    SPARQL_WORKERS: '1',
    ...options.env,
  }
  const { program = built('../src/main.js') } = options
  const started = await start(program, { ...options, env })
  const response = await fetch(`${started.url}/api/auth/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  const { token } = (await response.json()) as { token: string }
  // What is filled after the start takes some of the two processors.
  while ((await fetch(`${started.url}/sparql?query=ASK%7B%7D`)).status !== 200) await sleep(500)
  return { ...started, token }
}

/** @param sizes the sizes of the bodies that it responds with, in turn */
export const startReference = (dataDir: string, sizes: readonly number[], profile?: string) =>
  start(built('reference.js'), {
    profile,
    env: { DATA_DIR: dataDir, RESPONSE_SIZES: sizes.join(',') },
  })

async function start(
  program: string,
  { profile, preload, isCollecting, within = [], env }: StartOptions,
): Promise<MeasuredProcess> {
  const before = performance.now()
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const options = [
    ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]),
    ...(isCollecting ? ['--expose-gc'] : []),
    ...(preload === undefined ? [] : ['--import', built(preload)]),
  ]
  const { PATH = '', HOME = '' } = process.env
  const commandLine = [
    ...within,
    process.execPath,
    ...options,
    '--import',
    built('probe.js'),
    program,
  ]
  const [command = process.execPath, ...rest] = commandLine
  const child = spawn(command, rest, {
    env: { PATH, HOME, PORT: port, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const closed = once(child, 'close')
  const ended = closed.then(([code, signal]) => {
    throw new Error(`the process ended with ${String(code ?? signal)}`)
  })
  ended.catch(() => undefined)
  if (child.stdout) showErrors(child.stdout)
  await untilHealthy(url, ended)
  const started = (performance.now() - before) / 1000
  return {
    url,
    started,
    ended,
    async probe() {
      const message = once(child, 'message') as Promise<[ProbeSample]>
      child.send('probe')
      return (await message)[0]
    },
    async end() {
      child.kill('SIGTERM')
      await closed
    },
  }
}

/** Reads a log and prints its errors. */
function showErrors(log: Readable): void {
  createInterface(log).on('line', (line) => {
    if (/"level":[56]0/.test(line)) console.error(line)
  })
}

/** @throws what `ended` rejects with, if the process ends before */
async function untilHealthy(url: string, ended: Promise<never>): Promise<void> {
  while (!(await fetch(`${url}/healthz`).catch(() => ({ ok: false }))).ok)
    await Promise.race([sleep(50), ended])
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
