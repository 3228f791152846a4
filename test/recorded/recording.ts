// A recording is a directory: `answers.jsonl` with a line for each answer, and `bodies/` with each body once, by its hash.

import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
  readonly body: Buffer
}

type Line = Pick<Answer, 'status' | 'headers'> & {
  /** Who asked for what. */
  readonly key: string
  /** The name of a file in `bodies/`. */
  readonly body: string
}

export type Recording = Awaited<ReturnType<typeof openRecording>>

/** Replaces a recording that is there. */
export async function openRecording(directory: string) {
  await rm(directory, { recursive: true, force: true })
  await mkdir(join(directory, 'bodies'), { recursive: true })
  const answers = createWriteStream(join(directory, 'answers.jsonl'))
  const times = new Map<string, number>()
  const bodies = new Set<string>()

  return {
    /** Numbers requests that are the same. */
    newKey(request: string): string {
      const time = (times.get(request) ?? 0) + 1
      times.set(request, time)
      return time === 1 ? request : `${request} (${time})`
    },
    async add(key: string, { status, headers, body }: Answer): Promise<void> {
      const line: Line = { key, status, headers, body: hashOf(body) }
      answers.write(`${JSON.stringify(line)}\n`)
      if (bodies.has(line.body)) return
      bodies.add(line.body)
      await writeFile(bodyFile(directory, line), body)
    },
    async close(): Promise<void> {
      answers.end()
      await finished(answers)
    },
  }
}

export const hashOf = (text: string | Buffer): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 20)

const bodyFile = (directory: string, { body }: Line): string => join(directory, 'bodies', body)

/** A paragraph for each answer that is not the same in two recordings. */
export async function* differences(before: string, after: string): AsyncGenerator<string> {
  const [old, now] = [await readLines(before), await readLines(after)]
  for (const key of old.keys()) if (!now.has(key)) yield `${key}\n  was asked only in ${before}`
  for (const [key, line] of now) {
    const oldLine = old.get(key)
    if (!oldLine) yield `${key}\n  was asked only in ${after}`
    else {
      const changes = [
        ...headChanges(oldLine, line),
        ...(await bodyChanges(bodyFile(before, oldLine), bodyFile(after, line))),
      ]
      if (changes.length > 0) yield [key, ...changes].join('\n  ')
    }
  }
}

async function readLines(directory: string): Promise<ReadonlyMap<string, Line>> {
  const text = await readFile(join(directory, 'answers.jsonl'), 'utf8')
  // The cast: openRecording wrote them.
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  return new Map(lines.map((line) => [line.key, line]))
}

function headChanges(before: Line, after: Line): string[] {
  const [old, now] = [before, after].map(
    ({ status, headers }) =>
      new Map(Object.entries({ status, ...headers }).map(([name, value]) => [name, String(value)])),
  )
  if (!old || !now) return []
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((name) => old.get(name) !== now.get(name))
    .map((name) => `${name}: ${old.get(name) ?? 'none'} => ${now.get(name) ?? 'none'}`)
}

/** Where two bodies begin to differ. */
async function bodyChanges(before: string, after: string): Promise<string[]> {
  const [old, now] = [await readFile(before, 'latin1'), await readFile(after, 'latin1')]
  if (old === now) return []
  let at = 0
  while (old[at] === now[at]) at++
  const part = (text: string): string =>
    JSON.stringify(Buffer.from(text.slice(Math.max(0, at - 60), at + 60), 'latin1').toString())
  return [`the body differs at ${at}: ${before}`, part(old), after, part(now)]
}
