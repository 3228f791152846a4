// The releases in the data directory: each a folder with the files that are downloaded and what they
// are. A release is complete before its folder has its name, so the end of the process leaves whole
// ones only. How one is made: create-release.ts.

import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { HiddenRecords } from '../../../catalogue/records/hidden-records.js'
import { referenceOf } from '../../../catalogue/records/record-cache.js'
import { replaceFileDurably, syncDirectory, writeFileDurably } from '../../../lib/durable-file.js'
import type { Commit } from '../../../store/commit-listeners.js'

type ReleaseFile = {
  readonly name: string
  readonly bytes: number
  /** In hexadecimal digits. */
  readonly sha256: string
}

export type Release = {
  /** The UTC time from which it is, as in `2026-11-27-183000`; also the name of its folder. */
  readonly version: string
  /** The same as an ISO 8601 time. */
  readonly at: string
  readonly files: readonly ReleaseFile[]
}

/** A folder in which a release is being made. */
export type ReleaseDraft = { readonly directory: string; readonly withdrawals: number }

const listFile = 'release.json'
const withdrawnFile = 'withdrawn.json'
const draftPrefix = 'draft-'

export class ReleaseFiles {
  readonly #directory: string
  readonly #keep: number
  readonly #onError: (error: Error) => void
  /** The newest first. */
  #releases: readonly Release[] = []
  /** The snapshots that were withdrawn. */
  #withdrawn: readonly string[] = []
  #withdrawals = 0

  /** @param keep how many monthly snapshots are kept besides the newest release */
  constructor(directory: string, keep: number, onError: (error: Error) => void) {
    this.#directory = directory
    this.#keep = keep
    this.#onError = onError
  }

  /** Reads the releases, and withdraws them where a record was hidden since one was made. */
  async load(hiddenRecords: Pick<HiddenRecords, 'isEmpty' | 'all'>): Promise<void> {
    this.#withdrawn = JSON.parse((await this.#read(withdrawnFile)) ?? '[]') as string[]
    const releases: Release[] = []
    for (const name of await this.#names()) {
      if (name.startsWith(draftPrefix)) await this.#remove(name)
      const text = await this.#read(name, listFile)
      if (text !== undefined) releases.push(JSON.parse(text) as Release)
    }
    this.#releases = releases.sort((a, b) => (a.version < b.version ? 1 : -1))
    const oldest = this.#releases.at(-1)
    if (!oldest || hiddenRecords.isEmpty()) return
    for await (const [, { since }] of hiddenRecords.all())
      if (since >= oldest.at) return this.withdraw()
  }

  /** The newest first. */
  all(): readonly Release[] {
    return this.#releases
  }

  /** The first of each month, the newest first. */
  snapshots(): readonly Release[] {
    return snapshotsAmong(this.#releases).slice(0, this.#keep)
  }

  find(version: string): Release | undefined {
    return this.#releases.find((release) => release.version === version)
  }

  isWithdrawn(version: string): boolean {
    return this.#withdrawn.includes(version)
  }

  pathOf({ version }: Release, name: string): string {
    return join(this.#directory, version, name)
  }

  /** Call before anything of the data is read. */
  async begin(): Promise<ReleaseDraft> {
    const directory = join(this.#directory, draftPrefix + randomUUID())
    const withdrawals = this.#withdrawals
    await mkdir(directory, { recursive: true, mode: 0o700 })
    return { directory, withdrawals }
  }

  /** Whether everything was withdrawn since it was begun: its files may be gone. */
  isOutdated({ withdrawals }: ReleaseDraft): boolean {
    return withdrawals !== this.#withdrawals
  }

  discard({ directory }: ReleaseDraft): Promise<void> {
    return rm(directory, { recursive: true, force: true })
  }

  /**
   * Makes a draft the newest release, and removes those that are not kept. A draft that was begun
   * before a withdrawal is discarded.
   */
  async publish(draft: ReleaseDraft, release: Release): Promise<void> {
    for (const { name } of release.files) await syncFile(join(draft.directory, name))
    await writeFileDurably(join(draft.directory, listFile), Buffer.from(JSON.stringify(release)))
    await syncDirectory(draft.directory)
    if (this.isOutdated(draft)) return this.discard(draft)
    // In one turn with the check, so that a withdrawal meanwhile has the release too.
    this.#releases = [release, ...this.#releases]
    await rename(draft.directory, join(this.#directory, release.version))
    await syncDirectory(this.#directory)
    if (this.isOutdated(draft)) return this.#remove(release.version)
    const kept = new Set([release, ...this.snapshots()])
    const removed = this.#releases.filter((other) => !kept.has(other))
    this.#releases = this.#releases.filter((other) => kept.has(other))
    for (const { version } of removed) await this.#remove(version)
  }

  /** Withdraws what has a record that was hidden. Call after each commit. */
  onCommit(
    { records }: Pick<Commit, 'records'>,
    hiddenRecords: Pick<HiddenRecords, 'has'>,
  ): void | Promise<void> {
    const isHidden = records.some(
      ({ key, nquads, change }) =>
        nquads === undefined && change?.removed !== '' && hiddenRecords.has(referenceOf(key)),
    )
    // Nothing of them is answered any more, and the next start removes what could not be removed.
    // The cast: what is thrown are errors.
    if (isHidden) return this.withdraw().catch((error: unknown) => this.#onError(error as Error))
  }

  /**
   * Removes all releases: what is removed from the records may be in each of them, also in words
   * that nobody can look for. The addresses of snapshots say so from then on.
   */
  async withdraw(): Promise<void> {
    this.#withdrawals += 1
    const withdrawn = this.snapshots().map(({ version }) => version)
    this.#releases = []
    if (withdrawn.length > 0) await this.#writeWithdrawn(withdrawn)
    for (const name of await this.#names()) if (name !== withdrawnFile) await this.#remove(name)
  }

  async #writeWithdrawn(withdrawn: readonly string[]): Promise<void> {
    this.#withdrawn = [...this.#withdrawn, ...withdrawn]
    const content = Buffer.from(JSON.stringify(this.#withdrawn))
    await replaceFileDurably(join(this.#directory, withdrawnFile), content)
  }

  async #names(): Promise<readonly string[]> {
    return (await unlessMissing(readdir(this.#directory))) ?? []
  }

  #read(...names: readonly string[]): Promise<string | undefined> {
    return unlessMissing(readFile(join(this.#directory, ...names), 'utf8'))
  }

  #remove(name: string): Promise<void> {
    return rm(join(this.#directory, name), { recursive: true, force: true })
  }
}

/** The first release of each month, of those that are sorted with the newest first. */
const snapshotsAmong = (releases: readonly Release[]): readonly Release[] =>
  releases.filter((release, at) => {
    const before = releases[at + 1]
    return before === undefined || monthOf(before) !== monthOf(release)
  })

export const monthOf = ({ at }: Pick<Release, 'at'>): string => at.slice(0, 'yyyy-mm'.length)

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function unlessMissing<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ENOTDIR'].includes(code)) return undefined
    throw error
  }
}
