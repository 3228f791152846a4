// The script of every page: shows a list while somebody searches and filters, without loading the
// page anew, and all values of a filter. Without it, each list has a form with a button, and each
// filter a link.

/** Where screen readers are told how many records are found; empty until then. */
const announcement = document.createElement('p')
announcement.className = 'visually-hidden'
announcement.setAttribute('role', 'status')
document.body.append(announcement)

/** The address of the list that the page shows. */
let shown = addressOf(location)
let request: AbortController | undefined

followTyping()
followFilterLinks()
leadToResults()
openDrawers()
followFacetLinks()
tickAll()
forgetAfterSigningOut()

/** Sends a list's form while somebody types, and replaces the results. */
function followTyping(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-live-form]')
  if (!form) return
  let timer: ReturnType<typeof setTimeout> | undefined

  async function refresh(): Promise<void> {
    if (!form) return
    const address = addressOfForm(form)
    try {
      if (!(await showList(address))) return
      history.replaceState(null, '', address)
      shown = addressOf(location)
    } catch (error) {
      // Other errors are reported; the button still works.
      if (!isOvertaken(error)) throw error
    }
  }

  form.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void refresh(), 200)
  })
}

/** Shows the list that a filter leads to, and keeps the focus on the filter. */
function followFilterLinks(): void {
  document.addEventListener('click', (event) => {
    const link = linkPressed(event, 'a[data-filter-link]')
    // Filters of the search page lead to the list of zines, which is another page.
    if (link?.pathname !== location.pathname) return
    event.preventDefault()
    void showFiltered(link).catch((error: unknown) => {
      if (!isOvertaken(error)) location.assign(link.href)
    })
  })
  addEventListener('popstate', () => {
    // A link within the page changes the fragment alone.
    if (addressOf(location) !== shown) location.reload()
  })
}

async function showFiltered(link: HTMLAnchorElement): Promise<void> {
  const address = addressOf(link)
  const refocus = rememberPlace(link)
  if (!(await showList(address))) throw new Error(`${address} shows no list.`)
  history.pushState(null, '', address)
  shown = addressOf(location)
  refocus()
}

/**
 * @returns focuses what is in the place of a filter: the same one, the first of its facet, the next
 * of those that are chosen, or else the results
 */
function rememberPlace(link: HTMLAnchorElement): () => void {
  const facet = link.closest('section.facet')
  const links = (): HTMLAnchorElement[] => [
    ...document.querySelectorAll<HTMLAnchorElement>(
      facet ? `#${facet.id} [data-filter-link]` : '.chosen [data-filter-link]',
    ),
  ]
  const place = facet ? 0 : links().indexOf(link)
  const { filterLink } = link.dataset
  return () => {
    const now = links()
    const same = now.find(
      (candidate) => filterLink !== '' && candidate.dataset.filterLink === filterLink,
    )
    const next = same ?? now[Math.min(place, now.length - 1)]
    ;(next ?? document.querySelector<HTMLElement>('.results'))?.focus()
  }
}

/** Leads from the filters to the results by one key, as the links at their beginning do. */
function leadToResults(): void {
  document.addEventListener('keydown', ({ key, target }) => {
    if (key === 'Escape' && target instanceof Element && target.closest('.facets'))
      document.querySelector<HTMLElement>('.results')?.focus()
  })
}

/**
 * Shows another list in place of this one, and says how many records it has.
 * @returns false for an error
 * @throws DOMException where a later list overtakes it
 */
async function showList(address: string): Promise<boolean> {
  request?.abort()
  request = new AbortController()
  announcement.textContent = ''
  const page = await fetchPage(address, request.signal)
  if (!page) return false
  replaceParts(page)
  const count = document.querySelector('[data-live] .count')?.textContent ?? ''
  announcement.textContent = count.replace(/\s+/g, ' ').trim()
  return true
}

const isOvertaken = (error: unknown): boolean => error instanceof DOMException

/** Puts the parts of a list that searches change in place of those of this page. */
function replaceParts(page: Document): void {
  document.title = page.title
  const { activeElement } = document
  const isTypedInto = activeElement?.matches('input, select')
  for (const part of document.querySelectorAll<HTMLElement>('[data-live]')) {
    const other = page.querySelector(`[data-live="${part.dataset.live ?? ''}"]`)
    if (!other || (isTypedInto && part.contains(activeElement))) continue
    const [drawer, next] = [part, other].map((element) => element.querySelector('details.drawer'))
    if (drawer?.hasAttribute('open')) next?.setAttribute('open', '')
    part.replaceWith(other)
  }
  // keep.ts has buttons in the rows.
  document.dispatchEvent(new Event('parts-replaced'))
}

/**
 * Puts a filter with all its values, or with the most frequent ones, in place of that of this page.
 */
function followFacetLinks(): void {
  document.addEventListener('click', (event) => {
    const link = linkPressed(event, 'a[data-facet-link]')
    if (!link) return
    event.preventDefault()
    void replaceFacet(link).catch(() => location.assign(link.href))
  })
}

/** The link that a click follows in this window. */
function linkPressed(event: MouseEvent, selector: string): HTMLAnchorElement | undefined {
  const { target, ctrlKey, metaKey, shiftKey, altKey } = event
  const link = target instanceof Element ? target.closest(selector) : null
  const opensElsewhere = ctrlKey || metaKey || shiftKey || altKey
  return link instanceof HTMLAnchorElement && !opensElsewhere ? link : undefined
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

/** Ticks the boxes of a page with the one for the whole list, which no box may differ from. */
function tickAll(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'checkbox') return
    const all = target.form?.querySelector<HTMLInputElement>('[data-tick-all]')
    const boxes = target.form?.querySelectorAll<HTMLInputElement>('input[name="id"]')
    if (!all || !boxes) return
    if (target === all) for (const box of boxes) box.checked = all.checked
    else all.checked &&= target.checked
  })
}

/** Removes the page that inventory.ts keeps on the device, which may have fields for the staff. */
function forgetAfterSigningOut(): void {
  const isSignedIn = document.querySelector('form[action="/manage/logout"]') !== null
  // Pages from neither https nor this machine have no caches.
  if (!isSignedIn && 'caches' in globalThis) void caches.delete('inventory')
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
function addressOfForm(form: HTMLFormElement): string {
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value !== '') query.append(name, value)
  return query.size > 0 ? `${location.pathname}?${query}` : location.pathname
}

function addressOf({ pathname, search }: Location | HTMLAnchorElement): string {
  return pathname + search
}
