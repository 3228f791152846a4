// Texts in files whose bytes do not show them, or show them in two places.

import { createWriteStream } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { expect } from 'chai'
import { parquetWriteFile } from 'hyparquet-writer'
import sqlite from 'node-sqlite3-wasm'
import { ZipFile } from 'yazl'

import { TextTraces } from '../../src/lib/text-traces.js'
import { withDirectory } from '../process.js'

/** Longer than the pages of the databases below. */
const text = 'ZoëQuill'.repeat(80)
const traces = new TextTraces([text])

async function filesIn(directory: string): Promise<string[]> {
  const files: string[] = []
  for await (const file of traces.filesIn(directory)) files.push(file)
  return files
}

/** Makes a file that does not have the text in its bytes, and looks for it there. */
const expectFound = (name: string, make: (path: string) => void | Promise<void>): Promise<void> =>
  withDirectory(async (directory) => {
    const path = join(directory, name)
    await make(path)
    expect(traces.areIn(await readFile(path))).to.equal(false)
    expect(await filesIn(directory)).to.deep.equal([name])
  })

function inDatabase(path: string, ...statements: readonly string[]): void {
  const database = new sqlite.Database(path)
  database.exec('PRAGMA page_size = 512; PRAGMA secure_delete = OFF')
  for (const sql of statements) database.exec(sql)
  database.close()
}

const longTable = (name: string, value: string): string =>
  `CREATE TABLE ${name} (value TEXT); INSERT INTO ${name} VALUES ('${value}')`

const zipOf = async (path: string, content: string | Buffer): Promise<void> => {
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from('Other words'), 'first.txt')
  zip.addBuffer(Buffer.from(content), 'second.txt')
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
}

const parquetOf = (filename: string): void | Promise<void> =>
  parquetWriteFile({
    filename,
    columnData: [
      { name: 'id', data: [1n, 2n, 3n] },
      { name: 'name', data: ['a', 'b', text] },
    ],
    rowGroupSize: 1,
  })

describe('a text in a packed file', () => {
  it('is found in a compressed entry of a ZIP, whatever its name', async () => {
    await expectFound('upload', (path) => zipOf(path, `before ${text}`))
  })

  it('is looked for in so much of a ZIP that none is unpacked without end', () =>
    withDirectory(async (directory) => {
      const behind = (megabytes: number) =>
        Buffer.concat([Buffer.alloc(megabytes * 1024 * 1024), Buffer.from(text)])
      await zipOf(join(directory, 'small'), behind(1))
      await zipOf(join(directory, 'bomb'), behind(64))
      expect(await filesIn(directory)).to.deep.equal(['small'])
    }))

  it('is found in a database within a ZIP', async () => {
    const short = 'Zoë Quill'
    const word = new TextTraces([short])
    await withDirectory(async (directory) => {
      const database = join(directory, 'small.sqlite')
      inDatabase(database, longTable('names', short))
      await zipOf(join(directory, 'packed.zip'), await readFile(database))
      const files: string[] = []
      for await (const file of word.filesIn(directory)) files.push(file)
      expect(files).to.have.members(['small.sqlite', 'packed.zip'])
    })
  })

  it('is found in a compressed column of Parquet, in any group of rows', async () => {
    await expectFound('zines.parquet', parquetOf)
  })

  it('is not looked for by taking what was uploaded for Parquet or a database', () =>
    withDirectory(async (directory) => {
      const parquet = join(directory, 'source')
      await parquetOf(parquet)
      inDatabase(join(directory, 'other'), longTable('names', text))
      expect(await filesIn(directory)).to.deep.equal([])
      await rename(parquet, `${parquet}.parquet`)
      expect(await filesIn(directory)).to.deep.equal(['source.parquet'])
    }))

  it('is found in a database where it goes over several pages', async () => {
    for (const sql of [
      longTable('names', text),
      `${longTable('names', text)}; CREATE INDEX by_value ON names (value)`,
      `CREATE TABLE names (value TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO names VALUES ('${text}')`,
    ])
      await expectFound('a.sqlite', (path) => inDatabase(path, sql))
  })

  it('is found on pages of a database that were freed', async () => {
    const make = (path: string) => {
      // The first page that is freed is written over: it lists the others.
      const statements = [longTable('other', 'x'.repeat(5000)), longTable('names', text)]
      inDatabase(path, ...statements, 'DROP TABLE other', 'DROP TABLE names')
    }
    await expectFound('freed.sqlite', make)
  })

  it('is not found where it never was, nor in files that are cut', () =>
    withDirectory(async (directory) => {
      await zipOf(join(directory, 'other.zip'), 'Nobody')
      const at = (name: string) => join(directory, name)
      inDatabase(at('other.sqlite'), longTable('names', 'n'.repeat(3000)))
      const whole = await readFile(at('other.sqlite'))
      for (const length of [10, 20, 100, 700]) {
        await writeFile(at(`cut-${length}.sqlite`), whole.subarray(0, length))
        const zip = await readFile(at('other.zip'))
        await writeFile(at(`cut-${length}.zip`), zip.subarray(0, length))
        await writeFile(at(`cut-${length}.parquet`), `PAR1${'x'.repeat(length)}`)
      }
      expect(await filesIn(directory)).to.deep.equal([])
    }))
})
