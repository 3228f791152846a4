// Makes of a file that somebody sent the image files of a picture: decoded and written anew as
// JPEG, in several sizes, without anything that the file said besides the image. libvips does it in
// threads of its own.

import type sharpPackage from 'sharp'

import { type Message, message } from '../../message.js'
import { InvalidError, RequestError, UnavailableError } from '../../errors.js'
import { limitConcurrency } from '../../lib/scheduling.js'

/** The most bytes of a file that is sent. */
export const maxPictureBytes = 10 * 1024 * 1024

/**
 * A small file may be a very large picture, which takes four bytes for each pixel when it is
 * decoded.
 */
const maxPixels = 50_000_000

/** The longest edges of the sizes of a picture. */
const edges = [3000, 1200, 600, 300]

export const maxSizes = edges.length

export type ProcessedPicture = readonly {
  readonly width: number
  readonly height: number
  readonly content: Buffer
}[]

/** The decoder: an optional package, without which no file is taken. */
const sharp = await import('sharp').then(
  (module) => withLimits(module.default),
  () => undefined,
)

type Decoder = typeof sharpPackage

/** Only the decoders of these formats, of which each has seen hostile files for years. */
function withLimits(sharp: Decoder): Decoder {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpegBuffer',
      'VipsForeignLoadPngBuffer',
      'VipsForeignLoadWebpBuffer',
      'VipsForeignLoadNsgifBuffer',
    ],
  })
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

export const takesFiles = sharp !== undefined

/** Why no file is taken. */
export const noFilesTaken = message(
  'Pictures cannot be uploaded here, since the package sharp is not installed.',
)

/** The beginnings of files by their formats. */
const signatures: readonly (readonly [format: string, pattern: RegExp])[] = [
  ['jpeg', /^\xff\xd8\xff/],
  ['png', /^\x89PNG\r\n\x1a\n/],
  ['webp', /^RIFF[^]{4}WEBP/],
  ['gif', /^GIF8[79]a/],
]

const isPicture = (bytes: Buffer): boolean => {
  const start = bytes.subarray(0, 16).toString('latin1')
  return signatures.some(([, pattern]) => pattern.test(start))
}

/** The file is not taken. */
export const pictureRefused = (text: Message, options?: ErrorOptions): InvalidError =>
  new InvalidError(text, { ...options, field: 'file' })

/** What Django REST Framework says. */
const notAnImage = message(
  'Upload a valid image. The file you uploaded was either not an image or a corrupted image.',
)

const tooManyPixels = message('The picture has more than {count} million pixels.', {
  count: maxPixels / 1_000_000,
})

/** The sizes of a picture, the largest first. @throws InvalidError, RequestError, UnavailableError */
export function processPicture(bytes: Buffer): Promise<ProcessedPicture> {
  if (bytes.length === 0) throw pictureRefused(message('The submitted file is empty.'))
  if (!isPicture(bytes)) throw pictureRefused(notAnImage)
  if (!sharp) throw new RequestError('unsupported', noFilesTaken)
  return oneAfterAnother(() => makeSizes(sharp, bytes))
}

async function makeSizes(decode: Decoder, bytes: Buffer): Promise<ProcessedPicture> {
  const largest = await render(decode, bytes, edges[0] ?? 0)
  const longest = Math.max(largest.width, largest.height)
  const smaller = []
  for (const edge of edges.slice(1))
    if (edge < longest) smaller.push(await render(decode, largest.content, edge))
  return [largest, ...smaller]
}

async function render(decode: Decoder, bytes: Buffer, edge: number) {
  try {
    const { data, info } = await decode(bytes, { limitInputPixels: maxPixels, failOn: 'error' })
      // The orientation is in the metadata, which are left out.
      .autoOrient()
      .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .jpeg({ quality: 84, chromaSubsampling: '4:4:4' })
      .timeout({ seconds: 30 })
      .toBuffer({ resolveWithObject: true })
    return { width: info.width, height: info.height, content: data }
  } catch (error) {
    const isTooLarge = (error as Error).message.includes('pixel limit')
    throw pictureRefused(isTooLarge ? tooManyPixels : notAnImage, { cause: error })
  }
}

/** How many may wait: a large picture takes a second or two. */
const maxWaiting = 10

let waiting = 0
const inTurn = limitConcurrency(1)

/**
 * One picture at a time, so that the memory for pixels is needed once.
 * @throws UnavailableError
 */
async function oneAfterAnother<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waiting >= maxWaiting)
    throw new UnavailableError(
      message('Too many pictures are being processed. Try again later.'),
      10,
    )
  waiting += 1
  try {
    return await inTurn(work)
  } finally {
    waiting -= 1
  }
}
