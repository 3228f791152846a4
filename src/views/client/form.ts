// The script of a record's form: searches for codes and records by name (picker.ts), adds, removes
// and moves the rows of repeatable fields without reloading the page, leads from field to field by
// Tab, proposes an identifier, saves by keys, and warns before leaving with unsaved changes.

import { Picker, isMoveUp, isSave } from './picker.js'
import { makeReferred } from './referred-record.js'

/** Whether the form has changes that were not sent. */
let changed = false

const pickers: Picker[] = []

const form = document.querySelector<HTMLFormElement>('form[data-form]')
if (form) {
  for (const rows of form.querySelectorAll<HTMLElement>('[data-rows]')) enableRows(rows)
  for (const input of form.querySelectorAll<HTMLInputElement>('[data-picker]')) makePicker(input)
  openSmallForms(form)
  resolveBeforeSending(form)
  warnBeforeLeaving(form)
  saveByKeys(form)
  proposeIdentifier(form)
}
// Somebody may be typing already where this script arrives late.
if (document.activeElement === document.body)
  document.querySelector<HTMLElement>('[data-focus]')?.focus()

/**
 * Makes the buttons of rows work in the browser; without this script they are sent to the server.
 */
function enableRows(rows: HTMLElement): void {
  const more = rows.parentElement?.querySelector<HTMLButtonElement>('button[name=".more"]')
  const template = rows.lastElementChild?.cloneNode(true)

  // Keys do what the buttons do, and arrows lead from value to value, so that a field costs one Tab.
  const letTabSkip = (stop = rows.firstElementChild): void => {
    for (const button of rows.querySelectorAll('button')) button.tabIndex = -1
    for (const row of rows.children) {
      const input = inputOf(row)
      if (input) input.tabIndex = row === stop ? 0 : -1
      describeArrows(input)
    }
  }
  letTabSkip()
  if (more) more.tabIndex = -1
  rows.addEventListener('focusin', (event) => letTabSkip(rowOf(event)))

  /** Adds an empty row; returns its input. */
  function append(): HTMLElement | null {
    if (!(template instanceof HTMLElement)) return null
    const row = template.cloneNode(true) as HTMLElement
    for (const input of row.querySelectorAll('[data-focus]')) input.removeAttribute('data-focus')
    rows.append(row)
    numberRows(rows)
    const picker = row.querySelector<HTMLInputElement>('[data-picker]')
    const input = picker ? makePicker(picker) : inputOf(row)
    letTabSkip(document.activeElement?.closest('li') ?? row)
    return input
  }

  more?.addEventListener('click', (event) => {
    event.preventDefault()
    const last = inputOf(rows.lastElementChild)
    if (last?.value === '') last.focus()
    else append()?.focus()
  })

  // There is always an empty row for another value.
  rows.addEventListener('input', (event) => {
    if (rows.lastElementChild?.contains(event.target as Node)) append()
  })

  rows.addEventListener('keydown', (event) => {
    const row = rowOf(event)
    if (!row || event.defaultPrevented) return
    if (isMoveUp(event)) {
      event.preventDefault()
      row.previousElementSibling?.before(row)
      inputOf(row)?.focus()
      numberRows(rows)
      changed = true
    } else if (leavesByArrow(event)) {
      const next = arrows.get(event.key)?.(row)
      if (next) event.preventDefault()
      inputOf(next ?? null)?.focus()
    }
  })

  rows.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('button')
    const row = button?.closest('li')
    if (!button || !row) return
    if (button.name === '.up') {
      event.preventDefault()
      row.previousElementSibling?.before(row)
      button.focus()
    } else if (button.name === '.drop') {
      event.preventDefault()
      if (rows.childElementCount > 1) {
        row.remove()
        more?.focus()
      } else for (const input of row.querySelectorAll('input, textarea')) empty(input)
    }
    numberRows(rows)
    changed = true
  })
}

/** A function that is there from the start, since a field may get the focus while rows are prepared. */
function rowOf({ target }: Event): Element | null {
  return (target as Element).closest('li')
}

/** Whether an arrow does not move the cursor: in an input of several lines, at its end. */
function leavesByArrow({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLTextAreaElement)) return target instanceof HTMLInputElement
  const { selectionStart, selectionEnd, value } = target
  return key === 'ArrowUp' ? selectionEnd === 0 : selectionStart === value.length
}

/** The rows that the arrows lead to. */
const arrows: ReadonlyMap<string, (row: Element) => Element | null> = new Map([
  ['ArrowUp', (row) => row.previousElementSibling],
  ['ArrowDown', (row) => row.nextElementSibling],
])

/** Says of an input, to those who do not see the form, that arrows lead to other values. */
function describeArrows(input: Element | null): void {
  const described = input?.getAttribute('aria-describedby') ?? ''
  if (input && !described.includes('arrow-keys'))
    input.setAttribute('aria-describedby', `${described} arrow-keys`)
}

