// How large a source may be. Files come from strangers, and some say that they are small.

export const sourceLimits = {
  rows: 100_000,
  /** Of a table; and the fields of one row. */
  columns: 2_000,
  /** The subfields, or the values, of one row. */
  rowParts: 20_000,
  /** In one row. A cell whose closing quotation mark is missing ends there. */
  rowCharacters: 1_000_000,
  /** How deep elements stand in one another. */
  xmlDepth: 200,
  /** A workbook is read as a whole. */
  workbookBytes: 100 * 1024 * 1024,
  /** The files inside a workbook, unpacked. */
  unpackedBytes: 300 * 1024 * 1024,
  /** Of the thread that reads a file as a whole. */
  threadHeapMb: 1024,
  threadMs: 180_000,
  /** A bibliography in BibTeX, or a document of RDF, is read as a whole. */
  documentBytes: 50 * 1024 * 1024,
} as const
