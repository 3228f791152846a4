// How many letters words are off from another one: letters that are added, left out, replaced or
// swapped with their neighbour.

/**
 * How many letters words are off from another one; more than looked for where they are too far off.
 */
export function createDistances(target: string, maxDistance: number): (word: string) => number {
  const rows = createDistanceRows(target, maxDistance)
  return (word) => {
    if (Math.abs(word.length - target.length) > maxDistance) return tooFar
    const letters = utf16Of(word)
    for (let depth = 1; depth <= word.length; depth += 1)
      if (rows.fill(depth, letters) > maxDistance) return tooFar
    return rows.distance(word.length)
  }
}

/** Whether a word is up to so many letters off from another one. */
export function createNearbyTest(target: string, maxDistance: number): (word: string) => boolean {
  const distanceOf = createDistances(target, maxDistance)
  return (word) => distanceOf(word) <= maxDistance
}

const utf16Of = (text: string): Uint16Array =>
  Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))

/**
 * Row n has the distances of the first n letters of a word from the beginnings of the target.
 * Beginnings whose lengths differ by more than the distance that is looked for are left out.
 */
export function createDistanceRows(target: string, maxDistance: number) {
  const width = target.length + 1
  const rows = new Uint8Array((target.length + maxDistance + 2) * width)
  const least = new Uint8Array(target.length + maxDistance + 2)
  const letters = utf16Of(target)
  for (let column = 0; column < width; column += 1) rows[column] = Math.min(column, tooFar)
  return {
    distance: (depth: number): number =>
      target.length > depth + maxDistance
        ? tooFar
        : (rows[depth * width + target.length] ?? tooFar),
    /**
     * Letters added, left out, replaced or swapped with their neighbour.
     * @returns the least that words with this beginning can be off
     */
    fill(depth: number, word: Uint16Array): number {
      const row = depth * width
      const above = row - width
      const letter = word[depth - 1] ?? 0
      const letterBefore = depth > 1 ? (word[depth - 2] ?? 0) : -1
      const first = Math.max(1, depth - maxDistance)
      const last = Math.min(width - 1, depth + maxDistance)
      let smallest = first === 1 ? depth : tooFar
      // The next row looks at what is beside these columns.
      rows[row + first - 1] = smallest
      if (last < width - 1) rows[row + last + 1] = tooFar
      for (let column = first; column <= last; column += 1) {
        const columnLetter = letters[column - 1] ?? 0
        let value = (rows[above + column - 1] ?? 0) + (letter === columnLetter ? 0 : 1)
        const added = (rows[above + column] ?? 0) + 1
        if (added < value) value = added
        const omitted = (rows[row + column - 1] ?? 0) + 1
        if (omitted < value) value = omitted
        if (column > 1 && letter === letters[column - 2] && letterBefore === columnLetter) {
          const swapped = (rows[above - width + column - 2] ?? 0) + 1
          if (swapped < value) value = swapped
        }
        rows[row + column] = value
        if (value < smallest) smallest = value
      }
      least[depth] = smallest
      // A swap may still save what this row has lost, from the row above.
      return Math.min(smallest, (least[depth - 1] ?? 0) + 1)
    },
  }
}

/** A distance that is never looked for. */
export const tooFar = 250
