// Lets a pointer, be it a mouse or a finger, drag the rows of a list by their handles. What a new order
// means is left to the page, which has buttons for those who do not drag.

type DragOptions = {
  /** Called before a row moves. */
  readonly onStart?: () => void
  /** Called when a row was dropped at another place than it was taken from. */
  readonly onDrop: (row: HTMLElement, place: number) => void
}

/** So close to the edge of the window, in pixels, the page scrolls, and so far at once. */
const edge = 60
const step = 10

/** Rows may be put in place of those that are there. Their handles have `data-drag`. */
export function dragRows(list: HTMLElement, options: DragOptions): void {
  list.addEventListener('pointerdown', (event) => {
    const { target, button } = event
    const handle = target instanceof Element ? target.closest<HTMLElement>('[data-drag]') : null
    const row = handle?.closest<HTMLElement>('li')
    if (!handle || !row || button !== 0) return
    // It selects no text, and leaves the focus where it is.
    event.preventDefault()
    options.onStart?.()
    handle.setPointerCapture(event.pointerId)
    new Drag(list, row, handle, event.clientY).run(options.onDrop)
  })
}

/** Moves the rows between a row and its new place past it. It stays in the document, with the focus. */
export function moveRow(list: HTMLElement, row: HTMLElement, place: number): void {
  const from = [...list.children].indexOf(row)
  for (let at = from; at < place; at += 1) passNext(row)
  for (let at = from; at > place; at -= 1) passPrevious(row)
}

function passNext(row: HTMLElement): void {
  if (row.nextElementSibling) row.before(row.nextElementSibling)
}

function passPrevious(row: HTMLElement): void {
  if (row.previousElementSibling) row.after(row.previousElementSibling)
}

class Drag {
  readonly #list: HTMLElement
  readonly #row: HTMLElement
  readonly #handle: HTMLElement
  readonly #start: number
  #pointerY: number
  readonly #ended = new AbortController()

  constructor(list: HTMLElement, row: HTMLElement, handle: HTMLElement, pointerY: number) {
    this.#list = list
    this.#row = row
    this.#handle = handle
    this.#pointerY = pointerY
    this.#start = this.#place
  }

  run(onDrop: DragOptions['onDrop']): void {
    const { signal } = this.#ended
    this.#row.classList.add('dragged')
    this.#handle.addEventListener('pointermove', ({ clientY }) => this.#follow(clientY), { signal })
    this.#handle.addEventListener('pointerup', () => this.#end(onDrop), { signal })
    this.#handle.addEventListener('pointercancel', () => this.#cancel(), { signal })
    // Without it, nobody would know when the pointer is let go.
    this.#handle.addEventListener('lostpointercapture', () => this.#cancel(), { signal })
    addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        this.#cancel()
      },
      { signal },
    )
    this.#scroll()
  }

  #follow(pointerY: number): void {
    this.#pointerY = pointerY
    const { nextElementSibling: next, previousElementSibling: previous } = this.#row
    if (next && pointerY > middleOf(next)) passNext(this.#row)
    else if (previous && pointerY < middleOf(previous)) passPrevious(this.#row)
    else return
    this.#follow(pointerY)
  }

  /** Goes on while the pointer rests at an edge of the window. */
  #scroll(): void {
    requestAnimationFrame(() => {
      if (this.#ended.signal.aborted) return
      const by =
        this.#pointerY < edge ? -step : this.#pointerY > innerHeight - edge ? step : undefined
      if (by !== undefined) {
        scrollBy(0, by)
        this.#follow(this.#pointerY)
      }
      this.#scroll()
    })
  }

  #end(onDrop: DragOptions['onDrop']): void {
    this.#stop()
    if (this.#place !== this.#start) onDrop(this.#row, this.#place)
  }

  #cancel(): void {
    this.#stop()
    moveRow(this.#list, this.#row, this.#start)
  }

  #stop(): void {
    this.#ended.abort()
    this.#row.classList.remove('dragged')
  }

  get #place(): number {
    return [...this.#list.children].indexOf(this.#row)
  }
}

function middleOf(element: Element): number {
  const { top, height } = element.getBoundingClientRect()
  return top + height / 2
}
