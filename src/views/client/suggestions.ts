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

const minLength = 2
const waitMs = 150

for (const [index, box] of document
  .querySelectorAll<HTMLInputElement>('input[data-suggest]')
  .entries())
  suggestFor(box, `suggestions-${index}`)

/**
 * Adds a list of suggestions to a box (ARIA Authoring Practices, "Combobox with list
 * autocomplete").
 */
function suggestFor(box: HTMLInputElement, id: string): void {
  const list = document.createElement('ul')
  list.id = id
  list.className = 'options'
  list.role = 'listbox'
  list.hidden = true
  list.setAttribute('aria-label', text('Suggestions'))
  const status = document.createElement('span')
  status.className = 'visually-hidden'
  status.role = 'status'
  box.after(list)
  box.role = 'combobox'
  for (const [name, value] of [
    ['aria-autocomplete', 'list'],
    ['aria-controls', id],
    ['aria-expanded', 'false'],
  ] as const)
    box.setAttribute(name, value)

  let suggestions: readonly Suggestion[] = []
  let active = -1
  let timer: ReturnType<typeof setTimeout> | undefined
  let request: AbortController | undefined

  async function suggest(): Promise<void> {
    const q = box.value.trim()
    if (q.length < minLength) {
      close()
      return
    }
    request?.abort()
    request = new AbortController()
    try {
      const address = `/api/suggest/?${new URLSearchParams({ q })}`
      const response = await fetch(address, {
        headers: { Accept: 'application/json' },
        signal: request.signal,
      })
      // Such as too many requests: the form still searches.
      show(response.ok ? ((await response.json()) as readonly Suggestion[]) : [])
    } catch (error) {
      // An abort means that typing went on.
      if (!(error instanceof DOMException)) close()
    }
  }

  function show(found: readonly Suggestion[]): void {
    suggestions = found
    active = -1
    list.replaceChildren(...found.map((one, index) => optionFor(one, `${id}-${index}`, index)))
    const isOpen = found.length > 0
    list.hidden = !isOpen
    box.setAttribute('aria-expanded', String(isOpen))
    box.removeAttribute('aria-activedescendant')
    status.textContent = isOpen
      ? text(found.length === 1 ? '{count} suggestion' : '{count} suggestions', {
          count: found.length,
        })
      : ''
  }

  function optionFor({ kind, label, note }: Suggestion, optionId: string, index: number) {
    const option = document.createElement('li')
    option.id = optionId
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
      follow(index)
    })
    return option
  }

  function close(): void {
    clearTimeout(timer)
    request?.abort()
    if (!list.hidden) show([])
  }

  /**
   * Past the last suggestion, and before the first, none is active, so that Enter searches for what
   * was typed.
   */
  function move(by: number): void {
    const options = [...list.children]
    options[active]?.setAttribute('aria-selected', 'false')
    const places = options.length + 1
    active = ((active + 1 + by + places) % places) - 1
    const option = options[active]
    option?.setAttribute('aria-selected', 'true')
    option?.scrollIntoView({ block: 'nearest' })
    if (option) box.setAttribute('aria-activedescendant', option.id)
    else box.removeAttribute('aria-activedescendant')
  }

  function follow(index: number): void {
    const suggestion = suggestions[index]
    // A path of this site, whatever the address says.
    if (suggestion) location.assign(new URL(suggestion.url, location.href).pathname)
  }

  box.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void suggest(), waitMs)
  })
  // What is announced has to be there before it has a text.
  box.addEventListener('focus', () => list.after(status), { once: true })
  box.addEventListener('blur', close)
  box.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' && list.hidden) void suggest()
    else if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp' && !list.hidden) move(-1)
    else if (event.key === 'Escape' && !list.hidden) close()
    else if (event.key === 'Enter' && active >= 0) follow(active)
    else return
    event.preventDefault()
  })
}
