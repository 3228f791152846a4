// What a press is: a record in, text out.

import type { Sheet } from '../model/record/views.js'

export type Format = {
  /** As `?format=` names it. */
  readonly name: string
  /** The media type. */
  readonly type: string
  /** What stands after the media type where an answer names its own, such as `charset=utf-8`. */
  readonly parameters?: string
  /** How the name of a file ends; the format's name where this is not said. */
  readonly extension?: string
}

/** Where a page of a list stands among its neighbours, as absolute URLs. */
export type Links = {
  readonly self: string
  readonly first: string
  readonly last: string
  readonly next: string | null
  readonly previous: string | null
}

/** What is known of a list before its records: how many there are in all, and, of a page, its neighbours. */
export type Listed = { readonly count: number; readonly links: Links | undefined }

/**
 * Prints records of one resource in one format. A list comes in pieces, to be sent one after the
 * other, so that a whole catalogue takes no more memory than one record.
 */
export type Press = Format & {
  /** Its lists show no more than the specification's list shapes do; those of others, whole records. */
  readonly brief?: true
  /** A record on its own, as an answer. */
  record(sheet: Sheet): string
  /** What comes before the records of a list. */
  open(listed: Listed): string
  /** One record of a list; `index` counts from 0. */
  item(sheet: Sheet, index: number, listed: Listed): string
  /** What comes after them. */
  close(listed: Listed): string
  /** Prints the same so that no spreadsheet takes a value for a formula, for `?safe=1`. */
  readonly safe?: Press
}

/** A list that is in the hand, in the pieces that it is printed in. */
export function* piecesOf(
  press: Press,
  sheets: readonly Sheet[],
  listed: Listed,
): Generator<string, void> {
  yield press.open(listed)
  for (const [index, sheet] of sheets.entries()) yield press.item(sheet, index, listed)
  yield press.close(listed)
}

/** Prints a list that is in the hand, at once. */
export const printList = (press: Press, sheets: readonly Sheet[], listed: Listed): string =>
  [...piecesOf(press, sheets, listed)].join('')
