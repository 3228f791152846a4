// A table of counts by two facets as stacked bars: on a page, where the table below has the same
// numbers, and as an SVG file with its labels.

import { numberText, recordCount, t } from '../../views/translate.js'
/** A value of a facet with the number of zines that have it, and the address of their list. */
export type CrossValue = {
  readonly value: string
  readonly label: string
  /** That of the label, where it is not the page's. */
  readonly language?: string | undefined
  readonly count: number
  readonly href: string
}

type CrossCell = { readonly count: number; readonly href: string }

/** A row with a cell for each column. */
type CrossRow = CrossValue & { readonly cells: readonly CrossCell[] }

export type CrossTable = {
  /** What it shows, such as `Decade × genre`. */
  readonly title: string
  readonly rows: readonly CrossRow[]
  readonly columns: readonly CrossValue[]
}

type Part = {
  readonly label: string
  readonly count: number
  readonly href: string
  /** The place of its beginning among all zines that the longest bar counts, from 0 to 1. */
  readonly start: number
  readonly length: number
  readonly position: number
}

/** The parts of each bar; a bar without columns is one part. */
function partsOf({ rows, columns }: CrossTable): readonly (readonly Part[])[] {
  const cellsOf = ({ count, href, cells }: CrossRow) =>
    columns.length === 0
      ? [{ label: '', count, href }]
      : cells.map((cell, index) => ({ ...cell, label: columns[index]?.label ?? '' }))
  const bars = rows.map(cellsOf)
  const lengthOf = (cells: readonly CrossCell[]): number =>
    cells.reduce((sum, { count }) => sum + count, 0)
  const longest = Math.max(1, ...bars.map(lengthOf))
  return bars.map((cells) => {
    let before = 0
    return cells.map((cell, position) => {
      const part = { ...cell, position, start: before / longest, length: cell.count / longest }
      before += cell.count
      return part
    })
  })
}

const zinesOf = (count: number): string => recordCount('zines', count)

export const StackedBars = ({ table }: { readonly table: CrossTable }) => {
  const bars = partsOf(table)
  return (
    <figure class="stacked" aria-labelledby="stacked-title">
      <figcaption id="stacked-title" class="visually-hidden">
        {t('{title}, as bars. The table below has the same numbers.', { title: table.title })}
      </figcaption>
      {table.columns.length > 0 && (
        <ul class="legend" aria-label={t('Colours')}>
          {table.columns.map(({ value, label, language, href }, index) => (
            <li key={value}>
              <a href={href} lang={language}>
                <svg width="12" height="12" aria-hidden="true" focusable="false">
                  <rect class={`stack-${index}`} width="12" height="12" />
                </svg>{' '}
                {label}
              </a>
            </li>
          ))}
        </ul>
      )}
      <ol class="bars">
        {table.rows.map(({ value, label, language, count, href }, row) => (
          <li key={value}>
            <a class="bar-row" href={href}>
              <span class="bar-label" lang={language}>
                {label}
              </span>{' '}
              <span class="bar-count">{numberText(count)}</span>
            </a>
            {/* The table has the same links for keyboards and screen readers. */}
            <svg class="stack" width="100%" height="18" aria-hidden="true" focusable="false">
              {bars[row]
                ?.filter((part) => part.count > 0)
                .map((part) => (
                  <a key={part.position} href={part.href} tabIndex={-1}>
                    <title>{titleOfPart(label, part)}</title>
                    <rect
                      class={`stack-${part.position}`}
                      x={percent(part.start)}
                      width={percent(part.length)}
                      height="18"
                    />
                  </a>
                ))}
            </svg>
          </li>
        ))}
      </ol>
    </figure>
  )
}

const titleOfPart = (row: string, { label, count }: Part): string =>
  `${[row, label].filter(Boolean).join(', ')}: ${zinesOf(count)}`

const percent = (share: number): string => `${Math.round(share * 1e4) / 100}%`

