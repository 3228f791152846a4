// The interface of a format that serializes records, and how a list is put together from its parts.
// The formats themselves are in the other files of this folder; serializers.ts lists them.

import type { Readable } from 'node:stream'

import type { ResolvedRecord } from '../model/record/views.js'

export type Format = {
  /** The name for `?format=`. */
  readonly name: string
  /** What people call it; the name in capitals where this is not given. */
  readonly title?: string
  /** The media type. */
  readonly type: string
  /** The parameters of the media type in `Content-Type`, such as `charset=utf-8`. */
  readonly parameters?: string
  /** The extension of a file's name; the format's name where this is not given. */
  readonly extension?: string
  /** Browsers cannot show it, so a record or a page of a list is a file to download too. */
  readonly isBinary?: true
  /** The document that describes a response in it, which gets the response's address as `url`. */
  readonly description?: { readonly path: string; readonly type: string }
  /** The link to it is left out before those to other formats, where there is no room for all. */
  readonly isLinkedLast?: true
}

/** What people call a format; its name in capitals where nothing else is declared, such as YAML. */
export const titleOfFormat = ({ name, title }: Format): string => title ?? name.toUpperCase()

/**
 * The pages around a page of a list, as absolute URLs; null where there is none, or it is not
 * known.
 */
export type PageLinks = {
  readonly self: string
  readonly first: string
  readonly last: string | null
  readonly next: string | null
  readonly previous: string | null
}

/**
 * A list without its records: how many records there are in all, and, for a page, the links to
 * others.
 */
export type ListInfo = {
  readonly count: number
  readonly links: PageLinks | undefined
  /**
   * When the records of the page were last changed; undefined where that is not known, or there are
   * none.
   */
  readonly updated?: string | undefined
  /** A search with other words, which were likely meant. */
  readonly didYouMean?: string | undefined
}

/** How the holdings of a zine are written into its MARC record, for `?items=`. */
export type ItemOptions = {
  /** 852 of MARC 21, or 952 of Koha. */
  readonly field: ItemField
  /** Koha's code of the library of all items; undefined for the identifier of each repository. */
  readonly branch: string | undefined
  /** Koha's code of the type of all items. */
  readonly itemType: string
}

/** The fields that a format shows, and the same format with some of them. */
type FieldSelection = {
  readonly inLists: readonly string[]
  /** Of a record; some of them may be private. */
  readonly inRecords: readonly string[]
  readonly select: (names: ReadonlySet<string>) => RecordSerializer
}

/** Vocabularies in which records are described besides our own choice of terms. */
export const descriptionVocabularies = ['bibframe', 'schema'] as const

export type DescriptionVocabulary = (typeof descriptionVocabularies)[number]

export const itemFieldTags = ['852', '952'] as const

export type ItemField = (typeof itemFieldTags)[number]

/**
 * Serializes the records of one resource in one format. A list is serialized in parts, which are
 * sent one after the other, so that a whole catalogue takes no more memory than one record.
 */
export type RecordSerializer = Format & {
  /** Lists show records in their list view; without this, lists show them in full. */
  readonly listsUseListView?: true
  /** One record as a whole document. */
  record(record: ResolvedRecord): string
  /** The part of a list before its records. */
  listStart(listInfo: ListInfo): string
  /** One record of a list; `index` counts from 0. */
  listItem(record: ResolvedRecord, index: number, listInfo: ListInfo): string
  /** The part of a list after its records. */
  listEnd(listInfo: ListInfo): string
  /** The same format, guarded so that no spreadsheet reads a value as a formula, for `?safe=1`. */
  readonly formulaSafe?: RecordSerializer
  /** The same format with the fields for the staff, for `?private=true`. */
  readonly forStaff?: RecordSerializer
  /** The records have to come with the fields for the staff. */
  readonly needsStaffFields?: true
  /** Chooses fields, for `?fields=`. */
  readonly fields?: FieldSelection
  /** The same format with the terms of another vocabulary, for `?vocabulary=`. */
  readonly withVocabulary?: (name: DescriptionVocabulary) => RecordSerializer
  /** The same format with the holdings of each zine, for `?items=`. */
  readonly withItems?: (options: ItemOptions) => RecordSerializer
  /** The records have to come with their holdings. */
  readonly needsHoldings?: true
  /**
   * Packs the text of a record or a list, in parts, into the file that is sent. Without it, the
   * text is sent.
   */
  readonly pack?: (parts: AsyncIterable<string> | Iterable<string>) => Readable
  /** The most records that a list in this format can have. */
  readonly maxRecords?: number
}

/** Serializes a list that is in memory, part by part. */
export function* serializeListInSteps(
  serializer: RecordSerializer,
  records: readonly ResolvedRecord[],
  listInfo: ListInfo,
): Generator<string, void> {
  yield serializer.listStart(listInfo)
  for (const [index, record] of records.entries())
    yield serializer.listItem(record, index, listInfo)
  yield serializer.listEnd(listInfo)
}

/** Serializes a list that is in memory, as one text. */
export const serializeList = (
  serializer: RecordSerializer,
  records: readonly ResolvedRecord[],
  listInfo: ListInfo,
): string => [...serializeListInSteps(serializer, records, listInfo)].join('')
