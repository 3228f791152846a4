// Parses the JSON of records without losing digits: a number that is sent for a text is stored as
// it was written, like the barcode 31786102345678901. What values mean is left to input.ts.

import { isObject } from '../../lib/json.js'

/** A number as it was written in JSON, and the double that is closest to it. */
export class JsonNumber {
  constructor(
    readonly text: string,
    readonly value: number,
  ) {}
}

/**
 * Parses JSON. Numbers that are members of the object, or of objects in it, or items of their
 * lists, become `JsonNumber`s; all others stay numbers, since no field takes them.
 * @throws SyntaxError of JSON.parse
 */
export function parseJsonInput(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if (!Object.values(value).some(hasNumber)) return value
  // The same JSON with its numbers as strings has the same members in the same order.
  return withNumberTextsIn(value, JSON.parse(quoteNumbers(text)) as object)
}

/** The JSON of an object that `parseJsonInput` returned, with each number as it was written. */
export const stringifyJsonInput = (input: object): string =>
  `{${Object.entries(input)
    .map(([name, member]) => `${JSON.stringify(name)}:${stringifyMember(member)}`)
    .join(',')}}`

const hasNumber = (member: unknown): boolean =>
  hasNumberInside(member) || (isObject(member) && Object.values(member).some(hasNumberInside))

// One level deep, so that no depth of input exhausts the stack.
const hasNumberInside = (member: unknown): boolean =>
  typeof member === 'number' ||
  (Array.isArray(member) && member.some((item) => typeof item === 'number'))

const withNumberTextsIn = (value: object, quoted: object, depth = 1): object => {
  const texts: unknown[] = Object.values(quoted)
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown], index) => {
      const text = texts[index]
      const isInside = depth === 1 && isObject(member) && isObject(text)
      return [name, isInside ? withNumberTextsIn(member, text, 2) : withNumberTexts(member, text)]
    }),
  )
}

function withNumberTexts(member: unknown, texts: unknown): unknown {
  if (typeof member === 'number') return new JsonNumber(String(texts), member)
  if (!Array.isArray(member) || !Array.isArray(texts)) return member
  return member.map((item: unknown, index) =>
    typeof item === 'number' ? new JsonNumber(String(texts[index]), item) : item,
  )
}

function stringifyMember(member: unknown): string {
  if (member instanceof JsonNumber) return member.text
  if (Array.isArray(member)) return `[${member.map(stringifyMember).join(',')}]`
  if (isObject(member)) return stringifyJsonInput(member)
  return JSON.stringify(member)
}

/** Puts every number of valid JSON in quotes. */
function quoteNumbers(json: string): string {
  const pieces: string[] = []
  let position = 0
  while (position < json.length) {
    const quote = json.indexOf('"', position)
    const stringStart = quote < 0 ? json.length : quote
    const stringEnd = quote < 0 ? json.length : endOfString(json, quote)
    pieces.push(
      json.slice(position, stringStart).replace(/-?\d[\d.eE+-]*/g, '"$&"'),
      json.slice(stringStart, stringEnd),
    )
    position = stringEnd
  }
  return pieces.join('')
}

/** The position behind the string that begins at a quote. */
function endOfString(json: string, quote: number): number {
  let position = quote + 1
  while (json[position] !== '"') position += json[position] === '\\' ? 2 : 1
  return position + 1
}
