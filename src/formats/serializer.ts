// What a press is: a record in, text out.

import type { ResolvedRecord } from '../model/record/views.js'

export type Format = {
  /** As `?format=` names it. */
  readonly name: string
  /** What people call it; the name in capitals where this is not given. */
  readonly title?: string
  /** The media type. */
  readonly type: string
  /** What stands after the media type where an answer names its own, such as `charset=utf-8`. */
  readonly parameters?: string
  /** How the name of a file ends; the format's name where this is not said. */
  readonly extension?: string
}

/** What people call a format; its name in capitals where nothing else is declared, such as YAML. */
export const titleOfFormat = ({ name, title }: Format): string => title ?? name.toUpperCase()

/** Where a page of a list stands among its neighbours, as absolute URLs. */
export type PageLinks = {
  readonly self: string
  readonly first: string
  readonly last: string
  readonly next: string | null
  readonly previous: string | null
}

/** What is known of a list before its records: how many there are in all, and, of a page, its neighbours. */
export type ListInfo = { readonly count: number; readonly links: PageLinks | undefined }

/**
 * Prints records of one resource in one format. A list comes in pieces, to be sent one after the
 * other, so that a whole catalogue takes no more memory than one record.
 */
export type RecordSerializer = Format & {
  /** Its lists show no more than the specification's list shapes do; those of others, whole records. */
  readonly listsUseListView?: true
  /** A record on its own, as an answer. */
  record(record: ResolvedRecord): string
  /** What comes before the records of a list. */
  listStart(listed: ListInfo): string
  /** One record of a list; `index` counts from 0. */
  listItem(record: ResolvedRecord, index: number, listed: ListInfo): string
  /** What comes after them. */
  listEnd(listed: ListInfo): string
  /** Prints the same so that no spreadsheet takes a value for a formula, for `?safe=1`. */
  readonly safe?: RecordSerializer
}

/** A list that is in the hand, in the pieces that it is printed in. */
export function* serializeListInSteps(
  serializer: RecordSerializer,
  records: readonly ResolvedRecord[],
  listed: ListInfo,
): Generator<string, void> {
  yield serializer.listStart(listed)
  for (const [index, record] of records.entries()) yield serializer.listItem(record, index, listed)
  yield serializer.listEnd(listed)
}

/** Prints a list that is in the hand, at once. */
export const serializeList = (
  serializer: RecordSerializer,
  records: readonly ResolvedRecord[],
  listed: ListInfo,
): string => [...serializeListInSteps(serializer, records, listed)].join('')
