// The script of the SPARQL page: YASGUI's editor (Yasqe) and results (Yasr). Yasgui, its frame of
// tabs, is not used: it offers other endpoints, and reads endpoints from shared addresses. YASGUI
// takes longer to start than the page to load, so it is loaded when somebody turns to the query, or
// asks for other views of the result. Until then the form and the table of the page do.

import { chart } from './chart.js'
import { text } from './texts.js'
import type { Editor, EditorClass, ResultsClass } from './yasgui.js'

declare const Yasqe: EditorClass
declare const Yasr: ResultsClass

type CompletionTerms = {
  readonly properties: readonly string[]
  readonly classes: readonly string[]
}

type PrefixMap = Readonly<Record<string, string>>

const form = document.querySelector<HTMLFormElement>('form[data-sparql]')
const area = form?.querySelector('textarea')
const answer = document.querySelector<HTMLElement>('.answer')
if (form && area && answer) startWhenNeeded(form, area, answer)

function startWhenNeeded(
  form: HTMLFormElement,
  area: HTMLTextAreaElement,
  answer: HTMLElement,
): void {
  const load = once(() => {
    const program = document.createElement('script')
    program.src = form.dataset.program ?? ''
    program.addEventListener('load', () => {
      const cursor = document.activeElement === area ? area.selectionEnd : undefined
      const editor = start(form, area, answer)
      if (cursor === undefined) return
      editor.focus()
      editor.setCursor(editor.posFromIndex(cursor))
    })
    addStyle(form.dataset.style ?? '')
    document.head.append(program)
  })
  area.addEventListener('focus', load)
  // The server does not see the query of a fragment, so this page runs it.
  if (document.activeElement === area || queryInFragment() !== undefined) load()
  if (!answer.querySelector('.raw')) return
  const button = document.createElement('button')
  button.className = 'quiet'
  button.textContent = text('Sort, filter or draw the result')
  button.addEventListener('click', load)
  answer.prepend(button)
}

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

/** Adds the style sheet of YASGUI before that of the page, which changes some of it. */
function addStyle(href: string): void {
  const style = document.createElement('link')
  style.rel = 'stylesheet'
  style.href = href
  const sheets = document.head.querySelectorAll('style, link[rel=stylesheet]:not([media])')
  sheets[sheets.length - 1]?.before(style)
}

function start(form: HTMLFormElement, area: HTMLTextAreaElement, answer: HTMLElement): Editor {
  const { sparql = '', longestAddress = '', prefixes: known = '{}', terms = '{}' } = form.dataset
  const linked = queryInFragment()
  if (linked !== undefined) area.value = linked
  const prefixes = JSON.parse(known) as PrefixMap
  completeWith(prefixes, JSON.parse(terms) as CompletionTerms)
  const endpoint = new URL(sparql, location.href).href

  const place = document.createElement('div')
  form.replaceWith(place)
  const editor = createEditor(place, endpoint, area.value)
  place.append(runButton(editor))

  const raw = answer.querySelector<HTMLElement>('.raw')
  const error = answer.querySelector('.notice')
  const results = document.createElement('div')
  const view = createResults(results, prefixes)
  if (raw) view.setResponse(responseFrom(raw))
  if (raw ?? !error) show()

  function show(): void {
    if (!view.results) return
    answer.replaceChildren(results)
  }

  editor.on('query', () => {
    const address = shareableAddress(endpoint, editor.getValue(), Number(longestAddress))
    if (address !== location.href) history.pushState(null, '', address)
  })
  editor.on('queryResponse', (_, response, duration) => {
    view.setResponse(response, duration)
    show()
  })

  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-query]'))
    link.addEventListener('click', (event) => {
      event.preventDefault()
      editor.setValue(link.dataset.query ?? '')
      markExample(editor.getValue())
      void runQuery(editor)
      editor.getWrapperElement().scrollIntoView({ block: 'nearest' })
    })
  // The pages of back and forward are made by the server.
  editor.on('change', () => markExample(editor.getValue()))
  window.addEventListener('popstate', () => location.reload())
  if (linked !== undefined) void runQuery(editor)
  return editor
}

