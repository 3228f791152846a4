// The script of citations: on the page of a record it shows them where the link to them is, and
// everywhere it adds buttons that copy them. Without it, the link leads to a page with all
// citations, to select from.

import { text } from './texts.js'

for (const container of document.querySelectorAll<HTMLElement>('[data-cite]'))
  showInPlace(container)
addCopyButtons(document)

/** Shows the citations instead of following the link; opens their page where that fails. */
function showInPlace(container: HTMLElement): void {
  const link = container.querySelector('a')
  link?.addEventListener('click', (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    void fetchCitations(link.href)
      .catch(() => null)
      .then((citations) => {
        if (!citations) location.assign(link.href)
        else {
          container.replaceWith(citations)
          addCopyButtons(citations)
          const heading = citations.querySelector('h2')
          heading?.setAttribute('tabindex', '-1')
          heading?.focus()
        }
      })
  })
}

async function fetchCitations(address: string): Promise<HTMLElement | null> {
  const response = await fetch(address, { headers: { Accept: 'text/html' } })
  if (!response.ok) return null
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  return page.querySelector<HTMLElement>('[data-citations]')
}

function addCopyButtons(within: ParentNode): void {
  // Browsers have a clipboard for pages from https and from this machine only.
  if (!('clipboard' in navigator)) return
  for (const source of within.querySelectorAll<HTMLElement>('[data-copy]')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'plain'
    button.textContent = text('Copy')
    button.setAttribute('aria-label', text('Copy {what}', { what: source.dataset.copy ?? '' }))
    const status = document.createElement('span')
    status.setAttribute('role', 'status')
    status.className = 'made'
    button.addEventListener('click', () => {
      void copy(source).then(
        () => (status.textContent = ` ${text('Copied')}`),
        () => (status.textContent = ` ${text('Select the text and copy it')}`),
      )
    })
    source.after(button, status)
  }
}

/** Copies the text, and with its italics for programs that know them. */
function copy(source: HTMLElement): Promise<void> {
  const copied = source.textContent
  if (!source.querySelector('i') || !('ClipboardItem' in window))
    return navigator.clipboard.writeText(copied)
  return navigator.clipboard.write([
    new ClipboardItem({
      'text/plain': new Blob([copied], { type: 'text/plain' }),
      'text/html': new Blob([source.innerHTML], { type: 'text/html' }),
    }),
  ])
}
