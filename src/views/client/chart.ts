// A YASGUI plugin that draws results with counts as bars: a bar for each row, with the last numeric
// column as its length. YASGUI's own chart plugin loads scripts from other sites.

import type { Plugin, ResultsView, Value } from './yasgui.js'

type ChartBar = { readonly label: string; readonly number: number }

/** The number of bars drawn at most. */
const maxBars = 60

const svgNamespace = 'http://www.w3.org/2000/svg'
const line = 28
const width = 800
const labelsWidth = 300

export const chart = class implements Plugin {
  readonly label = 'Chart'
  readonly priority = 1

  constructor(private readonly view: ResultsView) {}

  canHandleResults(): boolean {
    return barsOf(this.view).length > 0
  }

  draw(): void {
    const bars = barsOf(this.view)
    const shown = bars.slice(0, maxBars)
    const figure = document.createElement('figure')
    figure.className = 'chart'
    figure.append(drawBars(shown))
    if (bars.length > shown.length) {
      const caption = document.createElement('figcaption')
      caption.textContent = `The first ${shown.length} of ${bars.length} rows.`
      figure.append(caption)
    }
    this.view.resultsEl.append(figure)
  }

  getIcon(): undefined {
    return undefined
  }
}

/** The bars of a result; none where no column has only numbers of 0 or more. */
function barsOf({ results }: ResultsView): readonly ChartBar[] {
  const rows = results?.getBindings() ?? []
  const columns = results?.getVariables() ?? []
  const counted = columns.findLast(
    (name) => rows.length > 0 && rows.every((row) => isNumber(row[name])),
  )
  if (counted === undefined) return []
  const others = columns.filter((name) => name !== counted)
  return rows.map((row) => ({
    label: others.flatMap((name) => (row[name] ? nameOf(row[name]) : [])).join(' · '),
    number: Number(row[counted]?.value),
  }))
}

/** The value as a label, an IRI by its last part. */
const nameOf = ({ type, value }: Value): string =>
  type === 'uri' ? (value.split(/[/#]/).findLast(Boolean) ?? value) : value

const isNumber = (value: Value | undefined): boolean =>
  value !== undefined &&
  value.type !== 'uri' &&
  /#(?:integer|decimal|double|float|int|long)$/.test(value.datatype ?? '') &&
  Number(value.value) >= 0

function drawBars(bars: readonly ChartBar[]): SVGElement {
  const highest = Math.max(...bars.map(({ number }) => number), 1)
  const svg = element('svg', { viewBox: `0 0 ${width} ${bars.length * line}`, role: 'img' })
  svg.setAttribute('aria-label', bars.map(({ label, number }) => `${label}: ${number}`).join('; '))
  bars.forEach(({ label, number }, index) => {
    const y = index * line
    const length = ((width - labelsWidth - 80) * number) / highest
    const name = element('text', { x: labelsWidth - 8, y: y + 19, 'text-anchor': 'end' })
    name.textContent = label.length > 38 ? `${label.slice(0, 37)}…` : label
    const fullLabel = element('title', {})
    fullLabel.textContent = label
    name.append(fullLabel)
    const value = element('text', { x: labelsWidth + length + 6, y: y + 19 })
    value.textContent = String(number)
    svg.append(
      name,
      element('rect', { x: labelsWidth, y: y + 4, width: length, height: line - 8 }),
      value,
    )
  })
  return svg
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const created = document.createElementNS(svgNamespace, name)
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, String(value))
  return created
}
