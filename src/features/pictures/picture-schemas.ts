// The schemas, and the request and response bodies, of pictures (docs/api.md, "Pictures").

import { maxAltLength, maxCreditLength } from './description.js'
import { iiifTypes, maxPictures, picturedKinds } from './picture.js'
import type { Schema } from '../../http/schemas.js'
import { refer } from '../../http/openapi/document.js'
import type { PayloadsByMethod } from '../../http/openapi/payload-types.js'
import { objectSchema, pageSchema } from '../../http/openapi/reference-schemas.js'

const count: Schema = { type: 'integer', minimum: 1 }
const address: Schema = { type: 'string', format: 'uri' }

const description = {
  alt: {
    type: 'string',
    maxLength: maxAltLength,
    description: 'What is to be seen, for people who do not see the picture.',
  },
  rights: { type: 'string', description: 'The code of a rights status; empty if none is said.' },
  credit: {
    type: 'string',
    maxLength: maxCreditLength,
    description: 'Whom the picture is from.',
  },
  public: { type: 'boolean', description: 'Whether everybody sees the picture.' },
} as const

const elsewhere = {
  iiif: { type: 'string', enum: [...iiifTypes], description: 'What the address is of.' },
  url: { ...address, description: 'The address of an image or a manifest. It is not fetched.' },
} as const

export const pictureSchemas: Readonly<Record<string, Schema>> = {
  PictureSize: objectSchema(
    { width: count, height: count, url: address },
    'An image file of a picture.',
  ),
  Picture: objectSchema(
    {
      id: { type: 'string' },
      url: address,
      position: {
        ...count,
        description: 'Its place among the pictures of the record, the cover first.',
      },
      image: { ...address, nullable: true, description: 'The image in its largest size.' },
      service: { ...address, nullable: true, description: 'The image by the IIIF Image API 3.0.' },
      sizes: { type: 'array', items: refer('schemas', 'PictureSize') },
      elsewhere: {
        ...objectSchema(elsewhere, 'Where a picture is that is not here.'),
        nullable: true,
      },
      ...description,
      added_at: { type: 'string', format: 'date-time' },
    },
    'A picture of a zine or a holding.',
  ),
  PaginatedPictureList: pageSchema('Picture'),
}

const file: Schema = {
  type: 'object',
  required: ['file'],
  properties: {
    file: {
      type: 'string',
      format: 'binary',
      description: 'A JPEG, PNG, WebP or GIF of 10 MB at most.',
    },
    ...description,
  },
}

const elsewhereRequest: Schema = {
  type: 'object',
  required: ['url'],
  properties: { ...elsewhere, ...description },
}

const change: Schema = {
  type: 'object',
  properties: {
    ...description,
    position: {
      ...count,
      maximum: maxPictures,
      description: 'Its new place; 1 makes it the cover.',
    },
  },
}

export const picturePayloads: PayloadsByMethod = picturedKinds.flatMap((name): PayloadsByMethod => {
  const list = `/api/${name}/:id/pictures/`
  const response = refer('schemas', 'Picture')
  return [
    ['GET', list, { response: refer('schemas', 'PaginatedPictureList'), paged: true }],
    [
      'POST',
      list,
      {
        action: 'Add a picture',
        request: elsewhereRequest,
        upload: file,
        response,
        creates: true,
        errors: [503],
      },
    ],
    ['GET', `${list}:picture/`, { response }],
    ['PATCH', `${list}:picture/`, { request: change, response }],
    ['DELETE', `${list}:picture/`, {}],
  ]
})
