// The arithmetic of comparing two commits: figures that were measured in turn, as a ratio with its spread.

import { median } from './report.js'

/** What was measured of both in one round, such as the processor time of a request. */
export type ComparedRound = { readonly before: number; readonly after: number }

export type ComparedFigure = {
  /** The medians of the rounds. */
  readonly before: number
  readonly after: number
  /** The median of the ratios of the rounds, after to before. */
  readonly ratio: number
  /** The lowest and the highest of them. */
  readonly lowest: number
  readonly highest: number
  /** Whether all rounds agree on which is less. */
  readonly isClear: boolean
}

/** Ratios are of one round each, since both have the same other load then. */
export function compareRounds(rounds: readonly ComparedRound[]): ComparedFigure {
  const ratios = rounds.map(({ before, after }) => after / before)
  const [lowest, highest] = [Math.min(...ratios), Math.max(...ratios)]
  return {
    before: median(rounds.map(({ before }) => before)),
    after: median(rounds.map(({ after }) => after)),
    ratio: median(ratios),
    lowest,
    highest,
    isClear: rounds.length > 1 && (highest < 1 || lowest > 1),
  }
}

/** Which of the two is measured first in a round: in turn, since the first finds the machine otherwise. */
export const isBeforeFirst = (round: number): boolean => round % 2 === 0

/** A line of the table of all cases. */
export function formatComparison(
  name: string,
  { before, after, ratio, lowest, highest, isClear }: ComparedFigure,
): string {
  const cells = [
    name,
    `${before.toFixed(3)} ms`,
    `${after.toFixed(3)} ms`,
    `${ratio.toFixed(2)} ×`,
    `${lowest.toFixed(2)} to ${highest.toFixed(2)}`,
    isClear ? (ratio < 1 ? 'less' : 'more') : '',
  ]
  return `| ${cells.join(' | ')} |`
}
