// A combobox (ARIA Authoring Practices, "Combobox with list autocomplete") for an input for a code
// or identifier. A choice picked by name is sent as its code. Typed text that is exactly the
// identifier or title of one choice is picked when the focus leaves the input; any other text is
// sent as typed and validated by the server.

import { text } from './texts.js'

type Choice = {
  readonly id: string
  readonly title: string
  /** What tells it from others with the same title, such as the issue and creators of a zine. */
  readonly details: string
  /** Opens the form for a record with the typed title, for the choice that offers it. */
  readonly create?: () => void
}

type Json = Readonly<Record<string, unknown>>

/** What the input that people type into has of the one that is sent. */
// prettier-ignore
const copiedAttributes = ['aria-label', 'aria-describedby', 'aria-invalid', 'id', 'data-focus', 'placeholder']

const maxChoices = 12
const maxWaitMs = 3000

/** The number of pickers so far, for unique element ids. */
let pickerCount = 0

type PickerOptions = {
  /** Called when a choice is picked. */
  readonly onPick: () => void
  /** Called to create the record whose title was typed, where a small form does that. */
  readonly onMake: (picker: Picker) => void
}

export class Picker {
  /** The input that people type into. */
  readonly box = document.createElement('input')
  /** The input that is sent. */
  readonly #field: HTMLInputElement
  readonly #options: PickerOptions
  readonly #search: ChoiceSearch
  readonly #list = document.createElement('ul')
  readonly #codeLabel = document.createElement('code')
  #choices: readonly Choice[] = []
  #active = -1
  #timer: ReturnType<typeof setTimeout> | undefined
  #request: AbortController | undefined
  #isPicked: boolean
  /** The look-up of typed text that was not picked. */
  #lookup: { readonly typed: string; isDone: boolean; readonly done: Promise<void> } | undefined

