// The files that pages are made with: style sheets, scripts, fonts. Read once; each address names
// what is in the file, so that browsers may keep it for good.

import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import type { Middleware } from 'koa'

/** A directory, and which of its files are for browsers. */
export type AssetDirectory = { readonly directory: string; readonly files: RegExp }

export type Assets = {
  /** The address of a file by its name. */
  readonly addressOf: (name: string) => string
  readonly serve: Middleware
}

type StaticFile = { readonly type: string; readonly content: Buffer; readonly tag: string }

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

const prefix = '/assets/'
const forever = 'public, max-age=31536000, immutable'
const gzipAsync = promisify(gzip)

export async function openAssets(shelves: readonly AssetDirectory[]): Promise<Assets> {
  const read = await Promise.all(shelves.map(readShelf))
  const files = new Map(read.flat())
  /** Compressed when first asked for. */
  const squeezed = new Map<string, Promise<Buffer>>()

  const compress = (name: string, content: Buffer): Promise<Buffer> => {
    const known = squeezed.get(name)
    if (known) return known
    const made = gzipAsync(content)
    squeezed.set(name, made)
    return made
  }

  return {
    addressOf(name) {
      const file = files.get(name)
      if (!file) throw new Error(`there is no asset ${name}`)
      return `${prefix}${name}?v=${file.tag}`
    },
    async serve(ctx, next) {
      const name = ctx.path.startsWith(prefix) ? ctx.path.slice(prefix.length) : ''
      const file = files.get(name)
      if (!file || !['GET', 'HEAD'].includes(ctx.method)) {
        await next()
        return
      }
      ctx.set('Cache-Control', ctx.query.v === file.tag ? forever : 'no-cache')
      ctx.set('ETag', `"${file.tag}"`)
      ctx.vary('Accept-Encoding')
      ctx.type = file.type
      ctx.status = 200
      if (ctx.fresh) ctx.status = 304
      else if (isText(file) && ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
        ctx.set('Content-Encoding', 'gzip')
        ctx.body = await compress(name, file.content)
      } else ctx.body = file.content
    },
  }
}

async function readShelf({ directory, files }: AssetDirectory): Promise<[string, StaticFile][]> {
  const names = (await readdir(directory)).filter((name) => files.test(name))
  return Promise.all(
    names.map(async (name): Promise<[string, StaticFile]> => {
      const content = await readFile(join(directory, name))
      const tag = createHash('sha256').update(content).digest('base64url').slice(0, 16)
      return [name, { type: types[extname(name)] ?? 'application/octet-stream', content, tag }]
    }),
  )
}

const isText = ({ type }: StaticFile): boolean => type.startsWith('text/') || type.includes('xml')
