export type PackedPostings = {
  readonly docs: Int32Array
  /** Of each record; empty where the log keeps no places. */
  readonly places: Uint16Array
  /** The records of text n are those from `ends[n - 1]` up to `ends[n]`. */
  readonly ends: Int32Array
}

/** So many pairs are in a block, and are packed in a step. */
const blockSize = 2 ** 14

/** The number of the text of a pair that is left out. */
const dead = -1

type Block = {
  readonly numbers: Int32Array
  readonly docs: Int32Array
  readonly places: Uint16Array
}

/** @param hasPlaces whether each record comes with the place where it has the text */
export class PostingLog {
  readonly #hasPlaces: boolean
  readonly #blocks: Block[] = []
  #last: Block | undefined
  /** How many pairs the last block has. */
  #filled = blockSize

  constructor(hasPlaces: boolean) {
    this.#hasPlaces = hasPlaces
  }

  add(number: number, doc: number, place: number): void {
    if (this.#filled === blockSize) {
      this.#last = {
        numbers: new Int32Array(blockSize),
        docs: new Int32Array(blockSize),
        places: new Uint16Array(this.#hasPlaces ? blockSize : 0),
      }
      this.#blocks.push(this.#last)
      this.#filled = 0
    }
    if (!this.#last) return
    this.#last.numbers[this.#filled] = number
    this.#last.docs[this.#filled] = doc
    if (this.#hasPlaces) this.#last.places[this.#filled] = place
    this.#filled += 1
  }

  /**
   * Sorts the pairs by text; those of a text stay in their order. The log is used up.
   * @param count how many texts there are
   */
  *pack(count: number, isAlive: (doc: number) => boolean): Generator<void, PackedPostings> {
    const ends = new Int32Array(count)
    for (const block of this.#blocks) {
      const { numbers, docs } = block
      for (let index = 0; index < this.#lengthOf(block); index += 1) {
        const number = numbers[index] ?? 0
        if (isAlive(docs[index] ?? 0)) ends[number] = (ends[number] ?? 0) + 1
        // Others may die before they are packed.
        else numbers[index] = dead
      }
      yield
    }
    for (let number = 1; number < count; number += 1)
      ends[number] = (ends[number] ?? 0) + (ends[number - 1] ?? 0)
    const total = ends.at(-1) ?? 0
    const packed = {
      docs: new Int32Array(total),
      places: new Uint16Array(this.#hasPlaces ? total : 0),
      ends,
    }
    const nexts = new Int32Array(count + 1)
    nexts.set(ends, 1)
    for (const block of this.#blocks) {
      const { numbers, docs, places } = block
      for (let index = 0; index < this.#lengthOf(block); index += 1) {
        const number = numbers[index] ?? 0
        if (number === dead) continue
        const next = nexts[number] ?? 0
        nexts[number] = next + 1
        packed.docs[next] = docs[index] ?? 0
        if (this.#hasPlaces) packed.places[next] = places[index] ?? 0
      }
      yield
    }
    return packed
  }

  #lengthOf(block: Block): number {
    return block === this.#last ? this.#filled : blockSize
  }
}
