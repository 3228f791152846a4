// Finds out what a file is: by its content first, since names are wrong as often as not.

import { InvalidError } from '../../errors.js'
import { describeLineEnds, readDelimited, recognizeDelimiter } from './tables/delimited.js'
import { encodingName, encodingTitle, recognizeEncoding } from './tables/encodings.js'
import { isHarvest } from './harvest-file.js'
import { isArrayOfObjects } from './json-lines.js'
import { looksLikeMarc, readMarc, recognizeMarcEncoding } from './marc/marc.js'
import { firstOf, readRows } from './read-rows.js'
import { repairText } from './tables/repair.js'
import { refuseOtherFile, refuseOtherText, textSigns } from './tables/signs.js'
import type { RecognizedSource, SourceOptions, SourceType } from './source.js'
import { readWorkbook } from './tables/spreadsheet.js'
import { headRows, isOfReaders, nameColumns, recognizeSkippedRows } from './tables/tables.js'
import { nameFormat } from './marc/unimarc.js'
import { declaredEncoding, readStart } from './marc/xml-file.js'

export type SourceFile = {
  readonly path: string
  /** As the person called it. */
  readonly name: string
}

/**
 * What a file is, and how it is read. Options that are given are taken as they are.
 * @throws InvalidError if it cannot be read at all
 */
export async function recognizeSource(
  file: SourceFile,
  preset: SourceOptions,
): Promise<RecognizedSource> {
  const start = await readStart(file.path)
  if (start.length === 0) throw new InvalidError('The file is empty.')
  const type = preset.type ?? recognizeType(start, file.name)
  const recognized = await recognizers[type](file.path, preset, start)
  const options = { ...recognized.options, type }
  const repair = preset.repair ?? options.repair ?? (await needsRepair(file.path, options))
  return { ...recognized, options: { ...options, repair } }
}

function recognizeType(start: Buffer, name: string): SourceType {
  const bytes = start.toString('latin1')
  refuseOtherFile(bytes)
  // A ZIP archive, as .xlsx and .ods are, and an OLE document, as .xls is.
  if (bytes.startsWith('PK\x03\x04') || bytes.startsWith('\xd0\xcf\x11\xe0')) return 'spreadsheet'
  // .xls without the document around it, of the time before Excel 5.
  if (/^\x09[\x00\x02\x04\x08]/.test(bytes) && /\.xls$/i.test(name)) return 'spreadsheet'
  if (looksLikeMarc(start)) return 'marc'
  // UTF-16 has zeros between letters.
  const text = bytes
    .replace(/\0/g, '')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .trimStart()
  if (isHarvest(text)) return 'oai-pmh'
  const [type] = textSigns.find(([, sign]) => sign(text)) ?? []
  if (type !== undefined) return type
  refuseOtherText(text)
  return 'csv'
}

type Recognizer = (path: string, preset: SourceOptions, start: Buffer) => Promise<RecognizedSource>

const recognizers: Readonly<Record<SourceType, Recognizer>> = {
  csv: recognizeDelimited,
  spreadsheet: recognizeSpreadsheet,
  marc: recognizeMarc,
  marcxml: recognizeMarcXml,
  'json-lines': (path, preset, start) =>
    recognizeText(path, preset, start, isArrayOfObjects(start) ? 'JSON' : 'JSON Lines'),
  bibtex: (path, preset, start) => recognizeText(path, preset, start, 'BibTeX'),
  ris: (path, preset, start) => recognizeText(path, preset, start, 'RIS'),
  endnote: (path, preset, start) => recognizeText(path, preset, start, 'EndNote, tagged'),
  'csl-json': (path, preset, start) => recognizeText(path, preset, start, 'CSL-JSON'),
  mods: (path, preset, start) => recognizeText(path, preset, start, 'MODS'),
  rdf: (path, preset, start) => recognizeText(path, preset, start, 'RDF'),
  'oai-pmh': (path, preset, start) =>
    recognizeText(path, preset, start, 'Records of another catalogue (OAI-PMH)'),
}

const delimiterNames: ReadonlyMap<string, string> = new Map([
  [',', 'separated by commas'],
  [';', 'separated by semicolons'],
  ['\t', 'separated by tabs'],
  ['|', 'separated by vertical bars'],
])

