// Decodes MARC-8, the encoding of older MARC records: sets of characters that escape sequences
// switch between, and accents that stand before their letter. The sets: standards/marc-8.tsv and
// eacc.tsv.

import { standardTable } from '../../standards.js'

const escape = 0x1b
const basicLatin = 0x42
const ansel = 0x45
const eacc = 0x31

/** The second half of an accent over two letters: the first half stands for both. */
const secondHalves = new Set([0x6c, 0x7b])

/** Sets that are chosen by the character after the escape alone. */
const shortSets: ReadonlyMap<number, number> = new Map([
  [0x67, 0x67], // Greek symbols
  [0x62, 0x62], // subscripts
  [0x70, 0x70], // superscripts
  [0x73, basicLatin],
])

/** The characters of a set, by their codes. */
type CharacterSet = {
  readonly characters: Map<number, string>
  /** The codes of those that combine with the character that follows. */
  readonly combining: Set<number>
}

const hexadecimal = (digits: string): number => parseInt(digits, 16)

const characterSets = standardTable(
  'marc-8',
  {
    set: /^[2-7][\dA-F]$/,
    code: /^[2-7][\dA-F]$/,
    unicode: /^[\dA-F]{4}$/,
    combining: /^[01]$/,
  },
  (rows) => {
    const sets = new Map<number, CharacterSet>()
    for (const row of rows) {
      const final = hexadecimal(row.set)
      const set: CharacterSet = sets.get(final) ?? { characters: new Map(), combining: new Set() }
      sets.set(final, set)
      const code = hexadecimal(row.code)
      set.characters.set(code, String.fromCodePoint(hexadecimal(row.unicode)))
      if (row.combining === '1') set.combining.add(code)
    }
    return sets
  },
)

/** The characters of three bytes each, in a file of their own: most records have none. */
const eaccCharacters = standardTable(
  'eacc',
  { code: /^[\dA-F]{6}$/, unicode: /^[\dA-F]{4,5}$/ },
  (rows) =>
    new Map(
      rows.map(({ code, unicode }) => [
        hexadecimal(code),
        String.fromCodePoint(hexadecimal(unicode)),
      ]),
    ),
)

/** In Unicode's composed form; U+FFFD for what is in no set. */
export function decodeMarc8(bytes: Uint8Array): string {
  const sets = { g0: basicLatin, g1: ansel }
  let text = ''
  /** Accents that wait for their letter. */
  let accents = ''
  const add = (character: string): void => {
    text += character + accents
    accents = ''
  }
  /** What no accent stands on, and the end of the text. */
  const addBlank = (blank: string): void => {
    text += (accents === '' ? '' : lost) + blank
    accents = ''
  }
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === escape) {
      const length = switchSet(bytes, at, sets)
      if (length === 0) addBlank(lost)
      at += length
      continue
    }
    if (byte <= 0x20 || byte === 0x7f) {
      addBlank(String.fromCharCode(byte))
      continue
    }
    // Marks around what is not sorted, and joiners.
    if (byte === 0x88 || byte === 0x89) continue
    if (byte === 0x8d || byte === 0x8e) {
      add(byte === 0x8d ? '\u200d' : '\u200c')
      continue
    }
    const set = byte < 0x80 ? sets.g0 : sets.g1
    if (set === eacc) {
      const triple = [byte, ...bytes.subarray(at + 1, at + 3)].map((value) => value & 0x7f)
      const cut = triple.findIndex((value) => value <= 0x20)
      const [first = 0, second = 0, third = 0] = triple
      const isWhole = triple.length === 3 && cut < 0
      const code = (first << 16) | (second << 8) | third
      add((isWhole ? eaccCharacters().get(code) : undefined) ?? lost)
      // What cuts the character short is read by itself, except a control code in place of its
      // first byte.
      at += (cut < 0 ? triple.length : Math.max(cut, 1)) - 1
      continue
    }
    const code = byte & 0x7f
    const table = byte >= 0x80 && byte < 0xa1 ? undefined : characterSets().get(set)
    const character = table?.characters.get(code) ?? lost
    if (!table?.combining.has(code)) add(character)
    else if (set !== ansel || !secondHalves.has(code)) accents += character
  }
  addBlank('')
  // Some systems write characters that MARC-8 lacks as references.
  return text
    .replace(/&#x([\da-f]{4,6});/gi, (_, code: string) => characterOf(parseInt(code, 16)))
    .normalize('NFC')
}

/** In place of what cannot be decoded. */
const lost = '\uFFFD'

function characterOf(code: number): string {
  const isSurrogate = code >= 0xd800 && code <= 0xdfff
  return code <= 0x10ffff && !isSurrogate ? String.fromCodePoint(code) : lost
}

const isKnownSet = (set: number): boolean => set === eacc || characterSets().has(set)

/** @returns how many bytes follow the escape; 0 where it leads to no set */
function switchSet(bytes: Uint8Array, at: number, sets: { g0: number; g1: number }): number {
  const [first = 0, second = 0, third = 0] = bytes.subarray(at + 1, at + 4)
  const short = shortSets.get(first)
  if (short !== undefined) {
    sets.g0 = short
    return 1
  }
  const isG0 = first === 0x28 || first === 0x2c
  const isG1 = first === 0x29 || first === 0x2d
  if (isG0 || isG1) {
    // `!E` is ANSEL.
    const length = second === 0x21 ? 3 : 2
    return choose(isG0 ? 'g0' : 'g1', length === 3 ? third : second, length)
  }
  // Sets with several bytes for each character.
  if (first === 0x24) {
    if (second === 0x29 || second === 0x2d) return choose('g1', third, 3)
    const length = second === 0x2c ? 3 : 2
    return choose('g0', length === 3 ? third : second, length)
  }
  return 0

  function choose(into: 'g0' | 'g1', set: number, length: number): number {
    if (!isKnownSet(set)) return 0
    sets[into] = set
    return length
  }
}
