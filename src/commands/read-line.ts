// The first line of a stream: a password on standard input, a request or an answer on a socket.

/** The line cannot be taken: it is too long, or not UTF-8. */
export class LineError extends Error {}

/**
 * Reads up to the first line end, which is left off, or to the end of the stream. What follows is
 * not read, and the stream is left open and paused.
 * @throws LineRefused
 */
export function readLine(stream: NodeJS.ReadableStream, maxBytes: number): Promise<string> {
  return new Promise((done, failed) => {
    const chunks: Buffer[] = []
    let size = 0

    function take(chunk: Buffer | string): void {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      const end = bytes.indexOf('\n')
      const part = end < 0 ? bytes : bytes.subarray(0, end)
      chunks.push(part)
      size += part.length
      if (end >= 0 || size > maxBytes) finish()
    }

    function finish(): void {
      leave()
      try {
        done(lineOf(Buffer.concat(chunks), maxBytes))
      } catch (error) {
        fail(error as Error)
      }
    }

    function fail(error: Error): void {
      leave()
      failed(error)
    }

    function cut(): void {
      fail(new Error('the stream was closed before its line was there'))
    }

    function leave(): void {
      stream.off('data', take).off('end', finish).off('error', fail).off('close', cut)
      stream.pause()
    }

    stream.on('data', take).on('end', finish).on('error', fail).on('close', cut)
  })
}

function lineOf(bytes: Buffer, maxBytes: number): string {
  if (bytes.length > maxBytes) throw new LineError(`it is longer than ${maxBytes} bytes`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r$/, '')
  } catch (cause) {
    throw new LineError('it is not UTF-8', { cause })
  }
}
