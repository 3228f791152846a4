// The script of a record's form: searches for codes and records by name, adds, removes and moves
// the rows of repeatable fields without reloading the page, proposes an identifier, saves by keys,
// and warns before leaving with unsaved changes.

import { text } from './texts.js'

/** Whether the form has changes that were not sent. */
let changed = false

/**
 * For each picker: looks up typed text that was not picked; undefined when there is nothing to wait
 * for.
 */
const resolvers: (() => Promise<void> | undefined)[] = []

/** The number of pickers so far, for unique element ids. */
let pickerCount = 0

const form = document.querySelector<HTMLFormElement>('form[data-form]')
if (form) {
  for (const rows of form.querySelectorAll<HTMLElement>('[data-rows]')) enableRows(rows)
  for (const input of form.querySelectorAll<HTMLInputElement>('[data-picker]')) makePicker(input)
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

  // Keys do the same, so Tab leads from one value to the next.
  const skipButtons = (): void => {
    for (const button of rows.querySelectorAll('button')) button.tabIndex = -1
  }
  skipButtons()
  if (more) more.tabIndex = -1

  /** Adds an empty row; returns its input. */
  function append(): HTMLElement | null {
    if (!(template instanceof HTMLElement)) return null
    const row = template.cloneNode(true) as HTMLElement
    for (const input of row.querySelectorAll('[data-focus]')) input.removeAttribute('data-focus')
    rows.append(row)
    numberRows(rows)
    skipButtons()
    const picker = row.querySelector<HTMLInputElement>('[data-picker]')
    return picker ? makePicker(picker) : inputOf(row)
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
    const row = (event.target as Element).closest('li')
    if (!isMoveUp(event) || !row) return
    event.preventDefault()
    row.previousElementSibling?.before(row)
    inputOf(row)?.focus()
    numberRows(rows)
    changed = true
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

/** The input of a row that people type into. */
const inputOf = (row: Element | null) =>
  row?.querySelector<HTMLInputElement | HTMLTextAreaElement>(
    'input:not([type=hidden]), textarea',
  ) ?? null

const isMoveUp = ({ key, altKey, shiftKey }: KeyboardEvent): boolean =>
  key === 'ArrowUp' && altKey && shiftKey

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

type Choice = {
  readonly id: string
  readonly title: string
  /** What tells it from others with the same title, such as the issue and creators of a zine. */
  readonly details: string
  /** Where a record with the typed title is created, for the choice that offers it. */
  readonly create?: string
}

type Json = Readonly<Record<string, unknown>>

const maxChoices = 12
const maxWaitMs = 3000

/**
 * Adds a combobox (ARIA Authoring Practices, "Combobox with list autocomplete") to an input for a
 * code or identifier. A choice picked by name is sent as its code. Typed text that is exactly the
 * identifier or title of one choice is picked when the focus leaves the input; any other text is
 * sent as typed and validated by the server.
 */
function makePicker(field: HTMLInputElement): HTMLInputElement {
  const { picker = '', pickerId = '', pickerTitle = '', pickerLabel = '' } = field.dataset
  const { pickerDetails = '', pickerCreate = '', pickerCreateText = '' } = field.dataset
  const labels = labelsOf(field.list)
  // What was typed before this script arrived is kept.
  const isTyped = field.value !== field.defaultValue
  const hasFocus = document.activeElement === field
  const box = document.createElement('input')
  const list = document.createElement('ul')
  list.id = `picker-${++pickerCount}`
  list.className = 'options'
  list.role = 'listbox'
  list.hidden = true
  list.setAttribute(
    'aria-label',
    text('Choices for {label}', { label: field.getAttribute('aria-label') ?? '' }),
  )

  for (const name of ['aria-label', 'aria-describedby', 'aria-invalid', 'id', 'data-focus'])
    if (field.hasAttribute(name)) box.setAttribute(name, field.getAttribute(name) ?? '')
  for (const name of ['id', 'aria-label', 'data-focus']) field.removeAttribute(name)
  box.type = 'text'
  box.role = 'combobox'
  box.autocomplete = 'off'
  box.value = isTyped ? field.value : pickerLabel || field.value
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
  if (hasFocus) box.focus()
  showCode()

  let choices: readonly Choice[] = []
  let active = -1
  let timer: ReturnType<typeof setTimeout> | undefined
  let request: AbortController | undefined
  let isPicked = pickerLabel !== '' && !isTyped
  let lookup: { readonly typed: string; isDone: boolean; readonly done: Promise<void> } | undefined

  function showCode(): void {
    codeLabel.textContent = field.value === box.value ? '' : field.value
  }

  async function search(): Promise<void> {
    request?.abort()
    request = new AbortController()
    const typed = box.value.trim()
    try {
      const found = await find(typed, request.signal)
      const isKnown = found.some((choice) => isTitle(choice, typed))
      show(pickerCreate === '' || typed === '' || isKnown ? found : [...found, creating(typed)])
    } catch (error) {
      if (!(error instanceof DOMException)) close()
    }
  }

  /** The choices for a text: the record with this identifier, then those found by title. */
  async function find(typed: string, signal: AbortSignal): Promise<readonly Choice[]> {
    const query = new URLSearchParams({
      search: typed,
      page_size: String(maxChoices),
      format: 'json',
    })
    const [listed, sameId] = await Promise.all([
      getJson(`${picker}?${query}`, signal),
      findById(typed, signal),
    ])
    const known = [...choicesWithLabel(typed), ...resultsIn(listed).map(toChoice)]
    // Titles that start with the typed text come first.
    const startsWithTyped = ({ title }: Choice): boolean =>
      title.toLowerCase().startsWith(typed.toLowerCase())
    const sorted = [
      ...sameId,
      ...known.filter(startsWithTyped),
      ...known.filter((one) => !startsWithTyped(one)),
    ]
    return sorted
      .filter(({ id }, index) => sorted.findIndex((other) => other.id === id) === index)
      .slice(0, maxChoices)
  }

  /**
   * The record with this identifier, by which `search` does not find it. Where lists take `q` it is
   * looked for in a list, since an address without a record answers with an error, which browsers
   * report.
   */
  async function findById(typed: string, signal: AbortSignal): Promise<readonly Choice[]> {
    if (pickerId === 'code' || !isLikeIdentifier(typed)) return []
    if (!findsWords) {
      const one = await getJson(`${picker}${encodeURIComponent(typed)}/?format=json`, signal)
      return one === undefined ? [] : [toChoice(one as Json)]
    }
    const query = new URLSearchParams({
      q: `${pickerId}:"${typed}"`,
      page_size: String(maxChoices),
      format: 'json',
    })
    const listed = await getJson(`${picker}?${query}`, signal)
    return resultsIn(listed)
      .map(toChoice)
      .filter(({ id }) => id === typed)
  }

  /** The choices whose labels in the language of the page have the text. */
  const choicesWithLabel = (typed: string): readonly Choice[] =>
    [...labels]
      .filter(([, label]) => label.toLowerCase().includes(typed.toLowerCase()))
      .map(([id, title]) => ({ id, title, details: '' }))

  function toChoice(json: Json): Choice {
    const details = pickerDetails.split(' ').map((path) => detailOf(json, path))
    const id = String(json[pickerId])
    return {
      id,
      title: labels.get(id) ?? String(json[pickerTitle]),
      details: details.filter(Boolean).join(' · '),
    }
  }

  function creating(typed: string): Choice {
    const create = `${pickerCreate}${encodeURIComponent(typed)}`
    return {
      id: '',
      title: pickerCreateText.replace('{typed}', () => typed),
      details: '',
      create,
    }
  }

  /** Picks the choice whose identifier or title is exactly the typed text, if there is only one. */
  async function pickExactly(typed: string): Promise<void> {
    const found = await find(typed, AbortSignal.timeout(maxWaitMs)).catch(() => [])
    const sameTitle = found.filter((choice) => isTitle(choice, typed))
    const exact =
      found.find(({ id }) => id === typed) ?? (sameTitle.length === 1 ? sameTitle[0] : undefined)
    if (exact && !isPicked && box.value.trim() === typed) use(exact)
  }

  const resolverIndex = resolvers.length
  resolvers.push(() => {
    const typed = box.value.trim()
    if (isPicked || typed === '' || !box.isConnected) return undefined
    if (lookup?.typed !== typed) {
      const started = { typed, isDone: false, done: pickExactly(typed) }
      lookup = started
      void started.done.then(() => (started.isDone = true))
    }
    return lookup.isDone ? undefined : lookup.done
  })

  function show(found: readonly Choice[]): void {
    choices = found
    active = -1
    list.replaceChildren(
      ...found.map(({ id, title, details, create }, index) => {
        const option = document.createElement('li')
        option.id = `${list.id}-${index}`
        option.role = 'option'
        option.setAttribute('aria-selected', 'false')
        option.append(title)
        if (details !== '') {
          const more = document.createElement('span')
          more.className = 'option-details'
          more.textContent = details
          option.append(' ', more)
        }
        if (id !== title && create === undefined) {
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
    if (choice.create === undefined) use(choice)
    else {
      open(choice.create, '_blank', 'noopener')
      close()
    }
  }

  function use(choice: Choice): void {
    isPicked = true
    field.value = choice.id
    box.value = choice.title
    changed = true
    showCode()
    close()
  }

  box.addEventListener('input', () => {
    isPicked = false
    field.value = box.value.trim()
    showCode()
    clearTimeout(timer)
    if (box.value.trim() === '') close()
    else timer = setTimeout(() => void search(), 150)
  })
  box.addEventListener('keydown', (event) => {
    const act = isMoveUp(event) || isSave(event) ? undefined : keys.get(event.key)
    if (!act || (choices.length === 0 && event.key !== 'ArrowDown')) return
    // Tab picks the active choice and moves on to the next field.
    if (event.key !== 'Tab') event.preventDefault()
    act()
  })
  box.addEventListener('blur', () => {
    close()
    void resolvers[resolverIndex]?.()
  })
  // A record of that name may have been created in the meantime, in another tab.
  box.addEventListener('focus', () => (lookup = undefined))

  const keys = new Map<string, () => void>([
    ['ArrowDown', () => (choices.length === 0 ? void search() : move(1))],
    ['ArrowUp', () => move(-1)],
    ['Enter', () => pick(active)],
    ['Tab', () => (active < 0 ? close() : pick(active))],
    ['Escape', close],
  ])
  return box
}

/** Whether lists take `q`. */
const findsWords = document.documentElement.hasAttribute('data-finds-words')

/** The labels that the page has for codes, in its own language. The API's are in English. */
function labelsOf(list: HTMLDataListElement | null): ReadonlyMap<string, string> {
  return new Map([...(list?.options ?? [])].map((option) => [option.value, option.label]))
}

/** Whether a text can be an identifier that is found by its words. */
const isLikeIdentifier = (typed: string): boolean =>
  typed.length <= 100 && !typed.includes('"') && /[\p{L}\p{N}]/u.test(typed)

/** The results of a list, which a reference list is itself. */
function resultsIn(listed: unknown): readonly Json[] {
  const results = Array.isArray(listed) ? listed : (listed as Json | undefined)?.results
  return Array.isArray(results) ? (results as Json[]) : []
}

/** The JSON of an address; undefined if it answers with an error. */
async function getJson(address: string, signal: AbortSignal): Promise<unknown> {
  const answer = await fetch(address, { signal })
  return answer.ok ? ((await answer.json()) as unknown) : undefined
}

const isTitle = ({ title }: Choice, typed: string): boolean =>
  title.toLowerCase() === typed.toLowerCase()

/** A value of a record as text: `creator.display_name` is the names of all creators. */
function detailOf(json: Json, path: string): string {
  const [name = '', key = ''] = path.split('.')
  const value = json[name]
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values
    .map((one) => (typeof one === 'object' && one !== null ? (one as Json)[key] : one))
    .filter((text) => typeof text === 'string' && text !== '')
    .slice(0, 3)
    .join(', ')
}

/** Waits with sending the form until typed text that was not picked is looked up. */
function resolveBeforeSending(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    const waiting = resolvers.flatMap((resolve) => resolve() ?? [])
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

const isSave = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key === 'Enter' && (ctrlKey || metaKey)

/**
 * Shows the identifier that is proposed for what is typed, until somebody types another one. The
 * form itself has it when it is opened with these values.
 */
function proposeIdentifier(form: HTMLFormElement): void {
  const id = form.querySelector<HTMLInputElement>('[data-identifier]')
  const proposed = form.querySelector<HTMLInputElement>('[data-proposed]')
  if (!id || !proposed) return
  let asked = valuesBeside(form, id)

  const isUntouched = (): boolean => id.value === '' || id.value === proposed.value

  const propose = async (): Promise<void> => {
    const values = valuesBeside(form, id)
    if (!isUntouched() || values === asked) return
    asked = values
    const answer = await fetch(`${location.pathname}?${values}`).catch(() => undefined)
    if (!answer?.ok) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const next = page.querySelector<HTMLInputElement>('[data-proposed]')?.value ?? ''
    if (isUntouched() && asked === values) id.value = proposed.value = next
  }

  form.addEventListener('focusout', () => void propose())
}

/** What an identifier is made of: the single values of a form. */
function valuesBeside(form: HTMLFormElement, id: HTMLInputElement): string {
  const values = new FormData(form)
  const valueOf = (name: string): string => {
    const value = values.get(name)
    return typeof value === 'string' ? value.slice(0, 300) : ''
  }
  const names = (id.dataset.identifier ?? '').split(' ')
  return new URLSearchParams(names.map((name) => [name, valueOf(name)])).toString()
}

function warnBeforeLeaving(form: HTMLFormElement): void {
  form.addEventListener('input', () => (changed = true))
  form.addEventListener('submit', () => (changed = false))
  addEventListener('beforeunload', (event) => {
    if (changed) event.preventDefault()
  })
}