// The file has colours of its own, since nothing else styles it.
const colours = [
  '#17140f',
  '#d81b60',
  '#2a56c6',
  '#2e7d4f',
  '#b26a00',
  '#7b3fa0',
  '#00838f',
  '#8a8172',
]
const paper = '#fffdf8'
const ink = '#17140f'

const width = 960
const labelsWidth = 240
const barsWidth = width - labelsWidth - 90
const line = 26
const charactersOfLabel = 32

/** The same as a file. */
export const StackedBarsFile = ({
  table,
  note,
}: {
  readonly table: CrossTable
  /** What is counted, in a sentence. */
  readonly note: string
}) => {
  const legend = legendLines(table.columns)
  const top = 70 + 22 * legend.length
  const height = top + line * table.rows.length + 16
  const bars = partsOf(table)
  const described = table.rows.map(({ label, count }) => `${label}: ${count}`).join('; ')
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      font-family="'Courier Prime', 'Courier New', monospace"
      font-size="14"
      fill={ink}
      role="img"
      aria-labelledby="title description"
    >
      <title id="title">{table.title}</title>
      <desc id="description">{described}</desc>
      <rect width={width} height={height} fill={paper} />
      <text x="16" y="30" font-size="20" font-weight="700">
        {table.title}
      </text>
      <text x="16" y="50">
        {note}
      </text>
      <Legend lines={legend} />
      {table.rows.map((row, index) => (
        <FileRow key={row.value} row={row} parts={bars[index] ?? []} y={top + line * index} />
      ))}
    </svg>
  )
}

const Legend = ({ lines }: { readonly lines: readonly (readonly LegendEntry[])[] }) => (
  <>
    {lines.map((entries, index) =>
      entries.map(({ label, position, x }) => (
        <g key={position}>
          <rect x={x} y={62 + 22 * index} width="12" height="12" fill={colours[position]} />
          <text x={x + 18} y={73 + 22 * index}>
            {label}
          </text>
        </g>
      )),
    )}
  </>
)

const FileRow = ({
  row: { label, count, href },
  parts,
  y,
}: {
  readonly row: CrossRow
  readonly parts: readonly Part[]
  readonly y: number
}) => {
  const end = parts.reduce((sum, { length }) => sum + length, 0) * barsWidth
  return (
    <g>
      <a href={href}>
        <text x={labelsWidth - 8} y={y + 17} text-anchor="end">
          {shortened(label)}
        </text>
      </a>
      {parts
        .filter((part) => part.count > 0)
        .map((part) => (
          <a key={part.position} href={part.href}>
            <title>{titleOfPart(label, part)}</title>
            <rect
              x={labelsWidth + rounded(part.start * barsWidth)}
              y={y + 3}
              width={rounded(part.length * barsWidth)}
              height={line - 6}
              fill={colours[part.position]}
              stroke={paper}
              stroke-width="0.5"
            />
          </a>
        ))}
      <text x={labelsWidth + rounded(end) + 8} y={y + 17}>
        {numberText(count)}
      </text>
    </g>
  )
}

const rounded = (number: number): number => Math.round(number * 100) / 100

const shortened = (label: string): string =>
  label.length > charactersOfLabel - 5 ? `${label.slice(0, charactersOfLabel - 6)}…` : label

type LegendEntry = { readonly label: string; readonly position: number; readonly x: number }

/** The entries of the legend, in as many lines as they need. */
function legendLines(columns: readonly CrossValue[]): readonly (readonly LegendEntry[])[] {
  const lines: LegendEntry[][] = []
  let x = Infinity
  columns.forEach(({ label }, position) => {
    const text = shortened(label)
    const length = 18 + 9 * text.length + 24
    if (x + length > width) {
      lines.push([])
      x = 16
    }
    lines.at(-1)?.push({ label: text, position, x })
    x += length
  })
  return lines
}
