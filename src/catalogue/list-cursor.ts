// Cursors: the position in a list where the next page begins, as a text that clients pass on
// (docs/reference/lists.md, "Cursors"). It is made of values and not of a number of records, so it
// stays right whatever is written.

import { createHash } from 'node:crypto'

import type { SortField } from '../model/resources.js'
import type { ListSpec } from '../queries/list-queries.js'
import { fromMicroseconds, toMicroseconds } from './clock.js'
import { invalidCursor } from './errors.js'
import type { ListPosition, SortValue } from './list-position.js'

/** The cursor of a position. It holds for every list of the resource with this order. */
export function writeCursor(listSpec: ListSpec, position: ListPosition): string {
  const content = JSON.stringify(position.map((value) => value ?? null))
  return Buffer.from(checksum(listSpec, content) + content).toString('base64url')
}

/** @throws InvalidError for a cursor of another order, and for any other text */
export function readCursor(listSpec: ListSpec, cursor: string): ListPosition {
  const bytes = Buffer.from(cursor, 'base64url')
  const text = bytes.toString()
  const content = text.slice(checksumLength)
  // Decoding ignores characters that do not belong there.
  const isWhole = bytes.toString('base64url') === cursor
  if (!isWhole || checksum(listSpec, content) !== text.slice(0, checksumLength))
    throw invalidCursor()
  const position = toPosition(listSpec, parseJson(content))
  if (!position) throw invalidCursor()
  return position
}

const checksumLength = 8

/**
 * Tells cursors of other orders, and damaged ones. Anybody can compute it, so what is read is
 * checked.
 */
const checksum = ({ resource, order }: ListSpec, content: string): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        resource.name,
        order.map(({ field, descending }) => [field.name, descending]),
      ]),
    )
    .update(content)
    .digest('base64url')
    .slice(0, checksumLength)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toPosition({ resource, order }: ListSpec, content: unknown): ListPosition | undefined {
  if (!Array.isArray(content) || content.length === 0) return undefined
  const fields = [...order.map(({ field }) => field), resource.id]
  const isValid = (content as unknown[]).every((value, index) => {
    const field = fields[index]
    return field !== undefined && isSortValue(field, value)
  })
  return isValid ? (content as (SortValue | null)[]).map((value) => value ?? undefined) : undefined
}

function isSortValue({ kind, nonEmpty }: SortField, value: unknown): boolean {
  if (value === null) return !nonEmpty
  if (kind === 'integer') return Number.isSafeInteger(value)
  if (kind === 'boolean') return typeof value === 'boolean'
  return isText(value) && (kind !== 'time' || isTime(value))
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed()

function isTime(text: string): boolean {
  const microseconds = toMicroseconds(text)
  return (
    Number.isSafeInteger(microseconds) &&
    microseconds >= 0 &&
    fromMicroseconds(microseconds) === text
  )
}
