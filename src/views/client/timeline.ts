// The script of the home page: years are chosen in the chart, by drawing over it or with two
// handles, which keys move too. What is chosen is in the inputs of the form below. Without it,
// these are filled in by hand.

import { text } from './texts.js'

setUpTimeline()

function setUpTimeline(): void {
  const chart = document.querySelector<HTMLElement>('[data-timeline]')
  const form = document.querySelector<HTMLFormElement>('[data-timeline-form]')
  const inputs = ['year__gte', 'year__lte'].map((name) =>
    form?.querySelector<HTMLInputElement>(`[name=${name}]`),
  )
  const [fromInput, toInput] = inputs
  if (chart && form && fromInput && toInput) createBrush(chart, form, fromInput, toInput)
}

function createBrush(
  chart: HTMLElement,
  form: HTMLFormElement,
  fromInput: HTMLInputElement,
  toInput: HTMLInputElement,
): void {
  /** The year of each column, and how many years a column has. */
  const years = (chart.dataset.years ?? '').split(' ').map(Number)
  const yearsOfColumn = (years[1] ?? 0) - (years[0] ?? 0) === 10 ? 10 : 1
  const last = years.length - 1
  /** The first and the last column that are chosen. */
  let [from, to] = [0, last]

  const chosen = document.createElement('div')
  chosen.className = 'brush'
  chosen.hidden = true
  const handles = [
    createHandle(text('From year, in the chart')),
    createHandle(text('To year, in the chart')),
  ] as const
  chart.append(chosen, ...handles)

  const lastYearOf = (column: number): number => (years[column] ?? 0) + yearsOfColumn - 1

  function choose(start: number, end: number): void {
    ;[from, to] = [limit(Math.min(start, end)), limit(Math.max(start, end))]
    fromInput.value = String(years[from])
    toInput.value = String(lastYearOf(to))
    show()
  }

  const limit = (column: number): number => Math.min(last, Math.max(0, column))

  function show(): void {
    const [left, right] = [from / years.length, (to + 1) / years.length]
    chosen.hidden = from === 0 && to === last
    chosen.style.left = `${100 * left}%`
    chosen.style.width = `${100 * (right - left)}%`
    const [fromHandle, toHandle] = handles
    placeHandle(fromHandle, left, { now: years[from], min: years[0], max: years[to] })
    placeHandle(toHandle, right, {
      now: lastYearOf(to),
      min: years[from],
      max: lastYearOf(last),
    })
  }

  /** The column under a pointer. */
  function columnAt({ clientX }: PointerEvent): number {
    const { left, width } = chart.getBoundingClientRect()
    return limit(Math.floor(((clientX - left) / width) * years.length))
  }

  handles.forEach((handle, index) => {
    const moveTo = (column: number): void =>
      index === 0 ? choose(Math.min(column, to), to) : choose(from, Math.max(column, from))
    handle.addEventListener('keydown', (event) => {
      const column = columnAfterKey(event.key, index === 0 ? from : to, last)
      if (event.key === 'Enter') form.requestSubmit()
      if (column === undefined) return
      event.preventDefault()
      moveTo(limit(column))
    })
    handle.addEventListener('pointerdown', (event) => {
      event.preventDefault()
      event.stopPropagation()
      handle.focus()
      handle.setPointerCapture(event.pointerId)
    })
    handle.addEventListener('pointermove', (event) => {
      if (handle.hasPointerCapture(event.pointerId)) moveTo(columnAt(event))
    })
  })
  drawOver(chart, columnAt, choose)
  form.addEventListener('input', () => {
    ;[from, to] = [columnOf(fromInput.value) ?? 0, columnOf(toInput.value) ?? last]
    if (from <= to) show()
  })

  /** The column of a year that was typed. */
  function columnOf(text: string): number | undefined {
    if (!/^\d{4}$/.test(text)) return undefined
    return limit(Math.floor((Number(text) - (years[0] ?? 0)) / yearsOfColumn))
  }

  // A browser that goes back fills in what was chosen before.
  ;[from, to] = [columnOf(fromInput.value) ?? 0, columnOf(toInput.value) ?? last]
  show()
}

/** Chooses the columns that a pointer is drawn over. A click still follows the link of a column. */
function drawOver(
  chart: HTMLElement,
  columnAt: (event: PointerEvent) => number,
  choose: (start: number, end: number) => void,
): void {
  let start: { readonly x: number; readonly column: number } | undefined
  let isDrawn = false
  chart.addEventListener('dragstart', (event) => event.preventDefault())
  chart.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return
    isDrawn = false
    start = { x: event.clientX, column: columnAt(event) }
  })
  chart.addEventListener('pointermove', (event) => {
    if (!start || (!isDrawn && Math.abs(event.clientX - start.x) < 5)) return
    if (!isDrawn) chart.setPointerCapture(event.pointerId)
    isDrawn = true
    choose(start.column, columnAt(event))
  })
  for (const end of ['pointerup', 'pointercancel'] as const)
    chart.addEventListener(end, () => (start = undefined))
  chart.addEventListener(
    'click',
    (event) => {
      if (isDrawn) event.preventDefault()
      isDrawn = false
    },
    { capture: true },
  )
}

function createHandle(label: string): HTMLElement {
  const handle = document.createElement('div')
  handle.className = 'brush-handle'
  handle.tabIndex = 0
  handle.setAttribute('role', 'slider')
  handle.setAttribute('aria-label', label)
  return handle
}

function placeHandle(
  handle: HTMLElement,
  share: number,
  values: Readonly<Record<'now' | 'min' | 'max', number | undefined>>,
): void {
  handle.style.left = `${100 * share}%`
  for (const [name, value] of Object.entries(values))
    handle.setAttribute(`aria-value${name}`, String(value ?? ''))
}

/** Where a key moves a handle; undefined for other keys. */
function columnAfterKey(key: string, column: number, last: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return column - 1
    case 'ArrowRight':
    case 'ArrowUp':
      return column + 1
    case 'PageDown':
      return column - 10
    case 'PageUp':
      return column + 10
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}
