// What spreadsheet.ts and its worker say to each other.

export type WorkbookRequest = {
  readonly path: string
  /** Undefined: the first one. */
  readonly sheet: string | undefined
  readonly maxRows: number
  /** Of the files inside of it together. */
  readonly maxUnpackedBytes: number
}

export type FromWorkbook =
  /** Comes first. */
  | {
      readonly kind: 'sheets'
      readonly names: readonly string[]
      /** The one whose rows follow. */
      readonly sheet: string
      readonly format: string
    }
  /** The worker waits for a message before it sends more of them. */
  | { readonly kind: 'rows'; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'end' }
  /** The message is for people. */
  | { readonly kind: 'error'; readonly message: string }
