// Reads workbooks (XLSX) for tests of what we write: the files in the archive, and the cells of the sheet.

import { crc32, inflateRawSync } from 'node:zlib'

import { SaxesParser } from '@rubensworks/saxes'
import { expect } from 'chai'

/** The files of a ZIP archive by their paths, found by its central directory. */
export function readArchive(archive: Buffer): ReadonlyMap<string, Buffer> {
  const end = archive.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
  const count = archive.readUInt16LE(end + 10)
  let entry = archive.readUInt32LE(end + 16)
  const files = new Map<string, Buffer>()
  for (let index = 0; index < count; index += 1) {
    expect(archive.toString('latin1', entry, entry + 4)).to.equal('PK\u0001\u0002')
    const [checksum, packedSize, size] = [16, 20, 24].map((at) => archive.readUInt32LE(entry + at))
    const [name = 0, extra = 0, comment = 0] = [28, 30, 32].map((at) =>
      archive.readUInt16LE(entry + at),
    )
    const path = archive.toString('utf8', entry + 46, entry + 46 + name)
    const header = archive.readUInt32LE(entry + 42)
    const start =
      header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28)
    const content = inflateRawSync(archive.subarray(start, start + (packedSize ?? 0)))
    expect([content.length, crc32(content)], path).to.deep.equal([size, checksum])
    files.set(path, content)
    entry += 46 + name + extra + comment
  }
  return files
}

const sheetPath = 'xl/worksheets/sheet1.xml'

/** The text of the only sheet. */
export const sheetOf = (workbook: Buffer): string =>
  readArchive(workbook).get(sheetPath)?.toString('utf8') ?? ''

/** The cells of each row by the letters of their columns. Every cell has to be a text in the format of texts. */
export function readSheet(workbook: Buffer): Readonly<Record<string, string>>[] {
  const rows: Record<string, string>[] = []
  let column = ''
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    expect(name).not.to.equal('f')
    if (name === 'row') {
      rows.push({})
      expect(attributes.r).to.equal(String(rows.length))
    }
    if (name !== 'c') return
    expect([attributes.t, attributes.s]).to.deep.equal(['inlineStr', rows.length === 1 ? '2' : '1'])
    column = /^[A-Z]+(?=\d+$)/.exec(attributes.r ?? '')?.[0] ?? ''
    expect(attributes.r).to.equal(`${column}${rows.length}`)
  })
  parser.on('text', (text) => {
    const row = rows.at(-1)
    if (row && column !== '') row[column] = (row[column] ?? '') + text
  })
  parser.on('closetag', ({ name }) => {
    if (name === 'c') column = ''
  })
  parser.write(sheetOf(workbook)).close()
  return rows
}

/** The rows below the headings, by heading. */
export function readTable(workbook: Buffer): Readonly<Record<string, string>>[] {
  const [headings = {}, ...rows] = readSheet(workbook)
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(headings).map(([column, name]) => [name, unescapeCodes(row[column] ?? '')]),
    ),
  )
}

const unescapeCodes = (text: string): string =>
  text.replace(/_x([\dA-F]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
