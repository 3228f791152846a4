// Pictures by IIIF: images by the Image API 3.0 at level 0, which are whole images in the sizes
// that there are, and the manifest of each record by the Presentation API 3.0. Everybody gets those
// that are public.

import { NotFoundError } from '../../errors.js'
import { json } from '../../formats/common-formats.js'
import { jsonld } from '../../formats/jsonld/jsonld.js'
import type { Format } from '../../formats/serializer.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { labelOfReference, titleOf } from '../../model/record/title.js'
import { textValue } from '../../model/record/values.js'
import { type ResolvedRecord, valuesIn } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import { imagePath, namedSize } from './addresses.js'
import { buildManifest, presentationContext } from './manifest.js'
import { type PicturedKind, picturedKinds } from './picture.js'
import type { FoundPicture, Pictures } from './pictures.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { requestOrigin } from '../../http/origin.js'
import { recordIdParam } from '../../http/request/list-query.js'
import { visiblePictures } from '../../http/request/record-rights.js'
import { sendJson } from '../../http/response/conditional.js'
import { jpeg, sendImage } from './image.js'
import { redirectToOther } from '../../http/response/redirect.js'

type IiifDependencies = {
  readonly pictures: Pictures
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly rights: Vocabulary
}

const imageContext = 'http://iiif.io/api/image/3/context.json'

/** JSON, and for who asks for it the same as JSON-LD (Image API, 5; Presentation API, 6.2). */
const formatsWith = (context: string): readonly Format[] => [
  json,
  { ...jsonld, parameters: `profile="${context}"` },
]

export const iiifEndpoints = (dependencies: IiifDependencies): Endpoint[] => [
  baseEndpoint(dependencies),
  infoEndpoint(dependencies),
  imageEndpoint(dependencies),
  ...picturedKinds.map((name) => manifestEndpoint(dependencies, name)),
]

/** The base URI of an image leads to its information (Image API, 2). */
const baseEndpoint = (dependencies: IiifDependencies): Endpoint => ({
  path: '/iiif/images/:picture',
  name: 'Image',
  description: 'Leads to the information about an image.',
  formats: formatsWith(imageContext),
  methods: {
    async GET(ctx) {
      const { picture } = await findVisible(ctx, dependencies)
      redirectToOther(ctx, `${requestOrigin(ctx)}${imagePath(picture.id)}/info.json`)
    },
  },
})

const infoEndpoint = (dependencies: IiifDependencies): Endpoint => ({
  path: '/iiif/images/:picture/info.json',
  name: 'Image Information',
  description: 'The sizes of an image (IIIF Image API 3.0, level 0).',
  formats: formatsWith(imageContext),
  methods: {
    async GET(ctx) {
      const { picture } = await findVisible(ctx, dependencies)
      const sizes = picture.sizes.map(({ width, height }) => ({ width, height }))
      sendJson(ctx, {
        '@context': imageContext,
        id: requestOrigin(ctx) + imagePath(picture.id),
        type: 'ImageService3',
        protocol: 'http://iiif.io/api/image',
        profile: 'level0',
        ...sizes[0],
        sizes: sizes.toReversed(),
      })
    },
  },
})

const imageEndpoint = (dependencies: IiifDependencies): Endpoint => ({
  path: '/iiif/images/:picture/full/:size/0/default.jpg',
  name: 'Image File',
  description: 'An image in one of its sizes, or the largest one with `max`.',
  formats: [jpeg],
  methods: {
    async GET(ctx) {
      const { picture } = await findVisible(ctx, dependencies)
      await sendImage(ctx, dependencies.pictures, namedSize(picture, ctx.params.size ?? '')?.hash)
    },
  },
})

const manifestEndpoint = (
  { pictures, catalogue, resources, rights }: IiifDependencies,
  name: PicturedKind,
): Endpoint => ({
  path: `/iiif/${name}/:id/manifest.json`,
  name: `${resources[name].noun} Manifest`,
  description: 'The public pictures of the record (IIIF Presentation API 3.0).',
  formats: formatsWith(presentationContext),
  methods: {
    async GET(ctx) {
      const reference = { target: name, id: recordIdParam(ctx) }
      const { record } = await catalogue.read(name, reference.id, 'detail')
      const manifest = buildManifest({
        reference,
        title: titleOfRecord(resources, record),
        pictures: pictures.list(reference).filter((picture) => picture.public),
        rights,
        origin: requestOrigin(ctx),
      })
      if (!manifest) throw new NotFoundError()
      ctx.set('Cache-Control', 'no-cache')
      sendJson(ctx, manifest)
    },
  },
})

/** The title with the issue; of a holding that of its zine. */
function titleOfRecord(resources: Resources, { resource, values, lookup }: ResolvedRecord): string {
  const { title, subtitle } = resource.summary
  const [id] = title?.target ? valuesIn(title, values) : []
  if (title?.target && id !== undefined)
    return labelOfReference(resources, lookup, { target: title.target, id })
  const issue = subtitle ? textValue(values, subtitle.name) : ''
  return [titleOf(resources, resource.name, values), issue].filter(Boolean).join(', ')
}

/** A picture with an image here that who asks may see. @throws NotFoundError */
async function findVisible(
  ctx: RequestContext,
  { catalogue, pictures }: IiifDependencies,
): Promise<FoundPicture> {
  const foundPicture = pictures.find(ctx.params.picture ?? '')
  if (!foundPicture || foundPicture.picture.sizes.length === 0) throw new NotFoundError()
  const { reference, picture } = foundPicture
  const [visible] = await visiblePictures(catalogue, ctx.state.account, reference, [picture])
  if (!visible) throw new NotFoundError()
  // Who may see it can change, so whoever kept it asks again.
  ctx.set('Cache-Control', foundPicture.picture.public ? 'no-cache' : 'private, no-store')
  return foundPicture
}
