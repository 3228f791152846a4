// The script of the search box on every page: suggests records and terms while somebody types.
// Without it, the box is a form with a button.

import { text } from './texts.js'

type Suggestion = {
  readonly kind: string
  readonly label: string
  readonly note: string
  readonly url: string
}

const kindLabels: Readonly<Record<string, string>> = {
  zines: text('Zine'),
  agents: text('Maker'),
  repositories: text('Library'),
  subjects: text('Subject'),
  genres: text('Genre'),
}

/** One letter says nothing yet; one sign, or one letter of Chinese or Japanese, may be a title. */
const isTooShort = (typed: string): boolean => /^[\p{Script=Latin}\d]?$/u.test(typed)
const waitMs = 150

/**
 * Adds a list of suggestions to a box (ARIA Authoring Practices, "Combobox with list
 * autocomplete").
 */
class SuggestionBox {
  readonly #box: HTMLInputElement
  readonly #list = document.createElement('ul')
  readonly #status = document.createElement('span')
  #suggestions: readonly Suggestion[] = []
  #active = -1
  #timer: ReturnType<typeof setTimeout> | undefined
  #request: AbortController | undefined

  constructor(box: HTMLInputElement, id: string) {
    this.#box = box
    this.#list.id = id
    this.#list.className = 'options'
    this.#list.role = 'listbox'
    this.#list.hidden = true
    this.#list.setAttribute('aria-label', text('Suggestions'))
    this.#status.className = 'visually-hidden'
    this.#status.role = 'status'
    box.after(this.#list)
    box.role = 'combobox'
    box.setAttribute('aria-autocomplete', 'list')
    box.setAttribute('aria-controls', id)
    box.setAttribute('aria-expanded', 'false')
    this.#listen()
  }

  #listen(): void {
    this.#box.addEventListener('input', () => {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.#suggest(), waitMs)
    })
    // What is announced has to be there before it has a text.
    this.#box.addEventListener('focus', () => this.#list.after(this.#status), { once: true })
    this.#box.addEventListener('blur', () => this.#close())
    this.#box.addEventListener('keydown', (event) => {
      const { hidden } = this.#list
      if (event.key === 'ArrowDown' && hidden) void this.#suggest()
      else if (event.key === 'ArrowDown') this.#move(1)
      else if (event.key === 'ArrowUp' && !hidden) this.#move(-1)
      else if (event.key === 'Escape' && !hidden) this.#close()
      else if (event.key === 'Enter' && this.#active >= 0) this.#follow(this.#active)
      else return
      event.preventDefault()
    })
  }

  async #suggest(): Promise<void> {
    const q = this.#box.value.trim()
    if (isTooShort(q)) {
      this.#close()
      return
    }
    this.#request?.abort()
    this.#request = new AbortController()
    try {
      const { lang } = document.documentElement
      const address = `/api/suggest/?${new URLSearchParams({ q, lang })}`
      const response = await fetch(address, {
        headers: { Accept: 'application/json' },
        signal: this.#request.signal,
      })
      // Such as too many requests: the form still searches.
      this.#show(response.ok ? ((await response.json()) as readonly Suggestion[]) : [])
    } catch (error) {
      // An abort means that typing went on.
      if (!(error instanceof DOMException)) this.#close()
    }
  }

  #show(suggestions: readonly Suggestion[]): void {
    this.#suggestions = suggestions
    this.#active = -1
    this.#list.replaceChildren(
      ...suggestions.map((suggestion, index) => this.#optionFor(suggestion, index)),
    )
    const isOpen = suggestions.length > 0
    this.#list.hidden = !isOpen
    this.#box.setAttribute('aria-expanded', String(isOpen))
    this.#box.removeAttribute('aria-activedescendant')
    this.#status.textContent = isOpen
      ? text(suggestions.length === 1 ? '{count} suggestion' : '{count} suggestions', {
          count: suggestions.length,
        })
      : ''
  }

  #optionFor({ kind, label, note }: Suggestion, index: number): HTMLLIElement {
    const option = document.createElement('li')
    option.id = `${this.#list.id}-${index}`
    option.role = 'option'
    option.setAttribute('aria-selected', 'false')
    const title = document.createElement('span')
    title.dir = 'auto'
    title.textContent = label
    const details = document.createElement('span')
    details.className = 'option-details'
    details.textContent = [kindLabels[kind], note].filter(Boolean).join(' · ')
    option.append(title, ' ', details)
    // On mousedown, since a click would first move the focus, which closes the list.
    option.addEventListener('mousedown', (event) => {
      event.preventDefault()
      this.#follow(index)
    })
    return option
  }

  #close(): void {
    clearTimeout(this.#timer)
    this.#request?.abort()
    if (!this.#list.hidden) this.#show([])
  }

  /**
   * Past the last suggestion, and before the first, none is active, so that Enter searches for what
   * was typed.
   */
  #move(by: number): void {
    const options = [...this.#list.children]
    options[this.#active]?.setAttribute('aria-selected', 'false')
    const places = options.length + 1
    this.#active = ((this.#active + 1 + by + places) % places) - 1
    const option = options[this.#active]
    option?.setAttribute('aria-selected', 'true')
    option?.scrollIntoView({ block: 'nearest' })
    if (option) this.#box.setAttribute('aria-activedescendant', option.id)
    else this.#box.removeAttribute('aria-activedescendant')
  }

  #follow(index: number): void {
    const suggestion = this.#suggestions[index]
    // A path of this site, whatever the address says.
    if (suggestion) location.assign(new URL(suggestion.url, location.href).pathname)
  }
}

for (const [index, box] of document
  .querySelectorAll<HTMLInputElement>('input[data-suggest]')
  .entries())
  new SuggestionBox(box, `suggestions-${index}`)
