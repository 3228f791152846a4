// Keeps backups in a folder: begins them when they are due or when somebody asks for one, one at a
// time, and removes the oldest. How a backup is made and checked: commands/backup.ts.

import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import type { BackupConfig } from '../../config.js'

/** Makes a whole backup, which is checked before it has this name. */
type SaveBackup = (file: string, onProgress: (bytes: number) => void) => Promise<unknown>

export type BackupsDependencies = {
  /** Undefined where no folder is set, and in a process that only reads. */
  readonly settings: BackupConfig | undefined
  readonly save: SaveBackup
  readonly onDone: (outcome: 'made' | 'failed') => void
  readonly onError: (error: Error) => void
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal
  readonly timing?: BackupTiming | undefined
}

export type BackupTiming = {
  /** The time in milliseconds since 1970. */
  readonly now: () => number
  /** How often it is looked whether a backup is due, in milliseconds. */
  readonly look: number
}

const defaultTiming: BackupTiming = { now: Date.now, look: 60_000 }

/** After how long a backup that failed is tried again, unless the next one is due earlier. */
const retryMs = 3_600_000

/** A backup in the folder. */
export type BackupInfo = { readonly name: string; readonly at: string; readonly bytes: number }

/** The times are ISO 8601 times. */
export type BackupStatus = {
  readonly settings: BackupConfig | undefined
  /** The newest one. */
  readonly last: BackupInfo | undefined
  /** The one that is being made, with what is written of it so far. */
  readonly running: { readonly at: string; readonly bytes: number } | undefined
  /** Undefined where the last one did not fail. */
  readonly failure: BackupFailure | undefined
  /** When the next one is made. */
  readonly next: string | undefined
}

export type BackupFailure = { readonly at: string; readonly reason: FailureReason }

/** What a person can do something about. */
export type FailureReason = 'full' | 'denied' | 'missing' | 'other'

const reasons: Readonly<Record<string, FailureReason>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  ENOENT: 'missing',
  ENOTDIR: 'missing',
}

export class Backups {
  readonly #settings: BackupConfig | undefined
  readonly #save: SaveBackup
  readonly #onDone: BackupsDependencies['onDone']
  readonly #onError: BackupsDependencies['onError']
  readonly #stopping: AbortSignal
  readonly #timing: BackupTiming
  #running: { readonly at: string; bytes: number; readonly done: Promise<void> } | undefined
  #failure: BackupFailure | undefined

  constructor(dependencies: BackupsDependencies) {
    this.#settings = dependencies.settings
    this.#save = dependencies.save
    this.#onDone = dependencies.onDone
    this.#onError = dependencies.onError
    this.#stopping = dependencies.stopping
    this.#timing = dependencies.timing ?? defaultTiming
  }

  /** Begins a backup whenever one is due, until the service stops. */
  startSchedule(): void {
    if (this.#settings?.every === undefined) return
    const look = (): void => void this.#beginIfDue()
    look()
    const timer = setInterval(look, this.#timing.look).unref()
    this.#stopping.addEventListener('abort', () => clearInterval(timer))
  }

  /** Begins a backup unless one is being made. Without a folder it does nothing. */
  begin(): void {
    const settings = this.#settings
    if (!settings || this.#running || this.#stopping.aborted) return
    const at = this.#timing.now()
    const done = this.#make(settings, at)
      .catch((error: unknown) => {
        // The cast: what is thrown are errors.
        if (!this.#stopping.aborted) this.#fail(error as Error)
      })
      .then(() => void (this.#running = undefined))
    this.#running = { at: isoTime(at), bytes: 0, done }
  }

  async status(): Promise<BackupStatus> {
    const settings = this.#settings
    const last = settings && (await newestBackup(settings.directory))
    return {
      settings,
      last,
      running: this.#running && { at: this.#running.at, bytes: this.#running.bytes },
      failure: this.#failure,
      next: settings && this.#nextTime(settings, last),
    }
  }

  /** Why the last backup failed; undefined where it did not. */
  failure(): BackupFailure | undefined {
    return this.#failure
  }

  /** The time of the newest backup in milliseconds; undefined where there is none. */
  async lastTime(): Promise<number | undefined> {
    const last = this.#settings && (await newestBackup(this.#settings.directory))
    return last && Date.parse(last.at)
  }

  /** Waits for the backup that is being made. */
  async close(): Promise<void> {
    await this.#running?.done
  }

  async #beginIfDue(): Promise<void> {
    const settings = this.#settings
    if (!settings || this.#running) return
    const next = this.#nextTime(settings, await newestBackup(settings.directory))
    if (next !== undefined && Date.parse(next) <= this.#timing.now()) this.begin()
  }

  /** Reckoned from the newest file, so that a restart neither forgets nor repeats one. */
  #nextTime({ every }: BackupConfig, last: BackupInfo | undefined): string | undefined {
    if (every === undefined) return undefined
    const now = this.#timing.now()
    // A file of the future was made while the clock was wrong.
    const lastMs = last && Math.min(Date.parse(last.at), now)
    const due = lastMs === undefined ? now : lastMs + every
    const retry = this.#failure ? Date.parse(this.#failure.at) + Math.min(retryMs, every) : due
    return isoTime(Math.max(due, retry))
  }

  async #make({ directory, keep }: BackupConfig, at: number): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const name = fileNameAt(at)
    await this.#save(join(directory, name), (bytes) => {
      if (this.#running) this.#running.bytes = bytes
    })
    this.#failure = undefined
    this.#onDone('made')
    await removeOld(directory, name, keep)
  }

  #fail(error: NodeJS.ErrnoException): void {
    const reason = reasons[error.code ?? ''] ?? 'other'
    this.#failure = { at: isoTime(this.#timing.now()), reason }
    this.#onError(error)
    this.#onDone('failed')
  }
}

const isoTime = (ms: number): string => new Date(ms).toISOString()

/** What the file of a backup begun at this time is called. Names sort by time. */
export const fileNameAt = (ms: number): string =>
  `zine-catalogue-${isoTime(ms).replace(/\.\d+/, '').replace(/[-:]/g, '')}.gz`

const namePattern = /^zine-catalogue-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.gz$/

/** What a backup is called until it is whole. */
const unfinishedPattern = /^zine-catalogue-\d{8}T\d{6}Z\.gz\.\d+\.unfinished$/

async function newestBackup(directory: string): Promise<BackupInfo | undefined> {
  const name = (await namesIn(directory))
    .filter((file) => namePattern.test(file))
    .sort()
    .at(-1)
  // It may be removed meanwhile.
  const file = name && (await stat(join(directory, name)).catch(() => undefined))
  return name && file
    ? { name, at: name.replace(namePattern, '$1-$2-$3T$4:$5:$6Z'), bytes: file.size }
    : undefined
}

/** Removes what a kill left, and all but the newest backups. Other files are left alone. */
async function removeOld(directory: string, made: string, keep: number): Promise<void> {
  const names = await namesIn(directory)
  const others = names.filter((name) => namePattern.test(name) && name !== made).sort()
  const old = others.slice(0, Math.max(0, others.length - (keep - 1)))
  for (const name of [...old, ...names.filter((file) => unfinishedPattern.test(file))])
    await rm(join(directory, name), { force: true })
}

/** None of a folder that cannot be read: the backup that is due then says why. */
const namesIn = (directory: string): Promise<readonly string[]> =>
  readdir(directory).catch(() => [])
