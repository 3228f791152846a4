// Finds the objects of JSON in a file, whether they stand in an array or in a member of an object,
// such as `results`: a scan that knows strings and nesting, so that a broken object does not take
// the others with it.

import { createYielder } from '../scheduling.js'
import { readText } from './tables/encodings.js'
import { sourceLimits } from './limits.js'

/** The members in which answers of services have their records. */
const arrayStart = /^\s*\[|"(?:results|items|records|docs|member|@graph)"\s*:\s*\[(?=\s*\{)/

/** Whether a text has an array of objects, and is not an object in each line. */
export function hasObjectArray(start: string): boolean {
  if (/^\s*\[/.test(start)) return true
  const [first, second] = start.trimStart().split('\n', 2)
  const isLines = first?.trimEnd().endsWith('}') && second?.trimStart().startsWith('{')
  return !isLines && arrayStart.test(start)
}

/** The text of each object in the array. One that does not end is the last, as far as it goes. */
export async function* readObjects(path: string, encoding: string): AsyncGenerator<string> {
  const maybeYield = createYielder()
  const scanner = new ObjectScanner()
  for await (const piece of readText(path, encoding))
    for (const text of scanner.read(piece)) {
      await maybeYield()
      yield text
    }
  const rest = scanner.rest()
  if (rest !== '') yield rest
}

class ObjectScanner {
  /** The text before the array, or that of an object that is not complete. */
  #text = ''
  #isInArray = false
  #isAfterArray = false
  #depth = 0
  #isInString = false
  #isEscaped = false

  rest(): string {
    return this.#isInArray ? this.#text : ''
  }

  /** The objects that are complete with this piece. */
  *read(piece: string): Generator<string> {
    if (this.#isAfterArray) return
    if (this.#isInArray) {
      yield* this.#scan(piece)
      return
    }
    this.#text += piece
    const start = arrayStart.exec(this.#text)
    if (!start) return
    const array = this.#text.slice(start.index + start[0].length)
    this.#isInArray = true
    this.#text = ''
    yield* this.#scan(array)
  }

  *#scan(piece: string): Generator<string> {
    let start = 0
    for (let index = 0; index < piece.length; index += 1) {
      const character = piece.charCodeAt(index)
      if (this.#isInString) this.#readString(character)
      else if (character === quote) this.#isInString = true
      else if (character === open) {
        if (this.#depth === 0) start = index
        this.#depth += 1
      } else if (character === end && this.#depth === 0) {
        this.#isAfterArray = true
        return
      } else if (character === close && this.#depth > 0) {
        this.#depth -= 1
        if (this.#depth > 0) continue
        yield this.#text + piece.slice(start, index + 1)
        this.#text = ''
      }
    }
    if (this.#depth > 0) this.#text += piece.slice(start)
    if (this.#text.length <= sourceLimits.rowCharacters) return
    yield this.#text
    this.#text = ''
    this.#depth = 0
    this.#isInString = false
  }

  #readString(character: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (character === backslash) this.#isEscaped = true
    else if (character === quote) this.#isInString = false
  }
}

const [quote, backslash, open, close, end] = ['"', '\\', '{', '}', ']'].map((character) =>
  character.charCodeAt(0),
) as [number, number, number, number, number] // As many as there are characters.
