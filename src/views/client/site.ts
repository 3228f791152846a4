// The script of every page: updates lists while somebody types. Without it, each list has a form
// with a button.

followTyping()
openDrawers()

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
      const response = await fetch(address, {
        headers: { Accept: 'text/html' },
        signal: request.signal,
      })
      if (!response.ok) return
      const page = new DOMParser().parseFromString(await response.text(), 'text/html')
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

/** In browsers that cannot show what is closed, opens what a wide screen has room for (assets/site.css). */
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
