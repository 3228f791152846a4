// LevelDB's tables as we read them, against what LevelDB was given.

import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'
import { ClassicLevel } from 'classic-level'
import fc from 'fast-check'

import { readTable } from '../../../src/lib/key-value/leveldb-files.js'

describe('a table of LevelDB', () => {
  it('is read as it was written, compressed or not, with its last versions alone', async () => {
    const entry = fc.tuple(fc.string({ unit: 'binary', maxLength: 20 }), fc.string(), fc.nat(900))
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 60 }), async (drawn) => {
        // Repeated so that many blocks are compressed.
        const entries = drawn.map(([key, text, times]) => [`k${key}`, text.repeat(times)] as const)
        expect(await tablesOf(entries)).to.deep.equal(new Map(entries))
      }),
      { numRuns: 40 },
    )
  })
})

/** What is in the tables after all entries were written one after the other. */
async function tablesOf(
  entries: readonly (readonly [key: string, value: string])[],
): Promise<ReadonlyMap<string, string>> {
  const directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
  const level = new ClassicLevel(directory)
  try {
    await level.batch(entries.map(([key, value]) => ({ type: 'put', key, value })))
    // The second table lies above the first, so that they are merged.
    await level.compactRange('j', 'l')
    await level.put('j', '').then(() => level.put('l', ''))
    await level.compactRange('j', 'l')
    const found = new Map<string, string>()
    for (const name of (await readdir(directory)).filter((one) => one.endsWith('.ldb')))
      for (const { key, value } of readTable(await readFile(join(directory, name)))) {
        expect(found.has(key.toString())).to.equal(false)
        if (value) found.set(key.toString(), value.toString())
      }
    return new Map([...found].filter(([key]) => key.startsWith('k')))
  } finally {
    await level.close()
    await rm(directory, { recursive: true })
  }
}
