// The files of an import in the data directory: the source as it was sent, and its rows as they
// were decoded, one in each line.

import { createReadStream, createWriteStream } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { TooLargeError } from '../../errors.js'
import type { TextRemoval } from '../../model/text-removal.js'
import { syncDirectory } from '../../lib/durable-file.js'
import type { SourceRow } from '../../lib/sources/source.js'

/** The most bytes of a source. */
export const maxSourceBytes = 512 * 1024 * 1024

export class ImportFiles {
  readonly #root: string

  /** @param root the directory of all imports, which may not exist */
  constructor(root: string) {
    this.#root = root
  }

  source(id: string): string {
    return join(this.#directory(id), 'source')
  }

  /**
   * Saves the bytes of a source.
   * @returns their number
   * @throws TooLargeError
   */
  async saveSource(id: string, bytes: Readable): Promise<number> {
    await this.make(id)
    let count = 0
    const counter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        count += chunk.length
        if (count > maxSourceBytes) done(new TooLargeError('A source may have 512 MiB at most.'))
        else done(null, chunk)
      },
    })
    await pipeline(bytes, counter, createWriteStream(this.source(id), { mode: 0o600, flush: true }))
    return count
  }

  /** Writes decoded rows in place of those that were there. @returns their number */
  async saveRows(
    id: string,
    rows: AsyncIterable<SourceRow>,
    onRow: (count: number) => void,
  ): Promise<number> {
    let count = 0
    async function* lines(): AsyncGenerator<string> {
      for await (const row of rows) {
        count += 1
        onRow(count)
        yield `${JSON.stringify(row)}\n`
      }
    }
    await writeLines(this.#rowsFile(id), lines())
    return count
  }

  /** Whether the source is there: a restored backup has none. */
  hasSource(id: string): Promise<boolean> {
    return access(this.source(id)).then(
      () => true,
      () => false,
    )
  }

  /** Makes the directory of an import. @returns its identifier */
  async make(id: string): Promise<string> {
    await mkdir(this.#directory(id), { recursive: true, mode: 0o700 })
    return id
  }

  /** Opens the file of rows of a preview, in place of the one that was there. */
  async openPreview(id: string) {
    const file = await open(this.#previewFile(id), 'w', 0o600)
    let lines: string[] = []
    let written = Promise.resolve()
    const flush = (): void => {
      const text = lines.join('')
      lines = []
      written = written.then(() => file.writeFile(text))
      // `close` tells it.
      written.catch(() => undefined)
    }
    return {
      write(row: unknown): void {
        lines.push(`${JSON.stringify(row)}\n`)
        if (lines.length >= 1000) flush()
      },
      async close(): Promise<void> {
        flush()
        await written.finally(() => file.close())
      },
    }
  }

  previewLines(id: string): AsyncIterable<string> {
    return readLines(this.#previewFile(id))
  }

  /** The decoded rows in their order. */
  async *rows(id: string): AsyncGenerator<SourceRow> {
    for await (const line of readLines(this.#rowsFile(id)))
      // The cast: `saveRows` wrote it.
      yield JSON.parse(line) as SourceRow
  }

  async remove(id: string): Promise<void> {
    await rm(this.#directory(id), { recursive: true, force: true })
    // A restored backup has no files of imports.
    await syncDirectory(this.#root).catch(emptyIfAbsent)
  }

  /**
   * The identifiers of all imports that have files, also of those that nothing else is known of.
   */
  ids(): Promise<readonly string[]> {
    return readdir(this.#root).catch(emptyIfAbsent)
  }

  /**
   * Whether the files of an import have a text. It counts as there where nobody can say: a source
   * may be packed, or in any encoding, so it has no text only if all of its rows were decoded.
   */
  async mayHave(id: string, text: TextRemoval): Promise<boolean> {
    const names = await readdir(this.#directory(id)).catch(emptyIfAbsent)
    if (names.length === 0) return false
    if (names.some((name) => name.endsWith(unfinishedEnd)) || !names.includes('rows.jsonl'))
      return true
    for (const name of names)
      if (await fileHas(join(this.#directory(id), name), text).catch(falseIfAbsent)) return true
    return false
  }

  #directory(id: string): string {
    return join(this.#root, id)
  }

  #rowsFile(id: string): string {
    return join(this.#directory(id), 'rows.jsonl')
  }

  #previewFile(id: string): string {
    return join(this.#directory(id), 'preview.jsonl')
  }
}

/** The end of the name of a file that is being written. */
const unfinishedEnd = '.unfinished'

/**
 * The encodings of which a source may be: a text that stands in it as such is found, also if it was
 * decoded wrongly.
 */
const decodings: readonly ((bytes: Buffer) => string)[] = [
  (bytes) => bytes.toString('utf8'),
  (bytes) => bytes.toString('latin1'),
  (bytes) => bytes.toString('utf16le'),
  (bytes) =>
    Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString('utf16le'),
]

/** Reads a file in parts, of which each begins with the end of the one before. */
async function fileHas(path: string, text: TextRemoval): Promise<boolean> {
  // Even, so that characters of two bytes stay whole; and enough for a decomposed text that has
  // more space.
  const overlap = 1024 + 8 * text.length
  let end = Buffer.alloc(0)
  for await (const chunk of createReadStream(path, { highWaterMark: partBytes })) {
    // The cast: a stream without an encoding has buffers.
    const part = Buffer.concat([end, chunk as Buffer])
    if (decodings.some((decode) => text.isIn(decode(part)))) return true
    end = part.subarray(-overlap)
  }
  return false
}

const partBytes = 1024 * 1024

function emptyIfAbsent(error: NodeJS.ErrnoException): readonly string[] {
  if (error.code !== 'ENOENT') throw error
  return []
}

function falseIfAbsent(error: NodeJS.ErrnoException): false {
  if (error.code !== 'ENOENT') throw error
  return false
}

/** Writes a file that has its name when it is complete. Each text is a line, with its line end. */
async function writeLines(file: string, lines: AsyncIterable<string>): Promise<void> {
  const unfinished = file + unfinishedEnd
  await pipeline(Readable.from(lines), createWriteStream(unfinished, { mode: 0o600, flush: true }))
  await rename(unfinished, file)
}

/** The lines of a file, which is closed also when the reader ends before the last one. */
async function* readLines(file: string): AsyncGenerator<string> {
  const input = createReadStream(file)
  try {
    yield* createInterface({ input, crlfDelay: Infinity })
  } finally {
    input.destroy()
  }
}
