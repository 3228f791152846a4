// The buttons with which readers keep a zine in a list of their own, in this browser alone
// (kept-zines.ts). A page has a place for each; without this script, nothing is there.

import { coverIn } from './kept-covers.js'
import {
  KeptListError,
  type KeptZine,
  onKeptChange,
  readKept,
  toKeptZine,
  writeKept,
} from './kept-zines.js'
import { text } from './texts.js'

type Place = {
  readonly zine: KeptZine
  /** What has the cover. */
  readonly frame: Element | null
  readonly button: HTMLButtonElement
  readonly status: HTMLElement
}

let places: readonly Place[] = []

showButtons()
renewShown()
onKeptChange(showWhatIsKept)
// site.ts puts other rows in place of those of the page.
document.addEventListener('parts-replaced', showButtons)

function showButtons(): void {
  places = places.filter(({ button }) => button.isConnected)
  const empty = document.querySelectorAll<HTMLElement>('[data-keep]:empty')
  places = [...places, ...[...empty].flatMap(fillPlace)]
  showWhatIsKept()
}

function fillPlace(element: HTMLElement): readonly Place[] {
  const zine = toKeptZine(JSON.parse(element.dataset.keep ?? ''))
  if (!zine) return []
  const button = document.createElement('button')
  // In the form with which editors tick records, it submits nothing.
  button.type = 'button'
  button.className = element.closest('.take') ? 'quiet' : 'plain'
  const status = document.createElement('span')
  status.className = 'hint'
  element.append(button, ' ', status)
  const frame = element.closest('li') ?? document.querySelector('.record-cover')
  const place = { zine, frame, button, status }
  button.addEventListener('click', () => press(place))
  return [place]
}

function showWhatIsKept(): void {
  const kept = new Set(keptIds())
  for (const { zine, button } of places) {
    const label = kept.has(zine.id) ? text('Remove from my list') : text('Keep in my list')
    if (button.textContent === label) continue
    button.textContent = label
    button.setAttribute('aria-label', text('{label}: {value}', { label, value: zine.title }))
  }
}

/** None where they cannot be read, which pressing the button says. */
function keptIds(): readonly string[] {
  try {
    return readKept().map(({ id }) => id)
  } catch {
    return []
  }
}

function press(place: Place): void {
  const { zine } = place
  for (const { status } of places) status.textContent = ''
  try {
    const list = readKept()
    const others = list.filter(({ id }) => id !== zine.id)
    const isAdded = others.length === list.length
    writeKept(isAdded ? [...list, zine] : others)
    showWhatIsKept()
    say(place, text('Zines in your list: {count}', { count: others.length + (isAdded ? 1 : 0) }))
    if (isAdded) void keepCover(place)
  } catch (error) {
    if (!(error instanceof KeptListError)) throw error
    say(place, error.message)
  }
}

/** Beside the button, as a link to the list; to screen readers in the place that site.ts made. */
function say({ status }: Place, said: string): void {
  const announcement = document.querySelector('body > [role=status]')
  if (announcement) announcement.textContent = said
  const link = document.createElement('a')
  link.href = '/my-list'
  link.textContent = said
  status.replaceChildren(link)
}

/** After the zine itself, so that a list without room for its cover has it all the same. */
async function keepCover({ zine, frame }: Place): Promise<void> {
  replaceKept({ ...zine, ...(await coverIn(frame)) })
}

/** Replaces what is kept of a zine, if it is still kept. */
function replaceKept(zine: KeptZine): void {
  try {
    const list = readKept()
    if (list.some(({ id }) => id === zine.id))
      writeKept(list.map((other) => (other.id === zine.id ? zine : other)))
  } catch {
    // The list stays as it is.
  }
}

/** The page of a zine knows it best. */
function renewShown(): void {
  const shown = places.find(({ button }) => button.closest('.take'))
  if (shown && keptIds().includes(shown.zine.id)) void keepCover(shown)
}
