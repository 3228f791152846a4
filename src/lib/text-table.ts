// Numbers texts, and keeps them as UTF-8 in blocks of bytes: some 25 bytes for an identifier of ten
// letters, of which a Map of strings takes 100. Texts are not removed.

import { withRoom } from './typed-arrays.js'

export type TextTable = {
  /** How many texts there are; they are numbered from 0. */
  readonly length: number
  /** The number of a text, which is added when it is new. */
  readonly add: (text: string) => number
  /** The number of a text; undefined where it was never added. */
  readonly find: (text: string) => number | undefined
  /** @param number of a text that was added */
  readonly at: (number: number) => string
  forEach(use: (text: string, number: number) => void): void
  /** Compares two texts by code point. */
  readonly compare: (one: number, other: number) => number
  /**
   * Compares the beginning of a text with these bytes, or the first of them: 0 where it begins with
   * them.
   */
  compareBeginning(number: number, bytes: Uint8Array, count?: number): number
  /** The first four bytes of a text, the first of them the highest; what is not there is 0. */
  readonly firstBytes: (number: number) => number
  /**
   * The first letters of a text, as UTF-16.
   * @returns how many letters of it there are in `into`
   */
  readLetters(number: number, into: Uint16Array): number
  save(): SavedTextTable
  /** Fills it while it is empty. */
  restore(saved: SavedTextTable): void
}

export type SavedTextTable = {
  readonly length: number
  readonly blocks: readonly Uint8Array[]
  readonly starts: Uint32Array
  readonly slots: Int32Array
}

/** A text that is longer has a block of its own. */
const blockSize = 2 ** 20
const firstBlockSize = 2 ** 10

/**
 * So many texts, those that came first, are also kept as strings once they were read: short lists
 * of codes are.
 */
const maxStrings = 2048

/** The first byte of a text that has its length in four further bytes. */
const longMark = 255

