// Finds the members of a JSON object in its text, without reading their values.

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c

// Both kinds of brackets differ in one bit.
const isOpening = (code: number): boolean => (code & ~0x20) === 0x5b
const isClosing = (code: number): boolean => (code & ~0x20) === 0x5d

/** Where the value of a member is in the text: from one position up to another one. */
export type MemberPlace = { readonly begin: number; readonly end: number }

/**
 * Finds members of an object.
 * @param json the object as `JSON.stringify` writes it, without white space
 * @param starts the names of the members in the order of the object, as JSON with the colon
 * @returns the place of each, in this order; undefined for one that the object does not have
 */
export function findMembers(json: string, starts: readonly string[]): (MemberPlace | undefined)[] {
  const places = starts.map((): MemberPlace | undefined => undefined)
  let wanted = 0
  for (let index = 1; wanted < starts.length && json.charCodeAt(index) === quote;) {
    const begin = endOfText(json, index) + 1
    const end = endOfValue(json, begin)
    for (let number = wanted; number < starts.length; number += 1) {
      const start = starts[number] ?? ''
      if (start.length !== begin - index || !json.startsWith(start, index)) continue
      places[number] = { begin, end }
      wanted = number + 1
      break
    }
    index = end + 1
  }
  return places
}

/** The position after the quotation mark that ends a text. */
function endOfText(json: string, begin: number): number {
  let end = json.indexOf('"', begin + 1)
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end < 0 ? json.length : end + 1
}

function isEscaped(json: string, position: number): boolean {
  let first = position
  while (json.charCodeAt(first - 1) === backslash) first -= 1
  return (position - first) % 2 === 1
}

/** The position of the comma or bracket after a value. */
function endOfValue(json: string, begin: number): number {
  let depth = 0
  for (let index = begin; index < json.length;) {
    const code = json.charCodeAt(index)
    if (code === quote) {
      index = endOfText(json, index)
      continue
    }
    if (depth === 0 && (code === comma || isClosing(code))) return index
    if (isOpening(code)) depth += 1
    else if (isClosing(code)) depth -= 1
    index += 1
  }
  return json.length
}
