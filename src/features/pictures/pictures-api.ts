// The pictures of zines and holdings (docs/reference/pictures.md, "Pictures"). Everybody sees those
// that are public, and accounts that may write the record see all. The images themselves are at
// addresses of the IIIF Image API (linked-data/iiif.ts).

import { NotFoundError } from '../../errors.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { json } from '../../formats/common-formats.js'
import type { Reference } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import { imagePath, largestPath, sizePath } from './addresses.js'
import {
  maxAltLength,
  maxCreditLength,
  parseElsewhere,
  parseNewDescription,
  parsePictureChange,
} from './description.js'
import {
  type Picture,
  type PicturedKind,
  iiifTypes,
  maxPictures,
  picturedKinds,
} from './picture.js'
import type { Pictures } from './pictures.js'
import { encodeSegment } from '../../rdf/terms.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { pageOperation } from '../../http/operation.js'
import { requestOrigin } from '../../http/origin.js'
import { readBody } from '../../http/request/body.js'
import { recordIdParam } from '../../http/request/list-query.js'
import { pageOfAll } from '../../http/request/pagination.js'
import { readPictureUpload, requireFile } from './picture-upload.js'
import {
  existsFor,
  readFor,
  requireWritable,
  visiblePictures,
} from '../../http/request/record-rights.js'
import { uploadType } from '../../http/request/upload.js'
import { sendJson } from '../../http/response/conditional.js'
import * as schema from '../../http/schemas.js'
import { followMerges } from '../merges/merges-api.js'

const descriptionProperties = {
  alt: schema.text({
    maxLength: maxAltLength,
    description: 'What is to be seen, for people who do not see the picture.',
  }),
  rights: schema.text('The code of a rights status; empty if none is said.'),
  credit: schema.text({ maxLength: maxCreditLength, description: 'Whom the picture is from.' }),
  public: schema.boolean('Whether everybody sees the picture.'),
}

const elsewhereProperties = {
  iiif: schema.choice(iiifTypes, 'What the address is of.'),
  url: schema.url('The address of an image or a manifest. It is not fetched.'),
}

const sizeSchema = schema.component('PictureSize', 'An image file of a picture.', {
  width: schema.positive(),
  height: schema.positive(),
  url: schema.url(),
})

const pictureSchema = schema.component('Picture', 'A picture of a zine or a holding.', {
  id: schema.text(),
  url: schema.url(),
  position: schema.positive('Its place among the pictures of the record, the cover first.'),
  image: schema.nullable(schema.url('The image in its largest size.')),
  service: schema.nullable(schema.url('The image by the IIIF Image API 3.0.')),
  sizes: schema.listOf(sizeSchema),
  elsewhere: schema.nullable(
    schema.object(elsewhereProperties, 'Where a picture is that is not here.'),
  ),
  ...descriptionProperties,
  added_at: schema.time(),
})

const uploadSchema = schema.object({
  file: schema.text({
    format: 'binary',
    description: 'A JPEG, PNG, WebP or GIF of 10 MB at most.',
  }),
  ...schema.partial(descriptionProperties),
})

const elsewhereSchema = schema.object({
  url: elsewhereProperties.url,
  ...schema.partial({ iiif: elsewhereProperties.iiif, ...descriptionProperties }),
})

const changeSchema = schema.object(
  schema.partial({
    ...descriptionProperties,
    position: schema.positive({
      maximum: maxPictures,
      description: 'Its new place; 1 makes it the cover.',
    }),
  }),
)

type PictureEndpointsDependencies = {
  readonly catalogue: Catalogue
  readonly pictures: Pictures
  readonly resources: Resources
  readonly vocabularies: { readonly 'rights-status': Vocabulary }
}

export const pictureEndpoints = (dependencies: PictureEndpointsDependencies): Endpoint[] =>
  picturedKinds.flatMap((name) => [
    picturesEndpoint(dependencies, name),
    pictureEndpoint(dependencies, name),
  ])

function picturesEndpoint(
  { catalogue, pictures, resources, vocabularies }: PictureEndpointsDependencies,
  name: PicturedKind,
): Endpoint {
  return {
    path: `/api/${name}/:id/pictures/`,
    name: `${resources[name].noun} Pictures`,
    description:
      'The pictures of the record in their order, the cover first. POST sends a file as a form, or the address of a IIIF image or manifest as JSON.',
    formats: [json],
    consumes: [uploadType, json.type],
    resource: name,
    methods: {
      GET: followMerges(async (ctx) => {
        const reference = referenceOf(ctx, name)
        await readFor(catalogue, ctx.state.account, reference)
        const all = pictures.list(reference)
        const visible = await visiblePictures(catalogue, ctx.state.account, reference, all)
        const shown = withPositions(all).filter(({ picture }) => visible.includes(picture))
        const page = pageOfAll(ctx, shown, toJson(ctx, reference))
        setCaching(ctx)
        sendJson(ctx, page)
      }, 'pictures/'),
      async POST(ctx) {
        const reference = referenceOf(ctx, name)
        if (!(await existsFor(catalogue, ctx.state.account, reference))) throw new NotFoundError()
        await requireWritable(catalogue, ctx, reference)
        const { image, sent } = await readNew(ctx)
        const description = parseNewDescription(sent, vocabularies['rights-status'])
        const added = await pictures.add(reference, image, description, (work) =>
          catalogue.withRecord(reference, ctx.state.account?.name, work),
        )
        sendPicture(ctx, reference, pictures, added)
        ctx.status = 201
        ctx.set('Location', addressOf(ctx, reference, added))
      },
    },
    operations: {
      GET: pageOperation(schema.page('PaginatedPictureList', pictureSchema)),
      POST: {
        action: 'Add a picture',
        request: elsewhereSchema,
        upload: uploadSchema,
        response: pictureSchema,
        creates: true,
        errors: [501, 503],
      },
    },
  }
}

