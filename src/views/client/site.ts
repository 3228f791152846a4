// What every page does better with a script: lists that follow what is typed. Without it, each of
// these is a form or a link that works all the same.

followTyping()

/** Sends a list's form while somebody types, and puts the new results in place of the old ones. */
function followTyping(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-live-form]')
  if (!form) return
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking: AbortController | undefined

  const later = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void refresh(), 200)
  }

  async function refresh(): Promise<void> {
    if (!form) return
    const address = addressOf(form)
    asking?.abort()
    asking = new AbortController()
    try {
      const answer = await fetch(address, {
        headers: { Accept: 'text/html' },
        signal: asking.signal,
      })
      if (!answer.ok) return
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const results = page.querySelector('[data-live]')
      if (results) document.querySelector('[data-live]')?.replaceWith(results)
      history.replaceState(null, '', address)
    } catch (error) {
      // Somebody typed on; or the network is away, and the button still says so.
      if (!(error instanceof DOMException)) throw error
    }
  }

  form.addEventListener('input', later)
}

/** Where the form leads: what is empty is left out. */
function addressOf(form: HTMLFormElement): string {
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value !== '') query.append(name, value)
  return query.size > 0 ? `${location.pathname}?${query}` : location.pathname
}
