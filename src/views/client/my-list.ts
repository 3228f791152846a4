// The script of the page of a reader's own list: shows what is kept in this browser, orders, empties
// and prints it, and makes a link of it. The link has the identifiers in its fragment, which browsers
// send nowhere; where the page is opened with one, it shows that list instead.

import { type AskedZines, askForZines } from './asked-zines.js'
import { dragRows } from './dragged-rows.js'
import { type Say, focusRow, showRows } from './kept-rows.js'
import {
  KeptListError,
  type KeptZine,
  maxKept,
  onKeptChange,
  readKept,
  toKeptZine,
  writeKept,
} from './kept-zines.js'
import { fill, text } from './texts.js'

const fragment = '#zines='

class MyListPage {
  readonly #page: HTMLElement
  readonly #texts: Readonly<Record<string, string>>
  /** The list of the link that was opened; undefined for the reader's own. */
  #linked: readonly KeptZine[] | undefined
  /** The list before what can be undone. */
  #before: readonly KeptZine[] | undefined

  /** What buttons do, by their names; in rows, with a zine. */
  readonly #actions: Readonly<Record<string, (id: string) => unknown>> = {
    up: (id) => this.#move(id, (place) => place - 1),
    down: (id) => this.#move(id, (place) => place + 1),
    remove: (id) => this.#remove(id),
    empty: () => this.#empty(),
    undo: () => this.#undo(),
    print: () => print(),
    check: () => this.#check(),
    'start-again': () => this.#change([], 'emptied'),
    'keep-these': () => this.#keepThese(),
    'show-titles': () => this.#showTitles(),
  }

  constructor(page: HTMLElement) {
    this.#page = page
    // The cast: the page has texts by their names.
    this.#texts = JSON.parse(page.dataset.said ?? '{}') as Readonly<Record<string, string>>
  }

  start(): void {
    this.#page.addEventListener('click', ({ target }) => {
      const button = target instanceof Element ? target.closest<HTMLElement>('[data-do]') : null
      const action = this.#actions[button?.dataset.do ?? '']
      if (action) void this.#try(() => action(button?.closest('li')?.dataset.id ?? ''))
    })
    dragRows(this.#rows('own'), {
      onDrop: ({ dataset }, place) =>
        void this.#try(() => this.#move(dataset.id ?? '', () => place)),
    })
    addEventListener('hashchange', () => {
      // The link to the content of the page changes the fragment too.
      if (location.hash.startsWith(fragment)) this.#open()
    })
    onKeptChange(() => this.#show())
    this.#open()
    this.#page.hidden = false
  }

  #open(): void {
    const ids = idsIn(location.hash)
    this.#linked = ids && ids.length > 0 ? ids.slice(0, maxKept).flatMap(unknownZine) : undefined
    this.#offerTitles(true)
    this.#show()
    if (ids?.length === 0) this.#tell(this.#say('noZines'))
    if (ids && ids.length > maxKept) this.#tell(this.#say('shortened', { count: maxKept }))
  }

  #show(): void {
    const linked = this.#linked
    const heading = this.#say(linked ? 'linkedHeading' : 'ownHeading')
    document.title = document.title.replace(this.#heading.textContent, () => heading)
    this.#heading.textContent = heading
    this.#part('own').hidden = linked !== undefined
    this.#part('linked').hidden = linked === undefined
    for (const link of document.querySelectorAll<HTMLAnchorElement>('.languages a'))
      link.hash = linked ? location.hash : ''
    if (linked) this.#showRows('linked', linked)
    else this.#showOwn()
  }

  #showOwn(): void {
    let zines: readonly KeptZine[] = []
    let problem: unknown
    try {
      zines = readKept()
    } catch (error) {
      problem = error
      this.#tell(messageOf(error))
    }
    this.#part('empty').hidden = problem !== undefined || zines.length > 0
    this.#part('start-again').hidden = !(problem instanceof KeptListError && problem.isDamaged)
    this.#part('filled').hidden = zines.length === 0
    this.#part('count').textContent = this.#say('count', { count: zines.length })
    this.#part('link').textContent = linkTo(zines)
    this.#showRows('own', zines)
  }

  #showRows(section: 'own' | 'linked', zines: readonly KeptZine[]): void {
    const template = this.#part('row') as HTMLTemplateElement
    const say: Say = (name, values) => this.#say(name, values)
    showRows(this.#rows(section), zines, { template, say, isOwn: section === 'own' })
  }

  #move(id: string, placeAfter: (place: number) => number): void {
    const list = readKept()
    const from = list.findIndex((zine) => zine.id === id)
    const zine = list[from]
    const place = placeAfter(from)
    if (!zine || place < 0 || place >= list.length) return
    this.#write(list.toSpliced(from, 1).toSpliced(place, 0, zine))
    const values = { title: zine.title, place: place + 1, count: list.length }
    this.#tell(text('{title}: {place} of {count}', values), { isSilent: true })
  }

  #remove(id: string): void {
    const list = readKept()
    const index = list.findIndex((zine) => zine.id === id)
    const next = list[index + 1] ?? list[index - 1]
    const title = list[index]?.title ?? id
    this.#write(list.toSpliced(index, index < 0 ? 0 : 1))
    this.#tell(this.#say('removed', { title }), { before: list })
    if (next) focusRow(this.#rows('own'), next.id, 'remove')
    else this.#undoButton.focus()
  }

  #empty(): void {
    const list = readKept()
    this.#change([], 'emptied')
    this.#tell(this.#say('emptied'), { before: list })
    this.#undoButton.focus()
  }

  /** Puts the former list back, with what another tab has added since. */
  #undo(): void {
    const before = this.#before ?? []
    const ids = new Set(before.map(({ id }) => id))
    this.#change([...before, ...readKept().filter(({ id }) => !ids.has(id))], 'undone')
    this.#heading.focus()
  }

  async #check(): Promise<void> {
    const asked = await this.#ask(readKept())
    const renewed = readKept().map((zine) => renewedBy(zine, asked))
    // Two that were merged are one.
    this.#write(
      renewed.filter(({ id }, index) => renewed.findIndex((other) => other.id === id) === index),
    )
    const answers = [...asked]
    const gone = answers.filter(([, zine]) => zine === null).length
    const moved = answers.filter(([id, zine]) => zine !== null && zine.id !== id).length
    this.#tell(this.#say('checked', { gone, moved }))
  }

  async #showTitles(): Promise<void> {
    const linked = this.#linked ?? []
    const asked = await this.#ask(linked)
    if (this.#linked !== linked) return
    this.#linked = linked.map((zine) => renewedBy(zine, asked))
    this.#offerTitles(false)
    this.#show()
    this.#tell('')
    this.#heading.focus()
  }

  #offerTitles(areOffered: boolean): void {
    this.#part('titles-hint').hidden = !areOffered
    this.#find(this.#page, '[data-do=show-titles]').hidden = !areOffered
  }

  async #ask(zines: readonly KeptZine[]): Promise<AskedZines> {
    this.#tell(this.#say('asking'))
    try {
      return await askForZines(zines.map(({ id }) => id))
    } catch (cause) {
      throw new KeptListError(this.#say('notAsked'), false, { cause })
    }
  }

  #keepThese(): void {
    const list = readKept()
    const ids = new Set(list.map(({ id }) => id))
    const added = (this.#linked ?? []).filter(({ id }) => !ids.has(id))
    const room = maxKept - list.length
    if (added.length > room) {
      this.#tell(this.#say('tooMany', { room }))
      return
    }
    writeKept([...list, ...added])
    history.pushState(null, '', location.pathname + location.search)
    this.#linked = undefined
    this.#change(readKept(), 'kept', { count: added.length })
    this.#heading.focus()
  }

  #change(zines: readonly KeptZine[], said: string, values?: Parameters<Say>[1]): void {
    this.#write(zines)
    this.#tell(this.#say(said, values))
  }

  #write(zines: readonly KeptZine[]): void {
    writeKept(zines)
    this.#show()
  }

  /** Says what went wrong with the list. Other errors are reported. */
  async #try(action: () => unknown): Promise<void> {
    try {
      await action()
    } catch (error) {
      // A row may stand where it was dragged to.
      this.#show()
      this.#tell(messageOf(error))
    }
  }

  /** @param isSilent is said to screen readers alone, where everyone else sees it */
  #tell(
    text: string,
    { isSilent = false, before }: { isSilent?: boolean; before?: readonly KeptZine[] } = {},
  ): void {
    this.#before = before
    const status = this.#part('status')
    status.className = text === '' ? '' : isSilent ? 'visually-hidden' : 'notice done'
    const [span] = status.getElementsByTagName('span')
    if (span) span.textContent = text
    this.#undoButton.hidden = before === undefined
  }

  get #heading(): HTMLElement {
    return this.#find(document, 'h1')
  }

  get #undoButton(): HTMLElement {
    return this.#find(this.#page, '[data-do=undo]')
  }

  #rows(section: 'own' | 'linked'): HTMLElement {
    return this.#find(this.#part(section), '[data-part=rows]')
  }

  #part(name: string): HTMLElement {
    return this.#find(this.#page, `[data-part=${name}]`)
  }

  #find(within: ParentNode, selector: string): HTMLElement {
    const element = within.querySelector<HTMLElement>(selector)
    if (!element) throw new Error(`The page has no ${selector}.`)
    return element
  }

  #say(name: string, values: Parameters<Say>[1] = {}): string {
    return fill(this.#texts[name] ?? name, values)
  }
}