function createEditor(place: HTMLElement, endpoint: string, value: string): Editor {
  const editor = new Yasqe(place, {
    value,
    requestConfig: { endpoint, method: 'POST' },
    // The address of the page is the one to share; the server reads it.
    createShareableLink: null,
    consumeShareLink: null,
    showQueryButton: false,
    // Shows the query of the address, not one that was typed earlier.
    persistenceId: null,
    resizeable: false,
    editorHeight: 'auto',
  })
  editor.getInputField().setAttribute('aria-label', 'Query')
  // Tab leaves the editor, as in every other field.
  editor.setOption('extraKeys', {
    ...editor.getOption('extraKeys'),
    Tab: false,
    'Shift-Tab': false,
  })
  return editor
}

function createResults(place: HTMLElement, prefixes: PrefixMap) {
  Yasr.registerPlugin('chart', chart)
  new MutationObserver(() => nameParts(place)).observe(place, {
    childList: true,
    subtree: true,
  })
  const view = new Yasr(place, {
    prefixes,
    persistenceId: null,
    pluginOrder: ['table', 'chart', 'response'],
    errorRenderers: [
      (error: { readonly text: string }) => Promise.resolve(errorMessage(error.text)),
    ],
  })
  // Numbers and texts without datatype and language.
  const { table } = view.config.plugins
  if (table) table.dynamicConfig = { compact: true }
  return view
}

/** Marks the example that is in the editor, and no other. */
function markExample(query: string): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-query]'))
    if (link.dataset.query?.trim() === query.trim()) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
}

/** Adds the accessible names that the table of the library lacks. */
function nameParts(results: HTMLElement): void {
  for (const size of results.querySelectorAll('select.tableSizer:not([aria-label])'))
    size.setAttribute('aria-label', text('Rows on a page'))
  for (const title of results.querySelectorAll('th .dt-column-title:empty')) {
    const name = document.createElement('span')
    name.className = 'visually-hidden'
    name.textContent = text('Row')
    title.append(name)
  }
}

/** The button that runs the query, and stops it while it runs. */
function runButton(editor: Editor): HTMLElement {
  let running = false
  const button = document.createElement('button')
  const show = (runs: boolean): void => {
    running = runs
    button.textContent = running ? text('Stop') : text('Run the query')
  }
  show(false)
  button.addEventListener('click', () => {
    if (running) editor.abortQuery()
    else void runQuery(editor)
  })
  editor.on('query', () => show(true))
  editor.on('queryAbort', () => show(false))
  editor.on('queryResponse', () => show(false))
  const actions = document.createElement('div')
  actions.className = 'actions'
  actions.append(button)
  return actions
}

// Errors are shown among the results.
function runQuery(editor: Editor): Promise<unknown> {
  return editor.query().catch(() => undefined)
}

/**
 * The address of a query: as its parameter, which works without scripts too, or as its fragment
 * where the server would not take an address so long. Nothing is kept on the server for it.
 */
function shareableAddress(endpoint: string, query: string, longest: number): string {
  const parameters = `${new URLSearchParams({ query })}`
  const { origin } = new URL(endpoint)
  const isTooLong = `${endpoint}?${parameters}`.length - origin.length > longest
  return `${endpoint}${isTooLong ? '#' : '?'}${parameters}`
}

/** The query that the fragment of the address has. */
function queryInFragment(): string | undefined {
  return new URLSearchParams(location.hash.slice(1)).get('query') ?? undefined
}

/** The result that the page contains already, in the form of YASGUI's responses. */
function responseFrom(raw: HTMLElement) {
  return { data: raw.textContent, contentType: raw.dataset.type ?? '', status: 200 }
}

/** The error message of a response. */
function errorMessage(text: string): HTMLElement {
  const message = document.createElement('p')
  message.setAttribute('role', 'alert')
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown }
    message.textContent = typeof detail === 'string' ? detail : text
  } catch {
    message.textContent = text
  }
  return message
}

/** Makes the editor complete our prefixes and terms; YASGUI would ask other sites. */
function completeWith(prefixes: PrefixMap, { properties, classes }: CompletionTerms): void {
  const startingWith =
    (words: readonly string[]) =>
    (_: unknown, token?: { readonly autocompletionString?: string; readonly string: string }) => {
      const typed = token?.autocompletionString ?? token?.string ?? ''
      return words.filter((word) => word.startsWith(typed))
    }
  const declarations = Object.entries(prefixes).map(([prefix, iri]) => `${prefix}: <${iri}>`)
  const completers = {
    prefixes: { bulk: false, get: startingWith(declarations) },
    property: { autoShow: true, get: startingWith(properties) },
    class: { autoShow: true, get: startingWith(classes) },
  }
  for (const [name, completer] of Object.entries(completers))
    Yasqe.forkAutocompleter(name, { name, ...completer })
}
