// Numbers texts, and keeps them as UTF-8 in blocks of bytes: some 25 bytes for an identifier of ten
// letters, of which a Map of strings takes 100. Texts are not removed.

import { withRoom } from './typed-arrays.js'

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

export class TextTable {
  #blocks: Buffer[] = []
  /** How many bytes of the last block are used. */
  #used = 0
  /**
   * Where each text begins: the number of its block times the size of blocks, and the place in it.
   */
  #starts = new Uint32Array(16)
  #length = 0
  /** An open hash table: 1 more than the number of a text, or 0. */
  #slots = new Int32Array(32)
  #strings: (string | undefined)[] = []

  /** How many texts there are; they are numbered from 0. */
  get length(): number {
    return this.#length
  }

  /** The number of a text, which is added when it is new. */
  add(text: string): number {
    const size = encode(text)
    const slot = this.#slotOf(size)
    const known = (this.#slots[slot] ?? 0) - 1
    if (known >= 0) return known
    const number = this.#length
    this.#starts = withRoom(this.#starts, number + 1)
    this.#starts[number] = this.#append(size)
    this.#slots[slot] = number + 1
    this.#length += 1
    if (4 * this.#length > 3 * this.#slots.length) this.#fillSlots(2 * this.#slots.length)
    return number
  }

  /** The number of a text; undefined where it was never added. */
  find(text: string): number | undefined {
    const number = (this.#slots[this.#slotOf(encode(text))] ?? 0) - 1
    return number < 0 ? undefined : number
  }

  /** @param number of a text that was added */
  at(number: number): string {
    const known = this.#strings[number]
    if (known !== undefined) return known
    const block = this.#blockOf(number)
    const place = this.#placeOf(number)
    const size = sizeAt(block, place)
    const start = place + headOf(size)
    const text = block.toString('utf8', start, start + size)
    if (number < maxStrings) {
      while (this.#strings.length < number) this.#strings.push(undefined)
      this.#strings[number] = text
    }
    return text
  }

  /** How many bytes a text takes as UTF-8. */
  sizeOf(number: number): number {
    return sizeAt(this.#blockOf(number), this.#placeOf(number))
  }

  /** Writes a text as UTF-8, where there is room for it. @returns where it ends */
  write(number: number, into: Uint8Array, at: number): number {
    const block = this.#blockOf(number)
    const place = this.#placeOf(number)
    const size = sizeAt(block, place)
    const start = place + headOf(size)
    // For texts of this length faster than a copy by `set`.
    for (let index = 0; index < size; index += 1) into[at + index] = block[start + index] ?? 0
    return at + size
  }

  forEach(use: (text: string, number: number) => void): void {
    for (let number = 0; number < this.#length; number += 1) use(this.at(number), number)
  }

  /** Compares two texts by code point. */
  compare(number: number, other: number): number {
    const [block, otherBlock] = [this.#blockOf(number), this.#blockOf(other)]
    const [place, otherPlace] = [this.#placeOf(number), this.#placeOf(other)]
    const [size, otherSize] = [sizeAt(block, place), sizeAt(otherBlock, otherPlace)]
    const [start, otherStart] = [place + headOf(size), otherPlace + headOf(otherSize)]
    // Bytes of UTF-8 have the order of code points.
    const common = Math.min(size, otherSize)
    for (let index = 0; index < common; index += 1) {
      const difference = (block[start + index] ?? 0) - (otherBlock[otherStart + index] ?? 0)
      if (difference !== 0) return difference
    }
    return size - otherSize
  }

  /**
   * Compares the beginning of a text with these bytes, or the first of them: 0 where it begins with
   * them.
   */
  compareBeginning(number: number, bytes: Uint8Array, count = bytes.length): number {
    const block = this.#blockOf(number)
    const place = this.#placeOf(number)
    const size = sizeAt(block, place)
    const start = place + headOf(size)
    for (let index = 0; index < count; index += 1) {
      if (index === size) return -1
      const difference = (block[start + index] ?? 0) - (bytes[index] ?? 0)
      if (difference !== 0) return difference
    }
    return 0
  }

  /** The first four bytes of a text, the first of them the highest; what is not there is 0. */
  firstBytes(number: number): number {
    const block = this.#blockOf(number)
    const place = this.#placeOf(number)
    const size = sizeAt(block, place)
    const start = place + headOf(size)
    let bytes = 0
    for (let index = 0; index < 4; index += 1)
      bytes = bytes * 256 + (index < size ? (block[start + index] ?? 0) : 0)
    return bytes
  }

  /**
   * The first letters of a text, as UTF-16.
   * @returns how many letters of it there are in `into`
   */
  readLetters(number: number, into: Uint16Array): number {
    const block = this.#blockOf(number)
    const place = this.#placeOf(number)
    const size = sizeAt(block, place)
    const start = place + headOf(size)
    const count = Math.min(size, into.length)
    for (let index = 0; index < count; index += 1) {
      const byte = block[start + index] ?? 0
      if (byte > maxAscii) return readUnits(this.at(number), into)
      into[index] = byte
    }
    return count
  }

  save(): SavedTextTable {
    return {
      length: this.#length,
      blocks: this.#blocks.map((block, index) =>
        index === this.#blocks.length - 1 ? block.subarray(0, this.#used) : block,
      ),
      starts: this.#starts.subarray(0, this.#length),
      slots: this.#slots,
    }
  }

  /** Fills it while it is empty. */
  restore(state: SavedTextTable): void {
    // What was read from a file is a part of a larger buffer.
    this.#blocks = state.blocks.map((block) => Buffer.alloc(block.length, block))
    this.#used = this.#blocks.at(-1)?.length ?? 0
    this.#starts = state.starts.slice()
    this.#slots = state.slots.slice()
    this.#length = state.length
    this.#strings = []
  }

  #blockOf(number: number): Buffer {
    return this.#blocks[(this.#starts[number] ?? 0) >>> 20] ?? noBytes
  }

  #placeOf(number: number): number {
    return (this.#starts[number] ?? 0) & (blockSize - 1)
  }

  /** Whether a text is the one that was encoded last. */
  #isEncoded(number: number, size: number): boolean {
    const block = this.#blockOf(number)
    const place = this.#placeOf(number)
    if (sizeAt(block, place) !== size) return false
    const start = place + headOf(size)
    for (let index = 0; index < size; index += 1)
      if (block[start + index] !== encoded[index]) return false
    return true
  }

  /** Where the text is that was encoded last, or where it may be put. */
  #slotOf(size: number): number {
    const mask = this.#slots.length - 1
    let slot = hashOf(encoded, 0, size) & mask
    for (;;) {
      const number = (this.#slots[slot] ?? 0) - 1
      if (number < 0 || this.#isEncoded(number, size)) return slot
      slot = (slot + 1) & mask
    }
  }

  /** Writes the text that was encoded last. @returns where it begins */
  #append(size: number): number {
    const needed = headOf(size) + size
    this.#makeRoom(needed)
    const block = this.#blocks.at(-1) ?? noBytes
    const place = this.#used
    if (size < longMark) block[place] = size
    else {
      block[place] = longMark
      block.writeUInt32LE(size, place + 1)
    }
    block.set(encoded.subarray(0, size), place + headOf(size))
    this.#used += needed
    return (this.#blocks.length - 1) * blockSize + place
  }

  #makeRoom(needed: number): void {
    const last = this.#blocks.at(-1)
    if (last && this.#used + needed <= last.length) return
    // The first block grows, since most tables are small.
    if (last && this.#blocks.length === 1 && this.#used + needed <= blockSize) {
      const larger = Buffer.alloc(
        Math.min(blockSize, Math.max(2 * last.length, this.#used + needed)),
      )
      larger.set(last)
      this.#blocks = [larger]
      return
    }
    const size = this.#blocks.length === 0 ? firstBlockSize : blockSize
    this.#blocks.push(Buffer.alloc(Math.max(size, needed)))
    this.#used = 0
  }

  #fillSlots(count: number): void {
    this.#slots = new Int32Array(count)
    const mask = count - 1
    for (let number = 0; number < this.#length; number += 1) {
      const block = this.#blockOf(number)
      const place = this.#placeOf(number)
      const size = sizeAt(block, place)
      let slot = hashOf(block, place + headOf(size), size) & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = number + 1
    }
  }
}

const noBytes = Buffer.alloc(0)

/** The length of a text is before it. */
function sizeAt(block: Buffer, place: number): number {
  const size = block[place] ?? 0
  return size < longMark ? size : block.readUInt32LE(place + 1)
}

/** How many bytes the length of a text takes. */
const headOf = (size: number): number => (size < longMark ? 1 : 5)

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
