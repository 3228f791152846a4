// Runs the program as a separate process, for tests of signals, exit codes, the command line, and what is
// left after a kill. A service in the test's own process: service.ts.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const program = resolve('build/src/main.js')

export type Environment = Readonly<Record<string, string>>

export type Run = { readonly code: number | null; readonly out: string; readonly err: string }

/** Gives a temporary directory, which is removed when the work is done. */
export async function withDirectory<Result>(
  work: (directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
  try {
    return await work(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Runs the program to its end. */
export async function run(
  args: readonly string[],
  env: Environment,
  input = '',
  wrapper: readonly string[] = [],
): Promise<Run> {
  const child = start(args, env, wrapper)
  const [out, err] = [collectText(child.stdout), collectText(child.stderr)]
  child.stdin?.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out: out(), err: err() }
}

/** How the process ended, and what it wrote. */
export type End = Run & { readonly signal: NodeJS.Signals | null }

/** A service in a process of its own. */
export type Served = Awaited<ReturnType<typeof serve>>

/**
 * Starts the service on a free port and waits until it listens.
 * @param wrapper a command that runs the program, such as one that makes its system calls fail
 * @param main the program, where it is another one than that of this checkout
 */
export async function serve(
  env: Environment,
  wrapper: readonly string[] = [],
  main: string = program,
) {
  const child = start([], { PORT: '0', BASE_URL: 'https://zines.example', ...env }, wrapper, main)
  const [out, err] = [collectText(child.stdout), collectText(child.stderr)]
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const listening = /listening at (http:\/\/[^,"]+)/.exec(out())?.[1]
      if (listening) resolve(listening)
    })
    void ended.then(() => reject(new Error(`the service ended: ${err()}`)))
  })
  const end = ended.then(([code, signal]): End => ({ code, signal, out: out(), err: err() }))
  return {
    url,
    pid: child.pid ?? 0,
    /** What it has written to standard output so far. */
    out,
    /** Resolves when the process ends, for any reason. */
    ended: end,
    /** Sends a signal and waits for the end of the process. */
    end(signal: NodeJS.Signals): Promise<End> {
      child.kill(signal)
      return end
    },
  }
}

/** The settings that add an administrator. */
export const adminSettings = { ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'correct horse' }

/** The administrator's token. */
export async function tokenAt(url: string, password = 'correct horse'): Promise<string> {
  const response = await fetch(`${url}/api/auth/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  return ((await response.json()) as { token: string }).token
}

// A failed test must leave no process behind.
const running = new Set<ChildProcess>()

after(() => {
  for (const child of running) child.kill('SIGKILL')
})

function start(
  args: readonly string[],
  env: Environment,
  wrapper: readonly string[],
  main: string = program,
): ChildProcess {
  // Settings in the environment of the tests must not reach the service.
  const { PATH = '', HOME = '' } = process.env
  const [command = '', ...rest] = [...wrapper, process.execPath, main, ...args]
  const child = spawn(command, rest, { env: { PATH, HOME, ...env } })
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

function collectText(stream: NodeJS.ReadableStream | null): () => string {
  let text = ''
  stream?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  return () => text
}
