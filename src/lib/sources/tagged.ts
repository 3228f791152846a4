// Reads the tagged formats of reference managers, RIS and that of EndNote (refer): a tag and a
// value in each line. The source fields are called by their tags.

import { createYielder } from '../scheduling.js'
import { readText } from './tables/encodings.js'
import { sourceLimits } from './limits.js'
import { joinDate, noteField, withoutRepeatedYear } from './reference-fields.js'
import { type SourceField, type SourceRemark, type SourceRow, textField } from './source.js'

type TaggedFormat = {
  /** Two groups: the tag and the value. */
  readonly line: RegExp
  /** The tag that a record begins with. */
  readonly first: string
  /** The tag that ends a record; without one, an empty line may end it. */
  readonly last?: string
  readonly toField: (tag: string, value: string) => SourceField
  readonly dateTags: readonly string[]
}

const risDateTags = ['DA', 'PY', 'Y1']

const formats: Readonly<Record<'ris' | 'endnote', TaggedFormat>> = {
  ris: {
    line: /^([A-Z][A-Z0-9]) {1,2}- ?(.*)$/,
    first: 'TY',
    last: 'ER',
    toField: (tag, value) =>
      tag === 'N1'
        ? noteField(tag, value)
        : textField(tag, risDateTags.includes(tag) ? readRisDate(value) : value),
    dateTags: risDateTags,
  },
  endnote: {
    line: /^%(\S) ?(.*)$/,
    first: '0',
    toField: (tag, value) => textField(`%${tag}`, value),
    dateTags: [],
  },
}

/**
 * The records of a file. A line without a tag goes on with the value before it. Lines outside of
 * records are passed over, and the next record has a remark.
 */
export async function* readTagged(
  path: string,
  encoding: string,
  format: keyof typeof formats,
): AsyncGenerator<SourceRow> {
  const reader = createTaggedReader(formats[format])
  const maybeYield = createYielder()
  for await (const line of readTextLines(path, encoding)) {
    await maybeYield()
    const row = reader.read(line)
    if (row) yield row
  }
  const last = reader.end()
  if (last) yield last
}

/** The lines of a text, whatever ends them, empty ones too. */
async function* readTextLines(path: string, encoding: string): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of readText(path, encoding)) {
    // A carriage return at the end of a piece may be half of a line end.
    const text = rest + piece
    const end = text.endsWith('\r') ? text.length - 1 : text.length
    const lines = text.slice(0, end).split(/\r\n|\n|\r/)
    rest = (lines.pop() ?? '') + text.slice(end)
    yield* lines
    if (rest.length > sourceLimits.rowCharacters) {
      yield rest
      rest = ''
    }
  }
  yield rest.replace(/\r$/, '')
}

function createTaggedReader(format: TaggedFormat) {
  let number = 0
  let values: [tag: string, value: string][] = []
  let isAfterEmptyLine = false
  /** Whether the record began with the tag that records begin with. */
  let hasFirst = false
  let passedOver: string[] = []

  function end(): SourceRow | undefined {
    if (values.length === 0) return undefined
    const fields = values
      .filter(([tag, value]) => tag !== format.last && value.trim() !== '')
      .map(([tag, value]) => format.toField(tag, value.trim()))
    const remarks = passedOver.map((line): SourceRemark => ({
      kind: 'damaged',
      field: '',
      message: `A line before the record is in none, and is passed over: ${line}`,
    }))
    values = []
    passedOver = []
    hasFirst = false
    number += 1
    return { number, fields: withoutRepeatedYear(fields, format.dateTags), remarks }
  }

  /** Whether a tag begins a new record. */
  function begins(tag: string): boolean {
    if (tag === format.first) return true
    return format.last === undefined && isAfterEmptyLine && !hasFirst
  }

  function read(line: string): SourceRow | undefined {
    if (line.trim() === '') {
      isAfterEmptyLine = true
      return undefined
    }
    const [, tag, value = ''] = format.line.exec(line.trimEnd()) ?? []
    let row: SourceRow | undefined
    if (tag !== undefined) {
      if (begins(tag)) row = end()
      if (tag === format.first) hasFirst = true
      // Without its beginning, what has an end of its own is no record.
      if (hasFirst || format.last === undefined) values.push([tag, value])
      else passedOver.push(line)
      if (tag === format.last) row = end() ?? row
    } else {
      const current = values.at(-1)
      if (current) current[1] += `${isAfterEmptyLine ? '\n\n' : '\n'}${line.trim()}`
      else passedOver.push(line)
    }
    isAfterEmptyLine = false
    return row
  }

  return { read, end }
}

/**
 * `1998/05//` and `2003///Winter`, as RIS writes dates, in ISO 8601: `1998-05`; other texts as they
 * are.
 */
function readRisDate(value: string): string {
  const [, year, month = '', day = '', other = ''] =
    /^(\d{4})\/(\d{0,2})(?:\/(\d{0,2})(?:\/(.*))?)?$/.exec(value) ?? []
  if (year === undefined) return value
  const date = joinDate(year, month, day)
  return other === '' ? date : month === '' ? `${other} ${year}` : `${date} (${other})`
}
