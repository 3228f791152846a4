// The script of the home page: years are chosen in the chart, by drawing over it or with two
// handles, which keys move too. What is chosen is in the inputs of the form below. Without it,
// these are filled in by hand.

import { text } from './texts.js'

function setUpTimeline(): void {
  const chart = document.querySelector<HTMLElement>('[data-timeline]')
  const form = document.querySelector<HTMLFormElement>('[data-timeline-form]')
  const inputs = ['year__gte', 'year__lte'].map((name) =>
    form?.querySelector<HTMLInputElement>(`[name=${name}]`),
  )
  const [fromInput, toInput] = inputs
  if (chart && form && fromInput && toInput) new Brush(chart, form, fromInput, toInput)
}

/** What is chosen in the chart, with a handle at each end. */
class Brush {
  readonly #chart: HTMLElement
  readonly #form: HTMLFormElement
  readonly #fromInput: HTMLInputElement
  readonly #toInput: HTMLInputElement
  /** The year of each column, and how many years a column has. */
  readonly #years: readonly number[]
  readonly #yearsOfColumn: number
  readonly #last: number
  /** The first and the last column that are chosen. */
  #from = 0
  #to: number
  readonly #chosen = document.createElement('div')
  readonly #handles = [
    createHandle(text('From year, in the chart')),
    createHandle(text('To year, in the chart')),
  ] as const

  constructor(
    chart: HTMLElement,
    form: HTMLFormElement,
    fromInput: HTMLInputElement,
    toInput: HTMLInputElement,
  ) {
    this.#chart = chart
    this.#form = form
    this.#fromInput = fromInput
    this.#toInput = toInput
    this.#years = (chart.dataset.years ?? '').split(' ').map(Number)
    this.#yearsOfColumn = (this.#years[1] ?? 0) - (this.#years[0] ?? 0) === 10 ? 10 : 1
    this.#last = this.#years.length - 1
    this.#to = this.#last
    this.#chosen.className = 'brush'
    this.#chosen.hidden = true
    chart.append(this.#chosen, ...this.#handles)
    this.#listen()
    // A browser that goes back fills in what was chosen before.
    this.#readInputs()
    this.#show()
  }

  #listen(): void {
    const [fromHandle, toHandle] = this.#handles
    this.#listenTo(fromHandle, {
      at: () => this.#from,
      moveTo: (column) => this.#choose(Math.min(column, this.#to), this.#to),
    })
    this.#listenTo(toHandle, {
      at: () => this.#to,
      moveTo: (column) => this.#choose(this.#from, Math.max(column, this.#from)),
    })
    drawOver(
      this.#chart,
      (event) => this.#columnAt(event),
      (start, end) => this.#choose(start, end),
    )
    this.#form.addEventListener('input', () => {
      this.#readInputs()
      if (this.#from <= this.#to) this.#show()
    })
  }

  #listenTo(handle: HTMLElement, { at, moveTo }: HandleMoves): void {
    handle.addEventListener('keydown', (event) => {
      const column = columnAfterKey(event.key, at(), this.#last)
      if (event.key === 'Enter') this.#form.requestSubmit()
      if (column === undefined) return
      event.preventDefault()
      moveTo(this.#limit(column))
    })
    handle.addEventListener('pointerdown', (event) => {
      event.preventDefault()
      event.stopPropagation()
      handle.focus()
      handle.setPointerCapture(event.pointerId)
    })
    handle.addEventListener('pointermove', (event) => {
      if (handle.hasPointerCapture(event.pointerId)) moveTo(this.#columnAt(event))
    })
  }

  #choose(start: number, end: number): void {
    this.#from = this.#limit(Math.min(start, end))
    this.#to = this.#limit(Math.max(start, end))
    this.#fromInput.value = String(this.#years[this.#from])
    this.#toInput.value = String(this.#lastYearOf(this.#to))
    this.#show()
  }

  #show(): void {
    const [years, from, to] = [this.#years, this.#from, this.#to]
    const [left, right] = [from / years.length, (to + 1) / years.length]
    this.#chosen.hidden = from === 0 && to === this.#last
    this.#chosen.style.left = `${100 * left}%`
    this.#chosen.style.width = `${100 * (right - left)}%`
    const [fromHandle, toHandle] = this.#handles
    placeHandle(fromHandle, left, { now: years[from], min: years[0], max: years[to] })
    placeHandle(toHandle, right, {
      now: this.#lastYearOf(to),
      min: years[from],
      max: this.#lastYearOf(this.#last),
    })
  }

  #readInputs(): void {
    this.#from = this.#columnOf(this.#fromInput.value) ?? 0
    this.#to = this.#columnOf(this.#toInput.value) ?? this.#last
  }

  /** The column of a year that was typed. */
  #columnOf(text: string): number | undefined {
    if (!/^\d{4}$/.test(text)) return undefined
    return this.#limit(Math.floor((Number(text) - (this.#years[0] ?? 0)) / this.#yearsOfColumn))
  }

  /** The column under a pointer. */
  #columnAt({ clientX }: PointerEvent): number {
    const { left, width } = this.#chart.getBoundingClientRect()
    return this.#limit(Math.floor(((clientX - left) / width) * this.#years.length))
  }

  #limit(column: number): number {
    return Math.min(this.#last, Math.max(0, column))
  }

  #lastYearOf(column: number): number {
    return (this.#years[column] ?? 0) + this.#yearsOfColumn - 1
  }
}

type HandleMoves = {
  /** The column of the handle. */
  readonly at: () => number
  readonly moveTo: (column: number) => void
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

setUpTimeline()
