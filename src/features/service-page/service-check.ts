// Runs the doctor on the running service when an administrator asks for it, one run at a time, and
// remembers what the last run found. What is checked: commands/doctor.ts.

type CheckFinding = {
  readonly level: 'error' | 'note'
  readonly key?: string
  readonly field?: string
  readonly what: string
}

type CheckSummary = { readonly records: number; readonly errors: number; readonly notes: number }

/** Checks everything. @param onEntry called after each entry */
type RunCheck = (
  onFinding: (finding: CheckFinding) => void,
  onEntry: () => void,
) => Promise<CheckSummary>

/** The times are ISO 8601 times. */
export type CheckStatus = {
  /** The run that goes on, with the number of entries that it has read. */
  readonly running: { readonly at: string; readonly entries: number } | undefined
  /** What the last run found; undefined where there was none since the start. */
  readonly last: CheckResult | undefined
}

export type CheckResult =
  | { readonly at: string; readonly failed: true }
  | (CheckSummary & {
      readonly at: string
      readonly failed: false
      /** The first of them. */
      readonly findings: readonly CheckFinding[]
    })

/** So many findings are shown; the command `doctor` prints all. */
const maxFindings = 50

export class ServiceCheck {
  readonly #run: RunCheck
  readonly #onError: (error: Error) => void
  #running: { readonly at: string; entries: number; readonly done: Promise<void> } | undefined
  #last: CheckResult | undefined

  constructor(run: RunCheck, onError: (error: Error) => void) {
    this.#run = run
    this.#onError = onError
  }

  /** Begins a run unless one goes on. */
  begin(): void {
    if (this.#running) return
    const at = new Date().toISOString()
    const done = this.#check(at)
      .catch((error: unknown): CheckResult => {
        // The cast: what is thrown are errors.
        this.#onError(error as Error)
        return { at, failed: true }
      })
      .then((result) => {
        this.#last = result
        this.#running = undefined
      })
    this.#running = { at, entries: 0, done }
  }

  status(): CheckStatus {
    return {
      running: this.#running && { at: this.#running.at, entries: this.#running.entries },
      last: this.#last,
    }
  }

  /** Waits for the run that goes on. */
  async close(): Promise<void> {
    await this.#running?.done
  }

  async #check(at: string): Promise<CheckResult> {
    const findings: CheckFinding[] = []
    const summary = await this.#run(
      (finding) => {
        if (findings.length < maxFindings) findings.push(finding)
      },
      () => {
        if (this.#running) this.#running.entries += 1
      },
    )
    return { ...summary, at, failed: false, findings }
  }
}