/** The input of a row that people type into. */
function inputOf(row: Element | null): HTMLInputElement | HTMLTextAreaElement | null {
  return row?.querySelector('input:not([type=hidden]), textarea') ?? null
}

function empty(input: Element): void {
  if (input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement) input.value = ''
}

/** Writes the position of each row into its labels. */
function numberRows(rows: HTMLElement): void {
  for (const [index, row] of [...rows.children].entries()) {
    for (const part of row.querySelectorAll('[aria-label]')) {
      const label = part.getAttribute('aria-label') ?? ''
      part.setAttribute('aria-label', label.replace(/\d+/, String(index + 1)))
    }
    const up = row.querySelector<HTMLButtonElement>('button[name=".up"]')
    if (up) up.disabled = index === 0
  }
}

/** @returns the input that people type into */
function makePicker(field: HTMLInputElement): HTMLInputElement {
  const picker: Picker = new Picker(field, {
    onPick: () => (changed = true),
    onMake: (picker) => void makeReferred(picker, field.dataset.pickerMake ?? ''),
  })
  pickers.push(picker)
  return picker.box
}

/** Shows the small form for a record that a field refers to as a dialog. */
function openSmallForms(form: HTMLFormElement): void {
  for (const button of form.querySelectorAll<HTMLButtonElement>('button[name=".make"]')) {
    // The choices of the field offer the same.
    button.tabIndex = -1
    button.addEventListener('click', (event) => {
      const beside = pickers.filter(({ box }) => button.parentElement?.contains(box))
      const picker = beside.find(({ typed }) => typed !== '') ?? beside.at(-1)
      if (!picker) return
      event.preventDefault()
      void makeReferred(picker, button.value)
    })
  }
}

/** Waits with sending the form until typed text that was not picked is looked up. */
function resolveBeforeSending(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    const waiting = pickers.flatMap((picker) => picker.resolve() ?? [])
    if (waiting.length === 0) return
    event.preventDefault()
    event.stopImmediatePropagation()
    void Promise.all(waiting).then(() => form.requestSubmit(event.submitter))
  })
}

/**
 * Ctrl+Enter saves, and with Shift it goes on to the next record; on a Mac also with the command
 * key.
 */
function saveByKeys(form: HTMLFormElement): void {
  form.addEventListener('keydown', (event) => {
    if (!isSave(event)) return
    event.preventDefault()
    const save = form.querySelector<HTMLButtonElement>('[data-save]')
    const saveNext = form.querySelector<HTMLButtonElement>('[data-save-next]')
    form.requestSubmit(event.shiftKey ? (saveNext ?? save) : save)
  })
  const keys = form.querySelector<HTMLElement>('[data-keys]')
  if (keys) keys.hidden = false
}

/**
 * Shows the identifier that is proposed for what is typed, until somebody types another one, and
 * whether it has the name of the maker. The form itself has both when it is opened with these values.
 */
function proposeIdentifier(form: HTMLFormElement): void {
  const id = form.querySelector<HTMLInputElement>('[data-identifier]')
  const proposed = form.querySelector<HTMLInputElement>('[data-proposed]')
  if (!id || !proposed) return
  const isUntouched = (): boolean => id.value === '' || id.value === proposed.value
  const queryNow = (): string => valuesBeside(form, id, isUntouched() ? [] : [id.name])
  let lastQuery = queryNow()

  const propose = async (): Promise<void> => {
    const values = queryNow()
    if (values === lastQuery) return
    lastQuery = values
    const answer = await fetch(`${location.pathname}?${values}`).catch(() => undefined)
    if (!answer?.ok) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    if (lastQuery !== values || values !== queryNow()) return
    const next = page.querySelector<HTMLInputElement>('[data-proposed]')?.value ?? ''
    if (isUntouched()) id.value = proposed.value = next
    const warning = form.querySelector('[data-name-warning]')
    const text = page.querySelector('[data-name-warning]')?.textContent
    if (warning) warning.textContent = text ?? ''
  }

  form.addEventListener('focusout', () => void propose())
}

/** What an identifier is made of, and whose names it may have. @param more further fields */
function valuesBeside(
  form: HTMLFormElement,
  id: HTMLInputElement,
  more: readonly string[],
): string {
  const values = new FormData(form)
  const names = [...(id.dataset.identifier ?? '').split(' '), ...more]
  const texts = names.flatMap((name) =>
    values
      .getAll(name)
      .flatMap((value) => (typeof value === 'string' ? [[name, value.slice(0, 300)]] : [])),
  )
  return new URLSearchParams(texts).toString()
}

function warnBeforeLeaving(form: HTMLFormElement): void {
  form.addEventListener('input', () => (changed = true))
  form.addEventListener('submit', () => (changed = false))
  addEventListener('beforeunload', (event) => {
    if (changed) event.preventDefault()
  })
}
