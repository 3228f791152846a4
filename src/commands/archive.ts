// `export FILE` and `import FILE`: all that a stopped catalogue keeps, whichever store it has, as one
// file and back: records with their private fields, and accounts. Lines of JSON: a head, an entry of
// the home each, and a foot that tells whether all of them are there. Gzipped where the name ends so.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

import { ExpectedError } from '../errors.js'
import type { KeyValueWrite, KeyValueStore } from '../store/key-value/key-value-store.js'
import { prefixes } from '../store/key-value/keys.js'

/** The file cannot be written or read, or does not fit; the message says why. Nothing was changed. */
export class ArchiveError extends ExpectedError {}

export const archiveUsage = `usage: zine-catalogue export FILE
       zine-catalogue import FILE [--replace]
       of a stopped service; a FILE whose name ends in .gz is compressed`

/** What a catalogue is made of. Sessions, and what a store notes for itself, are of one place. */
const parts = { records: prefixes.records, accounts: prefixes.accounts }

export type ArchiveCounts = Readonly<Record<keyof typeof parts, number>>

type Head = { readonly archive: 'zine-catalogue'; readonly version: 1; readonly base: string }

/**
 * Writes the file, which only its owner may read, and which must not be there: it holds what is
 * private, and the hashes of passwords.
 * @throws ArchiveRefused
 */
export async function exportTo(
  file: string,
  home: KeyValueStore,
  base: string,
): Promise<ArchiveCounts> {
  const tally = { records: 0, accounts: 0 }
  const sum = createHash('sha256')
  async function* lines(): AsyncGenerator<string> {
    const head: Head = { archive: 'zine-catalogue', version: 1, base }
    yield summed(head)
    for (const part of partNames)
      for await (const [key, value] of home.entries(parts[part])) {
        tally[part] += 1
        yield summed({ key, value })
      }
    yield `${JSON.stringify({ ...tally, sha256: sum.digest('hex') })}\n`
  }
  const summed = (line: object): string => {
    const text = `${JSON.stringify(line)}\n`
    sum.update(text)
    return text
  }

  const handle = await failing(file, () => open(file, 'wx', 0o600))
  await failing(file, async () => {
    const to = handle.createWriteStream({ flush: true })
    if (isZipped(file)) await pipeline(Readable.from(lines()), createGzip(), to)
    else await pipeline(Readable.from(lines()), to)
  })
  return tally
}

const partNames = ['records', 'accounts'] as const

/**
 * Puts what the file holds into a home that has neither records nor accounts, or in place of those
 * that it has. The file is read to its end before anything is changed.
 * @throws ArchiveRefused
 */
export async function importFrom(
  file: string,
  home: KeyValueStore,
  { base, replace }: { readonly base: string; readonly replace: boolean },
): Promise<ArchiveCounts> {
  const { head, foot } = await failing(file, () => verify(file))
  if (head.base !== base)
    throw new ArchiveError(
      `${file} is of ${head.base}, but BASE_URL is ${base}: set BASE_URL=${head.base}, and move it afterwards with: npx zine-catalogue rebase ${base}`,
    )
  const there: KeyValueWrite[] = []
  for (const part of partNames)
    for await (const [key] of home.entries(parts[part])) there.push({ key, value: undefined })
  if (there.length > 0 && !replace)
    throw new ArchiveError(
      'DATA_DIR has records or accounts already; --replace puts those of the file in their place',
    )
  await home.write(there)
  let entries: KeyValueWrite[] = []
  for await (const line of linesOf(file)) {
    if ('key' in line) entries.push(line as KeyValueWrite)
    if (entries.length < 1000) continue
    await home.write(entries)
    entries = []
  }
  await home.write(entries)
  return foot
}

/** @throws ArchiveRefused unless the file is whole */
async function verify(
  file: string,
): Promise<{ readonly head: Head; readonly foot: ArchiveCounts }> {
  const sum = createHash('sha256')
  const tally = { records: 0, accounts: 0 }
  let head: Head | undefined
  let foot: (ArchiveCounts & { readonly sha256: string }) | undefined
  for await (const line of linesOf(file)) {
    if (foot) throw new ArchiveError(`${file} goes on after its end`)
    if (!head) {
      // The casts: what an archive is not is found here, or by its sum.
      head = line as Head
      if ((head.archive as string) !== 'zine-catalogue')
        throw new ArchiveError(`${file} is no export of a catalogue`)
      if ((head.version as number) !== 1)
        throw new ArchiveError(
          `${file} is of version ${head.version}; this service reads version 1`,
        )
    }
    if ('sha256' in line) {
      foot = line as NonNullable<typeof foot>
      continue
    }
    sum.update(`${JSON.stringify(line)}\n`)
    if (!('key' in line)) continue
    const part = partNames.find((name) => (line as KeyValueWrite).key.startsWith(parts[name]))
    if (!part)
      throw new ArchiveError(`${file} has what no export has: ${(line as KeyValueWrite).key}`)
    tally[part] += 1
  }
  const isWhole =
    foot?.sha256 === sum.digest('hex') &&
    foot.records === tally.records &&
    foot.accounts === tally.accounts
  if (!head || !isWhole) throw new ArchiveError(`${file} is damaged, or cut off`)
  return { head, foot: tally }
}

async function* linesOf(file: string): AsyncGenerator<object> {
  const from = createReadStream(file)
  const input = isZipped(file) ? from.pipe(createGunzip()) : from
  // An error of the one is not passed on to the other.
  from.on('error', (error) => input.destroy(error))
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    const value: unknown = JSON.parse(line)
    if (typeof value !== 'object' || value === null) throw new Error('not a line of an export')
    yield value
  }
}

const isZipped = (file: string): boolean => /\.gz$/i.test(file)

async function failing<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof ArchiveError) throw cause
    throw new ArchiveError(`${file}: ${(cause as Error).message}`, { cause })
  }
}
