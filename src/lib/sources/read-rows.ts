// Reads the rows of any source, and repairs their texts.

import { InvalidError } from '../../errors.js'
import { readCslJson } from './csl-json.js'
import { readDelimited } from './tables/delimited.js'
import { readDocument } from './document.js'
import { encodingName } from './tables/encodings.js'
import { isHarvest, readHarvest } from './harvest-file.js'
import { readJsonLines } from './json-lines.js'
import { sourceLimits } from './limits.js'
import { readMarc } from './marc/marc.js'
import { markRow, repairRow } from './tables/repair-rows.js'
import type { SourceField, SourceOptions, SourceRow, SourceType } from './source.js'
import { readSheet } from './tables/spreadsheet.js'
import { readTable } from './tables/tables.js'
import { readTagged } from './tagged.js'
import { readStart, readXmlFile } from './marc/xml-file.js'

/**
 * The options that a source was recognized with; without some of them, what is most common is
 * taken.
 */
type KnownOptions = Omit<SourceOptions, 'type'>

const readers: Readonly<
  Record<SourceType, (path: string, options: KnownOptions) => AsyncIterable<SourceRow>>
> = {
  csv: (path, { encoding = 'utf-8', delimiter = ',', skipRows = 0 }) =>
    readTable(readDelimited(path, { encoding, delimiter }), { skipRows, isEven: true }),
  spreadsheet: (path, { sheet, skipRows = 0 }) =>
    readTable(readSheet(path, sheet), { skipRows, isEven: false }),
  marc: (path, { encoding = 'marc-8' }) => readMarc(path, encodingName(encoding)),
  marcxml: (path, { encoding = 'utf-8' }) => readXmlFile(path, encoding),
  'json-lines': (path, { encoding = 'utf-8' }) => readJsonLines(path, encoding),
  'oai-pmh': readOaiFile,
  bibtex: (path, { encoding = 'utf-8' }) => readDocument({ path, encoding, type: 'bibtex' }),
  rdf: (path, { encoding = 'utf-8' }) => readDocument({ path, encoding, type: 'rdf' }),
  ris: (path, { encoding = 'utf-8' }) => readTagged(path, encoding, 'ris'),
  endnote: (path, { encoding = 'utf-8' }) => readTagged(path, encoding, 'endnote'),
  'csl-json': (path, { encoding = 'utf-8' }) => readCslJson(path, encoding),
  mods: (path, { encoding = 'utf-8' }) => readXmlFile(path, encoding),
}

/** A harvest of our own, or answers that somebody saved. */
async function* readOaiFile(
  path: string,
  { encoding = 'utf-8' }: KnownOptions,
): AsyncGenerator<SourceRow> {
  const start = (await readStart(path)).toString('utf8')
  yield* isHarvest(start) ? readHarvest(path) : readXmlFile(path, encoding)
}

/**
 * The rows of a source, one after the other. A broken row has a problem, and the next one follows
 * where the format allows it. Text that was encoded wrongly is repaired if the options say so; else
 * it has a remark.
 * @param options those of recognizeSource
 * @throws InvalidError while it reads, if the source cannot be read further or is too large
 */
export async function* readRows(path: string, options: SourceOptions): AsyncGenerator<SourceRow> {
  for await (const row of readOriginalRows(path, options))
    yield options.repair ? repairRow(row) : markRow(row)
}

/** The rows without repairs and without remarks on what could be repaired. */
export async function* readOriginalRows(
  path: string,
  { type = 'csv', ...options }: SourceOptions,
): AsyncGenerator<SourceRow> {
  for await (const row of readers[type](path, options)) {
    if (row.number > sourceLimits.rows)
      throw new InvalidError(
        `The source has more than ${sourceLimits.rows.toLocaleString('en')} rows. Divide it into several.`,
      )
    yield withinLimits(row)
  }
}

export async function firstOf<Row>(
  rows: AsyncIterable<Row>,
  count: number,
): Promise<readonly Row[]> {
  const first: Row[] = []
  for await (const row of rows) {
    first.push(row)
    if (first.length >= count) break
  }
  return first
}

/**
 * A row with more fields than anything about a zine has is broken; its first fields show what it
 * is.
 */
function withinLimits(row: SourceRow): SourceRow {
  const { fields } = row
  const parts = fields.reduce((sum, field) => sum + field.parts.length, 0)
  const [count, limit, name] =
    parts > sourceLimits.rowParts
      ? ([parts, sourceLimits.rowParts, 'values'] as const)
      : ([fields.length, sourceLimits.columns, 'fields'] as const)
  if (count <= limit) return row
  const problem = `The row has more than ${limit.toLocaleString('en')} ${name}.`
  return { ...row, fields: fields.slice(0, 20).map(withFewParts), problem }
}

const withFewParts = (field: SourceField): SourceField => ({
  ...field,
  parts: field.parts.slice(0, 20),
})