  readonly #keys: ReadonlyMap<string, () => void> = new Map([
    ['ArrowDown', () => (this.#choices.length === 0 ? void this.#showFound() : this.#move(1))],
    ['ArrowUp', () => this.#move(-1)],
    ['Enter', () => this.#pick(this.#active)],
    ['Tab', () => (this.#active < 0 ? this.#close() : this.#pick(this.#active))],
    ['Escape', () => this.#close()],
  ])

  constructor(field: HTMLInputElement, options: PickerOptions) {
    const { pickerLabel = '' } = field.dataset
    // What was typed before this script arrived is kept.
    const isTyped = field.value !== field.defaultValue
    this.#field = field
    this.#options = options
    this.#search = new ChoiceSearch(field)
    this.#isPicked = pickerLabel !== '' && !isTyped
    this.#fillList()
    this.#fillBox(isTyped ? field.value : pickerLabel || field.value)
    this.#replaceField()
    this.#listen()
  }

  /**
   * Looks up typed text that was not picked, and picks the choice that it names; undefined when
   * there is nothing to wait for.
   */
  resolve(): Promise<void> | undefined {
    const typed = this.box.value.trim()
    if (this.#isPicked || typed === '' || !this.box.isConnected) return undefined
    if (this.#lookup?.typed !== typed) {
      const started = { typed, isDone: false, done: this.#pickExactly(typed) }
      this.#lookup = started
      void started.done.then(() => (started.isDone = true))
    }
    return this.#lookup.isDone ? undefined : this.#lookup.done
  }

  /** Picks a record that was just created. */
  pick(id: string, title: string): void {
    this.box.value = title
    // Below the values of a field there is always an empty row.
    this.box.dispatchEvent(new Event('input', { bubbles: true }))
    this.#use({ id, title, details: '' })
    this.box.focus()
  }

  /** Text that was typed and not picked. */
  get typed(): string {
    return this.#isPicked ? '' : this.box.value.trim()
  }

  #fillList(): void {
    const label = this.#field.getAttribute('aria-label') ?? ''
    this.#list.id = `picker-${++pickerCount}`
    this.#list.className = 'options'
    this.#list.role = 'listbox'
    this.#list.hidden = true
    this.#list.setAttribute('aria-label', text('Choices for {label}', { label }))
  }

  #fillBox(value: string): void {
    for (const name of copiedAttributes)
      if (this.#field.hasAttribute(name))
        this.box.setAttribute(name, this.#field.getAttribute(name) ?? '')
    this.box.tabIndex = this.#field.tabIndex
    this.box.type = 'text'
    this.box.role = 'combobox'
    this.box.autocomplete = 'off'
    this.box.value = value
    this.box.setAttribute('aria-expanded', 'false')
    this.box.setAttribute('aria-controls', this.#list.id)
    this.box.setAttribute('aria-autocomplete', 'list')
  }

  /** Puts the box in place of the field, which stays with what is sent. */
  #replaceField(): void {
    const hasFocus = document.activeElement === this.#field
    for (const name of ['id', 'aria-label', 'data-focus']) this.#field.removeAttribute(name)
    this.#field.parentElement?.querySelector('.picked-label')?.remove()
    this.#codeLabel.className = 'picked-id'
    this.#field.type = 'hidden'
    this.#field.after(this.box, this.#codeLabel, this.#list)
    if (hasFocus) this.box.focus()
    this.#showCode()
  }

  #listen(): void {
    this.box.addEventListener('input', () => this.#onInput())
    this.box.addEventListener('keydown', (event) => this.#onKey(event))
    this.box.addEventListener('blur', () => {
      this.#close()
      void this.resolve()
    })
    // A record of that name may have been created in the meantime, in another tab.
    this.box.addEventListener('focus', () => (this.#lookup = undefined))
  }

  #onInput(): void {
    const typed = this.box.value.trim()
    this.#isPicked = false
    this.#field.value = typed
    this.#showCode()
    clearTimeout(this.#timer)
    if (typed === '') this.#close()
    else this.#timer = setTimeout(() => void this.#showFound(), 150)
  }

  #onKey(event: KeyboardEvent): void {
    const act = isMoveUp(event) || isSave(event) ? undefined : this.#keys.get(event.key)
    if (!act || (this.#choices.length === 0 && !this.#opensBy(event))) return
    // Without an active choice, Enter sends the form.
    if (event.key === 'Enter' && this.#active < 0) return
    // Tab picks the active choice and moves on to the next field.
    if (event.key !== 'Tab') event.preventDefault()
    act()
  }

  /** Among several values, the arrow leads from one that was picked to the next. */
  #opensBy({ key, altKey }: KeyboardEvent): boolean {
    const leadsOn = this.#isPicked && !altKey && this.box.closest('[data-rows]')
    return key === 'ArrowDown' && !leadsOn
  }

  #showCode(): void {
    const { value } = this.#field
    this.#codeLabel.textContent = value === this.box.value ? '' : value
  }

  async #showFound(): Promise<void> {
    this.#request?.abort()
    this.#request = new AbortController()
    const typed = this.box.value.trim()
    try {
      const choices = await this.#search.find(typed, this.#request.signal)
      this.#show([...choices, ...this.#offer(typed, choices)])
    } catch (error) {
      if (!(error instanceof DOMException)) this.#close()
    }
  }

  /** An offer to create a record with the text as its title, if there is none. */
  #offer(typed: string, choices: readonly Choice[]): readonly Choice[] {
    const { pickerMake, pickerCreate, pickerCreateText = '' } = this.#field.dataset
    if (typed === '' || choices.some((choice) => isTitle(choice, typed))) return []
    const title = pickerCreateText.replace('{typed}', () => typed)
    const offer = (create: () => void) => [{ id: '', title, details: '', create }]
    if (pickerMake !== undefined) return offer(() => this.#options.onMake(this))
    if (pickerCreate === undefined) return []
    const address = `${pickerCreate}${encodeURIComponent(typed)}`
    return offer(() => void open(address, '_blank', 'noopener'))
  }

  #show(choices: readonly Choice[]): void {
    this.#choices = choices
    this.#active = -1
    this.#list.replaceChildren(...choices.map((choice, index) => this.#option(choice, index)))
    const isOpen = choices.length > 0
    this.#list.hidden = !isOpen
    this.box.setAttribute('aria-expanded', String(isOpen))
    this.box.removeAttribute('aria-activedescendant')
  }

  #option({ id, title, details, create }: Choice, index: number): HTMLLIElement {
    const option = document.createElement('li')
    option.id = `${this.#list.id}-${index}`
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
      this.#pick(index)
    })
    return option
  }

  #close(): void {
    clearTimeout(this.#timer)
    this.#request?.abort()
    this.#show([])
  }

  #move(by: number): void {
    const count = this.#choices.length
    if (count === 0) return
    const options = [...this.#list.children]
    options[this.#active]?.setAttribute('aria-selected', 'false')
    this.#active = (this.#active + by + count + (this.#active < 0 && by < 0 ? 1 : 0)) % count
    const option = options[this.#active]
    option?.setAttribute('aria-selected', 'true')
    option?.scrollIntoView({ block: 'nearest' })
    if (option) this.box.setAttribute('aria-activedescendant', option.id)
  }

  #pick(index: number): void {
    const choice = this.#choices[index]
    if (!choice) return
    if (choice.create === undefined) this.#use(choice)
    else {
      this.#close()
      choice.create()
    }
  }

  /** Picks the choice whose identifier or title is exactly the typed text, if there is only one. */
  async #pickExactly(typed: string): Promise<void> {
    const choices = await this.#search.find(typed, AbortSignal.timeout(maxWaitMs)).catch(() => [])
    const sameTitle = choices.filter((choice) => isTitle(choice, typed))
    const exact =
      choices.find(({ id }) => id === typed) ?? (sameTitle.length === 1 ? sameTitle[0] : undefined)
    if (exact && !this.#isPicked && this.box.value.trim() === typed) this.#use(exact)
  }

  #use(choice: Choice): void {
    this.#isPicked = true
    this.#field.value = choice.id
    this.box.value = choice.title
    this.#options.onPick()
    this.#showCode()
    this.#close()
  }
}

/** Finds the choices for a text. */
class ChoiceSearch {
  readonly #options: DOMStringMap
  /** The labels that the page has for codes, in its own language. The API's are in English. */
  readonly #labels: ReadonlyMap<string, string>

  constructor({ dataset, list }: HTMLInputElement) {
    this.#options = dataset
    this.#labels = new Map([...(list?.options ?? [])].map(({ value, label }) => [value, label]))
  }

  /** The record with this identifier, then those found by title. */
  async find(typed: string, signal: AbortSignal): Promise<readonly Choice[]> {
    const query = new URLSearchParams({
      search: typed,
      page_size: String(maxChoices),
      format: 'json',
    })
    const [listed, sameId] = await Promise.all([
      this.#read(`?${query}`, signal),
      this.#findById(typed, signal),
    ])
    const known = [...this.#withLabel(typed), ...this.#choicesIn(listed)]
    // Titles that start with the typed text come first.
    const startsWithTyped = ({ title }: Choice): boolean =>
      title.toLowerCase().startsWith(typed.toLowerCase())
    const sorted = [
      ...sameId,
      ...known.filter(startsWithTyped),
      ...known.filter((choice) => !startsWithTyped(choice)),
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
  async #findById(typed: string, signal: AbortSignal): Promise<readonly Choice[]> {
    const { pickerId = '' } = this.#options
    if (pickerId === 'code' || !isLikeIdentifier(typed)) return []
    if (!findsWords) {
      const record = await this.#read(`${encodeURIComponent(typed)}/?format=json`, signal)
      return record === undefined ? [] : [this.#toChoice(record as Json)]
    }
    const query = new URLSearchParams({
      q: `${pickerId}:"${typed}"`,
      page_size: String(maxChoices),
      format: 'json',
    })
    const listed = await this.#read(`?${query}`, signal)
    return this.#choicesIn(listed).filter(({ id }) => id === typed)
  }

  /** What the API answers; undefined if it is an error. */
  async #read(address: string, signal: AbortSignal): Promise<unknown> {
    const answer = await fetch(`${this.#options.picker ?? ''}${address}`, { signal })
    return answer.ok ? ((await answer.json()) as unknown) : undefined
  }

  /** The choices whose labels in the language of the page have the text. */
  #withLabel(typed: string): readonly Choice[] {
    return [...this.#labels]
      .filter(([, label]) => label.toLowerCase().includes(typed.toLowerCase()))
      .map(([id, title]) => ({ id, title, details: '' }))
  }

  /** The choices in a list, which a reference list is itself. */
  #choicesIn(listed: unknown): readonly Choice[] {
    const results = Array.isArray(listed) ? listed : (listed as Json | undefined)?.results
    return Array.isArray(results) ? (results as Json[]).map((result) => this.#toChoice(result)) : []
  }

  #toChoice(json: Json): Choice {
    const { pickerId = '', pickerTitle = '', pickerDetails = '' } = this.#options
    const details = pickerDetails.split(' ').map((path) => detailOf(json, path))
    const id = String(json[pickerId])
    return {
      id,
      title: this.#labels.get(id) ?? String(json[pickerTitle]),
      details: details.filter(Boolean).join(' · '),
    }
  }
}

/** Whether lists take `q`. */
const findsWords = document.documentElement.hasAttribute('data-finds-words')

/** Whether a text can be an identifier that is found by its words. */
const isLikeIdentifier = (typed: string): boolean =>
  typed.length <= 100 && !typed.includes('"') && /[\p{L}\p{N}]/u.test(typed)

const isTitle = ({ title }: Choice, typed: string): boolean =>
  title.toLowerCase() === typed.toLowerCase()

/** A value of a record as text: `creator.display_name` is the names of all creators. */
function detailOf(json: Json, path: string): string {
  const [name = '', key = ''] = path.split('.')
  const value = json[name]
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values
    .map((item) => (typeof item === 'object' && item !== null ? (item as Json)[key] : item))
    .filter((text) => typeof text === 'string' && text !== '')
    .slice(0, 3)
    .join(', ')
}

/** The keys that move a row of a list up. */
export const isMoveUp = ({ key, altKey, shiftKey }: KeyboardEvent): boolean =>
  key === 'ArrowUp' && altKey && shiftKey

/** The keys that save the form. */
export const isSave = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key === 'Enter' && (ctrlKey || metaKey)
