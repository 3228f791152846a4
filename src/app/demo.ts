// Runs a demonstration (DEMO=on): a service with the sample, to which everybody may write. At
// midnight (UTC), or when its data grow too large, it is closed and opened over a new directory with
// the sample. The catalogue in DATA_DIR itself is never touched.

import { mkdir, readFile, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import type { Config } from '../config.js'
import { sampleLines } from '../features/first-run/sample.js'
import { syncDirectory, writeFileDurably } from '../lib/durable-file.js'
import { limitConcurrency } from '../lib/scheduling.js'
import type { Backend } from './backend.js'
import { type Service, openService } from './service.js'
import type { StorageOptions } from './storage.js'

const dayMs = 86_400_000

/** How often the time and the size are looked at. */
const checkMs = 60_000

/** How large the data may grow; the sample takes less than a hundredth of it. */
const maxBytes = 256 * 1024 * 1024

type DemoOptions = StorageOptions & {
  readonly maxBytes?: number
  /** Called when it could not go back to the sample: the process has to stop. */
  readonly onFailed: (error: unknown) => void
}

export type Demo = Pick<Service, 'url' | 'firstRun' | 'close'> & {
  /** Goes back to the sample, if it is time or the data are too large. */
  check(): Promise<void>
}

/** @throws what openService throws */
export async function openDemo(config: Config, options: DemoOptions): Promise<Demo> {
  const demo = new RunningDemo(config, options)
  await demo.open()
  return demo
}

class RunningDemo implements Demo {
  /** Nobody administers it. */
  readonly firstRun = undefined
  readonly #config: Config
  readonly #options: DemoOptions
  readonly #now: () => number
  readonly #directory: string
  readonly #data: string
  /** The day of whose sample the data are. It is there once the whole sample is. */
  readonly #dayFile: string
  readonly #runAlone = limitConcurrency(1)
  #service: Service | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #resetsAt = 0

  constructor(config: Config, options: DemoOptions) {
    this.#config = config
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#directory = join(config.dataDir, 'demo')
    this.#data = join(this.#directory, 'data')
    this.#dayFile = join(this.#directory, 'day')
  }

  get url(): string {
    return this.#service?.url ?? ''
  }

  /** Goes on with the data of today; without them, begins with the sample. */
  async open(): Promise<void> {
    const today = new Date(this.#now()).toISOString().slice(0, 10)
    this.#resetsAt = Date.parse(today) + dayMs
    const day = await readFile(this.#dayFile, 'utf8').catch(() => undefined)
    const isNew = day !== today
    if (isNew) await this.#clear()
    // It keeps the port that it was given at its first start.
    const port = this.#service ? Number(new URL(this.#service.url).port) : this.#config.port
    this.#service = await openService(
      { ...this.#config, dataDir: this.#data, port },
      this.#options,
      {
        resetsAt: new Date(this.#resetsAt).toISOString(),
        prepare: async (backend) => {
          if (!isNew) return
          await writeSample(backend)
          await writeFileDurably(this.#dayFile, Buffer.from(today))
          await syncDirectory(this.#directory)
        },
      },
    )
    this.#checkLater()
  }

  check(): Promise<void> {
    return this.#runAlone(async () => {
      if (this.#isClosed) return
      const limit = this.#options.maxBytes ?? maxBytes
      const isTime = this.#now() >= this.#resetsAt
      if (!isTime && (await bytesIn(this.#data)) <= limit) return
      await this.#service?.close()
      await this.#clear()
      await this.open()
    })
  }

  close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    return this.#runAlone(async () => this.#service?.close())
  }

  /** The day goes first: a start after a kill in between begins anew. */
  async #clear(): Promise<void> {
    await mkdir(this.#directory, { recursive: true })
    await rm(this.#dayFile, { force: true })
    await syncDirectory(this.#directory)
    await rm(this.#data, { recursive: true, force: true })
  }

  #checkLater(): void {
    const wait = Math.max(0, Math.min(checkMs, this.#resetsAt - this.#now()))
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.check().then(() => this.#checkLater(), this.#options.onFailed)
    }, wait).unref()
  }
}

async function writeSample({ catalogue, resources }: Backend): Promise<void> {
  await catalogue.writeBatch(await sampleLines(resources), {
    mode: 'all',
    isDryRun: false,
    withJson: false,
    account: undefined,
    mayWrite: () => true,
  })
}

/** A file may go while the others are counted. */
async function bytesIn(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true })
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(directory, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
