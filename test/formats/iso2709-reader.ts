// Reads files in ISO 2709 in the strictest way, by their directory alone, for tests of what we write.

import { expect } from 'chai'

export type ReadField =
  | { readonly tag: string; readonly text: string }
  | { readonly tag: string; readonly indicators: string; readonly subfields: readonly string[] }

export type ReadRecord = { readonly leader: string; readonly fields: readonly ReadField[] }

/** The records of a file. Every length and position has to be right. */
export function readIso2709(file: Buffer): ReadRecord[] {
  const records: ReadRecord[] = []
  let start = 0
  while (start < file.length) {
    const length = numberIn(file.toString('latin1', start, start + 5))
    expect(length, 'the length of a record').to.be.within(26, 99_999)
    records.push(readRecord(file.subarray(start, start + length)))
    start += length
  }
  expect(start, 'the end of the file').to.equal(file.length)
  return records
}

function readRecord(bytes: Buffer): ReadRecord {
  const leader = bytes.toString('latin1', 0, 24)
  const base = numberIn(leader.slice(12, 17))
  expect(leader[9], 'UTF-8').to.equal('a')
  expect(leader.slice(20), 'the sizes in the directory').to.equal('4500')
  expect(bytes.at(-1), 'the end of the record').to.equal(0x1d)
  const directory = bytes.toString('latin1', 24, base)
  expect(directory, 'the directory').to.match(/^(?:[\dA-Z]{3}\d{9})*\u001e$/)
  let position = 0
  const fields = [...directory.matchAll(/(.{3})(.{4})(.{5})/g)].map(
    ([, tag = '', length = '', start = '']) => {
      expect(numberIn(start), `the position of ${tag}`).to.equal(position)
      position += numberIn(length)
      return readField(tag, bytes.subarray(base + numberIn(start), base + position))
    },
  )
  expect(base + position + 1, 'the length of all fields').to.equal(bytes.length)
  return { leader, fields }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function readField(tag: string, bytes: Buffer): ReadField {
  const text = decoder.decode(bytes)
  expect(text, `the only end of ${tag}`).to.match(/^[^\u001d\u001e]*\u001e$/)
  const content = text.slice(0, -1)
  if (tag.startsWith('00')) return { tag, text: content }
  const [indicators = '', ...subfields] = content.split('\u001f')
  expect(indicators, `the indicators of ${tag}`).to.match(/^[\d ]{2}$/)
  return { tag, indicators, subfields }
}

function numberIn(digits: string): number {
  expect(digits).to.match(/^\d+$/)
  return Number(digits)
}

/** A field on one line, as the tests of MARCXML have it: `245 10 $a Doris. $n no. 24`. */
export const lineOf = (field: ReadField): string =>
  'text' in field
    ? `${field.tag} ${field.text}`
    : `${field.tag} ${field.indicators.replaceAll(' ', '_')}${field.subfields
        .map((subfield) => ` $${subfield.slice(0, 1)} ${subfield.slice(1)}`)
        .join('')}`
