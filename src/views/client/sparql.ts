// The editor and the results of the SPARQL page, by YASGUI's two parts. Its frame of tabs is left out:
// it cannot be kept from offering other endpoints, and takes them from addresses that people share.

import { chart } from './chart.js'
import type { Editor, EditorClass, ResultsClass } from './yasgui.js'

declare const Yasqe: EditorClass
declare const Yasr: ResultsClass

type Terms = { readonly properties: readonly string[]; readonly classes: readonly string[] }

type Prefixes = Readonly<Record<string, string>>

const form = document.querySelector<HTMLFormElement>('form[data-sparql]')
const area = form?.querySelector('textarea')
const answer = document.querySelector<HTMLElement>('.answer')
if (form && area && answer) start(form, area, answer)

function start(form: HTMLFormElement, area: HTMLTextAreaElement, answer: HTMLElement): void {
  const { sparql = '', prefixes: known = '{}', terms = '{}' } = form.dataset
  const prefixes = JSON.parse(known) as Prefixes
  completeWith(prefixes, JSON.parse(terms) as Terms)
  const endpoint = new URL(sparql, location.href).href

  const place = document.createElement('div')
  form.replaceWith(place)
  const editor = new Yasqe(place, {
    value: area.value,
    requestConfig: { endpoint, method: 'POST' },
    // The address of the page is the one to share, and the server's to read.
    createShareableLink: null,
    consumeShareLink: null,
    showQueryButton: false,
    // What is in the address is shown, and nothing that was typed at another time.
    persistenceId: null,
    resizeable: false,
    editorHeight: 'auto',
  })
  editor.getInputField().setAttribute('aria-label', 'Query')
  // Tab leaves the editor, as it does every other field.
  editor.setOption('extraKeys', {
    ...editor.getOption('extraKeys'),
    Tab: false,
    'Shift-Tab': false,
  })

  place.append(runner(editor))

  Yasr.registerPlugin('chart', chart)
  const made = answer.querySelector<HTMLElement>('.raw')
  const refused = answer.querySelector('.notice')
  const results = document.createElement('div')
  new MutationObserver(() => nameParts(results)).observe(results, {
    childList: true,
    subtree: true,
  })
  const shown = new Yasr(results, {
    prefixes,
    persistenceId: null,
    pluginOrder: ['table', 'chart', 'response'],
    errorRenderers: [(error: { readonly text: string }) => Promise.resolve(refusal(error.text))],
  })
  if (made) shown.setResponse(summaryOf(made))
  if (made ?? !refused) show()

  function show(): void {
    if (!shown.results) return
    answer.replaceChildren(results)
  }

  editor.on('query', () => history.pushState(null, '', shared(endpoint, editor.getValue())))
  editor.on('queryResponse', (_, response, duration) => {
    shown.setResponse(response, duration)
    show()
  })

  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-query]'))
    link.addEventListener('click', (event) => {
      event.preventDefault()
      editor.setValue(link.dataset.query ?? '')
      void ask(editor)
      editor.getWrapperElement().scrollIntoView({ block: 'nearest' })
    })
  // Back and forward lead to pages that the server makes.
  window.addEventListener('popstate', () => location.reload())
}

/** Names what the library's table leaves without a name for who does not see it. */
function nameParts(results: HTMLElement): void {
  for (const size of results.querySelectorAll('select.tableSizer:not([aria-label])'))
    size.setAttribute('aria-label', 'Rows on a page')
  for (const title of results.querySelectorAll('th .dt-column-title:empty')) {
    const name = document.createElement('span')
    name.className = 'sr'
    name.textContent = 'Row'
    title.append(name)
  }
}

/** The button that runs the query, and stops it as long as it runs. */
function runner(editor: Editor): HTMLElement {
  let running = false
  const button = document.createElement('button')
  const show = (runs: boolean): void => {
    running = runs
    button.textContent = running ? 'Stop' : 'Run the query'
  }
  show(false)
  button.addEventListener('click', () => {
    if (running) editor.abortQuery()
    else void ask(editor)
  })
  editor.on('query', () => show(true))
  editor.on('queryAbort', () => show(false))
  editor.on('queryResponse', () => show(false))
  const actions = document.createElement('div')
  actions.className = 'actions'
  actions.append(button)
  return actions
}

// What goes wrong is shown among the results.
function ask(editor: Editor): Promise<unknown> {
  return editor.query().catch(() => undefined)
}

function shared(endpoint: string, query: string): string {
  return `${endpoint}?${new URLSearchParams({ query })}`
}

/** What the server has answered already, as YASGUI remembers answers. */
function summaryOf(made: HTMLElement) {
  return { data: made.textContent, contentType: made.dataset.type ?? '', status: 200 }
}

/** The sentence in which the service says why. */
function refusal(text: string): HTMLElement {
  const said = document.createElement('p')
  said.setAttribute('role', 'alert')
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown }
    said.textContent = typeof detail === 'string' ? detail : text
  } catch {
    said.textContent = text
  }
  return said
}

/** Completes our prefixes and terms, where YASGUI would ask other sites for theirs. */
function completeWith(prefixes: Prefixes, { properties, classes }: Terms): void {
  const startingWith =
    (words: readonly string[]) =>
    (_: unknown, token?: { readonly autocompletionString?: string; readonly string: string }) => {
      const typed = token?.autocompletionString ?? token?.string ?? ''
      return words.filter((word) => word.startsWith(typed))
    }
  const written = Object.entries(prefixes).map(([prefix, iri]) => `${prefix}: <${iri}>`)
  const ours = {
    prefixes: { bulk: false, get: startingWith(written) },
    property: { autoShow: true, get: startingWith(properties) },
    class: { autoShow: true, get: startingWith(classes) },
  }
  for (const [name, completer] of Object.entries(ours))
    Yasqe.forkAutocompleter(name, { name, ...completer })
}