function pictureEndpoint(
  { catalogue, pictures, resources, vocabularies }: PictureEndpointsDependencies,
  name: PicturedKind,
): Endpoint {
  return {
    path: `/api/${name}/:id/pictures/:picture/`,
    name: `${resources[name].noun} Picture`,
    description:
      'A picture of the record. PATCH describes it, shows or hides it, and puts it at another place.',
    formats: [json],
    resource: name,
    methods: {
      async GET(ctx) {
        const reference = referenceOf(ctx, name)
        const picture = requirePicture(pictures, reference, ctx)
        const { account } = ctx.state
        const [visible] = await visiblePictures(catalogue, account, reference, [picture])
        if (!visible) throw new NotFoundError()
        setCaching(ctx)
        sendPicture(ctx, reference, pictures, picture)
      },
      async PATCH(ctx) {
        const reference = referenceOf(ctx, name)
        await requireWritable(catalogue, ctx, reference)
        const { id } = requirePicture(pictures, reference, ctx)
        const change = parsePictureChange(await readBody(ctx), vocabularies['rights-status'])
        const changed = await catalogue.withRecord(reference, ctx.state.account?.name, () =>
          pictures.change(reference, id, change),
        )
        sendPicture(ctx, reference, pictures, changed)
      },
      async DELETE(ctx) {
        const reference = referenceOf(ctx, name)
        await requireWritable(catalogue, ctx, reference)
        const { id } = requirePicture(pictures, reference, ctx)
        await catalogue.withRecord(reference, ctx.state.account?.name, () =>
          pictures.remove(reference, id),
        )
        ctx.status = 204
      },
    },
    operations: {
      GET: { response: pictureSchema },
      PATCH: { request: changeSchema, response: pictureSchema },
    },
  }
}

const referenceOf = (ctx: RequestContext, target: PicturedKind): Reference => ({
  target,
  id: recordIdParam(ctx),
})

/** @throws NotFoundError */
function requirePicture(pictures: Pictures, reference: Reference, ctx: RequestContext): Picture {
  const picture = pictures.list(reference).find(({ id }) => id === ctx.params.picture)
  if (!picture) throw new NotFoundError()
  return picture
}

/**
 * The image and the description that were sent, as a form with a file or as JSON with an address.
 */
async function readNew(ctx: RequestContext) {
  if (ctx.is(uploadType)) {
    const upload = await readPictureUpload(ctx)
    return { image: requireFile(upload), sent: new Map<string, unknown>(upload.form) }
  }
  const sent = await readBody(ctx)
  return { image: parseElsewhere(sent), sent }
}

type PlacedPicture = { readonly picture: Picture; readonly position: number }

const withPositions = (pictures: readonly Picture[]): readonly PlacedPicture[] =>
  pictures.map((picture, index) => ({ picture, position: index + 1 }))

/** What an account sees is for that account. */
const setCaching = (ctx: RequestContext): void =>
  ctx.set('Cache-Control', ctx.state.account ? 'private, no-store' : 'no-cache')

function sendPicture(
  ctx: RequestContext,
  reference: Reference,
  pictures: Pictures,
  picture: Picture,
): void {
  const position = pictures.list(reference).findIndex(({ id }) => id === picture.id) + 1
  sendJson(ctx, toJson(ctx, reference)({ picture, position }))
}

const addressOf = (ctx: RequestContext, { target, id }: Reference, picture: Picture): string =>
  `${requestOrigin(ctx)}/api/${target}/${encodeSegment(id)}/pictures/${picture.id}/`

const toJson =
  (ctx: RequestContext, reference: Reference) =>
  ({ picture, position }: PlacedPicture): schema.ValueOf<typeof pictureSchema> => {
    const { id, sizes, elsewhere, alt, rights, credit, addedAt } = picture
    const origin = requestOrigin(ctx)
    return {
      id,
      url: addressOf(ctx, reference, picture),
      position,
      image: sizes.length > 0 ? origin + largestPath(picture) : null,
      service: sizes.length > 0 ? origin + imagePath(id) : null,
      sizes: sizes.map((size) => ({
        width: size.width,
        height: size.height,
        url: origin + sizePath(picture, size),
      })),
      elsewhere: elsewhere ? { iiif: elsewhere.type, url: elsewhere.url } : null,
      alt,
      rights,
      credit,
      public: picture.public,
      added_at: addedAt,
    }
  }
