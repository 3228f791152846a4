// Arrays of numbers that grow.

type Numbers = Int32Array | Uint32Array | Uint16Array | Uint8Array | Int8Array

/**
 * The array, or where it is shorter than this, a longer one with the same numbers.
 * @param rest what stands behind these
 */
export function withRoom<Own extends Numbers>(numbers: Own, length: number, rest = 0): Own {
  if (length <= numbers.length) return numbers
  // The cast: each kind of array is made so.
  const create = numbers.constructor as new (length: number) => Own
  const longer = new create(Math.ceil(1.25 * length) + 16)
  longer.set(numbers)
  if (rest !== 0) longer.fill(rest, numbers.length)
  return longer
}
