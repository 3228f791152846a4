// Whole lists to keep: any filtered, searched and ordered list in any format, however long, sent as
// fast as the client takes it.

import { Readable } from 'node:stream'

import type { Catalogue } from '../../catalogue/catalogue.js'
import { NotFound } from '../../catalogue/errors.js'
import type { Walk } from '../../catalogue/lists.js'
import type { Press } from '../../formats/serializer.js'
import type { Presses } from '../../formats/serializers.js'
import type { ResourceName } from '../../model/iris.js'
import type { Resource, Resources } from '../../model/resources.js'
import { pressOf, soughtOf } from '../request/list-query.js'
import { typeOf } from '../response/conditional.js'
import type { Context, Endpoint } from '../endpoint.js'

type Parts = {
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly presses: Presses
}

/**
 * Each export has two addresses. `/api/zines/export/` is the one to remember; but a client may call a
 * record `export`, and the specification gives that address to it. `/api/export/zines/` is no record's.
 */
export const exportEndpoints = (parts: Parts): Endpoint[] =>
  Object.values(parts.resources).flatMap((resource) => {
    const endpoint = exportEndpoint(parts, resource)
    const { name } = resource
    return [
      { ...endpoint, path: `/api/${name}/export/`, applies: unlessRecord(parts.catalogue, name) },
      { ...endpoint, path: `/api/export/${name}/` },
    ]
  })

function exportEndpoint(
  { catalogue, presses }: Parts,
  { name, noun }: Resource,
): Omit<Endpoint, 'path'> {
  return {
    name: `${noun} Export`,
    description: `All ${name} that are asked for, on one page, as a file.`,
    formats: presses[name],
    methods: {
      async GET(ctx) {
        const press = pressOf(ctx, presses[name])
        const walk = await catalogue.walk(name, soughtOf(ctx))
        sendFile(ctx, {
          name: `${name}.${press.extension ?? press.name}`,
          type: typeOf(press),
          content: Readable.from(printed(press, walk), { objectMode: false }),
        })
        ctx.set('X-Total-Count', String(walk.count))
      },
    },
  }
}

type File = { readonly name: string; readonly type: string; readonly content: Readable }

/**
 * Sends a file as it comes. Koa ends it when the client goes away, and breaks the connection off when
 * it fails, so that nobody takes a part for the whole. It has no ETag: that comes before the content.
 */
export function sendFile(ctx: Context, { name, type, content }: File): void {
  ctx.status = 200
  ctx.set('Content-Disposition', `attachment; filename="${name}"`)
  ctx.set('Cache-Control', 'no-cache')
  ctx.body = content
  ctx.type = type
}

async function* printed(press: Press, { count, batches }: Walk): AsyncGenerator<string> {
  const listed = { count, links: undefined }
  let index = 0
  yield press.open(listed)
  for await (const sheets of batches)
    yield sheets.map((sheet) => press.item(sheet, index++, listed)).join('')
  yield press.close(listed)
}

/** Reads, as long as there is no record of that name; all that writes is about a record. */
function unlessRecord(catalogue: Catalogue, name: ResourceName): NonNullable<Endpoint['applies']> {
  return async ({ method }) => {
    if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) return false
    try {
      await catalogue.read(name, 'export')
      return false
    } catch (error) {
      if (error instanceof NotFound) return true
      throw error
    }
  }
}
