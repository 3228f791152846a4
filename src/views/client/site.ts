// The script of every page: updates lists while somebody types, and shows all values of a filter.
// Without it, each list has a form with a button, and each filter a link.

followTyping()
openDrawers()
followFacetLinks()

/** Sends a list's form while somebody types, and replaces the results. */
function followTyping(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-live-form]')
  if (!form) return
  let timer: ReturnType<typeof setTimeout> | undefined
  let request: AbortController | undefined

  const refreshLater = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void refresh(), 200)
  }

  async function refresh(): Promise<void> {
    if (!form) return
    const address = addressOf(form)
    request?.abort()
    request = new AbortController()
    try {
      const page = await fetchPage(address, request.signal)
      if (!page) return
      replaceParts(page)
      history.replaceState(null, '', address)
    } catch (error) {
      // An abort means that typing went on. Other errors are reported; the button still works.
      if (!(error instanceof DOMException)) throw error
    }
  }

  form.addEventListener('input', refreshLater)
}

/** Puts the parts of a list that searches change in place of those of this page. */
function replaceParts(page: Document): void {
  document.title = page.title
  for (const part of document.querySelectorAll<HTMLElement>('[data-live]')) {
    const other = page.querySelector(`[data-live="${part.dataset.live ?? ''}"]`)
    if (!other || part.contains(document.activeElement)) continue
    const [drawer, next] = [part, other].map((one) => one.querySelector('details.drawer'))
    if (drawer?.hasAttribute('open')) next?.setAttribute('open', '')
    part.replaceWith(other)
  }
}

/**
 * Puts a filter with all its values, or with the most frequent ones, in place of that of this page.
 */
function followFacetLinks(): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-facet-link]') : null
    const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
    if (!(link instanceof HTMLAnchorElement) || opensElsewhere) return
    event.preventDefault()
    void replaceFacet(link).catch(() => location.assign(link.href))
  })
}

async function replaceFacet(link: HTMLAnchorElement): Promise<void> {
  const facet = link.closest('section')
  const next = facet && (await fetchPage(link.href))?.querySelector(`#${facet.id}`)
  if (!next) throw new Error(`${link.href} has no such filter.`)
  const shown = facet.querySelectorAll('li').length
  facet.replaceWith(next)
  // The first of the values that were not shown, or the link itself.
  const choices = next.querySelectorAll<HTMLAnchorElement>('li a')
  const focused = choices[shown] ?? next.querySelector<HTMLAnchorElement>('a[data-facet-link]')
  focused?.focus()
}

/** @returns undefined for an error */
async function fetchPage(address: string, signal?: AbortSignal): Promise<Document | undefined> {
  const response = await fetch(address, {
    headers: { Accept: 'text/html' },
    ...(signal && { signal }),
  })
  if (!response.ok) return undefined
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

/**
 * In browsers that cannot show what is closed, opens what a wide screen has room for
 * (assets/site.css).
 */
function openDrawers(): void {
  if (CSS.supports('selector(::details-content)') || !matchMedia('(width > 52rem)').matches) return
  for (const drawer of document.querySelectorAll<HTMLDetailsElement>('details.drawer'))
    drawer.open = true
}

/** The address that the form leads to, without empty parameters. */
function addressOf(form: HTMLFormElement): string {
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value !== '') query.append(name, value)
  return query.size > 0 ? `${location.pathname}?${query}` : location.pathname
}
