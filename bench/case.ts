// The type of a benchmark case, and what it is given. The cases: cases.ts and the files that it imports.

import type { Resources } from '../src/model/resources.js'
import type { PreparedDirectory } from './fixtures.js'
import type { Service } from './processes.js'
import type { Figure } from './report.js'

export type Bench = {
  /** The number of zines in the catalogue. */
  readonly zines: number
  readonly resources: Resources
  readonly directory: PreparedDirectory
  readonly service: Service
  /** How often reference and service alternate. */
  readonly rounds: number
  /** How long each of them gets requests in a round. */
  readonly milliseconds: number
  /** The directory for CPU profiles, if they are wanted. */
  readonly profile: string | undefined
}

export type BenchCase = (bench: Bench) => Promise<Figure[]>