export function createTextTable(): TextTable {
  let blocks: Buffer[] = []
  /** How many bytes of the last block are used. */
  let used = 0
  /**
   * Where each text begins: the number of its block times the size of blocks, and the place in it.
   */
  let starts = new Uint32Array(16)
  let length = 0
  /** An open hash table: 1 more than the number of a text, or 0. */
  let slots = new Int32Array(32)
  let strings: (string | undefined)[] = []

  const blockOf = (number: number): Buffer => blocks[(starts[number] ?? 0) >>> 20] ?? noBytes
  const placeOf = (number: number): number => (starts[number] ?? 0) & (blockSize - 1)

  // The length of a text is before it.
  const sizeAt = (block: Buffer, place: number): number => {
    const size = block[place] ?? 0
    return size < longMark ? size : block.readUInt32LE(place + 1)
  }
  const headOf = (size: number): number => (size < longMark ? 1 : 5)

  /** Whether a text is the one that was encoded last. */
  function isEncoded(number: number, size: number): boolean {
    const block = blockOf(number)
    const place = placeOf(number)
    if (sizeAt(block, place) !== size) return false
    const start = place + headOf(size)
    for (let index = 0; index < size; index += 1)
      if (block[start + index] !== encoded[index]) return false
    return true
  }

  /** Where the text is that was encoded last, or where it may be put. */
  function slotOf(size: number): number {
    const mask = slots.length - 1
    let slot = hashOf(encoded, 0, size) & mask
    for (;;) {
      const number = (slots[slot] ?? 0) - 1
      if (number < 0 || isEncoded(number, size)) return slot
      slot = (slot + 1) & mask
    }
  }

  function find(text: string): number | undefined {
    const number = (slots[slotOf(encode(text))] ?? 0) - 1
    return number < 0 ? undefined : number
  }

  function add(text: string): number {
    const size = encode(text)
    const slot = slotOf(size)
    const known = (slots[slot] ?? 0) - 1
    if (known >= 0) return known
    const number = length
    starts = withRoom(starts, number + 1)
    starts[number] = append(size)
    slots[slot] = number + 1
    length += 1
    if (4 * length > 3 * slots.length) fillSlots(2 * slots.length)
    return number
  }

  /** Writes the text that was encoded last. @returns where it begins */
  function append(size: number): number {
    const needed = headOf(size) + size
    makeRoom(needed)
    const block = blocks.at(-1) ?? noBytes
    const place = used
    if (size < longMark) block[place] = size
    else {
      block[place] = longMark
      block.writeUInt32LE(size, place + 1)
    }
    block.set(encoded.subarray(0, size), place + headOf(size))
    used += needed
    return (blocks.length - 1) * blockSize + place
  }

  function makeRoom(needed: number): void {
    const last = blocks.at(-1)
    if (last && used + needed <= last.length) return
    // The first block grows, since most tables are small.
    if (last && blocks.length === 1 && used + needed <= blockSize) {
      const larger = Buffer.alloc(Math.min(blockSize, Math.max(2 * last.length, used + needed)))
      larger.set(last)
      blocks = [larger]
      return
    }
    const size = blocks.length === 0 ? firstBlockSize : blockSize
    blocks.push(Buffer.alloc(Math.max(size, needed)))
    used = 0
  }

  function fillSlots(count: number): void {
    slots = new Int32Array(count)
    const mask = count - 1
    for (let number = 0; number < length; number += 1) {
      const block = blockOf(number)
      const place = placeOf(number)
      const size = sizeAt(block, place)
      let slot = hashOf(block, place + headOf(size), size) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = number + 1
    }
  }

  function at(number: number): string {
    const known = strings[number]
    if (known !== undefined) return known
    const block = blockOf(number)
    const place = placeOf(number)
    const size = sizeAt(block, place)
    const start = place + headOf(size)
    const text = block.toString('utf8', start, start + size)
    if (number < maxStrings) {
      while (strings.length < number) strings.push(undefined)
      strings[number] = text
    }
    return text
  }

  return {
    get length() {
      return length
    },
    add,
    find,
    at,
    forEach(use) {
      for (let number = 0; number < length; number += 1) use(at(number), number)
    },
    compare(one, other) {
      const [block, otherBlock] = [blockOf(one), blockOf(other)]
      const [place, otherPlace] = [placeOf(one), placeOf(other)]
      const [size, otherSize] = [sizeAt(block, place), sizeAt(otherBlock, otherPlace)]
      const [start, otherStart] = [place + headOf(size), otherPlace + headOf(otherSize)]
      // Bytes of UTF-8 have the order of code points.
      const common = Math.min(size, otherSize)
      for (let index = 0; index < common; index += 1) {
        const difference = (block[start + index] ?? 0) - (otherBlock[otherStart + index] ?? 0)
        if (difference !== 0) return difference
      }
      return size - otherSize
    },
    compareBeginning(number, bytes, count = bytes.length) {
      const block = blockOf(number)
      const place = placeOf(number)
      const size = sizeAt(block, place)
      const start = place + headOf(size)
      for (let index = 0; index < count; index += 1) {
        if (index === size) return -1
        const difference = (block[start + index] ?? 0) - (bytes[index] ?? 0)
        if (difference !== 0) return difference
      }
      return 0
    },
    firstBytes(number) {
      const block = blockOf(number)
      const place = placeOf(number)
      const size = sizeAt(block, place)
      const start = place + headOf(size)
      let bytes = 0
      for (let index = 0; index < 4; index += 1)
        bytes = bytes * 256 + (index < size ? (block[start + index] ?? 0) : 0)
      return bytes
    },
    readLetters(number, into) {
      const block = blockOf(number)
      const place = placeOf(number)
      const size = sizeAt(block, place)
      const start = place + headOf(size)
      const count = Math.min(size, into.length)
      for (let index = 0; index < count; index += 1) {
        const byte = block[start + index] ?? 0
        if (byte > maxAscii) return readUnits(at(number), into)
        into[index] = byte
      }
      return count
    },
    save: () => ({
      length,
      blocks: blocks.map((block, index) =>
        index === blocks.length - 1 ? block.subarray(0, used) : block,
      ),
      starts: starts.subarray(0, length),
      slots,
    }),
    restore(saved) {
      // What was read from a file is a part of a larger buffer.
      blocks = saved.blocks.map((block) => Buffer.alloc(block.length, block))
      used = blocks.at(-1)?.length ?? 0
      starts = saved.starts.slice()
      slots = saved.slots.slice()
      length = saved.length
      strings = []
    },
  }
}

const noBytes = Buffer.alloc(0)

function readUnits(text: string, into: Uint16Array): number {
  const count = Math.min(text.length, into.length)
  for (let index = 0; index < count; index += 1) into[index] = text.charCodeAt(index)
  return count
}

/** The text that was encoded last. */
let encoded = Buffer.alloc(2 ** 12)
const maxAscii = 127

/** @returns how many bytes it takes */
function encode(text: string): number {
  const { length } = text
  if (3 * length > encoded.length) encoded = Buffer.alloc(4 * length)
  for (let index = 0; index < length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit > maxAscii) return encoded.write(text, 'utf8')
    encoded[index] = unit
  }
  return length
}

/** FNV-1a, and its upper bits mixed into the lower ones. */
function hashOf(bytes: Uint8Array, start: number, size: number): number {
  let hash = 0x811c9dc5
  for (let index = start; index < start + size; index += 1)
    hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