async function recognizeDelimited(path: string, preset: SourceOptions): Promise<RecognizedSource> {
  const encoding = encodingName(preset.encoding ?? (await recognizeEncoding(path)))
  const delimiter = preset.delimiter ?? (await recognizeDelimiter(path, encoding))
  if (delimiter.length !== 1 || /["\r\n]/.test(delimiter))
    throw new InvalidError('The cells can only be separated by one character.')
  const first = await firstOf(readDelimited(path, { encoding, delimiter }), headRows)
  const skipRows = preset.skipRows ?? recognizeSkippedRows(first)
  const columns = nameColumns(first[skipRows]?.cells ?? [])
  if (columns.length === 0)
    throw new InvalidError('The file has no row with the names of the columns.')
  const description = [
    isLibraryThing(columns) ? 'LibraryThing export' : delimiter === '\t' ? 'TSV' : 'CSV',
    delimiterNames.get(delimiter) ?? `separated by ${delimiter}`,
    encodingTitle(encoding),
    `line ends ${await describeLineEnds(path, encoding)}`,
    ...describeReaders(columns),
  ].join(', ')
  return { options: { encoding, delimiter, skipRows }, description, sheets: [], columns }
}

/** What is said of columns with the names of readers, which are not read. */
function describeReaders(columns: readonly string[]): readonly string[] {
  const readers = columns.filter(isOfReaders)
  return readers.length > 0 ? [`left out, since it names readers: ${readers.join(', ')}`] : []
}

const isLibraryThing = (columns: readonly string[]): boolean =>
  ['TITLE', 'ENTRY DATE', 'TAGS', 'COLLECTIONS'].every((name) =>
    columns.some((column) => column.toUpperCase() === name),
  )

async function recognizeSpreadsheet(
  path: string,
  preset: SourceOptions,
): Promise<RecognizedSource> {
  // Reading a workbook is slow, so these rows also tell whether it needs repair.
  const workbook = await readWorkbook(path, preset.sheet, repairRows)
  const { sheets, hidden, sheet, format, rows } = workbook
  const skipRows = preset.skipRows ?? recognizeSkippedRows(rows)
  const columns = nameColumns(rows[skipRows]?.cells ?? [])
  if (columns.length === 0) throw new InvalidError(`The sheet "${sheet}" is empty.`)
  const hiddenColumns = workbook.hiddenColumns.flatMap((index) => columns[index] ?? [])
  const count = sheets.length === 1 ? 'one sheet' : `${sheets.length} sheets`
  const title =
    format === '' || format === 'html'
      ? 'Spreadsheet'
      : `Spreadsheet (.${format.replace(/^biff\d$/, 'xls')})`
  const repair =
    preset.repair ??
    rows.some(({ cells }) => cells.some((cell) => repairText(cell).repaired !== undefined))
  return {
    options: { sheet, skipRows, repair },
    description: [
      `${title}, ${count}`,
      ...(hidden.length > 0 ? [`hidden: ${hidden.join(', ')}`] : []),
      ...(hiddenColumns.length > 0 ? [`hidden columns: ${hiddenColumns.join(', ')}`] : []),
      ...describeReaders(columns),
    ].join(', '),
    sheets,
    columns,
    hiddenColumns,
  }
}

async function recognizeMarc(path: string, preset: SourceOptions): Promise<RecognizedSource> {
  const encoding = encodingName(preset.encoding ?? (await recognizeMarcEncoding(path)))
  const format = nameFormat(await firstOf(readMarc(path, encoding), formatRows))
  const description = `${format} (ISO 2709), ${encodingTitle(encoding)}`
  return { options: { encoding }, description, sheets: [], columns: [] }
}

async function recognizeMarcXml(
  path: string,
  preset: SourceOptions,
  start: Buffer,
): Promise<RecognizedSource> {
  const { options, ...recognized } = await recognizeText(path, preset, start, 'MARCXML')
  const rows = await firstOf(readRows(path, { ...options, type: 'marcxml' }), formatRows)
  const format = nameFormat(rows)
  const description = `${format === 'MARC 21' ? '' : `${format} in `}${recognized.description}`
  return { ...recognized, options, description }
}

/** Enough to see of which formats the records are. */
const formatRows = 100

async function recognizeText(
  path: string,
  preset: SourceOptions,
  start: Buffer,
  title: string,
): Promise<RecognizedSource> {
  const encoding = encodingName(
    preset.encoding ??
      declaredEncoding(start.toString('latin1')) ??
      (await recognizeEncoding(path)),
  )
  return {
    options: { encoding },
    description: `${title}, ${encodingTitle(encoding)}`,
    sheets: [],
    columns: [],
  }
}

/** Whether a text can be repaired. Rows that are read later than these are seen by the report. */
const repairRows = 5000

async function needsRepair(path: string, options: SourceOptions): Promise<boolean> {
  for await (const { number, remarks } of readRows(path, { ...options, repair: true })) {
    // What the reader itself put right has no text before.
    if (remarks.some(({ before }) => before !== undefined)) return true
    if (number >= repairRows) break
  }
  return false
}
