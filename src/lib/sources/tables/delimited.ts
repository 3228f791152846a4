// Reads CSV and its relatives: finds out what separates the cells, and reads one row after the
// other. The rows are parted here, so that a missing quotation mark costs one row; csv-parse reads
// their cells.

import { CsvError, parse } from 'csv-parse/sync'

import { InvalidError } from '../../../errors.js'
import { createYielder, yieldToEventLoop } from '../../scheduling.js'
import { readText } from './encodings.js'
import { sourceLimits } from '../limits.js'
import type { TableRow } from './tables.js'

const delimiters = [',', ';', '\t', '|'] as const

/** The text of a row, and why it is broken. */
type RowText = { readonly text: string; readonly problem?: string }

const unclosed = 'A quotation mark is missing: the cell that it begins does not end.'

/** Between `"`, line ends and delimiters are text. */
export class RowSplitter {
  readonly #delimiter: string
  readonly #maxCharacters: number
  #text = ''
  /** Where the row begins, and where the text is looked at next. */
  #start = 0
  #position = 0
  #isQuoted = false

  /** @param maxCharacters a row that is longer is cut at its first line end */
  constructor(delimiter: string, maxCharacters: number = sourceLimits.rowCharacters) {
    this.#delimiter = delimiter
    this.#maxCharacters = maxCharacters
  }

  /** The rows that are complete with this piece of the text. */
  split(piece: string): readonly RowText[] {
    return this.#split(piece, false)
  }

