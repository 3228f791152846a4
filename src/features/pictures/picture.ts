// A picture of a zine or a holding, and what is stored of the pictures of a record: one entry of
// the key-value store for each record (docs/reference/data-model.md, "Pictures"). The files are in
// picture-files.ts.

import type { ResourceName } from '../../model/iris.js'

/** The kinds of records that have pictures. */
export const picturedKinds = ['zines', 'holdings'] as const satisfies readonly ResourceName[]

export type PicturedKind = (typeof picturedKinds)[number]

export const isPictured = (name: string): name is PicturedKind =>
  (picturedKinds as readonly string[]).includes(name)

/** An image file in one of the sizes of a picture. */
export type PictureSize = {
  readonly width: number
  readonly height: number
  /** The SHA-256 of the file, which is its name. */
  readonly hash: string
}

export const iiifTypes = ['image', 'manifest'] as const

/** A picture that is elsewhere: the address of an image or of a manifest (IIIF). */
export type ElsewhereAddress = { readonly type: (typeof iiifTypes)[number]; readonly url: string }

/** What people say about a picture. */
export type PictureDescription = {
  /** For people who do not see the picture. */
  readonly alt: string
  /** The code of a rights status; empty if none is known. */
  readonly rights: string
  /** Whom the picture is from. */
  readonly credit: string
  /** Whether it is shown to everybody. */
  readonly public: boolean
}

export type Picture = PictureDescription & {
  readonly id: string
  /** The sizes of a file that was sent, the largest first; none for a picture that is elsewhere. */
  readonly sizes: readonly PictureSize[]
  readonly elsewhere?: ElsewhereAddress
  readonly addedAt: string
  /** The keys of merged records from which it came here, the last one last. */
  readonly from?: readonly string[]
}

/** The pictures of a record. */
export type PictureEntry = {
  /** In their order; the first one is the cover. */
  readonly pictures: readonly Picture[]
  /** Those of a deleted record, which come back with it. */
  readonly removed: readonly Picture[]
  readonly removedAt?: string
}

export const noEntry: PictureEntry = { pictures: [], removed: [] }

export const maxPictures = 50

/** @throws Error for what no entry is */
export function parsePictureEntry(value: string): PictureEntry {
  // The cast: `serializePictureEntry` wrote it, or the checks below find that it did not.
  const entry = JSON.parse(value) as PictureEntry
  for (const picture of [...entry.pictures, ...entry.removed]) {
    const areSizes = picture.sizes.every(({ hash, width }) => isHash(hash) && width > 0)
    const isWhole = areSizes && (picture.sizes.length > 0 || picture.elsewhere !== undefined)
    if (!isPictureId(picture.id) || !isWhole) throw new Error('this is no entry of pictures')
  }
  return entry
}

/** The value of an entry; undefined for one without pictures, which is not stored. */
export const serializePictureEntry = (entry: PictureEntry): string | undefined =>
  entry.pictures.length + entry.removed.length === 0 ? undefined : JSON.stringify(entry)

export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

const isPictureId = (text: string): boolean => /^[0-9a-f]{20}$/.test(text)

/** Whether everybody may see a picture, and its image is here. */
export const isPublicImage = (picture: Picture): boolean =>
  picture.public && picture.sizes.length > 0

/** The picture that stands for a record. */
export const publicCover = (pictures: readonly Picture[]): Picture | undefined =>
  pictures.find(isPublicImage)

/** The names of all files that an entry needs. */
export const hashesOf = ({ pictures, removed }: PictureEntry): readonly string[] =>
  [...pictures, ...removed].flatMap(({ sizes }) => sizes.map(({ hash }) => hash))
