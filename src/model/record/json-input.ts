// Parses the JSON of records without losing digits: a number that is sent for a text is stored as it was
// written, like the barcode 31786102345678901. What values mean is left to input.ts.

/** A number as it was written in JSON, and the double that is closest to it. */
export class JsonNumber {
  constructor(
    readonly text: string,
    readonly value: number,
  ) {}
}

/**
 * Parses JSON. Numbers that are members of the object, or items of its lists, become `JsonNumber`s; all
 * others stay numbers, since no field takes them.
 * @throws SyntaxError of JSON.parse
 */
export function parseJsonInput(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if (!Object.values(value).some(hasNumber)) return value
  return withMemberTexts(value, JSON.parse(quoteNumbers(text)) as object)
}

/**
 * Parses JSON that has such an object as a member, like the line of a batch.
 * @throws SyntaxError of JSON.parse
 */
export function parseJsonWithInput(text: string, member: string): unknown {
  const value: unknown = JSON.parse(text)
  const input = memberOf(value, member)
  if (!input || !Object.values(input).some(hasNumber)) return value
  const texts = memberOf(JSON.parse(quoteNumbers(text)), member) ?? {}
  return { ...(value as object), [member]: withMemberTexts(input, texts) }
}

/** The member of an object, if it is an object itself. */
function memberOf(value: unknown, name: string): object | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  const member = (value as Readonly<Record<string, unknown>>)[name]
  return typeof member === 'object' && member !== null && !Array.isArray(member)
    ? member
    : undefined
}

/** @param texts the same object with its numbers as strings: the same members in the same order */
function withMemberTexts(input: object, texts: object): object {
  const values = Object.values(texts) as unknown[]
  return Object.fromEntries(
    Object.entries(input).map(([name, member], index) => [
      name,
      withNumberTexts(member, values[index]),
    ]),
  )
}

/** The JSON of an object that `parseJsonInput` returned, with each number as it was written. */
export const stringifyJsonInput = (input: object): string =>
  `{${Object.entries(input)
    .map(([name, member]) => `${JSON.stringify(name)}:${stringifyMember(member)}`)
    .join(',')}}`

const hasNumber = (member: unknown): boolean =>
  typeof member === 'number' ||
  (Array.isArray(member) && member.some((item) => typeof item === 'number'))

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
