// How far two spellings are apart, and which of many are near to one.

/**
 * How many letters have to be added, left out, replaced or swapped with their neighbour, if at most
 * two.
 * @returns Infinity when it is more
 */
export function distanceOf(first: string, second: string, atMost = 2): number {
  if (Math.abs(first.length - second.length) > atMost) return Infinity
  let beforePrevious: number[] = []
  let previous = Array.from({ length: second.length + 1 }, (_, index) => index)
  for (let row = 1; row <= first.length; row += 1) {
    const current = [row]
    let least = row
    for (let column = 1; column <= second.length; column += 1) {
      const cost = first[row - 1] === second[column - 1] ? 0 : 1
      let value = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + cost,
      )
      const isSwapped =
        first[row - 1] === second[column - 2] && first[row - 2] === second[column - 1]
      if (isSwapped && row > 1 && column > 1)
        value = Math.min(value, at(beforePrevious, column - 2) + 1)
      current.push(value)
      least = Math.min(least, value)
    }
    if (least > atMost) return Infinity
    beforePrevious = previous
    previous = current
  }
  const distance = at(previous, second.length)
  return distance > atMost ? Infinity : distance
}

const at = (row: readonly number[], column: number): number => row[column] ?? Infinity

/**
 * How many letters may differ: short words that differ are other words.
 * @param from how long a text is in which one letter may differ, or two
 */
export const allowedDistance = ({ length }: string, from = { one: 5, two: 9 }): number =>
  length < from.one ? 0 : length < from.two ? 1 : 2

/**
 * The text itself, and the text without each of its letters: texts that are one letter apart share
 * one of these.
 */
export function shortenings(text: string): string[] {
  const texts = new Set([text])
  for (let index = 0; index < text.length; index += 1)
    texts.add(text.slice(0, index) + text.slice(index + 1))
  return [...texts]
}

/** Adds a value to the list of a key. */
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
