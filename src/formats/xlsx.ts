// Serializes records as a workbook for spreadsheets (Office Open XML, ECMA-376): one sheet with the
// columns of CSV. The serializer writes the text of the sheet; `packWorkbook` packs it into the
// file while it is written, so that a whole catalogue takes no more memory than a few records.
//
// Each cell is a text that is in the sheet itself, with the number format of texts. So no value is
// taken for a formula, a date or a number, also when somebody edits the cell.

import { PassThrough, Readable, pipeline } from 'node:stream'

import { ZipFile } from 'yazl'

import type { ResolvedRecord } from '../model/record/views.js'
import type { Resource, Resources } from '../model/resources.js'
import { escapeText } from '../rdf/xml.js'
import type { Format, RecordSerializer } from './serializer.js'
import { tableColumns } from './table-columns.js'

export const xlsx: Format = {
  name: 'xlsx',
  title: 'Excel (XLSX)',
  type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parameters: '',
  isBinary: true,
  isLinkedLast: true,
}

/** The most rows that spreadsheets read, without the row of headings. */
const maxRows = 1_048_575

/** The most characters, in UTF-16, that a cell can have. */
export const maxCellLength = 32_767

export function xlsxSerializer(resources: Resources, resource: Resource): RecordSerializer {
  const columns = tableColumns(resources, resource)
  const letters = columns.map((_, index) => lettersOf(index))
  const row = (number: number, cells: readonly string[], style: CellStyle): string =>
    `<row r="${number}">${cells.map((cell, index) => cellOf(`${letters[index] ?? ''}${number}`, cell, style)).join('')}</row>`
  const start = `${sheetStart}${row(
    1,
    columns.map(({ name }) => name),
    headingStyle,
  )}\n`
  const item = (record: ResolvedRecord, index: number): string =>
    `${row(
      index + 2,
      columns.map((column) => column.cellOf(record)),
      textStyle,
    )}\n`
  return {
    ...xlsx,
    record: (record) => start + item(record, 0) + sheetEnd,
    listStart: () => start,
    listItem: item,
    listEnd: () => sheetEnd,
    pack: packWorkbook,
    maxRecords: maxRows,
  }
}

/** The file of a workbook whose only sheet is the text. */
function packWorkbook(sheet: AsyncIterable<string> | Iterable<string>): Readable {
  const zip = new ZipFile()
  for (const [path, text] of workbookParts) zip.addBuffer(Buffer.from(text), path, zipOptions)
  const source = Readable.from(sheet, { objectMode: false })
  zip.addReadStream(source, 'xl/worksheets/sheet1.xml', zipOptions)
  zip.end()
  // When the client goes away, nothing more is read from the catalogue.
  const file = pipeline(zip.outputStream, new PassThrough(), () => source.destroy())
  for (const part of [zip, source]) part.on('error', (error: Error) => file.destroy(error))
  return file
}

// One time for all files: the same records give the same bytes.
const zipOptions = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true }

type CellStyle = 1 | 2

/** The positions of the styles in `cellXfs`. */
const textStyle: CellStyle = 1
const headingStyle: CellStyle = 2

const cellOf = (position: string, text: string, style: CellStyle): string =>
  text === ''
    ? ''
    : `<c r="${position}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${cellText(text)}</t></is></c>`

const cellText = (text: string): string => escapeText(escapeCodes(shorten(text)))

/** A longer text would make the whole file unreadable. CSV has it in full. */
function shorten(text: string): string {
  if (text.length <= maxCellLength) return text
  const cut = text.slice(0, maxCellLength - 1)
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

// In these texts `_x000D_` means a carriage return (ECMA-376, 22.9.2.19), so an underscore before
// such a text is written as a code itself.
const escapeCodes = (text: string): string =>
  text.replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_').replaceAll('\r', '_x000D_')

/** The letters of a column by its index from 0: A to Z, then AA. */
const lettersOf = (index: number): string =>
  (index >= 26 ? lettersOf(Math.floor(index / 26) - 1) : '') +
  String.fromCharCode(65 + (index % 26))

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006'
const partTypes = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

// The headings stay in sight when the sheet is scrolled.
const sheetStart = `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>\n`
const sheetEnd = '</sheetData></worksheet>\n'

// Number format 49 is "Text". The first style, fill and border are those that every workbook has.
const styles = `${declaration}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`

const workbookParts: readonly (readonly [path: string, text: string])[] = [
  [
    '[Content_Types].xml',
    `${declaration}<Types xmlns="${packageNamespace}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${partTypes}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${partTypes}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${partTypes}.styles+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `${declaration}<Relationships xmlns="${packageNamespace}/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `${declaration}<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets><sheet name="Records" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `${declaration}<Relationships xmlns="${packageNamespace}/relationships"><Relationship Id="rId1" Type="${relationships}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relationships}/styles" Target="styles.xml"/></Relationships>`,
  ],
  ['xl/styles.xml', styles],
]
