// A chart of an answer that counts something: a bar for each row, by its last column of numbers. The
// package has none that works without scripts from elsewhere.

import type { Plugin, ResultsView, Value } from './yasgui.js'

type Bar = { readonly label: string; readonly number: number }

/** More would be a page of bars that nobody compares. */
const mostBars = 60

const svgNamespace = 'http://www.w3.org/2000/svg'
const line = 28
const width = 800
const labels = 300

export const chart = class implements Plugin {
  readonly label = 'Chart'
  readonly priority = 1

  constructor(private readonly view: ResultsView) {}

  canHandleResults(): boolean {
    return barsOf(this.view).length > 0
  }

  draw(): void {
    const bars = barsOf(this.view)
    const shown = bars.slice(0, mostBars)
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

/** The bars of a table; none where no column has numbers alone that are not negative. */
function barsOf({ results }: ResultsView): readonly Bar[] {
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

/** An IRI by its last part: the rest is the same for all bars of a kind. */
const nameOf = ({ type, value }: Value): string =>
  type === 'uri' ? (value.split(/[/#]/).findLast(Boolean) ?? value) : value

const isNumber = (value: Value | undefined): boolean =>
  value !== undefined &&
  value.type !== 'uri' &&
  /#(?:integer|decimal|double|float|int|long)$/.test(value.datatype ?? '') &&
  Number(value.value) >= 0

function drawBars(bars: readonly Bar[]): SVGElement {
  const most = Math.max(...bars.map(({ number }) => number), 1)
  const svg = element('svg', { viewBox: `0 0 ${width} ${bars.length * line}`, role: 'img' })
  svg.setAttribute('aria-label', bars.map(({ label, number }) => `${label}: ${number}`).join('; '))
  bars.forEach(({ label, number }, index) => {
    const y = index * line
    const long = ((width - labels - 80) * number) / most
    const name = element('text', { x: labels - 8, y: y + 19, 'text-anchor': 'end' })
    name.textContent = label.length > 38 ? `${label.slice(0, 37)}…` : label
    const whole = element('title', {})
    whole.textContent = label
    name.append(whole)
    const value = element('text', { x: labels + long + 6, y: y + 19 })
    value.textContent = String(number)
    svg.append(name, element('rect', { x: labels, y: y + 4, width: long, height: line - 8 }), value)
  })
  return svg
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(svgNamespace, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  return made
}
