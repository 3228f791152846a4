// Looks for the bytes of texts, however they are written: in any spelling and encoding, escaped as in
// JSON, HTML and addresses, in large or small letters; in files also within what is packed in them, and
// in the compressed blocks of LevelDB's tables and the records of its logs.

import { createReadStream } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'

import { unpack } from './packed-files.js'
import { findCorruptBlock, readLog, readTable } from './key-value/leveldb-files.js'

/** A file has this many bytes read at a time. */
const partBytes = 1024 * 1024

export class TextTraces {
  readonly #pattern: RegExp
  /** So many bytes of one part are read again with the next one. */
  readonly #overlap: number

  /** @param texts each with at least one character that is no space */
  constructor(texts: readonly string[]) {
    const sources = texts.flatMap(writtenForms)
    this.#pattern = new RegExp([...new Set(sources)].join('|'), 'i')
    this.#overlap = 1024 + 2 * Math.max(...sources.map(({ length }) => length))
  }

  areIn(bytes: Uint8Array): boolean {
    return this.#pattern.test(Buffer.from(bytes).toString('latin1'))
  }

  /** Whether a stream has one, also where it is cut in two. */
  async areInStream(stream: AsyncIterable<Uint8Array>): Promise<boolean> {
    let end = Buffer.alloc(0)
    for await (const chunk of stream) {
      const part = Buffer.concat([end, chunk])
      if (this.areIn(part)) return true
      end = part.subarray(-this.#overlap)
    }
    return false
  }

  /** The files below a directory that have one in their content or their name, by their paths. */
  async *filesIn(directory: string): AsyncGenerator<string> {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true })
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name)
      const hasName = this.areIn(Buffer.from(entry.name))
      const isFound = hasName || (entry.isFile() && (await this.#areInFile(path)))
      if (isFound) yield relative(directory, path)
    }
  }

  async #areInFile(path: string): Promise<boolean> {
    try {
      // The cast: a stream without an encoding has buffers.
      const bytes = createReadStream(path, { highWaterMark: partBytes }) as AsyncIterable<Buffer>
      return (await this.areInStream(bytes)) || (await this.#areWithin(path))
    } catch (error) {
      // LevelDB removes files meanwhile.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    }
  }

  /** Whether what a file of LevelDB has packed or cut in its bytes has one. */
  async #areWithin(path: string): Promise<boolean> {
    if (/[/\\]\d+\.log$/.test(path))
      return readLog(await readFile(path)).records.some((record) => this.areIn(record))
    if (!/[/\\]\d+\.ldb$/.test(path)) return this.#areUnpacked(path)
    const table = await readFile(path)
    // One that is being made is not complete.
    if (findCorruptBlock(table) !== undefined) return false
    for (const { key, value } of readTable(table))
      if (this.areIn(value ? Buffer.concat([key, value]) : key)) return true
    return false
  }

  async #areUnpacked(path: string): Promise<boolean> {
    try {
      for await (const stream of unpack(path)) if (await this.areInStream(stream)) return true
    } catch {
      // One that is damaged or being made is not complete, and cannot be unpacked any further.
    }
    return false
  }
}

/** How a text may be written in bytes, each as the source of a regular expression over Latin-1. */
function writtenForms(text: string): readonly string[] {
  const words = text.normalize('NFC').trim().split(/\s+/)
  const spelled = caseChanges.flatMap((change) =>
    ['NFC', 'NFD'].map((form) => words.map((word) => change(word).normalize(form))),
  )
  return spelled.flatMap((spelledWords) => [
    ...escapes.map((escape) =>
      spelledWords.map((word) => literal(utf8(escape(word)))).join(anySpace),
    ),
    ...(/^[\0-\u00ff]*$/.test(spelledWords.join(''))
      ? [spelledWords.map((word) => literal(word)).join(anySpace)]
      : []),
    ...wideEncodings.flatMap((encode) =>
      [identity, escapes[1] ?? identity].map((escape) =>
        spelledWords
          .map((word) => literal(encode(escape(word))))
          .join(`(?:${wideSpaces(encode)})+`),
      ),
    ),
  ])
}

const identity = (text: string): string => text

/** The letters that ASCII does not have are compared as they are. */
const caseChanges: readonly ((word: string) => string)[] = [
  identity,
  (word) => word.toLowerCase(),
  (word) => word.toUpperCase(),
  (word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase(),
]

const escapeUnits = (text: string, toEscape: (unit: number) => string): string =>
  text.replace(/[^ -~]/g, (unit) => toEscape(unit.charCodeAt(0)))

const escapeCharacters = (text: string, toEscape: (code: number) => string): string =>
  text.replace(/[^ -~]|[&<>"']/gu, (character) => toEscape(character.codePointAt(0) ?? 0))

/** Plain, as in JSON in two ways, in addresses, and in HTML and XML in three ways. */
const escapes: readonly ((text: string) => string)[] = [
  identity,
  (text) => escapeUnits(text, (unit) => `\\u${unit.toString(16).padStart(4, '0')}`),
  (text) => JSON.stringify(text).slice(1, -1),
  encodeURIComponent,
  (text) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character),
  (text) => escapeCharacters(text, (code) => `&#${code};`),
  (text) => escapeCharacters(text, (code) => `&#x${code.toString(16)};`),
]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** What may stand between two words. */
const anySpace = String.raw`(?:\s|\\[nrt]|%20|%0a|\+|&nbsp;|&#160;|\u00c2\u00a0)+`

const latin1 = (bytes: Buffer): string => bytes.toString('latin1')

const utf8 = (text: string): string => latin1(Buffer.from(text))

const wideEncodings: readonly ((text: string) => string)[] = [
  (text) => latin1(Buffer.from(text, 'utf16le')),
  (text) => latin1(Buffer.from(text, 'utf16le').swap16()),
]

const wideSpaces = (encode: (text: string) => string): string =>
  [' ', '\n', '\r', '\t', '\u00a0'].map((space) => literal(encode(space))).join('|')

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
