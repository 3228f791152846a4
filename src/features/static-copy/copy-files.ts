// The files of a copy from which a catalogue is read back, and what their lines have: the records, in
// the format of the exports, the pictures, the lists of editors, and the institution's own terms.

import { join, posix } from 'node:path'

import { resourceNames } from '../../model/iris.js'
import type { PicturedKind } from '../pictures/picture.js'
import { dataFileOf } from './copy-addresses.js'

/** The SHA-256 of each file that is read back, as the program sha256sum writes and checks them. */
export const checksumFile = 'SHA256SUMS'

export const recordFiles = resourceNames.map((name) => dataFileOf(name, 'jsonl'))
export const picturesFile = 'data/pictures.jsonl.gz'
export const listsFile = 'data/lists.jsonl.gz'

const termsFolder = 'data/vocabularies'

/** The terms that an institution added to a vocabulary. */
export const termsFileOf = (vocabulary: string): string => `${termsFolder}/${vocabulary}.ttl`

export const isTermsFile = (file: string): boolean => posix.dirname(file) === termsFolder

export const termsFolderIn = (directory: string): string => join(directory, termsFolder)

/** Whether a file is one of those that are read back. */
export const isReadBack = (file: string): boolean => /^(?:data|pictures)\//.test(file)

/** A picture of a record that everybody may see, as the service's JSON describes it. */
export type CopiedPicture = {
  readonly kind: PicturedKind
  /** The identifier of the zine or the copy. */
  readonly record: string
  readonly id: string
  readonly alt: string
  readonly rights: string
  readonly credit: string
  readonly added_at: string
  readonly elsewhere: { readonly iiif: string; readonly url: string } | null
  /** The largest one first; none for a picture that is elsewhere. */
  readonly sizes: readonly {
    readonly width: number
    readonly height: number
    readonly file: string
  }[]
}

/** The record that a picture belongs to. */
export const recordOf = ({ kind, record }: CopiedPicture): string => `${kind}/${record}`

/** A list that everybody may see, as an editor would send it. */
export type CopiedList = {
  readonly slug: string
  readonly title: string
  readonly text: string
  readonly public: true
  readonly records: readonly {
    readonly kind: string
    readonly id: string
    readonly note: string
  }[]
}
