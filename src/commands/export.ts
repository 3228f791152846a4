// `export FILE` and `import FILE`: the records, with their private fields and their history, the
// accounts, the requests for changes and the pictures of a stopped service, whichever store it has.
// Sessions and what a store keeps for itself are left out. The file format is in archive-file.ts.

import { checkDataVersion } from '../store/key-value/base-url.js'
import {
  lastChangeRequestKey,
  logNameKey,
  prefixes,
  indexFileKey,
  settings,
  versionKey,
} from '../store/key-value/keys.js'
import type { KeyValueStore, KeyValueWrite } from '../lib/key-value/key-value-store.js'
import {
  ArchiveError,
  type ArchivePart,
  createArchive,
  readArchiveFile,
  writeArchiveFile,
} from './archive-file.js'
import { fileHashesIn, isPictureFile, pictureFiles, restorePictureFile } from './backup.js'

export type ExportCounts = { readonly records: number; readonly accounts: number }

/** What is counted. */
const counted = ['records', 'accounts'] as const

/** What is moved, by the prefix of the keys. */
const moved = [
  ...counted.map((part) => prefixes[part]),
  prefixes.changes,
  prefixes.history,
  prefixes.deletions,
  prefixes.forgotten,
  prefixes.batches,
  prefixes.redactions,
  prefixes.changeRequests,
  prefixes.rememberedValues,
  prefixes.pictures,
  prefixes.formerSeries,
  prefixes.imports,
  prefixes.importedRows,
  prefixes.importedRecords,
  prefixes.importProfiles,
]

/** What an export holds. The base URL and the data version come first. */
const exported = [settings, ...moved]

/** What an import replaces: of the settings, only the number of the last request. */
const imported = [...moved, lastChangeRequestKey]

/**
 * Writes the file, which may not exist yet.
 * @throws ArchiveError when the file cannot be written
 */
export async function exportTo(
  file: string,
  store: KeyValueStore,
  dataDir: string,
): Promise<ExportCounts> {
  const counts = createCounts()
  async function* entries(): AsyncGenerator<ArchivePart> {
    const hashes = new Set<string>()
    for (const prefix of exported)
      for await (const [key, value] of store.entries(prefix)) {
        if (key === indexFileKey) continue
        counts.add(key)
        for (const hash of fileHashesIn(key, value)) hashes.add(hash)
        yield { key, value }
      }
    yield* pictureFiles(hashes, dataDir)
  }
  const archive = createArchive('export', entries(), { compress: /\.gz$/i.test(file) })
  await withFileName(file, () => writeArchiveFile(file, archive))
  return counts.get()
}

export type ImportOptions = {
  readonly base: string
  readonly replace: boolean
  /** Where the files of pictures go. */
  readonly dataDir: string
}

/**
 * Puts the records and accounts of the file into a store that has none, or in place of those it
 * has. The file is read to its end before anything is changed.
 * @throws ArchiveError when the file is damaged or of another base URL, or the store is not empty
 * @throws ExpectedError when its data are of another version
 */
export async function importFrom(
  file: string,
  store: KeyValueStore,
  { base, replace, dataDir }: ImportOptions,
): Promise<ExportCounts> {
  const counts = await checkFile(file, base)
  const existing = await existingEntries(store)
  if (existing.length > 0 && !replace)
    throw new ArchiveError(
      'DATA_DIR already has records or accounts; --replace deletes them and puts those of the file there',
    )
  await store.write(existing)
  let batch: KeyValueWrite[] = []
  await withFileName(file, () =>
    readArchiveFile(file, 'export', async (part) => {
      // Files that are there before their entries do no harm, and the next start removes them.
      if ('name' in part) return restorePictureFile(part, dataDir)
      if (!isImported(part.key)) return
      batch.push(part)
      if (batch.length < batchSize) return
      await store.write(batch)
      batch = []
    }),
  )
  await store.write(batch)
  return counts
}

/** How many entries are written at a time. */
const batchSize = 1000

/** @throws ArchiveError unless the file is a complete export of this base URL */
async function checkFile(file: string, base: string): Promise<ExportCounts> {
  const counts = createCounts()
  const summary = await withFileName(file, () =>
    readArchiveFile(file, 'export', (part) => {
      if ('name' in part) {
        if (isPictureFile(part.name)) return
        throw new ArchiveError(`${file} has a file that no export has: ${part.name}`)
      }
      if (!isImported(part.key) && !part.key.startsWith(settings))
        throw new ArchiveError(`${file} has an entry that no export has: ${part.key}`)
      if (part.key === versionKey) checkDataVersion(part.value)
      counts.add(part.key)
    }),
  )
  if (summary.base !== base)
    throw new ArchiveError(
      `${file} was exported with BASE_URL=${summary.base}, but BASE_URL is ${base}: ` +
        `import it with BASE_URL=${summary.base}, and move the data afterwards with: npx zine-catalogue rebase ${base}`,
    )
  return counts.get()
}

/** Removals of all records, accounts and changes that the store has. */
async function existingEntries(store: KeyValueStore): Promise<readonly KeyValueWrite[]> {
  const removals: KeyValueWrite[] = []
  for (const prefix of imported)
    for await (const [key] of store.entries(prefix)) removals.push({ key, value: undefined })
  // What follows the log by its name has to begin anew.
  return removals.length > 0 ? [...removals, { key: logNameKey, value: undefined }] : []
}

function createCounts() {
  const counts = { records: 0, accounts: 0 }
  return {
    add(key: string): void {
      const part = partOf(key)
      if (part) counts[part] += 1
    },
    get: (): ExportCounts => counts,
  }
}

const partOf = (key: string): (typeof counted)[number] | undefined =>
  counted.find((part) => key.startsWith(prefixes[part]))

const isImported = (key: string): boolean => imported.some((prefix) => key.startsWith(prefix))

/** Names the file in the message of an error of the file system. */
async function withFileName<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause)
      throw new ArchiveError(`${file}: ${cause.message}`, { cause })
    throw cause
  }
}
