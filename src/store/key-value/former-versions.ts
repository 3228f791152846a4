// Tells whether LevelDB's files have versions of entries that were written over or removed. LevelDB drops them
// when it merges tables, unless somebody reads, and does not say whether it did. So the files themselves are read.

import { join } from 'node:path'

import { createYielder } from '../../scheduling.js'
import {
  isLog,
  isTable,
  listFiles,
  readContent,
  readLiveManifest,
  undefinedIfAbsent,
} from './integrity-check.js'
import { findCorruptBlock, readLog, readSequence, readTable } from './leveldb-files.js'

/** The sequence number of the last write when a table was made last. */
export const lastSequenceInTables = async (directory: string): Promise<number> =>
  (await readLiveManifest(directory)).lastSequence

/**
 * Looks into all tables and logs for more than one version of an entry among the writes up to a sequence number.
 * The caller has an iterator of LevelDB open meanwhile, so that no table is removed that the store consists of. What
 * is removed or made nevertheless has only versions that these tables or later writes have.
 * @returns the name of a file that has a version which is not the last one, or may have; undefined when none does
 */
export async function findFormerVersion(
  directory: string,
  upTo: number,
): Promise<string | undefined> {
  const names = await listFiles(directory)
  const { tables } = await readLiveManifest(directory)
  const newest = Math.max(...tables.keys())
  const ranges: KeyRange[] = []
  for (const name of names.filter((one) => isLog(one) || isTable(one))) {
    const number = Number.parseInt(name, 10)
    const content = await readContent(join(directory, name)).catch(undefinedIfAbsent)
    if (!content) continue
    if (isLog(name)) {
      // A log is kept until what it has is in a table.
      if (readLog(content).records.some((record) => readSequence(record).first <= upTo)) return name
      continue
    }
    const isLive = tables.has(number)
    // It is being made, and what was made later than all live tables consists of them.
    if (!isLive && (number > newest || findCorruptBlock(content) !== undefined)) continue
    const range = await readRange(name, content, upTo)
    if (range === 'has two versions') return name
    if (!range) continue
    // It was merged into other tables.
    if (!isLive) return name
    ranges.push(range)
  }
  ranges.sort((one, other) => one.first.compare(other.first))
  // Where ranges meet, two tables may have the same key.
  return ranges.find(({ last }, index) => {
    const next = ranges[index + 1]
    return next && next.first.compare(last) <= 0
  })?.name
}

/** The first and the last key of a table. */
type KeyRange = { readonly name: string; readonly first: Buffer; readonly last: Buffer }

async function readRange(
  name: string,
  table: Buffer,
  upTo: number,
): Promise<KeyRange | 'has two versions' | undefined> {
  const maybeYield = createYielder()
  let first: Buffer | undefined
  let last: Buffer | undefined
  let count = 0
  for (const { key, sequence } of readTable(table)) {
    if ((count += 1) % keysInOneStep === 0) await maybeYield()
    if (sequence > upTo) continue
    if (last?.equals(key)) return 'has two versions'
    first ??= key
    last = key
  }
  return first && last && { name, first, last }
}

/** How many keys are read before other work may run: less than a millisecond. */
const keysInOneStep = 100
