// The script of the inventory: ticks copies by their codes, which a scanner types or the camera reads, and sends the
// day on which they were seen. Without it, copies are ticked by hand. What was seen is kept on the device until the
// service has it, and the page too (inventory-worker.ts), so that a shelf can be checked where there is no network.

import { text } from './texts.js'

/** A copy that was seen, with the version of its record on the page (features/inventory/inventory.tsx). */
type Mark = { readonly id: string; readonly version: string; readonly day: string }

/** Of the Shape Detection API, which TypeScript does not know. */
type Detector = { detect(source: HTMLVideoElement): Promise<readonly { rawValue: string }[]> }
type DetectorClass = { new (): Detector; getSupportedFormats(): Promise<readonly string[]> }

/** The page with its files, for when there is no network. site.ts removes it after signing out. */
const cacheName = 'inventory'

/** How many marks are sent at once; the service takes some hundred. */
const maxSent = 250

/** The camera shows what is in front of it longer than it takes to read it. */
const readAgainMs = 100

class ShelfCheck {
  readonly #section: HTMLElement
  readonly #list: HTMLFormElement
  readonly #status: HTMLElement
  readonly #video: HTMLVideoElement
  /** Marks are of the account that made them. */
  readonly #key: string
  /** Sends go one after the other. */
  #sent: Promise<void> = Promise.resolve()

  constructor(section: HTMLElement, list: HTMLFormElement) {
    this.#section = section
    this.#list = list
    this.#status = this.#find('[role=status]', HTMLElement)
    this.#video = this.#find('video', HTMLVideoElement)
    this.#key = `inventory ${section.dataset.shelfCheck ?? ''}`
  }

