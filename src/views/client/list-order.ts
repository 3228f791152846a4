// The script of the form of an editor's list: records are dragged to their places, and the buttons that
// move one do it at once. Both change the numbers of the form, which is sent as it is without this
// script.

import { dragRows, moveRow } from './dragged-rows.js'
import { text } from './texts.js'

function orderRecords(list: HTMLElement): void {
  for (const row of rowsOf(list)) {
    const handle = document.createElement('span')
    handle.className = 'drag-handle'
    handle.dataset.drag = ''
    handle.setAttribute('aria-hidden', 'true')
    row.querySelector('.row-buttons')?.prepend(handle)
  }
  const onMove = (row: HTMLElement, place: number): void => {
    numberRows(list)
    const title = row.querySelector('strong')?.textContent ?? ''
    const announcement = document.querySelector('body > [role=status]')
    const values = { title, place: place + 1, count: list.children.length }
    if (announcement) announcement.textContent = text('{title}: {place} of {count}', values)
  }
  dragRows(list, { onStart: () => sortByNumbers(list), onDrop: onMove })
  list.addEventListener('click', (event) => {
    const { target } = event
    const button = target instanceof Element ? target.closest<HTMLButtonElement>('button') : null
    const row = button?.closest('li')
    const by = { '.up': -1, '.down': 1 }[button?.name ?? '']
    if (!button || !row || by === undefined) return
    event.preventDefault()
    sortByNumbers(list)
    const place = rowsOf(list).indexOf(row) + by
    if (place < 0 || place >= list.children.length) return
    moveRow(list, row, place)
    onMove(row, place)
    focusMoving(row, button)
  })
}

/** The button keeps the focus, or at an end the one for the other way gets it. */
function focusMoving(row: HTMLElement, button: HTMLButtonElement): void {
  const other = row.querySelector<HTMLButtonElement>('.row-buttons button:enabled')
  ;(button.disabled ? other : button)?.focus()
}

/** Follows numbers that were typed. A record without one leaves the list, and stays where it is. */
function sortByNumbers(list: HTMLElement): void {
  const rows = rowsOf(list)
  const numbered = rows.filter((row) => numberOf(row).value.trim() !== '')
  const sorted = numbered.toSorted((a, b) => valueOf(a) - valueOf(b))
  if (sorted.every((row, index) => row === numbered[index])) return
  const places = numbered.map((row) => rows.indexOf(row))
  for (const [index, row] of sorted.entries()) rows[places[index] ?? 0] = row
  for (const [place, row] of rows.entries())
    if (list.children[place] !== row) list.children[place]?.before(row)
}

/** The server reads the same numbers as 0. */
const valueOf = (row: HTMLElement): number => Number(numberOf(row).value) || 0

/** Numbers the rows as they stand, and says so in their buttons. */
function numberRows(list: HTMLElement): void {
  let number = 0
  const rows = rowsOf(list)
  for (const [place, row] of rows.entries()) {
    const input = numberOf(row)
    if (input.value.trim() !== '') input.value = String((number += 1))
    for (const button of row.querySelectorAll<HTMLButtonElement>('.row-buttons button')) {
      button.value = String(place)
      button.disabled = place === (button.name === '.up' ? 0 : rows.length - 1)
    }
  }
}

const rowsOf = (list: HTMLElement): HTMLElement[] => [
  ...list.querySelectorAll<HTMLElement>(':scope > li'),
]

function numberOf(row: HTMLElement): HTMLInputElement {
  const input = row.querySelector<HTMLInputElement>('input[name=number]')
  if (!input) throw new Error('The row has no number.')
  return input
}

const list = document.querySelector<HTMLElement>('[data-ordered]')
if (list) orderRecords(list)
