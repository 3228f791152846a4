// Repairs text that was decoded wrongly before it came here: UTF-8 that was read as Windows-1252 or
// as MacRoman and saved again, and HTML entities. It is done to one text at a time, since a table
// has both: cells that were damaged and cells that were not.

import { standardTable } from '../../standards.js'
import { macintosh, windows1252 } from './encodings.js'

export type RepairedText = {
  readonly text: string
  /** What was done, in one sentence; undefined if nothing was. */
  readonly repaired?: string | undefined
  /** What is still wrong, in one sentence. */
  readonly damaged?: string | undefined
}

const encodedTwice = 'The text was encoded twice.'
const guessed =
  'The text was encoded twice, and a character of it is lost; it most likely was … or ″.'
const hadEntities = 'The text had HTML entities.'
const hadReturns = 'The text had “[Return]” in place of line ends.'

/** Text may have been encoded wrongly again and again. */
const maxRounds = 3

export function repairText(original: string): RepairedText {
  // Most texts are plain.
  if (/^[\0-\x7f]*$/.test(original) && !/&|\[Return\]/.test(original)) return { text: original }
  // LibraryThing writes line ends so.
  const withReturns = original.replaceAll('[Return]', '\n')
  const withoutEntities = replaceEntities(withReturns)
  let text = withoutEntities
  let isGuessed = false
  for (let round = 0; round < maxRounds; round += 1) {
    const { text: next, guesses } = decodeAgain(text)
    isGuessed ||= guesses
    if (next === text) break
    text = next
  }
  const done = [
    ...(withReturns === original ? [] : [hadReturns]),
    ...(withoutEntities === withReturns ? [] : [hadEntities]),
    ...(text === withoutEntities ? [] : [isGuessed ? guessed : encodedTwice]),
  ].join(' ')
  return { text: text.trim(), repaired: done || undefined, damaged: findDamage(text) }
}

/** A wrong reading: which character each byte became. */
type WrongReading = {
  /** By character. */
  readonly bytes: ReadonlyMap<string, number>
  /**
   * The same for characters that stand for another byte too, though not at the start of a sequence.
   */
  readonly others: ReadonlyMap<string, number>
  /** Sequences of UTF-8, written in those characters. */
  readonly sequences: RegExp
}

/**
 * Characters of MacRoman for the bytes that Windows-1252 leaves open. Where text went through
 * MacRoman later, the bytes became these.
 */
const otherBytes = new Map(
  [0x81, 0x8d, 0x8f, 0x90, 0x9d].map((byte) => [macintosh[byte - 0x80] ?? '', byte]),
)

const readings = [
  createWrongReading(windows1252, otherBytes),
  createWrongReading(macintosh, new Map<string, number>()),
]

/**
 * Half of a letter that was encoded twice, or of one beside a soft hyphen: which of both is lost
 * with the rest.
 */
const besideLost = 'ÃÂ\u00ad'

function createWrongReading(upperHalf: string, others: ReadonlyMap<string, number>): WrongReading {
  return {
    bytes: new Map(Array.from(upperHalf, (character, index) => [character, index + 0x80])),
    others,
    sequences: new RegExp(sequencePattern(upperHalf, [...others.keys()].join('')), 'gu'),
  }
}

/** The pattern of UTF-8 that was read as another encoding. */
export function sequencePattern(upperHalf: string, others: string): string {
  const range = (first: number, last: number): string =>
    upperHalf.slice(first - 0x80, last - 0x80 + 1)
  const next = `[${range(0x80, 0xbf)}]`
  const anyNext = `[${range(0x80, 0xbf)}${others}]`
  const quotes = '“”‘’»«…\u00a0'
  return [
    // The letters of western Europe, but not a capital letter at the end of a word before a
    // quotation mark, and not what stands beside a lost character.
    `(?<!Ã(?=Â\u00ad))(?<![A-Z](?=[${range(0xc2, 0xc3)}][${quotes}](?!\\p{L})))[${range(0xc2, 0xc3)}]${anyNext}`,
    // Those of central Europe, if there is a letter beside: `„Ä“` is as it should be.
    `[${range(0xc4, 0xc5)}]${anyNext}(?=\\p{L})`,
    `(?<=\\p{Ll})[${range(0xc4, 0xc5)}]${anyNext}`,
    // Greek, Cyrillic, Hebrew and Arabic, which have several in a row.
    `(?:[${range(0xce, 0xd1)}${range(0xd7, 0xda)}]${next}){2,}`,
    // Quotation marks and dashes.
    `${range(0xe2, 0xe2)}${range(0x80, 0x80)}${anyNext}`,
    `${range(0xe2, 0xe2)}${next}${next}`,
    // East Asian.
    `(?:[${range(0xe1, 0xef)}]${next}${next}){2,}`,
    // Emoji.
    `${range(0xf0, 0xf0)}${range(0x9f, 0x9f)}${next}${next}`,
  ].join('|')
}

function decodeAgain(text: string): { readonly text: string; readonly guesses: boolean } {
  let guesses = false
  let result = text
  for (const reading of readings)
    result = result.replace(reading.sequences, (characters) => decodeSequence(characters, reading))
  // `…` has a byte that MacRoman has no character for, and which became `_`. So has `″`, of
  // dimensions.
  result = result.replace(/â€_/g, (_, offset: number, whole: string) => {
    guesses = true
    return /[×x] ?[\d.]{1,5}$/.test(whole.slice(Math.max(0, offset - 8), offset)) ? '″' : '…'
  })
  return { text: result, guesses }
}

/** The same characters if they are no UTF-8 after all, such as an overlong form. */
function decodeSequence(characters: string, { bytes, others }: WrongReading): string {
  const usualBytes = Array.from(characters, (character) => bytes.get(character) ?? 0)
  const other = Array.from(characters, (character, index) => {
    const byte = usualBytes[index] ?? 0
    return index > 0 && !isContinuation(byte) ? (others.get(character) ?? byte) : byte
  })
  return decodeUtf8(usualBytes) ?? decodeUtf8(other) ?? characters
}

/** Undefined for control characters too, which no text has: `Â…` is as it should be. */
function decodeUtf8(bytes: readonly number[]): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes))
    return /[\u0080-\u009f]/.test(text) ? undefined : text
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

const isContinuation = (byte: number): boolean => byte >= 0x80 && byte <= 0xbf

/** Signs that characters are lost. */
function findDamage(text: string): string | undefined {
  if (text.includes('\uFFFD')) return 'The text has characters that cannot be decoded.'
  if (/[\u0080-\u009f]/.test(text)) return 'The text has control characters in place of letters.'
  if (/(?:_[\u0080-\uffff]\s?){2}|â€/.test(text) || text.includes(besideLost))
    return 'The text was encoded twice, and characters of it are lost.'
  return undefined
}

const htmlEntities = standardTable(
  'html-entities',
  { name: /^[A-Za-z]\w{1,8}$/, unicode: /^[\dA-F]{4}$/ },
  (rows) =>
    new Map(rows.map(({ name, unicode }) => [name, String.fromCodePoint(parseInt(unicode, 16))])),
)

function replaceEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]\w{1,8}));/gi,
    (entity, decimal?: string, hexadecimal?: string, name?: string) => {
      if (name !== undefined) return htmlEntities().get(name) ?? entity
      const code = decimal === undefined ? parseInt(hexadecimal ?? '', 16) : Number(decimal)
      const isText = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
      return isText ? String.fromCodePoint(code) : entity
    },
  )
}
