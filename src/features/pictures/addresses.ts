// The addresses of pictures: those of the IIIF Image API for images, and of the Presentation API
// for the pictures of a record.

import type { Reference } from '../../model/record/views.js'
import { encodeSegment } from '../../rdf/terms.js'
import type { Picture, PictureSize } from './picture.js'

export const imagePath = (id: string): string => `/iiif/images/${id}`

/** The image in one of its sizes. */
export const sizePath = ({ id }: Picture, { width, height }: PictureSize): string =>
  `${imagePath(id)}/full/${width},${height}/0/default.jpg`

/** The image in its largest size, whatever that is. */
export const largestPath = ({ id }: Pick<Picture, 'id'>): string =>
  `${imagePath(id)}/full/max/0/default.jpg`

export const manifestPath = ({ target, id }: Reference): string =>
  `/iiif/${target}/${encodeSegment(id)}/manifest.json`

/** The smallest size that is at least as wide; the largest one where none is. */
export const sizeFor = ({ sizes }: Picture, width: number): PictureSize | undefined =>
  sizes.findLast((size) => size.width >= width) ?? sizes[0]

/** The size that the Image API names, such as `300,420` or `max`. */
export function namedSize({ sizes }: Picture, name: string): PictureSize | undefined {
  if (name === 'max') return sizes[0]
  return sizes.find(({ width, height }) => name === `${width},${height}`)
}
