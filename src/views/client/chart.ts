// A YASGUI plugin that draws results with counts as bars: a bar for each row, with the last numeric
// column as its length. YASGUI's own chart plugin loads scripts from other sites.

import { text } from './texts.js'
import type { Plugin, ResultsView, Value } from './yasgui.js'

type ChartBar = {
  readonly label: string
  /** The parts of the bar; a single one without a name where there are none. */
  readonly parts: readonly (readonly [name: string, number: number])[]
  readonly number: number
}

type ResultBinding = Readonly<Record<string, Value>>

/** How many values of the second column have a part of their own. */
const maxParts = 8

/** The number of bars drawn at most. */
const maxBars = 60

const svgNamespace = 'http://www.w3.org/2000/svg'
const line = 28
const width = 800
const labelsWidth = 300

export const chart = class implements Plugin {
  readonly label = text('Chart')
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
    const legend = legendOf(shown)
    if (legend) figure.append(legend)
    if (bars.length > shown.length) {
      const caption = document.createElement('figcaption')
      caption.textContent = text('The first {shown} of {all} bars.', {
        shown: shown.length,
        all: bars.length,
      })
      figure.append(caption)
    }
    this.view.resultsEl.append(figure)
  }

  getIcon(): undefined {
    return undefined
  }
}

/**
 * The bars of a result; none where no column has only numbers of 0 or more. A result with two
 * columns of categories has a bar for each value of the first, with a part for each value of the
 * second.
 */
function barsOf({ results }: ResultsView): readonly ChartBar[] {
  const rows = results?.getBindings() ?? []
  const columns = results?.getVariables() ?? []
  const counted = columns.findLast(
    (name) => rows.length > 0 && rows.every((row) => isNumber(row[name])),
  )
  if (counted === undefined) return []
  const others = columns.filter((name) => name !== counted)
  const labelOf = (row: ResultBinding, names: readonly string[]): string =>
    names.flatMap((name) => (row[name] ? nameOf(row[name]) : [])).join(' · ')
  const numberOf = (row: ResultBinding): number => Number(row[counted]?.value)
  const [first, second] = others
  if (others.length !== 2 || first === undefined || second === undefined)
    return rows.map((row) => toBar(labelOf(row, others), [['', numberOf(row)]]))
  return stackedBars(
    rows.map((row) => [labelOf(row, [first]), labelOf(row, [second]), numberOf(row)]),
  )
}

type Cell = readonly [bar: string, part: string, number: number]

/** A bar for each first value; the largest second values are its parts, the others one part. */
function stackedBars(cells: readonly Cell[]): readonly ChartBar[] {
  const bars = new Map<string, Map<string, number>>()
  const totals = new Map<string, number>()
  for (const [bar, part, number] of cells) {
    const parts = bars.get(bar) ?? new Map<string, number>()
    bars.set(bar, parts.set(part, (parts.get(part) ?? 0) + number))
    totals.set(part, (totals.get(part) ?? 0) + number)
  }
  const largest = [...totals].sort((a, b) => b[1] - a[1]).slice(0, maxParts)
  return [...bars].map(([label, parts]) => {
    const shown = largest.map(([part]) => [part, parts.get(part) ?? 0] as const)
    const rest = sum([...parts.values()]) - sum(shown.map(([, number]) => number))
    return toBar(label, totals.size > maxParts ? [...shown, ['others', rest]] : shown)
  })
}

const toBar = (label: string, parts: ChartBar['parts']): ChartBar => ({
  label,
  parts,
  number: sum(parts.map(([, number]) => number)),
})

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0)

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
  bars.forEach(({ label, number, parts }, index) => {
    const y = index * line
    const scale = (width - labelsWidth - 80) / highest
    const length = number * scale
    const name = element('text', { x: labelsWidth - 8, y: y + 19, 'text-anchor': 'end' })
    name.textContent = label.length > 38 ? `${label.slice(0, 37)}…` : label
    const fullLabel = element('title', {})
    fullLabel.textContent = label
    name.append(fullLabel)
    const value = element('text', { x: labelsWidth + length + 6, y: y + 19 })
    value.textContent = String(number)
    svg.append(name, ...drawParts(parts, { y: y + 4, scale }), value)
  })
  return svg
}

/** The parts of a bar beside each other, each with its name and number as a tooltip. */
function drawParts(
  parts: ChartBar['parts'],
  { y, scale }: { readonly y: number; readonly scale: number },
): SVGElement[] {
  let x = labelsWidth
  return parts.map(([name, number], index) => {
    const rect = element('rect', {
      x,
      y,
      width: number * scale,
      height: line - 8,
      class: `part-${index}`,
    })
    x += number * scale
    if (name === '') return rect
    const tooltip = element('title', {})
    tooltip.textContent = `${name}: ${number}`
    rect.append(tooltip)
    return rect
  })
}

/** The names of the parts with their colours; undefined where bars have no parts. */
function legendOf(bars: readonly ChartBar[]): HTMLElement | undefined {
  const names = (bars[0]?.parts ?? []).map(([name]) => name)
  if (names.every((name) => name === '')) return undefined
  const list = document.createElement('ul')
  list.className = 'legend'
  names.forEach((name, index) => {
    const item = document.createElement('li')
    const colour = element('svg', { viewBox: '0 0 10 10', 'aria-hidden': 'true' })
    colour.append(element('rect', { width: 10, height: 10, class: `part-${index}` }))
    item.append(colour, name)
    list.append(item)
  })
  return list
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const created = document.createElementNS(svgNamespace, name)
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, String(value))
  return created
}
