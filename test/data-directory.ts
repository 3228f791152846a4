// Looks for a text in all that a data directory has: in every file as it is, in the records of LevelDB's logs, within
// the compressed blocks of its tables, and in files without a name that this process has open there.

import { readFile, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'

import { findCorruptBlock, readLog, readTable } from '../src/lib/key-value/leveldb-files.js'

/** The files that have a text, in any spelling and encoding, in large or small letters; sorted. */
export async function placesOf(directory: string, text: string): Promise<string[]> {
  const wanted = spellingsOf(text)
  const places: string[] = []
  for (const path of [...(await namedFiles(directory)), ...(await namelessFiles(directory))])
    // LevelDB removes files meanwhile.
    for (const content of contentsOf(path, await readFile(path).catch(() => Buffer.alloc(0))))
      if (wanted.some((bytes) => content.includes(bytes))) {
        places.push(path)
        break
      }
  return places.sort()
}

/** The bytes of a text as they may stand in a file: composed and decomposed, in four encodings, and escaped as in JSON. */
function spellingsOf(text: string): readonly string[] {
  const spelled = ['NFC', 'NFD'].map((form) => text.normalize(form))
  const written = spelled.flatMap((one) => [
    one,
    JSON.stringify(one).slice(1, -1),
    one.replace(/[^ -~]/g, escapeUnit),
  ])
  const encoded = written.flatMap((one) => [
    Buffer.from(one, 'utf8'),
    ...(/^[\0-\u00ff]*$/.test(one) ? [Buffer.from(one, 'latin1')] : []),
    Buffer.from(one, 'utf16le'),
    Buffer.from(one, 'utf16le').swap16(),
  ])
  return [...new Set(encoded.map(lowerCase))]
}

const escapeUnit = (unit: string): string =>
  `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Each byte as one character. */
const lowerCase = (bytes: Buffer): string => bytes.toString('latin1').toLowerCase()

/** What a file says: its bytes, and what is packed in them. */
function* contentsOf(path: string, bytes: Buffer): Generator<string> {
  yield lowerCase(bytes)
  // The parts of a record are joined, which the file splits at the end of a block.
  if (/\/\d+\.log$/.test(path)) yield* readLog(bytes).records.map(lowerCase)
  // One that is being made is not complete.
  if (/\/\d+\.ldb$/.test(path) && findCorruptBlock(bytes) === undefined)
    for (const { key, value } of readTable(bytes))
      yield lowerCase(Buffer.concat([key, value ?? Buffer.alloc(0)]))
}

async function namedFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Linux shows them in /proc. */
async function namelessFiles(directory: string): Promise<string[]> {
  const paths: string[] = []
  for (const descriptor of await readdir('/proc/self/fd').catch(() => [])) {
    const path = `/proc/self/fd/${descriptor}`
    const target = await readlink(path).catch(() => '')
    if (target.startsWith(directory) && target.endsWith('(deleted)')) paths.push(path)
  }
  return paths
}
