// What every source of an import is read as: rows of fields. A row of a table has one field for
// each column, with one part; a MARC record has one for each of its fields, with a part for each
// subfield.

/** How a source is read. What is undefined is recognized. */
export type SourceOptions = {
  readonly type?: SourceType | undefined
  /** The name of the encoding, such as `utf-8`, `windows-1252`, `macintosh` or `marc-8`. */
  readonly encoding?: string | undefined
  /** Whether text that was encoded twice is decoded twice, and HTML entities become characters. */
  readonly repair?: boolean | undefined
  /** Between the cells of a table: `,`, `;`, a tab or `|`. */
  readonly delimiter?: string | undefined
  /** The name of a sheet. */
  readonly sheet?: string | undefined
  /** How many rows stand above that with the names of the columns. */
  readonly skipRows?: number | undefined
}

export const sourceTypes = [
  'csv',
  'spreadsheet',
  'marc',
  'marcxml',
  'json-lines',
  'oai-pmh',
  'bibtex',
  'ris',
  'endnote',
  'csl-json',
  'mods',
  'rdf',
] as const

export type SourceType = (typeof sourceTypes)[number]

/**
 * What a source was recognized as. All members of `options` have a value where the type has a
 * choice.
 */
export type RecognizedSource = {
  readonly options: SourceOptions
  /** What people are told, such as `CSV, separated by commas, MacRoman, line ends CR`. */
  readonly description: string
  /** The names of the sheets of a workbook. */
  readonly sheets: readonly string[]
  /**
   * The columns of a table in their order; empty for other sources, whose fields are known by their
   * rows.
   */
  readonly columns: readonly string[]
  /** Those of the columns that a spreadsheet program hides. */
  readonly hiddenColumns?: readonly string[]
}

export type SourcePart = {
  /** The code of a subfield; empty for a cell, and for the text of a control field. */
  readonly code: string
  readonly text: string
  /** The whole cell, where another program wrote the text as a formula: `="0123"`. */
  readonly cell?: string
}

export type SourceField = {
  /**
   * The name of the column, or the tag of the MARC field: `245`, and `880-245` for a field 880 that
   * is linked to
   * 245. Columns of one name are told apart by a number: `keyword`, `keyword (2)`.
   */
  readonly name: string
  /** Both indicators of a MARC field. */
  readonly indicators?: string
  /** Whether the name in the field is that of a person or of a group, where the source says it. */
  readonly agentKind?: 'Person' | 'Collective'
  readonly parts: readonly SourcePart[]
}

/** A field with one text: a cell, a control field, or a member of a reference. */
export const textField = (name: string, text: string): SourceField => ({
  name,
  parts: [{ code: '', text }],
})

export type SourceRow = {
  /** From 1, without the row of names. */
  readonly number: number
  /** In the order of the source, without empty ones. */
  readonly fields: readonly SourceField[]
  /** What is suspicious of the row, though it could be read; and what was repaired. */
  readonly remarks: readonly SourceRemark[]
  /** Why the row cannot be used; `fields` has what could be read. */
  readonly problem?: string
}

export type SourceRemark = {
  /**
   * `hidden`: the program that wrote the workbook does not show the row. `cells`: the row has fewer
   * cells than the table has columns. `deleted`: the other catalogue deleted the record.
   */
  readonly kind: 'repaired' | 'damaged' | 'cells' | 'hidden' | 'deleted'
  /** The field that it is about; empty for the row as a whole. */
  readonly field: string
  /** One sentence. */
  readonly message: string
  /** The text before it was repaired. */
  readonly before?: string
}
