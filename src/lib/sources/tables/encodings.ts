// Encodings of text: finds out which one a file has, and decodes it in pieces. MARC-8 is in
// marc8.ts.

import { createReadStream } from 'node:fs'

import { InvalidError } from '../../../errors.js'

/** The characters of the bytes from 0x80 on. */
type UpperHalf = string

/**
 * Windows-1252, which includes the characters of Latin-1. The five bytes that it leaves open are
 * control characters, as in Latin-1. The TextDecoder of Node 20 has faults in this encoding.
 */
export const windows1252: UpperHalf =
  '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ' +
  Array.from({ length: 96 }, (_, index) => String.fromCharCode(0xa0 + index)).join('')

export const macintosh: UpperHalf =
  'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø' +
  '¿¡¬√ƒ≈∆«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uf8ffÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ'

const upperHalves: ReadonlyMap<string, UpperHalf> = new Map([
  ['windows-1252', windows1252],
  ['macintosh', macintosh],
])

/** What people call the encodings that are recognized. */
const titles: ReadonlyMap<string, string> = new Map([
  ['utf-8', 'UTF-8'],
  ['utf-16le', 'UTF-16 LE'],
  ['utf-16be', 'UTF-16 BE'],
  ['windows-1252', 'Windows-1252 (Latin-1)'],
  ['macintosh', 'MacRoman'],
  ['marc-8', 'MARC-8'],
])

export const encodingTitle = (encoding: string): string => titles.get(encoding) ?? encoding

/** Decodes pieces of a text; `end` gives what is left. */
type PieceDecoder = {
  decode(bytes: Buffer): string
  end(): string
}

/** The name of an encoding under which it is known here, such as `windows-1252` for `Latin1`. */
export function encodingName(encoding: string): string {
  const name = encoding.trim().toLowerCase()
  if (['latin1', 'latin-1', 'iso-8859-1', 'cp1252', 'ascii', 'us-ascii'].includes(name))
    return 'windows-1252'
  if (['macroman', 'mac-roman', 'x-mac-roman'].includes(name)) return 'macintosh'
  if (name === 'marc-8' || name === 'marc8') return 'marc-8'
  try {
    return new TextDecoder(name).encoding
  } catch (cause) {
    throw new InvalidError(`There is no encoding with the name "${encoding}".`, { cause })
  }
}

/** @throws InvalidError if the encoding is unknown */
function createPieceDecoder(encoding: string): PieceDecoder {
  const upperHalf = upperHalves.get(encodingName(encoding))
  if (upperHalf) return { decode: (bytes) => decodeWith(upperHalf, bytes), end: () => '' }
  const decoder = new TextDecoder(encodingName(encoding))
  return {
    decode: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  }
}

function decodeWith(upperHalf: UpperHalf, bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[\x80-\xff]/g, (byte) => upperHalf[byte.charCodeAt(0) - 0x80] ?? byte)
}

export function decodeText(bytes: Buffer, encoding: string): string {
  const decoder = createPieceDecoder(encoding)
  return decoder.decode(bytes) + decoder.end()
}

/** The text of a file in pieces, without byte order mark. */
export async function* readText(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = createPieceDecoder(encoding)
  let isStart = true
  for await (const chunk of createReadStream(path)) {
    // Without an encoding, a stream has buffers.
    const piece = decoder.decode(chunk as Buffer)
    yield isStart ? piece.replace(/^\uFEFF/, '') : piece
    if (piece !== '') isStart = false
  }
  yield decoder.end()
}

/** UTF-8 sequences among bytes that are written as Latin-1, and the bytes that are in none. */
const sequence =
  /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|([\x80-\xff])/g

/**
 * How many sequences of UTF-8 there are, and how many bytes that are in none; of bytes that are
 * written as Latin-1.
 */
export function countSequences(text: string): { readonly valid: number; readonly invalid: number } {
  const counts = { valid: 0, invalid: 0 }
  for (const [, stray] of text.matchAll(sequence))
    counts[stray === undefined ? 'valid' : 'invalid'] += 1
  return counts
}

/** With two characters on both sides, which tell which letters are likely. */
const upperBytes = /[^]{0,2}[\x80-\xff]+[^]{0,2}/g

/** Enough to tell encodings apart. */
const maxSnippets = 1000

/** Reads the whole file, since the first accented letter may be near its end. */
export async function recognizeEncoding(path: string): Promise<string> {
  let start: Buffer | undefined
  let rest = ''
  let valid = 0
  let invalid = 0
  const snippets: string[] = []
  const count = (text: string): void => {
    const sequences = countSequences(text)
    valid += sequences.valid
    invalid += sequences.invalid
    if (snippets.length < maxSnippets)
      for (const [snippet] of text.matchAll(upperBytes)) {
        snippets.push(snippet)
        if (snippets.length === maxSnippets) break
      }
  }
  for await (const chunk of createReadStream(path)) {
    const bytes = chunk as Buffer // As in readText.
    start ??= bytes
    const wide = start === bytes ? recognizeWideEncoding(start) : undefined
    if (wide !== undefined) return wide
    const text = rest + bytes.toString('latin1')
    // A sequence that goes on in the next piece is counted there.
    const end = /[\xc0-\xff][\x80-\xbf]{0,2}$/.exec(text)?.index ?? text.length
    rest = text.slice(end)
    count(text.slice(0, end))
  }
  count(rest)
  // A file in UTF-8 may have a few damaged characters. In other encodings, sequences of UTF-8 are
  // rare.
  if (valid >= invalid * 10) return 'utf-8'
  return mostLikely(snippets.map((snippet) => Buffer.from(snippet, 'latin1')))
}

/** By the byte order mark; without one, UTF-16 is known by zeros in every other place. */
function recognizeWideEncoding(start: Buffer): string | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  const sample = start.subarray(0, 2000)
  if (!sample.includes(0)) return undefined
  const zeros = [0, 0]
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  if (odd > sample.length / 8 && even < odd / 10) return 'utf-16le'
  if (even > sample.length / 8 && odd < even / 10) return 'utf-16be'
  return undefined
}

function mostLikely(snippets: readonly Buffer[]): string {
  const scores = [...upperHalves].map(([name, upperHalf]) => ({
    name,
    score: snippets.reduce((sum, bytes) => sum + scoreText(decodeWith(upperHalf, bytes)), 0),
  }))
  return scores.reduce((best, candidate) => (candidate.score > best.score ? candidate : best)).name
}

/** How much a text looks like one that a person wrote. */
function scoreText(text: string): number {
  let score = 0
  // Text in UTF-8 that was read as Windows-1252 looks strange, but in no other way.
  const usual = text.replace(/â€[\u0080-\uffff_]|Ã[^a-z]|Â[\u00a0-\u00bf]/g, () => {
    score += 3
    return ''
  })
  for (const [, before = '', character = '', after = ''] of usual.matchAll(
    /(?<=([^]?))([^\0-\x7f])(?=([^]?))/gu,
  )) {
    if (/[\p{Co}\p{Cc}\uFFFD]/u.test(character)) score -= 3
    else if (/\p{Ll}/u.test(character)) score += /\p{L}/u.test(before + after) ? 2 : 0
    else if (/\p{Lu}/u.test(character)) score += /\p{Ll}/u.test(before) ? -2 : 1
    else if (/[‘’“”–—…«»¿¡©®°£€™•\u00a0]/.test(character)) score += 1
    else score -= 1
  }
  return score
}
