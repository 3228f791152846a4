// Numbers as pictures, drawn as SVG by the server: bars for what has names, columns for years. Nobody
// needs to see them: bars are a list of links, and columns have a list beside them that says the same.

/** A part of a chart, which leads to what it counts. */
export type Bar = { readonly label: string; readonly count: number; readonly href: string }

export const Bars = ({ marks }: { readonly marks: readonly Bar[] }) => {
  const most = Math.max(1, ...marks.map(({ count }) => count))
  return (
    <ol class="bars">
      {marks.map(({ label, count, href }) => (
        <li key={href}>
          <a href={href}>
            <span class="bar-label">{label}</span>{' '}
            <span class="bar-count">{count.toLocaleString('en')}</span>
            <svg class="bar" width="100%" height="10" aria-hidden="true" focusable="false">
              <rect width={percent(count / most)} height="10" />
            </svg>
          </a>
        </li>
      ))}
    </ol>
  )
}

/** One for each year from the first to the last, those without any included. */
export type Column = Bar & { readonly year: number }

// In pixels from above; across, all is in percent, so that text keeps its size at every width.
const height = 240
const top = 22
const bottom = 212

/** @param of what is counted, as in `zines` */
export const Columns = ({
  columns,
  of,
}: {
  readonly columns: readonly Column[]
  readonly of: string
}) => {
  const most = Math.max(...columns.map(({ count }) => count))
  const lines = linesFor(most)
  const highest = Math.max(...lines)
  const width = 1 / columns.length
  const levelOf = (count: number): number => bottom - ((bottom - top) * count) / highest
  const step = columns.length > 60 ? 20 : columns.length > 12 ? 10 : columns.length > 6 ? 2 : 1
  return (
    // The list of years has the same links for who uses no pointer.
    <svg class="columns" width="100%" height={height} aria-hidden="true" focusable="false">
      {lines.map((line) => (
        <line key={line} class="grid" x1="0" x2="100%" y1={levelOf(line)} y2={levelOf(line)} />
      ))}
      {columns.map(({ year, count, href }, index) =>
        count === 0 ? null : (
          <a key={year} href={href} tabIndex={-1}>
            <title>{`${year}: ${count.toLocaleString('en')} ${of}`}</title>
            <rect
              class="reach"
              x={percent(index * width)}
              y={top}
              width={percent(width)}
              height={bottom - top}
            />
            <rect
              class={count === most ? 'column peak' : 'column'}
              x={percent((index + 0.1) * width)}
              y={rounded(Math.min(levelOf(count), bottom - 2))}
              width={percent(width * 0.8)}
              height={rounded(Math.max(bottom - levelOf(count), 2))}
            />
          </a>
        ),
      )}
      {lines.map((line) => (
        <text key={line} class="tick" x="0" y={levelOf(line) - 5}>
          {line.toLocaleString('en')}
        </text>
      ))}
      {columns.map(({ year }, index) =>
        year % step === 0 ? (
          <text
            key={year}
            class="tick"
            x={percent((index + 0.5) * width)}
            y={height - 8}
            text-anchor={anchorAt((index + 0.5) * width)}
          >
            {year}
          </text>
        ) : null,
      )}
    </svg>
  )
}

/** Round numbers, four of them or fewer, of which the last is not exceeded. */
function linesFor(most: number): readonly number[] {
  const rough = Math.max(1, most / 4)
  const scale = 10 ** Math.floor(Math.log10(rough))
  const step = Math.ceil(
    [1, 2, 5, 10].map((one) => one * scale).find((one) => one >= rough) ?? rough,
  )
  return Array.from({ length: Math.ceil(most / step) }, (_, index) => (index + 1) * step)
}

// A label at the edge stays inside.
const anchorAt = (share: number): 'start' | 'middle' | 'end' =>
  share < 0.04 ? 'start' : share > 0.96 ? 'end' : 'middle'

const percent = (share: number): string => `${rounded(share * 100)}%`

const rounded = (number: number): number => Math.round(number * 100) / 100
