// The log: one JSON object per line on standard output.

import { type Logger, destination, pino, stdSerializers } from 'pino'

import type { Config } from './config.js'

export function createLog(level: Config['logLevel']): Logger {
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
