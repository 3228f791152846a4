// Files for the tests of sources: each test writes its own, in a folder that is removed at the end.

import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { macintosh, windows1252 } from '../../../src/lib/sources/tables/encodings.js'
import { readRows } from '../../../src/lib/sources/read-rows.js'
import { recognizeSource } from '../../../src/lib/sources/recognize.js'
import type { RecognizedSource, SourceOptions, SourceRow } from '../../../src/lib/sources/source.js'

const folder = await mkdtemp(join(tmpdir(), 'sources-'))
let count = 0

// Not after the tests of one file: a process runs several.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

export const newPath = (ending: string): string => join(folder, `${(count += 1)}.${ending}`)

export async function writeSource(ending: string, content: string | Buffer): Promise<string> {
  const path = newPath(ending)
  await writeFile(path, content)
  return path
}

export const recognize = (path: string, options: SourceOptions = {}): Promise<RecognizedSource> =>
  recognizeSource({ path, name: path }, options)

/** The rows of a file as it is recognized. */
export async function rowsOf(path: string, options: SourceOptions = {}): Promise<SourceRow[]> {
  const recognized = await recognize(path, options)
  const rows: SourceRow[] = []
  for await (const row of readRows(path, recognized.options)) rows.push(row)
  return rows
}

/** The texts of a row by the names of its fields; several parts are joined. */
export const textsOf = (row: SourceRow | undefined): Record<string, string> =>
  Object.fromEntries(
    (row?.fields ?? []).map(({ name, parts }) => [name, parts.map(({ text }) => text).join(' ')]),
  )

/** The rows of a text that is written to a file. */
export const rowsOfText = async (
  ending: string,
  content: string | Buffer,
  options: SourceOptions = {},
): Promise<SourceRow[]> => rowsOf(await writeSource(ending, content), options)

const upperHalves = { 'windows-1252': windows1252, macintosh }

/** A text in an encoding of one byte for each character. */
export function encode(text: string, encoding: keyof typeof upperHalves): Buffer {
  return Buffer.from(
    Array.from(text, (character) => {
      const code = character.charCodeAt(0)
      return code < 0x80 ? code : 0x80 + upperHalves[encoding].indexOf(character)
    }),
  )
}

/** UTF-8 that is read as if it were another encoding. */
export const misread = (text: string, encoding: keyof typeof upperHalves): string =>
  Array.from(Buffer.from(text), (byte) =>
    byte < 0x80 ? String.fromCharCode(byte) : upperHalves[encoding][byte - 0x80],
  ).join('')
