// Asks the catalogue what it has of some zines: their rows in the list of zines, or the page of a zine
// that is not in it. Only a press of a button that says so asks, since it tells the catalogue which
// zines are in somebody's list.

import { coverIn } from './kept-covers.js'
import { type KeptZine, toKeptZine } from './kept-zines.js'

/** By the identifiers that were asked for: the zine, under another one where it has moved, or null. */
export type AskedZines = ReadonlyMap<string, KeptZine | null>

/** The most that a list takes (docs/reference/lists.md, "Further filters"). */
const maxListed = 100

/** Servers refuse longer addresses. */
const maxAddressLength = 4000

/** @throws Error where the catalogue does not answer */
export async function askForZines(ids: readonly string[]): Promise<AskedZines> {
  const asked = new Map<string, KeptZine | null>()
  for (const batch of batchesOf(ids)) {
    const page = await fetchPage(`/api/zines/?page_size=${maxListed}&zine_id__in=${batch.join()}`)
    for (const place of page?.querySelectorAll<HTMLElement>('[data-keep]') ?? []) {
      const zine = await zineAt(place, place.closest('li'))
      if (zine) asked.set(zine.id, zine)
    }
  }
  for (const id of ids) if (!asked.has(id)) asked.set(id, await askForZine(id))
  return asked
}

/** Follows where a merge or another identifier leads. */
async function askForZine(id: string): Promise<KeptZine | null> {
  const page = await fetchPage(`/api/zines/${encodeURIComponent(id)}/`)
  const place = page?.querySelector<HTMLElement>('.take [data-keep]')
  if (!page || !place) return null
  const zine = await zineAt(place, page.querySelector('.record-cover'))
  return zine && zine.id !== id ? { ...zine, formerId: id } : zine
}

async function zineAt(place: HTMLElement, frame: Element | null): Promise<KeptZine | null> {
  const zine = toKeptZine(JSON.parse(place.dataset.keep ?? ''))
  return zine ? { ...zine, ...(await coverIn(frame)) } : null
}

/** Encoded, as many together as a list and an address take. One with a comma is asked for alone. */
function batchesOf(ids: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = []
  let length = Infinity
  for (const id of ids.filter((each) => !each.includes(','))) {
    const encoded = encodeURIComponent(id)
    length += encoded.length + 1
    let last = batches.at(-1)
    if (!last || length > maxAddressLength || last.length === maxListed) {
      last = []
      batches.push(last)
      length = encoded.length
    }
    last.push(encoded)
  }
  return batches
}

/** @returns undefined for a page that is not there */
async function fetchPage(address: string): Promise<Document | undefined> {
  const response = await fetch(address, { headers: { Accept: 'text/html' } })
  if (response.status === 404 || response.status === 410) return undefined
  if (!response.ok) throw new Error(`${address} answered ${response.status}.`)
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}
