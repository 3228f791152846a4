// The zines of each year as columns, drawn as SVG on the server. The chart is accessible as text too:
// home-page.tsx shows a list of years beside it.

import type { ResourceName } from '../../model/iris.js'
import { numberText, recordCount } from '../../views/translate.js'

/** A counted value, with a link to the list that it counts. */
export type ListedValue = {
  readonly label: string
  /** That of the label, where it is not the page's. */
  readonly language?: string | undefined
  readonly count: number
  readonly href: string
}

/** The column of a year; there is one for each year from the first to the last. */
export type Column = ListedValue & { readonly year: number }

// Heights in pixels. Widths are in percent, so that text keeps its size at every width.
const height = 240
const top = 22
const bottom = 212

/** @param of the noun of what is counted, such as `zines` */
export const Columns = ({
  columns,
  of,
}: {
  readonly columns: readonly Column[]
  readonly of: ResourceName
}) => {
  const maxCount = Math.max(...columns.map(({ count }) => count))
  const lines = gridLines(maxCount)
  const highest = Math.max(...lines)
  const width = 1 / columns.length
  const levelOf = (count: number): number => bottom - ((bottom - top) * count) / highest
  const yearsPerColumn = (columns[1]?.year ?? 0) - (columns[0]?.year ?? 0) === 10 ? 10 : 1
  const step = tickStep(columns.length, yearsPerColumn)
  return (
    // The list of years has the same links for keyboards and screen readers.
    <svg class="columns" width="100%" height={height} aria-hidden="true" focusable="false">
      {lines.map((line) => (
        <line key={line} class="grid" x1="0" x2="100%" y1={levelOf(line)} y2={levelOf(line)} />
      ))}
      {columns.map(({ year, label, count, href }, index) =>
        count === 0 ? null : (
          <a key={year} href={href} tabIndex={-1}>
            <title>{`${label}: ${recordCount(of, count)}`}</title>
            <rect
              class="hit-area"
              x={percent(index * width)}
              y={top}
              width={percent(width)}
              height={bottom - top}
            />
            <rect
              class={count === maxCount ? 'column peak' : 'column'}
              x={percent((index + 0.1) * width)}
              y={rounded(Math.min(levelOf(count), bottom - 2))}
              width={percent(width * 0.8)}
              height={rounded(Math.max(bottom - levelOf(count), 2))}
            />
          </a>
        ),
      )}
      {lines.map((line) => (
        <text key={line} class="tick" x="-16" y={levelOf(line) + 4} text-anchor="end">
          {numberText(line)}
        </text>
      ))}
      {columns.map(({ year, label }, index) =>
        year % step === 0 || isFirstTick(index, year, step) ? (
          <text
            key={year}
            class="tick"
            x={percent((index + 0.5) * width)}
            y={height - 8}
            text-anchor={anchorAt((index + 0.5) * width)}
          >
            {label}
          </text>
        ) : null,
      )}
    </svg>
  )
}

/** How many years lie between two labels of the axis. */
function tickStep(columns: number, yearsPerColumn: number): number {
  if (columns > 60) return 20 * yearsPerColumn
  if (columns > 12) return yearsPerColumn === 1 ? 10 : 50
  return (columns > 6 ? 2 : 1) * yearsPerColumn
}

/**
 * Whether the first column has a label besides the round years: where the next one is not too near.
 */
const isFirstTick = (index: number, year: number, step: number): boolean =>
  index === 0 && step - (year % step) >= 0.4 * step

/**
 * The values of the grid lines: at most four round numbers, the last at least as high as the
 * maximum.
 */
function gridLines(maxCount: number): readonly number[] {
  const rough = Math.max(1, maxCount / 4)
  const scale = 10 ** Math.floor(Math.log10(rough))
  const step = Math.ceil(
    [1, 2, 5, 10].map((factor) => factor * scale).find((candidate) => candidate >= rough) ?? rough,
  )
  return Array.from({ length: Math.ceil(maxCount / step) }, (_, index) => (index + 1) * step)
}

// The label of a column at the edge must not stick out of the chart.
const anchorAt = (share: number): 'start' | 'middle' | 'end' =>
  share < 0.04 ? 'start' : share > 0.96 ? 'end' : 'middle'

const percent = (share: number): string => `${rounded(share * 100)}%`

const rounded = (number: number): number => Math.round(number * 100) / 100
