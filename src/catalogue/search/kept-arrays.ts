// Memory for what searches leave for later ones. It has one size and is used in turn, so what was kept longest is written over.
// With new arrays for each search, V8 would go through the whole heap every few searches: it does so for each 64 MB of them.

import { roundUp } from './scratch.js'

type Numbers = Int32Array | Float32Array | Uint8Array

/** Whether nothing was written over what was kept. */
export type IsKept = () => boolean

/** @param size how many bytes of memory there are at least; only what was written to is taken from the system */
export function createKeptArrays(size: () => number) {
  let memory = new ArrayBuffer(0)
  /** How many bytes were taken since the memory was made. */
  let taken = 0

  function take(bytes: number) {
    if (memory.byteLength < size()) {
      memory = new ArrayBuffer(2 * size())
      taken = 0
    }
    const own = memory
    const { byteLength } = own
    // It would be written over most others.
    if (bytes > byteLength / 4) return { own: new ArrayBuffer(bytes), start: 0, isKept: always }
    const left = byteLength - (taken % byteLength)
    const start = bytes <= left ? taken : taken + left
    taken = start + bytes
    const isKept: IsKept = () => memory === own && taken - start <= byteLength
    return { own, start: start % byteLength, isKept }
  }

  return {
    /**
     * Copies arrays, which are kept or written over together.
     * @param arrays the first may have been kept before; the others are anywhere else
     */
    keep<Arrays extends Readonly<Record<string, Numbers>>>(arrays: Arrays) {
      let bytes = 0
      for (const array of Object.values(arrays)) bytes += roundUp(array.byteLength)
      const { own, start, isKept } = take(bytes)
      let next = start
      const copies = Object.entries(arrays).map(([name, array]) => {
        const copy = copyInto(own, next, array)
        next += roundUp(array.byteLength)
        return [name, copy]
      })
      // The cast: each copy has the type of its array.
      return { arrays: Object.fromEntries(copies) as Arrays, isKept }
    },
  }
}

function copyInto(memory: ArrayBuffer, start: number, array: Numbers): Numbers {
  // The cast: each kind of array is made so.
  const create = array.constructor as new (on: ArrayBuffer, at: number, length: number) => Numbers
  const copy = new create(memory, start, array.length)
  copy.set(array)
  return copy
}

const always: IsKept = () => true