/** @throws what is no error of the list */
function messageOf(error: unknown): string {
  if (error instanceof KeptListError) return error.message
  throw error
}

/** A zine of which only the identifier is known. */
function unknownZine(id: string): readonly KeptZine[] {
  const zine = toKeptZine({ id })
  return zine ? [zine] : []
}

/** The zine as the catalogue has it now. */
function renewedBy(zine: KeptZine, asked: AskedZines): KeptZine {
  const answer = asked.get(zine.id)
  if (answer === undefined) return zine
  if (answer === null) return { ...zine, isGone: true }
  return { ...answer, formerId: answer.formerId || zine.formerId }
}

const linkTo = (zines: readonly KeptZine[]): string =>
  location.origin +
  location.pathname +
  fragment +
  zines.map(({ id }) => encodeURIComponent(id)).join()

/** The identifiers in the fragment of a link, each once; undefined for other fragments. */
function idsIn(hash: string): readonly string[] | undefined {
  if (!hash.startsWith(fragment)) return undefined
  try {
    const ids = hash
      .slice(fragment.length)
      .split(',')
      .map((id) => decodeURIComponent(id))
    return [...new Set(ids.filter((id) => id !== ''))]
  } catch {
    // It was cut, or changed.
    return []
  }
}

const page = document.querySelector<HTMLElement>('.my-list')
if (page) new MyListPage(page).start()
