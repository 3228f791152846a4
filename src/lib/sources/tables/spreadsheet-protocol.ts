// What spreadsheet.ts and its worker say to each other.

export type WorkbookRequest = {
  readonly path: string
  /** Undefined: the first one. */
  readonly sheet: string | undefined
  readonly maxRows: number
  /** Of the files inside of it together. */
  readonly maxUnpackedBytes: number
}

/** The cells of a row, and whether the program hides it. */
export type SheetRow = { readonly cells: readonly string[]; readonly isHidden: boolean }

export type FromWorkbook =
  /** The workbook has no sheet of this name. */
  | { readonly kind: 'no sheet'; readonly name: string }
  /** Comes first. */
  | {
      readonly kind: 'sheets'
      readonly names: readonly string[]
      /** Those that the program hides. */
      readonly hidden: readonly string[]
      /** The one whose rows follow. */
      readonly sheet: string
      /** Its columns that the program hides, by their places. */
      readonly hiddenColumns: readonly number[]
      readonly format: string
    }
  | { readonly kind: 'rows'; readonly rows: readonly SheetRow[] }
