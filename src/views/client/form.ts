// The script of a record's form: searches for codes and records by name, adds, removes and moves
// the rows of repeatable fields without reloading the page, and warns before leaving with unsaved
// changes.

export {}

/** Whether the form has changes that were not sent. */
let changed = false

/** The number of pickers so far, for unique element ids. */
let pickerCount = 0

const form = document.querySelector<HTMLFormElement>('form[data-form]')
if (form) {
  for (const rows of form.querySelectorAll<HTMLElement>('[data-rows]')) enableRows(rows)
  for (const input of form.querySelectorAll<HTMLInputElement>('[data-picker]')) makePicker(input)
  warnBeforeLeaving(form)
}
document.querySelector<HTMLElement>('[data-focus]')?.focus()

/**
 * Makes the buttons of rows work in the browser; without this script they are sent to the server.
 */
function enableRows(rows: HTMLElement): void {
  const more = rows.parentElement?.querySelector<HTMLButtonElement>('button[name=".more"]')
  const template = rows.lastElementChild?.cloneNode(true)

  more?.addEventListener('click', (event) => {
    event.preventDefault()
    if (!(template instanceof HTMLElement)) return
    const row = template.cloneNode(true) as HTMLElement
    rows.append(row)
    numberRows(rows)
    const picker = row.querySelector<HTMLInputElement>('[data-picker]')
    const input = picker ? makePicker(picker) : row.querySelector<HTMLElement>('input, textarea')
    input?.focus()
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

type Choice = { readonly id: string; readonly title: string }

/**
 * Adds a combobox (ARIA Authoring Practices, "Combobox with list autocomplete") to an input for a code or
 * identifier. A choice picked by name is sent as its code. Text that was not picked is sent as typed and
 * validated by the server.
 */
function makePicker(field: HTMLInputElement): HTMLInputElement {
  const { picker = '', pickerId = '', pickerTitle = '', pickerLabel = '' } = field.dataset
  const box = document.createElement('input')
  const list = document.createElement('ul')
  list.id = `picker-${++pickerCount}`
  list.className = 'options'
  list.role = 'listbox'
  list.hidden = true
  list.setAttribute('aria-label', `Choices for ${field.getAttribute('aria-label') ?? 'the field'}`)

  for (const name of ['aria-label', 'aria-describedby', 'aria-invalid', 'id'])
    if (field.hasAttribute(name)) box.setAttribute(name, field.getAttribute(name) ?? '')
  field.removeAttribute('id')
  field.removeAttribute('aria-label')
  box.type = 'text'
  box.role = 'combobox'
  box.autocomplete = 'off'
  box.value = pickerLabel || field.value
  for (const [name, value] of [
    ['aria-expanded', 'false'],
    ['aria-controls', list.id],
    ['aria-autocomplete', 'list'],
  ] as const)
    box.setAttribute(name, value)

  field.parentElement?.querySelector('.picked-label')?.remove()
  const codeLabel = document.createElement('code')
  codeLabel.className = 'picked-id'
  field.type = 'hidden'
  field.after(box, codeLabel, list)
  showCode()

  let choices: readonly Choice[] = []
  let active = -1
  let timer: ReturnType<typeof setTimeout> | undefined
  let request: AbortController | undefined

  function showCode(): void {
    codeLabel.textContent = field.value === box.value ? '' : field.value
  }

  async function search(): Promise<void> {
    request?.abort()
    request = new AbortController()
    const query = new URLSearchParams({ search: box.value.trim(), page_size: '12', format: 'json' })
    try {
      const answer = await fetch(`${picker}?${query}`, { signal: request.signal })
      if (!answer.ok) return
      const found: unknown = await answer.json()
      show(choicesIn(found))
    } catch (error) {
      if (!(error instanceof DOMException)) close()
    }
  }

  function choicesIn(found: unknown): readonly Choice[] {
    const all = Array.isArray(found) ? found : (found as { results?: unknown }).results
    if (!Array.isArray(all)) return []
    const known = (all as Readonly<Record<string, unknown>>[]).map((one) => ({
      id: String(one[pickerId]),
      title: String(one[pickerTitle]),
    }))
    // Titles that start with the typed text come first.
    const typed = box.value.trim().toLowerCase()
    const startsWithTyped = ({ title }: Choice): boolean => title.toLowerCase().startsWith(typed)
    return [
      ...known.filter(startsWithTyped),
      ...known.filter((one) => !startsWithTyped(one)),
    ].slice(0, 12)
  }

  function show(found: readonly Choice[]): void {
    choices = found
    active = -1
    list.replaceChildren(
      ...found.map(({ id, title }, index) => {
        const option = document.createElement('li')
        option.id = `${list.id}-${index}`
        option.role = 'option'
        option.setAttribute('aria-selected', 'false')
        option.append(title)
        if (id !== title) {
          const code = document.createElement('code')
          code.textContent = id
          option.append(' ', code)
        }
        // On mousedown, since a click would first move the focus, which closes the list.
        option.addEventListener('mousedown', (event) => {
          event.preventDefault()
          pick(index)
        })
        return option
      }),
    )
    const isOpen = found.length > 0
    list.hidden = !isOpen
    box.setAttribute('aria-expanded', String(isOpen))
    box.removeAttribute('aria-activedescendant')
  }

  function close(): void {
    clearTimeout(timer)
    request?.abort()
    show([])
  }

  function move(by: number): void {
    if (choices.length === 0) return
    const options = [...list.children]
    options[active]?.setAttribute('aria-selected', 'false')
    active = (active + by + choices.length + (active < 0 && by < 0 ? 1 : 0)) % choices.length
    const option = options[active]
    option?.setAttribute('aria-selected', 'true')
    option?.scrollIntoView({ block: 'nearest' })
    if (option) box.setAttribute('aria-activedescendant', option.id)
  }

  function pick(index: number): void {
    const choice = choices[index]
    if (!choice) return
    field.value = choice.id
    box.value = choice.title
    changed = true
    showCode()
    close()
  }

  box.addEventListener('input', () => {
    field.value = box.value.trim()
    showCode()
    clearTimeout(timer)
    if (box.value.trim() === '') close()
    else timer = setTimeout(() => void search(), 150)
  })
  box.addEventListener('keydown', (event) => {
    const act = keys.get(event.key)
    if (!act || (choices.length === 0 && event.key !== 'ArrowDown')) return
    // Tab picks the active choice and moves on to the next field.
    if (event.key !== 'Tab') event.preventDefault()
    act()
  })
  box.addEventListener('blur', close)

  const keys = new Map<string, () => void>([
    ['ArrowDown', () => (choices.length === 0 ? void search() : move(1))],
    ['ArrowUp', () => move(-1)],
    ['Enter', () => pick(active)],
    ['Tab', () => (active < 0 ? close() : pick(active))],
    ['Escape', close],
  ])
  return box
}

function warnBeforeLeaving(form: HTMLFormElement): void {
  form.addEventListener('input', () => (changed = true))
  form.addEventListener('submit', () => (changed = false))
  addEventListener('beforeunload', (event) => {
    if (changed) event.preventDefault()
  })
}
