// Makes releases in the background: one when there is none, and then at most once an hour, when the
// data changed or a month began.

import type { Catalogue } from '../../../catalogue/catalogue.js'
import type { IsCurrent } from '../../../lib/cache.js'
import { type ReleaseSource, createRelease } from './create-release.js'
import { type ReleaseFiles, monthOf } from './release-files.js'

export type ReleaseTiming = {
  /** The time in milliseconds since 1970. */
  readonly now: () => number
  /** How often it is looked whether a release is due, in milliseconds. */
  readonly look: number
}

type ReleaseScheduleDependencies = ReleaseSource & {
  readonly files: ReleaseFiles
  readonly catalogue: Pick<Catalogue, 'stream' | 'currentUntilNextWrite'>
  readonly onError: (error: Error) => void
  readonly timing?: ReleaseTiming | undefined
}

const hourMs = 3_600_000

export class ReleaseSchedule {
  readonly #dependencies: ReleaseScheduleDependencies
  readonly #timing: ReleaseTiming
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #failedAt: number | undefined
  /** Whether the newest release has what is in the catalogue; not known after a start. */
  #isCurrent: IsCurrent = () => false

  constructor(dependencies: ReleaseScheduleDependencies) {
    this.#dependencies = dependencies
    this.#timing = dependencies.timing ?? { now: Date.now, look: 60_000 }
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), this.#timing.look).unref()
  }

  /** Makes a release if one is due. Resolves when it is made, or failed, which is told. */
  look(): Promise<void> {
    if (this.#running) return this.#running
    if (!this.#isDue() || this.#dependencies.stopping.aborted) return Promise.resolve()
    this.#running = this.#make()
      .catch((error: unknown) => {
        this.#failedAt = this.#timing.now()
        // The cast: what is thrown are errors.
        if (!this.#dependencies.stopping.aborted) this.#dependencies.onError(error as Error)
      })
      .finally(() => (this.#running = undefined))
    return this.#running
  }

  /** Ends the schedule, and waits for the release that is being made, which fails. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  #isDue(): boolean {
    const now = this.#timing.now()
    if (this.#failedAt !== undefined && now - this.#failedAt < hourMs) return false
    const [newest] = this.#dependencies.files.all()
    if (!newest) return true
    if (now - Date.parse(newest.at) < hourMs) return false
    return !this.#isCurrent() || monthOf(newest) !== monthOf({ at: new Date(now).toISOString() })
  }

  async #make(): Promise<void> {
    const { files, catalogue } = this.#dependencies
    const draft = await files.begin()
    try {
      const isCurrent = catalogue.currentUntilNextWrite()
      const at = `${new Date(this.#timing.now()).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z`
      const version = at.replace('T', '-').replaceAll(':', '').replace('Z', '')
      // A withdrawn snapshot of this second keeps its name. The next look makes another one.
      if (files.isWithdrawn(version)) {
        await files.discard(draft)
        return
      }
      const release = await createRelease(draft.directory, { version, at }, this.#dependencies)
      await files.publish(draft, release)
      this.#isCurrent = isCurrent
      this.#failedAt = undefined
    } catch (error) {
      await files.discard(draft)
      // The next look begins another one.
      if (!files.isOutdated(draft)) throw error
    }
  }
}
