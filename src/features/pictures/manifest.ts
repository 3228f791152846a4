// The IIIF Presentation 3.0 manifest of a record: its pictures that everybody may see, each on a
// canvas of its own.

import type { Reference } from '../../model/record/views.js'
import { type Vocabulary, matchesOf } from '../../model/vocabulary.js'
import { encodeSegment } from '../../rdf/terms.js'
import { imagePath, largestPath, manifestPath, sizeFor, sizePath } from './addresses.js'
import type { Picture, PictureSize } from './picture.js'

export const presentationContext = 'http://iiif.io/api/presentation/3/context.json'

type ManifestInput = {
  readonly reference: Reference
  readonly title: string
  /** Those that everybody may see. */
  readonly pictures: readonly Picture[]
  readonly rights: Vocabulary
  /** The scheme and host of all addresses. */
  readonly origin: string
}

/** The manifest; undefined where no image is here to be shown. */
export function buildManifest(input: ManifestInput): object | undefined {
  const { reference, title, pictures, origin } = input
  const images = pictures.filter(({ sizes }) => sizes.length > 0)
  const [cover] = images
  if (!cover) return undefined
  const { target, id } = reference
  const record = `${origin}/api/${target}/${encodeSegment(id)}/`
  return {
    '@context': presentationContext,
    id: origin + manifestPath(reference),
    type: 'Manifest',
    label: { none: [title] },
    ...rightsOf(images, input.rights),
    ...creditOf(images),
    homepage: [{ id: record, type: 'Text', label: { none: [title] }, format: 'text/html' }],
    seeAlso: [
      { id: `${record}?format=jsonld`, type: 'Dataset', format: 'application/ld+json' },
      ...pictures.flatMap(({ elsewhere }) =>
        elsewhere ? [{ id: elsewhere.url, type: 'Dataset', format: 'application/json' }] : [],
      ),
    ],
    thumbnail: thumbnailOf(cover, origin),
    items: images.map((picture, index) => canvasOf(picture, index, input)),
  }
}

function canvasOf(picture: Picture, index: number, { reference, origin }: ManifestInput) {
  const [size] = picture.sizes
  const base = `${origin}${manifestPath(reference).replace(/manifest\.json$/, '')}canvas/${picture.id}`
  const label = picture.alt || (index === 0 ? 'Cover' : `Picture ${index + 1}`)
  return {
    id: base,
    type: 'Canvas',
    label: { none: [label] },
    ...dimensionsOf(size),
    thumbnail: thumbnailOf(picture, origin),
    items: [
      {
        id: `${base}/page`,
        type: 'AnnotationPage',
        items: [
          {
            id: `${base}/annotation`,
            type: 'Annotation',
            motivation: 'painting',
            body: {
              id: origin + largestPath(picture),
              type: 'Image',
              format: 'image/jpeg',
              ...dimensionsOf(size),
              service: [
                { id: origin + imagePath(picture.id), type: 'ImageService3', profile: 'level0' },
              ],
            },
            target: base,
          },
        ],
      },
    ],
  }
}

const dimensionsOf = (size: PictureSize | undefined) =>
  size ? { width: size.width, height: size.height } : {}

function thumbnailOf(picture: Picture, origin: string) {
  const size = sizeFor(picture, 200)
  if (!size) return []
  const id = origin + sizePath(picture, size)
  return [{ id, type: 'Image', format: 'image/jpeg', ...dimensionsOf(size) }]
}

/**
 * The specification takes addresses of these two sites (Presentation API, `rights`), and one for
 * all.
 */
const rightsPattern = /^https?:\/\/(?:creativecommons\.org|rightsstatements\.org)\//

function rightsOf(images: readonly Picture[], vocabulary: Vocabulary) {
  const [code = '', ...others] = new Set(images.map(({ rights }) => rights))
  const uri = matchesOf(vocabulary, code).find((match) => rightsPattern.test(match))
  return others.length === 0 && uri !== undefined ? { rights: uri.replace(/^https:/, 'http:') } : {}
}

function creditOf(images: readonly Picture[]) {
  const credits = [...new Set(images.map(({ credit }) => credit).filter(Boolean))]
  return credits.length === 0
    ? {}
    : { requiredStatement: { label: { en: ['Credit'] }, value: { none: credits } } }
}
