// Memory for arrays that are needed only while a search runs. Later searches use it again: with new arrays of megabytes for
// each search, V8 would go through the whole heap every few searches.

export type Scratch = ReturnType<typeof createScratch>

const minBlockSize = 1024 * 1024
/** How many bytes are kept for later searches. */
const maxKept = 48 * 1024 * 1024

export function createScratch() {
  let blocks: ArrayBuffer[] = []
  /** Which block arrays are taken from, and how many bytes of it are in use. */
  let [block, used] = [0, 0]

  function take(bytes: number): readonly [ArrayBuffer, number] {
    const size = roundUp(bytes)
    for (;;) {
      const own = (blocks[block] ??= new ArrayBuffer(Math.max(size, minBlockSize)))
      if (used + size <= own.byteLength) {
        used += size
        return [own, used - size]
      }
      block += 1
      used = 0
    }
  }

  return {
    // What is in these arrays is left of earlier searches.
    int32: (length: number) => new Int32Array(...take(4 * length), length),
    float32: (length: number) => new Float32Array(...take(4 * length), length),
    uint8: (length: number) => new Uint8Array(...take(length), length),
    /** How much is in use. */
    position: () => [block, used] as const,
    /** Nothing looks any more at what was taken since it had this position. */
    backTo(position: readonly [block: number, used: number]): void {
      ;[block, used] = position
    },
    /** Nothing looks any more at what was taken. */
    clear(): void {
      let kept = 0
      blocks = blocks.filter(({ byteLength }) => (kept += byteLength) <= maxKept)
      ;[block, used] = [0, 0]
    },
  }
}

/** So many bytes, or up to seven more, after which any array may begin. */
export const roundUp = (bytes: number): number => Math.ceil(bytes / 8) * 8
