// Measures the phases of a query in its worker.

import type { Phases } from './worker-protocol.js'

export type PhaseTimer = {
  /** What is done from now on counts for this phase. */
  readonly begin: (phase: keyof Phases) => void
  /** Counts some work for a phase, and what follows for the phase before. */
  readonly during: <Result>(phase: keyof Phases, work: Promise<Result>) => Promise<Result>
  readonly phases: () => Phases
}

/** It begins with the phase in which the query is parsed. */
export function createPhaseTimer(now: () => number = () => performance.now()): PhaseTimer {
  const spent = { parse: 0, search: 0, load: 0, run: 0 }
  let current: keyof Phases = 'parse'
  let since = now()

  function begin(phase: keyof Phases): void {
    const time = now()
    spent[current] += time - since
    current = phase
    since = time
  }

  return {
    begin,
    async during(phase, work) {
      const before = current
      begin(phase)
      try {
        return await work
      } finally {
        begin(before)
      }
    },
    phases() {
      begin(current)
      return { ...spent }
    },
  }
}
