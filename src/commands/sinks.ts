// The two places that `load` writes to.

import type { Catalogue } from '../catalogue/catalogue.js'
import { NotFound } from '../catalogue/failures.js'
import { Invalid } from '../model/write-shape.js'
import { encodeSegment } from '../rdf/terms.js'
import { LoadRefused, type Sink } from './load.js'

type How = { readonly replace: boolean }

/** Into a catalogue that is open in this process. */
export function catalogueSink(catalogue: Catalogue, { replace }: How): Omit<Sink, 'close'> {
  return {
    async put(resource, id, record) {
      const body = new Map<string, unknown>(Object.entries(record))
      try {
        if (await isThere(resource, id)) {
          if (!replace) return 'there'
          await catalogue.replace(resource, id, body)
          return 'replaced'
        }
        await catalogue.create(resource, body)
        return 'created'
      } catch (error) {
        if (error instanceof Invalid) return error.failures
        throw error
      }
    },
  }

  async function isThere(resource: Parameters<Sink['put']>[0], id: string): Promise<boolean> {
    try {
      await catalogue.read(resource, id)
      return true
    } catch (error) {
      if (error instanceof NotFound) return false
      throw error
    }
  }
}

/** Into a running service, with the token of an account that may write there. */
export function serviceSink(url: string, token: string, { replace }: How): Sink {
  const origin = url.replace(/\/+$/, '')

  async function ask(method: string, path: string, body?: object): Promise<Response> {
    for (;;) {
      const response = await send(method, path, body)
      if (response.status !== 429 && response.status !== 503) return response
      await response.arrayBuffer()
      const seconds = Math.max(1, Number(response.headers.get('retry-after')) || 1)
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    }
  }

  async function send(method: string, path: string, body?: object): Promise<Response> {
    try {
      return await fetch(origin + path, {
        method,
        headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    } catch (cause) {
      const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
      throw new LoadRefused(`${origin} does not answer: ${String(why)}; run it again later`, {
        cause,
      })
    }
  }

  return {
    async put(resource, id, record) {
      const path = `/api/${resource}/${encodeSegment(id)}/`
      const seen = await ask('GET', path)
      await seen.arrayBuffer()
      if (seen.ok && !replace) return 'there'
      const response = seen.ok
        ? await ask('PUT', path, record)
        : await ask('POST', `/api/${resource}/`, record)
      const text = await response.text()
      if (response.ok) return seen.ok ? 'replaced' : 'created'
      if (response.status === 400)
        return new Map(Object.entries(JSON.parse(text) as Record<string, string[]>))
      throw new LoadRefused(`${origin} answers ${response.status}: ${text}`)
    },
    close: () => Promise.resolve(),
  }
}