  /** What is left at the end of the text. */
  end(): readonly RowText[] {
    const rows = [...this.#split('', true)]
    while (this.#isQuoted && this.#start < this.#text.length)
      rows.push(this.#cutRow(), ...this.#split('', true))
    if (this.#start < this.#text.length) rows.push({ text: this.#text.slice(this.#start) })
    return rows
  }

  #split(piece: string, isEnd: boolean): readonly RowText[] {
    this.#text = this.#text.slice(this.#start) + piece
    this.#position -= this.#start
    this.#start = 0
    const rows: RowText[] = []
    for (;;) {
      if (this.#position - this.#start > this.#maxCharacters) rows.push(this.#cutRow())
      const end = this.#isQuoted ? this.#passQuoted(isEnd) : this.#findRowEnd(isEnd)
      if (end === 'more') return rows
      if (end === 'row') rows.push(this.#takeRow())
    }
  }

  /** Goes to the end of the quoted part, or to the end of the text. */
  #passQuoted(isEnd: boolean): 'more' | 'inside' {
    const end = this.#text.indexOf('"', this.#position)
    // Whether it is doubled, and stands for itself, is told by the character that follows.
    if (end < 0 || (end + 1 === this.#text.length && !isEnd)) {
      this.#position = end < 0 ? this.#text.length : end
      return 'more'
    }
    this.#isQuoted = this.#text[end + 1] === '"'
    this.#position = end + (this.#isQuoted ? 2 : 1)
    return 'inside'
  }

  /** Goes to the next line end that ends the row, to a quoted part, or to the end of the text. */
  #findRowEnd(isEnd: boolean): 'more' | 'inside' | 'row' {
    const index = findSpecial(this.#text, this.#position, this.#delimiter)
    const character = this.#text[index]
    // A line end may have two characters.
    if (index < 0 || (character === '\r' && index + 1 === this.#text.length && !isEnd)) {
      this.#position = index < 0 ? this.#text.length : index
      return 'more'
    }
    if (character === '\r' || character === '\n') {
      this.#position = index
      return 'row'
    }
    // Elsewhere in a cell, a quotation mark is one.
    this.#isQuoted =
      character === '"' && (index === this.#start || this.#text[index - 1] === this.#delimiter)
    this.#position = index + 1
    return 'inside'
  }

  /** The row that ends at the position; a line end there is passed. */
  #takeRow(): RowText {
    const row = { text: this.#text.slice(this.#start, this.#position) }
    this.#position +=
      /^(?:\r\n|[\r\n])?/.exec(this.#text.slice(this.#position, this.#position + 2))?.[0].length ??
      0
    this.#start = this.#position
    return row
  }

  #cutRow(): RowText {
    const length =
      /[\r\n]/.exec(this.#text.slice(this.#start))?.index ?? this.#position - this.#start
    this.#position = this.#start + length
    this.#isQuoted = false
    return { ...this.#takeRow(), problem: unclosed }
  }
}

/** The next quotation mark, delimiter or line end; -1 if there is none. */
function findSpecial(text: string, from: number, delimiter: string): number {
  for (let index = from; index < text.length; index += 1) {
    const character = text[index]
    if (character === '"' || character === delimiter || character === '\r' || character === '\n')
      return index
  }
  return -1
}

function parseCells(text: string, delimiter: string): readonly string[] {
  if (!text.includes('"')) return text.split(delimiter)
  const [cells = []] = parse(text, {
    delimiter,
    // The text is one row, whatever it contains.
    record_delimiter: ['\u0000'],
    relax_quotes: true,
    relax_column_count: true,
  })
  return cells
}

/** The rows of cells, also that with the names of the columns. Empty lines are left out. */
export async function* readDelimited(
  path: string,
  { encoding, delimiter }: { readonly encoding: string; readonly delimiter: string },
): AsyncGenerator<TableRow> {
  const splitter = new RowSplitter(delimiter)
  const maybeYield = createYielder()
  async function* parseRows(rows: readonly RowText[]): AsyncGenerator<TableRow> {
    for (const { text, problem } of rows) {
      await maybeYield()
      if (text.trim() === '') continue
      try {
        const cells = parseCells(text, delimiter)
        yield problem === undefined ? { cells } : { cells, problem }
      } catch (error) {
        if (!(error instanceof CsvError)) throw error
        yield { cells: [text], problem: problem ?? `The row is no CSV: ${error.message}` }
      }
    }
  }
  for await (const piece of readText(path, encoding)) yield* parseRows(splitter.split(piece))
  yield* parseRows(splitter.end())
}

/** Enough rows to see how many cells they have. */
const sampleCharacters = 40_000
const sampleRows = 50

/**
 * What separates the cells: that with which most rows have the same number of cells, and more than
 * one.
 */
export async function recognizeDelimiter(path: string, encoding: string): Promise<string> {
  const sample = await readSample(path, encoding)
  if (sample.includes('\u0000'))
    throw new InvalidError('The file is not text. Save it as CSV, or bring a spreadsheet.')
  const scores: { readonly delimiter: string; readonly score: number }[] = []
  for (const delimiter of delimiters) {
    scores.push({ delimiter, score: scoreDelimiter(sample, delimiter) })
    await yieldToEventLoop()
  }
  return scores.reduce((best, candidate) => (candidate.score > best.score ? candidate : best))
    .delimiter
}

async function readSample(path: string, encoding: string): Promise<string> {
  let sample = ''
  for await (const piece of readText(path, encoding)) {
    sample += piece
    if (sample.length >= sampleCharacters) break
  }
  return sample.slice(0, sampleCharacters)
}

function scoreDelimiter(sample: string, delimiter: string): number {
  const splitter = new RowSplitter(delimiter)
  const rowTexts = splitter.split(sample)
  // A sample that is not the whole file ends inside of a row.
  const complete = sample.length < sampleCharacters ? [...rowTexts, ...splitter.end()] : rowTexts
  const counts = complete
    .filter(({ text, problem }) => text.trim() !== '' && problem === undefined)
    .slice(0, sampleRows)
    .map(({ text }) => countCells(text, delimiter))
  const frequencies = new Map<number, number>()
  for (const count of counts) frequencies.set(count, (frequencies.get(count) ?? 0) + 1)
  const [cells = 1, rows = 0] = [...frequencies].sort(([, a], [, b]) => b - a)[0] ?? []
  // More cells, if as many rows agree.
  return cells < 2 ? 0 : (rows / counts.length) * (1 + Math.min(cells, 50) / 100)
}

function countCells(text: string, delimiter: string): number {
  try {
    return parseCells(text, delimiter).length
  } catch (error) {
    if (error instanceof CsvError) return 1
    throw error
  }
}

/** The line ends outside of quotation marks, in words. */
export async function describeLineEnds(path: string, encoding: string): Promise<string> {
  const sample = (await readSample(path, encoding)).replace(/"(?:[^"]|"")*"/g, '')
  const counts = [
    ['CR LF', sample.match(/\r\n/g)?.length ?? 0],
    ['LF', sample.match(/(?<!\r)\n/g)?.length ?? 0],
    ['CR', sample.match(/\r(?!\n)/g)?.length ?? 0],
  ] as const
  return counts.reduce((most, candidate) => (candidate[1] > most[1] ? candidate : most))[0]
}
