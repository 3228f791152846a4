// The cover of a zine that a reader keeps: a small copy of its picture, or the look of the drawn one.

import type { KeptZine } from './kept-zines.js'

type KeptCover = Pick<KeptZine, 'picture' | 'look'>

const width = 160
const height = 224

/** Two hundred of them fit into the five megabytes of a browser's local storage. */
const maxLength = 20_000

/** The cover that a page shows there. A picture behind content advice is none. */
export async function coverIn(element: Element | null | undefined): Promise<KeptCover> {
  const drawn = element?.querySelector('.cover.drawn')
  const look = [...(drawn?.classList ?? [])].filter((name) => /^(?:texture|paper)-/.test(name))
  const image = element?.querySelector<HTMLImageElement>('img.picture:not(.advised *)')
  return { look: look.join(' '), picture: image ? await copyOf(image.src) : '' }
}

/** Empty for a picture that cannot be loaded or is too large. */
async function copyOf(address: string): Promise<string> {
  const image = new Image()
  image.src = address
  try {
    await image.decode()
  } catch {
    return ''
  }
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  // The whole width or height, from the top, as in pages.
  const scale = Math.max(width / image.naturalWidth, height / image.naturalHeight)
  const [shownWidth, shownHeight] = [image.naturalWidth * scale, image.naturalHeight * scale]
  const context = canvas.getContext('2d')
  context?.drawImage(image, (width - shownWidth) / 2, 0, shownWidth, shownHeight)
  const copy = canvas.toDataURL('image/jpeg', 0.6)
  return copy.length <= maxLength ? copy : ''
}
