// The log on standard output: on a terminal lines for people, elsewhere one JSON object per line.

import { type Logger, destination, pino, stdSerializers } from 'pino'

import type { Config } from './config.js'

type Output = { readonly isTTY?: boolean; write(text: string): unknown }

export function createLog(level: Config['logLevel'], output: Output = process.stdout): Logger {
  if (output.isTTY)
    return pino(
      { level, serializers: { err: serializeError } },
      { write: (line) => output.write(`${formatLine(line)}\n`) },
    )
  // Lines are buffered and written at most ten times a second, because one write per line costs a
  // third of the time of a request. When the process ends, the rest is written.
  return pino(
    { level, serializers: { err: serializeError } },
    destination({ sync: false, minLength: 4096, periodicFlush: 100 }),
  )
}

/**
 * The logged members of an error. Others are left out, since libraries may add a request's body.
 */
function serializeError(error: Error): object {
  const { type, message, stack, code } = stdSerializers.err(error)
  return { type, message, stack, ...(code === undefined ? {} : { code: code as unknown }) }
}

type LogLine = {
  readonly level: number
  readonly time: number
  readonly msg?: string
  readonly err?: { readonly message?: string; readonly stack?: string }
  readonly [member: string]: unknown
}

/** A line of the log as text: time, level unless it is `info`, message, request or error. */
export function formatLine(json: string): string {
  // The cast: pino wrote the line.
  const line = JSON.parse(json) as LogLine
  const { level, time, msg, err } = line
  const label = level === pino.levels.values.info ? '' : (pino.levels.labels[level] ?? '')
  const text = 'status' in line ? formatRequest(line) : msg
  return [new Date(time).toTimeString().slice(0, 8), label.toUpperCase(), text, err?.stack]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
}

/** The members of an access log entry (src/http/middleware/access-log.ts) that help at a glance. */
function formatRequest({ method, path, status, milliseconds, account }: LogLine): string {
  const time = typeof milliseconds === 'number' ? `${milliseconds.toFixed(1)} ms` : undefined
  // Clients choose the path, and control characters could change the terminal.
  return [method, path, status, time, account]
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join(' ')
    .replace(/\p{Cc}/gu, '?')
}
