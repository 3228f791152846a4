// Removes versions of entries that were written over or removed from LevelDB's files. LevelDB drops
// them when it merges tables, unless somebody reads, and does not say whether it did. So the files
// themselves are read afterwards.

import { join } from 'node:path'

import { ifAbsent } from '../durable-file.js'
import { createYielder } from '../scheduling.js'
import { isLog, isTable, listFiles, readContent, readLiveManifest } from './integrity-check.js'
import { findCorruptBlock, readLog, readSequence, readTable } from './leveldb-files.js'

/**
 * What was to be removed from the disk for good is still there. It is not known why, so it may help
 * to try again.
 */
const formerVersionsLeft = (): Error =>
  new Error('the disk still has values that were to be removed for good')

/** The store as far as it is needed here. */
type OpenedStore = {
  readonly directory: string
  readonly compactRange: (first: string, last: string) => Promise<void>
  /** Writes entries again as they are. */
  readonly rewrite: (keys: readonly string[]) => Promise<void>
  /** Closes all iterators that are open. */
  readonly endIterators: () => Promise<void>
  readonly openIterator: () => { close(): Promise<void> }
}

/** Before and after all keys that are used. */
export const allKeys = ['\u0001', '\u{10FFFF}'] as const
const [firstKey, lastKey] = allKeys

/**
 * How often entries are written again, and how often tables are looked into. Others may read and
 * write all the time.
 */
const [maxMerges, maxLooks] = [5, 20]

/**
 * Removes from the disk what was written over or removed before.
 * @throws Error when the disk still has some, DiskFullError, DiskFailedError
 */
export async function removeFormerVersions(store: OpenedStore): Promise<void> {
  // What is in LevelDB's log becomes a table, with all versions, and is merged with those that have
  // some of its keys.
  await store.compactRange(firstKey, lastKey)
  const { lastSequence } = await readLiveManifest(store.directory)
  for (let merges = 0; merges < maxMerges; merges += 1) {
    const left = await readFormerVersions(store, lastSequence)
    if (left.length === 0) return
    await store.rewrite(left)
    await store.compactRange(firstKey, lastKey)
  }
  throw formerVersionsLeft()
}

/**
 * Looks for more than one version of an entry among the writes up to a sequence number.
 * @returns the keys of such entries, one for each table that has some: LevelDB makes a table anew
 * when something new is merged into it, and leaves the others as they are
 */
async function readFormerVersions(store: OpenedStore, upTo: number): Promise<readonly string[]> {
  for (let looks = 0; looks < maxLooks; looks += 1) {
    // Who began to read before keeps versions, and tables that were merged. LevelDB looks for those
    // that nobody reads when it makes a table.
    await store.endIterators()
    await store.compactRange(firstKey, firstKey)
    // As long as it is open, no table is removed that the store consists of.
    const iterator = store.openIterator()
    try {
      const keys = await findFormerVersions(store.directory, upTo)
      if (keys) return keys
    } finally {
      await iterator.close()
    }
  }
  throw formerVersionsLeft()
}

/**
 * Reads all tables and logs. What comes or goes meanwhile has only versions that live tables or
 * later writes have.
 * @returns undefined where a file is left that is to be removed
 */
async function findFormerVersions(
  directory: string,
  upTo: number,
): Promise<readonly string[] | undefined> {
  const names = await listFiles(directory)
  const { tables } = await readLiveManifest(directory)
  const newest = Math.max(...tables.keys())
  const keys: string[] = []
  const ranges: KeyRange[] = []
  for (const name of names.filter((fileName) => isLog(fileName) || isTable(fileName))) {
    const number = Number.parseInt(name, 10)
    const content = await readContent(join(directory, name)).catch(ifAbsent)
    if (!content) continue
    if (isLog(name)) {
      // A log is kept until what it has is in a table.
      if (readLog(content).records.some((record) => readSequence(record).first <= upTo))
        return undefined
      continue
    }
    const isLive = tables.has(number)
    // It is being made, and what was made later than all live tables consists of them.
    if (!isLive && (number > newest || findCorruptBlock(content) !== undefined)) continue
    const range = await readRange(content, upTo)
    if (!range) continue
    // It was merged into other tables.
    if (!isLive) return undefined
    if (range.doubled) keys.push(range.doubled.toString())
    ranges.push(range)
  }
  ranges.sort((a, b) => a.first.compare(b.first))
  // Where ranges meet, two tables may have the same key.
  for (const [index, { last }] of ranges.entries()) {
    const next = ranges[index + 1]
    if (next && next.first.compare(last) <= 0) keys.push(next.first.toString())
  }
  return keys
}

/** The first and the last key of a table, and the first one of which it has two versions. */
type KeyRange = {
  readonly first: Buffer
  readonly last: Buffer
  readonly doubled: Buffer | undefined
}

async function readRange(table: Buffer, upTo: number): Promise<KeyRange | undefined> {
  const maybeYield = createYielder()
  let first: Buffer | undefined
  let last: Buffer | undefined
  let doubled: Buffer | undefined
  let count = 0
  for (const { key, sequence } of readTable(table)) {
    if ((count += 1) % keysInOneStep === 0) await maybeYield()
    if (sequence > upTo) continue
    if (last?.equals(key)) doubled ??= key
    first ??= key
    last = key
  }
  return first && last && { first, last, doubled }
}

/** How many keys are read before other work may run: less than a millisecond. */
const keysInOneStep = 100
