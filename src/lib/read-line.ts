// Reads the first line of a stream: a password on standard input, or a request or a response on a
// socket.

import { ExpectedError } from '../errors.js'

/**
 * The text up to the first line end, or up to the end of the stream. What follows is not read; the
 * stream stays open and paused.
 * @throws ExpectedError, and the error of the stream
 */
export function readLine(stream: NodeJS.ReadableStream, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0

    function onData(chunk: Buffer | string): void {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      const end = bytes.indexOf('\n')
      const part = end < 0 ? bytes : bytes.subarray(0, end)
      chunks.push(part)
      size += part.length
      if (end >= 0 || size > maxBytes) onEnd()
    }

    function onEnd(): void {
      detach()
      try {
        resolve(decodeLine(Buffer.concat(chunks), maxBytes))
      } catch (error) {
        onError(error as Error)
      }
    }

    function onError(error: Error): void {
      detach()
      reject(error)
    }

    function onClose(): void {
      onError(new Error('the stream was closed before its line was complete'))
    }

    function detach(): void {
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose)
      stream.pause()
    }

    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose)
  })
}

function decodeLine(bytes: Buffer, maxBytes: number): string {
  if (bytes.length > maxBytes) throw new ExpectedError(`it is longer than ${maxBytes} bytes`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r$/, '')
  } catch (cause) {
    throw new ExpectedError('it is not UTF-8', { cause })
  }
}