  start(): void {
    this.#section.hidden = false
    for (const { id } of this.#marks) {
      const tick = this.#ticks.find(({ value }) => value === id)
      if (tick) tick.checked = true
    }
    const codes = this.#find('form', HTMLFormElement)
    const box = this.#find('[name=code]', HTMLInputElement)
    codes.addEventListener('submit', (event) => {
      event.preventDefault()
      this.#see(box.value.trim())
      box.value = ''
    })
    this.#find('[data-camera]', HTMLElement).addEventListener('click', () => void this.#useCamera())
    this.#list.addEventListener('change', ({ target }) => this.#unmark(target))
    this.#list.addEventListener('submit', (event) => {
      if ((event.submitter as HTMLButtonElement | null)?.value !== 'seen') return
      event.preventDefault()
      for (const tick of this.#ticks) if (tick.checked) this.#mark(tick)
      this.#send()
    })
    addEventListener('online', () => this.#send())
    this.#send()
    void keepPage(this.#section.dataset.worker ?? '')
  }

  /** Ticks the copy that has a code. */
  #see(code: string): void {
    if (code === '') return
    const ticks = this.#ticks.filter(({ dataset }) => dataset.codes?.split('\n').includes(code))
    const tick = ticks.find(({ checked }) => !checked) ?? ticks[0]
    if (!tick) {
      this.#say(text('{code} is not on this page.', { code }))
      return
    }
    tick.checked = true
    this.#mark(tick)
    const count = this.#ticks.filter(({ checked }) => checked).length
    this.#say(
      text('{code}: found. Ticked: {count} of {all}. Missing: {missing}.', {
        code,
        count,
        all: this.#ticks.length,
        missing: this.#ticks.length - count,
      }),
    )
  }

  async #useCamera(): Promise<void> {
    const stream = this.#video.srcObject as MediaStream | null
    if (stream) {
      for (const track of stream.getTracks()) track.stop()
      this.#video.srcObject = null
      this.#video.hidden = true
      this.#send()
      return
    }
    const detector = await createDetector()
    if (!detector) {
      this.#say(text('This browser cannot read barcodes with the camera. Type them instead.'))
      return
    }
    try {
      this.#video.srcObject = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: 'environment' },
      })
    } catch {
      this.#say(text('The camera cannot be used. Type the barcodes instead.'))
      return
    }
    this.#video.hidden = false
    await this.#video.play()
    await this.#read(detector)
  }

  /** Reads codes while the camera is on, each once as long as it is in front of the camera. */
  async #read(detector: Detector): Promise<void> {
    let last: string | undefined
    while (this.#video.srcObject) {
      const [barcode] = await detector.detect(this.#video).catch(() => [])
      if (barcode && barcode.rawValue !== last) {
        this.#see(barcode.rawValue)
        if ('vibrate' in navigator) navigator.vibrate(readAgainMs)
      }
      last = barcode?.rawValue
      await new Promise((resolve) => setTimeout(resolve, readAgainMs))
    }
  }

  #mark(tick: HTMLInputElement): void {
    // Without a version the account may not edit the record, which the service says.
    const box = tick.closest('td')?.querySelector<HTMLInputElement>('[name=version]')
    const others = this.#marks.filter(({ id }) => id !== tick.value)
    this.#marks = [...others, { id: tick.value, version: box?.value ?? '', day: today() }]
  }

  /** Takes a mark back that was not sent yet. */
  #unmark(target: EventTarget | null): void {
    if (!(target instanceof HTMLInputElement) || target.checked) return
    this.#marks = this.#marks.filter(({ id }) => id !== target.value)
  }

  #send(): void {
    this.#sent = this.#sent.then(() => this.#sendMarks())
  }

  async #sendMarks(): Promise<void> {
    for (let [next] = this.#marks; next; [next] = this.#marks) {
      const { day } = next
      const marks = this.#marks.filter((mark) => mark.day === day).slice(0, maxSent)
      const notice = await this.#post(day, marks)
      if (!notice) return
      const ids = new Set(marks.map(({ id }) => id))
      this.#marks = this.#marks.filter(({ id }) => !ids.has(id))
      this.#show(notice)
      // The records have new versions.
      await keepPage(this.#section.dataset.worker ?? '')
    }
  }

  /** @returns what the service says of the marks; undefined where it does not have them */
  async #post(day: string, marks: readonly Mark[]): Promise<Element | undefined> {
    const token = this.#list.querySelector<HTMLInputElement>('[name=csrf_token]')?.value ?? ''
    const body = new URLSearchParams({ csrf_token: token, do: 'seen', day })
    for (const { id, version } of marks) {
      body.append('id', id)
      body.append('version', version)
    }
    const response = await fetch(this.#list.action, { method: 'POST', body }).catch(() => undefined)
    const page = response?.ok ? await response.text().catch(() => '') : ''
    const notice = new DOMParser().parseFromString(page, 'text/html').querySelector('.notice')
    if (notice) return notice
    this.#say(
      response?.status === 403
        ? text('You were signed out. Sign in and open this page again: nothing is lost.')
        : text('Kept on this device: {count}. They are sent when the network is back.', {
            count: marks.length,
          }),
    )
    return undefined
  }

  #show(notice: Element): void {
    this.#status.replaceChildren(...notice.childNodes)
    for (const { dataset } of this.#section.querySelectorAll<HTMLElement>('[data-not-marked]')) {
      const tick = this.#ticks.find(({ value }) => value === dataset.notMarked)
      if (tick) tick.checked = false
    }
  }

  #say(what: string): void {
    this.#status.textContent = what
  }

  get #ticks(): readonly HTMLInputElement[] {
    return [...this.#list.querySelectorAll<HTMLInputElement>('input[name="id"]')]
  }

  get #marks(): readonly Mark[] {
    // The cast: nothing else writes it.
    return JSON.parse(localStorage.getItem(this.#key) ?? '[]') as readonly Mark[]
  }

  set #marks(marks: readonly Mark[]) {
    localStorage.setItem(this.#key, JSON.stringify(marks))
  }

  #find<Kind extends HTMLElement>(selector: string, type: new () => Kind): Kind {
    const element = this.#section.querySelector(selector)
    if (!(element instanceof type)) throw new Error(`The page has no ${selector}.`)
    return element
  }
}

/** The day where the device is. */
function today(): string {
  const now = new Date()
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((part) => `${part}`.padStart(2, '0'))
  return `${now.getFullYear()}-${month}-${day}`
}

/** The browser's own detector; undefined where there is none, or none that knows a kind of barcode. */
async function createDetector(): Promise<Detector | undefined> {
  const { BarcodeDetector } = globalThis as { readonly BarcodeDetector?: DetectorClass }
  const formats = (await BarcodeDetector?.getSupportedFormats()) ?? []
  return BarcodeDetector && formats.length > 0 ? new BarcodeDetector() : undefined
}

/** Keeps this page and its files, and no earlier one. Only pages from https and from this machine can be kept. */
async function keepPage(worker: string): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  try {
    await navigator.serviceWorker.register(worker, { scope: location.pathname })
    const files = performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => new URL(name).pathname.startsWith('/assets/'))
    const addresses = new Set([location.href.replace(/#.*/, ''), ...files])
    const cache = await caches.open(cacheName)
    await cache.addAll([...addresses])
    for (const { url } of await cache.keys()) if (!addresses.has(url)) await cache.delete(url)
  } catch {
    // There is no network, or the browser keeps nothing. The page works all the same.
  }
}

const section = document.querySelector<HTMLElement>('[data-shelf-check]')
const list = document.querySelector('.inventory')?.closest('form')
if (section && list) new ShelfCheck(section, list).start()
